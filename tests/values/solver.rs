//! The library's solver against the slow one board by board, and against the counts under `data/`.

use crate::histograms::{self, Histogram};
use crate::naive;
use crate::sweeps::{self, Boards};
use oware::database::Database;
use oware::rules::{Board, Rules};
use oware::solve::{solve_in_memory, solve_with_distances};
use rayon::prelude::*;

fn solved(rules: Rules, seeds: u8) -> Database {
    let levels = solve_in_memory(rules, seeds).expect("memory for small levels");
    Database::from_levels(rules, levels)
}

fn value(database: &Database, pits: [u8; 12]) -> i8 {
    let board = Board::new(pits).expect("at most 48 seeds");
    database.value(board).expect("a solved level").get()
}

#[test]
fn values_equal_the_slow_solver_on_every_board_to_7_seeds() {
    let levels = Boards::to(7);
    Rules::ALL.into_par_iter().for_each(|rules| {
        let slow = sweeps::solve(rules, &levels);
        let database = solved(rules, 7);
        for (boards, values) in levels.iter().zip(slow) {
            for (pits, expected) in boards.list.iter().zip(values) {
                assert_eq!(value(&database, *pits), expected, "{rules}: {pits:?}");
            }
        }
    });
}

#[test]
fn distances_equal_the_slow_ones_on_every_reachable_board_to_7_seeds() {
    let levels = Boards::to(7);
    Rules::ALL.into_par_iter().for_each(|rules| {
        let slow = sweeps::solve(rules, &levels);
        let fast = solve_with_distances(rules, 7).expect("memory for small levels");
        assert_eq!(fast.len(), levels.len());
        for (seeds, (_, fast)) in fast.iter().enumerate() {
            let distances = sweeps::distances(rules, &levels, &slow, seeds);
            for (at, pits) in levels[seeds].list.iter().enumerate() {
                let board = Board::new(*pits).expect("at most 48 seeds");
                if board.is_reachable() {
                    assert_eq!(fast.distance(board), distances[at], "{rules}: {board}");
                    assert_eq!(distances[at].is_some(), slow[seeds][at] != 0, "{rules}: {board}");
                }
            }
        }
    });
}

/// The counts of a level: all boards and reachable boards.
fn counts(database: &Database, seeds: u8) -> (Histogram, Histogram) {
    let mut all = Histogram::new();
    let mut reachable = Histogram::new();
    for pits in naive::all_boards(seeds) {
        let value = value(database, pits);
        *all.entry(value).or_default() += 1;
        if pits[6..].contains(&0) {
            *reachable.entry(value).or_default() += 1;
        }
    }
    (all, reachable)
}

#[test]
fn every_rule_set_has_the_oracle_histograms_to_10_seeds() {
    for rules in Rules::ALL {
        let database = solved(rules, 10);
        (0..=10).into_par_iter().for_each(|seeds| {
            let expected = histograms::oracle(rules, seeds);
            assert_eq!(counts(&database, seeds), expected, "{rules}, {seeds} seeds");
        });
    }
}

#[test]
fn awari_has_the_published_histograms_to_12_seeds() {
    let database = solved(Rules::Awari, 12);
    (0..=12).into_par_iter().for_each(|seeds| {
        assert_eq!(counts(&database, seeds).0, histograms::published(seeds), "{seeds} seeds");
    });
}
