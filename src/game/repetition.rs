//! What a repeated position means.

use crate::rules::{Board, Rules, Side};
use std::fmt;
use std::str::FromStr;

/// How the seeds on the board are shared when a position (board and player to move) comes back
/// without a capture in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Evenly: each side gets half, half seeds included. Table values assume this.
    Split,
    /// Each side takes the seeds in its own row: the custom of `abapa` tournaments and servers.
    OwnSide,
}

impl Repetition {
    /// Both, the more common first.
    pub const ALL: [Self; 2] = [Self::Split, Self::OwnSide];

    /// The custom of a rule set: `own-side` for `abapa`, else `split`.
    #[must_use]
    pub const fn of_rules(rules: Rules) -> Self {
        match rules {
            Rules::Abapa => Self::OwnSide,
            _ => Self::Split,
        }
    }

    /// The name used on command lines and in game files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Split => "split",
            Self::OwnSide => "own-side",
        }
    }

    /// Half seeds that South and North get from a board with `turn` to move.
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
