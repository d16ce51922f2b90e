//! Counting lines of moves: a fingerprint of the rules.

use crate::rules::{Board, Outcome, Pit, Rules};

/// Number of lines of exactly `plies` legal moves from `board`. A line that ends earlier does not
/// count; stores and repetition play no part.
#[must_use]
pub fn perft(rules: Rules, board: Board, plies: u32) -> u64 {
    lines(rules, board, plies)
}

fn lines(rules: Rules, board: Board, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    Pit::ALL
        .into_iter()
        .map(|pit| match rules.play(board, pit) {
            Outcome::Illegal => 0,
            Outcome::Moved { next, .. } => lines(rules, next, plies - 1),
            Outcome::Ended { .. } => u64::from(plies == 1),
        })
        .sum()
}
