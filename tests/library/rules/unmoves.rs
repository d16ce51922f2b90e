//! Un-moves are exactly the moves without a capture, backwards. Moves are played by the literal
//! reading, so that the library's own sowing proves nothing about itself.

use super::samples::{self, any_board};
use crate::naive::{self, Pits, Play, board as board_of};
use oware::rules::{Board, Pit, Rules};
use proptest::prelude::*;
use rayon::prelude::*;
use std::collections::HashMap;

/// The board after playing `pit` without a capture.
fn child(rules: Rules, pits: &Pits, pit: usize) -> Option<Pits> {
    match naive::play(rules, pits, pit) {
        Play::Moved(0, next) => Some(next),
        _ => None,
    }
}

#[test]
fn unmoves_are_the_moves_without_a_capture_backwards_on_every_board_to_7_seeds() {
    for seeds in 0..=7 {
        let boards = naive::boards(seeds);
        Rules::ALL.into_par_iter().for_each(|rules| {
            let mut parents: HashMap<Pits, Vec<(Pit, Board)>> = HashMap::new();
            for pits in &boards {
                for pit in Pit::ALL {
                    if let Some(next) = child(rules, pits, pit.place()) {
                        parents.entry(next).or_default().push((pit, board_of(pits)));
                    }
                }
            }
            for pits in &boards {
                let by_pits = |(pit, board): &(Pit, Board)| (*pit, board.pits());
                let mut expected = parents.remove(pits).unwrap_or_default();
                expected.sort_by_key(by_pits);
                let mut found = rules.unmoves(board_of(pits));
                found.sort_by_key(by_pits);
                assert_eq!(found, expected, "{rules}: {pits:?}");
            }
        });
    }
}

/// Checks both directions around one board and counts the un-moves of 12 seeds or more.
fn check_around(rules: Rules, pits: &Pits) -> usize {
    let board = board_of(pits);
    for pit in Pit::ALL {
        if let Some(next) = child(rules, pits, pit.place()) {
            let back = rules.unmoves(board_of(&next));
            let times = back.iter().filter(|&&unmove| unmove == (pit, board)).count();
            assert_eq!(times, 1, "{rules}: {pit} on {board} among the un-moves of {next:?}");
        }
    }
    let unmoves = rules.unmoves(board);
    for &(pit, parent) in &unmoves {
        let again = child(rules, &parent.pits(), pit.place());
        assert_eq!(again, Some(*pits), "{rules}: {pit} on {parent}, an un-move of {board}");
    }
    unmoves.iter().filter(|(pit, parent)| parent.mover().pit(pit.place()) >= 12).count()
}

#[test]
fn unmoves_and_moves_lead_to_each_other_on_a_million_boards_of_12_to_48_seeds() {
    let check_all = |number| {
        let pits = samples::board(number, 12);
        Rules::ALL.map(|rules| check_around(rules, &pits))
    };
    let laps = samples::sum(1_000_000, check_all);
    for (rules, laps) in Rules::ALL.into_iter().zip(laps) {
        assert!(laps > 100_000, "{rules}: only {laps} un-moves of a lap were met");
    }
}

proptest! {
    // As above, on boards that are made smaller when a difference is found.
    #[test]
    fn unmoves_and_moves_lead_to_each_other(board in any_board()) {
        for rules in Rules::ALL {
            check_around(rules, &board.pits());
        }
    }
}
