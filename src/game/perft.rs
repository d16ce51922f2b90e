//! Counting lines of moves: a fingerprint of the rules.

use crate::rules::{Board, Outcome, Pit, Policy, Rules, play, with_rules};

/// Number of lines of exactly `plies` legal moves from `board`. A line that ends earlier does not
/// count; stores and repetition play no part.
#[must_use]
pub fn perft(rules: Rules, board: Board, plies: u32) -> u64 {
    with_rules!(rules, P => lines::<P>(board, plies))
}

fn lines<P: Policy>(board: Board, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    Pit::ALL
        .into_iter()
        .map(|pit| match play::<P>(board, pit) {
            Outcome::Illegal => 0,
            Outcome::Moved { next, .. } => lines::<P>(next, plies - 1),
            Outcome::Ended { .. } => u64::from(plies == 1),
        })
        .sum()
}
