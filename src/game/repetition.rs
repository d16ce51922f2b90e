//! Repetition rules.

use crate::rules::{Board, Rules, Side};
use std::fmt;
use std::str::FromStr;

/// How the seeds on the board are shared when a position (board and side to move) is repeated
/// without a capture in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Each side gets half of the seeds, half seeds included. Table values assume this rule.
    Split,
    /// Each side gets the seeds in its own row. Tournaments and servers of `abapa` use this rule.
    OwnSide,
}

impl Repetition {
    /// Both rules, the more common one first.
    pub const ALL: [Self; 2] = [Self::Split, Self::OwnSide];

    /// The default for a rule set: `own-side` for `abapa`, `split` for the others.
    #[must_use]
    pub const fn of_rules(rules: Rules) -> Self {
        match rules {
            Rules::Abapa => Self::OwnSide,
            _ => Self::Split,
        }
    }

    /// The name of the rule in options and game files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Split => "split",
            Self::OwnSide => "own-side",
        }
    }

    /// The half seeds that South and North get from a board with `turn` to move.
    pub(super) fn shares(self, board: Board, turn: Side) -> (u8, u8) {
        match self {
            Self::Split => (board.seeds(), board.seeds()),
            Self::OwnSide => {
                let (mover, opponent) = (board.mover().seeds() * 2, board.opponent().seeds() * 2);
                match turn {
                    Side::South => (mover, opponent),
                    Side::North => (opponent, mover),
                }
            }
        }
    }
}

impl fmt::Display for Repetition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A name that is neither `split` nor `own-side`.
#[derive(Debug, thiserror::Error)]
#[error("unknown repetition rule '{0}': choose split or own-side")]
pub struct UnknownRepetition(String);

impl FromStr for Repetition {
    type Err = UnknownRepetition;
    fn from_str(name: &str) -> Result<Self, UnknownRepetition> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.name() == name)
            .ok_or_else(|| UnknownRepetition(name.to_owned()))
    }
}
