//! What a number that a search returns is worth.
//!
//! Inside a search a score is either the value of a board (aim `margin`) or the usefulness of the
//! game's final margin (aim `result`), in hundredths of a seed:
//!
//! ```text
//! margin   score = value                      relative to the board, stores play no part
//! result   score = m + 10000 · won(m)         m = the final margin, stores included
//!          won(m) = sign(m) when m is exact, m / 600 cut off at ±1 when it is estimated
//! ```

use std::fmt;
use std::str::FromStr;

/// Hundredths of a seed in a seed.
pub(super) const SEED: i32 = 100;
/// What winning is worth when the result comes first: more than all seeds.
const WIN: i32 = 10_000;
/// The estimated margin that counts as surely won: six seeds.
const SURE: i32 = 600;
/// Above every score.
pub(super) const INFINITY: i32 = 20_000;

/// What a player wants most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Aim {
    /// As many seeds more than the opponent as possible.
    #[default]
    Margin,
    /// To win rather than draw, to draw rather than lose; seeds second.
    Result,
}

impl Aim {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Margin, Self::Result];

    /// `margin` or `result`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Margin => "margin",
            Self::Result => "result",
        }
    }

    /// The score of a value, both for the side to move, which is `ahead` hundredths of a seed
    /// ahead in the stores.
    pub(super) fn score(self, value: i32, ahead: i32, is_exact: bool) -> i32 {
        match self {
            Self::Margin => value,
            Self::Result => {
                let margin = value + ahead;
                let won = if is_exact {
                    margin.signum() * WIN
                } else {
                    margin.clamp(-SURE, SURE) * WIN / SURE
                };
                margin + won
            }
        }
    }

    /// The value that a score stands for.
    pub(super) fn value(self, score: i32, ahead: i32, is_exact: bool) -> i32 {
        match self {
            Self::Margin => score,
            Self::Result => {
                let sure_score = if is_exact { WIN } else { WIN + SURE };
                let margin = if score.abs() >= sure_score {
                    score - score.signum() * WIN
                } else if is_exact {
                    score
                } else {
                    score * SURE / (WIN + SURE)
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

/// A name that is neither `margin` nor `result`.
#[derive(Debug, thiserror::Error)]
#[error("unknown aim '{0}': choose margin or result")]
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

/// How sure a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The value, proved by ends of the game and tables alone.
    Exact,
    /// The value is proved to be at least this.
    AtLeast,
    /// The value is proved to be at most this.
    AtMost,
    /// A guess: some line ended in an evaluation or a repetition.
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

/// A value of a board for its mover and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Hundredths of a seed.
    pub hundredths: i32,
    /// How sure that is.
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
    fn an_exact_score_gives_its_value_back_and_puts_the_result_first() {
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
        // A sure win by one seed beats a probable one by five.
        assert!(Aim::Result.score(100, 0, true) > Aim::Result.score(500, 0, false));
    }
}
