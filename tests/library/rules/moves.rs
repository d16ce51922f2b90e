//! Moves and endings equal the literal reading, for all seven rule sets.

use super::samples::{self, any_board};
use crate::naive::{self, Pits, Play};
use oware::rules::{Board, End, Outcome, Pit, Rules};
use proptest::prelude::*;
use rayon::prelude::*;

/// Compares every pit and the ending of one board. True when a sowing of 12 seeds or more was
/// among the legal moves.
fn compare(rules: Rules, pits: &Pits) -> bool {
    let board = Board::new(*pits).expect("at most 48 seeds");
    let mut lapped = false;
    for pit in Pit::ALL {
        let expected = naive::play(rules, pits, pit.place());
        let found = match rules.play(board, pit) {
            Outcome::Illegal => Play::Illegal,
            Outcome::Moved { captured, next } => Play::Moved(captured, next.pits()),
            Outcome::Ended { captured, left } => Play::Ended(captured, left),
        };
        assert_eq!(found, expected, "{rules}: {pit} on {board}");
        lapped |= expected != Play::Illegal && pits[pit.place()] >= 12;
    }
    let expected = naive::end(rules, pits).map(|end| (end, naive::ended(pits)));
    let found = rules.end(board).map(|end: End| (end.name(), end.value(board.seeds()).get()));
    assert_eq!(found, expected, "{rules}: {board}");
    lapped
}

#[test]
fn moves_and_endings_equal_the_literal_reading_on_every_board_to_7_seeds() {
    for seeds in 0..=7 {
        naive::boards(seeds).par_iter().for_each(|pits| {
            for rules in Rules::ALL {
                compare(rules, pits);
            }
        });
    }
}

#[test]
fn moves_and_endings_equal_the_literal_reading_on_a_million_boards_of_8_to_48_seeds() {
    let compare_all = |number| {
        let pits = samples::board(number, 8);
        Rules::ALL.map(|rules| usize::from(compare(rules, &pits)))
    };
    let laps = samples::sum(1_000_000, compare_all);
    for (rules, laps) in Rules::ALL.into_iter().zip(laps) {
        assert!(laps > 100_000, "{rules}: only {laps} boards had a sowing of a lap to play");
    }
}

#[test]
fn the_moves_listed_are_those_that_can_be_played_in_pit_order() {
    for number in 0..10_000 {
        let board = Board::new(samples::board(number, 8)).expect("at most 48 seeds");
        for rules in Rules::ALL {
            let listed: Vec<_> = rules.moves(board).collect();
            let playable: Vec<_> = Pit::ALL
                .into_iter()
                .map(|pit| (pit, rules.play(board, pit)))
                .filter(|(_, outcome)| *outcome != Outcome::Illegal)
                .collect();
            assert_eq!(listed, playable, "{rules}: {board}");
            assert_eq!(listed.is_empty(), rules.end(board).is_some(), "{rules}: {board}");
        }
    }
}

proptest! {
    // As above, on boards that are made smaller when a difference is found.
    #[test]
    fn moves_and_endings_equal_the_literal_reading(board in any_board()) {
        for rules in Rules::ALL {
            compare(rules, &board.pits());
        }
    }

    #[test]
    fn no_move_loses_or_makes_a_seed(board in any_board()) {
        for rules in Rules::ALL {
            for (pit, outcome) in rules.moves(board) {
                let after = match outcome {
                    Outcome::Moved { captured, next } => captured + next.seeds(),
                    Outcome::Ended { captured, left } => captured + left,
                    Outcome::Illegal => panic!("{rules}: {pit} on {board} is listed"),
                };
                prop_assert_eq!(after, board.seeds(), "{}: {} on {}", rules, pit, board);
            }
        }
    }
}
