//! The library's solver against the slow one board by board, and against the counts under `data/`.

use crate::counts::{self, Histogram};
use crate::naive;
use oware::database::Database;
use oware::rules::{Rules, Seeds};
use oware::solve::{solve_in_memory, solve_with_distances};
use rayon::prelude::*;

fn solved(rules: Rules, seeds: u8) -> Database {
    let levels = solve_in_memory(rules, Seeds::of(seeds)).expect("memory for small levels");
    Database::from_levels(rules, levels)
}

fn value(database: &Database, pits: [u8; 12]) -> i8 {
    database.value(naive::board(&pits)).expect("a solved level").get()
}

#[test]
fn values_equal_the_slow_solver_on_every_board_to_7_seeds() {
    Rules::ALL.into_par_iter().for_each(|rules| {
        let database = solved(rules, 7);
        for (pits, expected) in naive::solve(rules, 7) {
            assert_eq!(value(&database, pits), expected, "{rules}: {pits:?}");
        }
    });
}

#[test]
fn distances_equal_the_slow_ones_on_every_reachable_board_of_1_to_6_seeds() {
    Rules::ALL.into_par_iter().for_each(|rules| {
        let values = naive::solve(rules, 6);
        let fast = solve_with_distances(rules, Seeds::of(6)).expect("memory for small levels");
        for (seeds, (_, fast)) in (0..=6).zip(&fast).skip(1) {
            for (pits, plies) in naive::distances(rules, seeds, &values, 10_000) {
                let board = naive::board(&pits);
                if board.is_reachable() {
                    assert_eq!(fast.distance(board), plies, "{rules}: {board}");
                }
            }
        }
    });
}

/// The counts of a level: all boards and reachable boards.
fn counts(database: &Database, seeds: u8) -> (Histogram, Histogram) {
    let mut all = Histogram::new();
    let mut reachable = Histogram::new();
    for pits in naive::boards(seeds) {
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
            let expected = counts::oracle(rules, seeds);
            assert_eq!(counts(&database, seeds), expected, "{rules}, {seeds} seeds");
        });
    }
}

#[test]
fn awari_has_the_published_histograms_to_12_seeds() {
    let database = solved(Rules::Awari, 12);
    (0..=12).into_par_iter().for_each(|seeds| {
        assert_eq!(counts(&database, seeds).0, counts::published(seeds), "{seeds} seeds");
    });
}
