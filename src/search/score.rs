//! Scores inside a search, and the values that a search returns.
//!
//! A score is either the value of a board (aim `margin`) or the utility of the game's final margin
//! (aim `result`), in hundredths of a seed:
//!
//! ```text
//! margin   score = value                      relative to the board, without the stores
//! result   score = m + 10000 · won(m)         m = the final margin, stores included
//!          won(m) = sign(m) if m is exact, m / 600 clamped to ±1 if it is estimated
//! ```

use crate::rules::Outcome;
use std::fmt;
use std::str::FromStr;

/// One seed in hundredths of a seed.
pub(super) const SEED: i32 = 100;
/// The bonus for a win when the result comes first: more than all seeds.
const WIN_BONUS: i32 = 10_000;
/// The estimated margin that counts as a certain win: six seeds.
const SURE_MARGIN: i32 = 600;
/// A bound above every score.
pub(super) const INFINITY: i32 = 20_000;

/// What a player maximizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Aim {
    /// The margin in seeds.
    #[default]
    Margin,
    /// The result: a win before a draw before a loss. The margin comes second.
    Result,
    /// By tables of bounds the seeds that are secured whatever settles endless play, and the margin
    /// where there are none.
    Secure,
}

impl Aim {
    /// All aims.
    pub const ALL: [Self; 3] = [Self::Margin, Self::Result, Self::Secure];

    /// `margin`, `result` or `secure`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Margin => "margin",
            Self::Result => "result",
            Self::Secure => "secure",
        }
    }

    /// The score of a value, both for the side to move. `ahead` is the lead of its store in
    /// hundredths of a seed.
    pub(super) fn score(self, value: i32, ahead: i32, is_exact: bool) -> i32 {
        match self {
            Self::Margin | Self::Secure => value,
            Self::Result => {
                let margin = value + ahead;
                let won = if is_exact {
                    margin.signum() * WIN_BONUS
                } else {
                    margin.clamp(-SURE_MARGIN, SURE_MARGIN) * WIN_BONUS / SURE_MARGIN
                };
                margin + won
            }
        }
    }

    /// The value of a score; the inverse of [`score`](Self::score).
    pub(super) fn value(self, score: i32, ahead: i32, is_exact: bool) -> i32 {
        match self {
            Self::Margin | Self::Secure => score,
            Self::Result => {
                let sure_score = if is_exact { WIN_BONUS } else { WIN_BONUS + SURE_MARGIN };
                let margin = if score.abs() >= sure_score {
                    score - score.signum() * WIN_BONUS
                } else if is_exact {
                    score
                } else {
                    score * SURE_MARGIN / (WIN_BONUS + SURE_MARGIN)
                };
                margin - ahead
            }
        }
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// Seeds that a move captures, minus the seeds that the opponent takes if the move ends the game.
pub(super) fn gain(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Illegal => 0,
        Outcome::Moved { captured, .. } => i32::from(captured),
        Outcome::Ended { captured, left } => i32::from(captured) - i32::from(left),
    }
}

/// A name that is not one of an aim.
#[derive(Debug, thiserror::Error)]
#[error("unknown aim '{0}': choose margin, result or secure")]
pub struct UnknownAim(String);

impl FromStr for Aim {
    type Err = UnknownAim;
    fn from_str(name: &str) -> Result<Self, UnknownAim> {
        Self::ALL
            .into_iter()
            .find(|aim| aim.name() == name)
            .ok_or_else(|| UnknownAim(name.to_owned()))
    }
}

/// How a value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The number is the value, proved by ended games and tables alone.
    Exact,
    /// The value is proved to be at least this.
    AtLeast,
    /// The value is proved to be at most this.
    AtMost,
    /// The number is an estimate: some line ended in an evaluation or a repetition.
    Estimate,
}

impl Certainty {
    pub(super) const fn of(proved_lower: bool, proved_upper: bool) -> Self {
        match (proved_lower, proved_upper) {
            (true, true) => Self::Exact,
            (true, false) => Self::AtLeast,
            (false, true) => Self::AtMost,
            (false, false) => Self::Estimate,
        }
    }
}

/// The value of a board for its mover, exact, bounded or estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Hundredths of a seed.
    pub hundredths: i32,
    /// How it is known.
    pub certainty: Certainty,
}

impl fmt::Display for Estimate {
    /// `+3`, `at least +2`, `at most -1`, `about +1.4`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self.certainty {
            Certainty::Exact => "",
            Certainty::AtLeast => "at least ",
            Certainty::AtMost => "at most ",
            Certainty::Estimate => "about ",
        };
        if self.hundredths % SEED == 0 {
            write!(out, "{words}{:+}", self.hundredths / SEED)
        } else {
            write!(out, "{words}{:+.1}", f64::from(self.hundredths) / f64::from(SEED))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_score_converts_back_to_its_value_and_orders_results_first() {
        for aim in Aim::ALL {
            for ahead in [-1200, -300, 0, 500] {
                let mut before = i32::MIN;
                for value in (-4800..=4800).step_by(100) {
                    let score = aim.score(value, ahead, true);
                    assert_eq!(aim.value(score, ahead, true), value);
                    assert!(score > before && score.abs() < INFINITY);
                    before = score;
                    let guess = aim.score(value, ahead, false);
                    assert!((aim.value(guess, ahead, false) - value).abs() <= 1);
                }
            }
        }
        // A certain win by one seed is better than a probable win by five.
        assert!(Aim::Result.score(100, 0, true) > Aim::Result.score(500, 0, false));
    }
}
