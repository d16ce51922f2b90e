//! Static evaluation: an estimate of a board's value without search.
//!
//! The evaluation is linear: a sum over features of the board, each with a coefficient that is
//! fitted to exact values (see `coefficients`). The features are the number of seeds in each pit,
//! by class, and the best immediate capture of either side:
//!
//! ```text
//! 0 .. 12·12       pit p (A…F a…f) holds a number of seeds of class c: feature 12·p + c
//! 144              the most seeds that one move of the mover captures
//! 145              the most seeds that one move of the opponent would capture, if it were to move
//! 146              1 on every board
//! ```

use super::coefficients::COEFFICIENTS;
use crate::rules::{BOARD_PITS, Board, Pit, Row, RowsOutcome, Rules, play_rows};

/// Classes of seeds in a pit: one for each number up to 7, then 8–9, 10–11, 12–15, and 16 or more.
const CLASSES: usize = 12;
const OWN_CAPTURE: usize = BOARD_PITS * CLASSES;
const OTHER_CAPTURE: usize = OWN_CAPTURE + 1;
const CONSTANT: usize = OWN_CAPTURE + 2;

/// Number of features.
pub const FEATURES: usize = CONSTANT + 1;
const _: () = assert!(COEFFICIENTS.len() == FEATURES);

/// The class of each number of seeds.
const CLASS_OF_SEEDS: [u8; 64] = {
    let mut classes = [0u8; 64];
    let mut seeds = 0;
    while seeds < 64 {
        classes[seeds as usize] = match seeds {
            0..8 => seeds,
            8..10 => 8,
            10..12 => 9,
            12..16 => 10,
            _ => 11,
        };
        seeds += 1;
    }
    classes
};

/// The static evaluation at the leaves of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Evaluation {
    /// Features with coefficients that are fitted to exact values.
    #[default]
    Fitted,
    /// Seeds in the stores only: the value of every board is 0. A baseline for the other.
    SeedCount,
}

impl Evaluation {
    /// The estimated value of a board for its mover, in hundredths of a seed. `own_capture` is
    /// [`most_captured`] of the mover, which a search has already computed.
    pub(super) fn static_value(self, rules: Rules, board: Board, own_capture: i32) -> i32 {
        match self {
            Self::SeedCount => 0,
            Self::Fitted => {
                let mut sum = 0;
                for_each_feature(rules, board, own_capture, |feature, amount| {
                    sum += i32::from(COEFFICIENTS[feature]) * amount;
                });
                let most = i32::from(board.seeds()) * super::score::SEED;
                sum.clamp(-most, most)
            }
        }
    }

    /// The estimated value of a board for its mover, in hundredths of a seed.
    #[must_use]
    pub fn evaluate(self, rules: Rules, board: Board) -> i32 {
        self.static_value(rules, board, most_captured(rules, board.mover(), board.opponent()))
    }
}

/// The features of a board, to fit coefficients to.
#[must_use]
pub fn features(rules: Rules, board: Board) -> [i32; FEATURES] {
    let mut amounts = [0; FEATURES];
    let own_capture = most_captured(rules, board.mover(), board.opponent());
    for_each_feature(rules, board, own_capture, |feature, amount| amounts[feature] = amount);
    amounts
}

#[inline]
fn for_each_feature(rules: Rules, board: Board, own_capture: i32, mut add: impl FnMut(usize, i32)) {
    let (own, other) = (board.mover(), board.opponent());
    for (side, row) in [own, other].into_iter().enumerate() {
        for (place, seeds) in row.pits().into_iter().enumerate() {
            // A pit never holds more than 48 seeds.
            let class = CLASS_OF_SEEDS[usize::from(seeds & 63)];
            add((side * 6 + place) * CLASSES + usize::from(class), 1);
        }
    }
    add(OWN_CAPTURE, own_capture);
    add(OTHER_CAPTURE, most_captured(rules, other, own));
    add(CONSTANT, 1);
}

/// The most seeds that one move of the owner of `own` captures.
fn most_captured(rules: Rules, own: Row, other: Row) -> i32 {
    let captured = |pit: Pit| match play_rows(rules, own, other, pit.place()) {
        RowsOutcome::Illegal => 0,
        RowsOutcome::Moved { captured, .. } => i32::from(captured),
        // The seeds that the opponent takes are subtracted.
        RowsOutcome::Ended { captured, left } => i32::from(captured) - i32::from(left),
    };
    Pit::ALL.into_iter().map(captured).fold(0, i32::max)
}
