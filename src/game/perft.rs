//! Perft: the number of lines of moves, which checks an implementation of the rules.

use crate::rules::{Board, Outcome, Pit, Rules};

/// The number of lines of exactly `plies` legal moves from `board`. Lines that end earlier do not
/// count. Stores and repetition have no effect.
#[must_use]
pub fn perft(rules: Rules, board: Board, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    Pit::ALL
        .into_iter()
        .map(|pit| match rules.play(board, pit) {
            Outcome::Illegal => 0,
            Outcome::Moved { next, .. } => perft(rules, next, plies - 1),
            Outcome::Ended { .. } => u64::from(plies == 1),
        })
        .sum()
}
