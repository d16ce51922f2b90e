//! The consequence of a repeated position.

use crate::rules::{Board, Rules, Side};
use std::fmt;
use std::str::FromStr;

/// How the seeds on the board are shared when a position (board and side to move) is repeated
/// without a capture in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Each side gets half of them, half seeds included. The values of tables assume this.
    Split,
    /// Each side gets those in its own row. This is the custom of `abapa` tournaments and servers.
    OwnSide,
}

impl Repetition {
    /// Both rules, the default of most rule sets first.
    pub const ALL: [Self; 2] = [Self::Split, Self::OwnSide];

    /// The default of a rule set: `own-side` for `abapa`, otherwise `split`.
    #[must_use]
    pub const fn of_rules(rules: Rules) -> Self {
        match rules {
            Rules::Abapa => Self::OwnSide,
            _ => Self::Split,
        }
    }

    /// The name in command lines and game files.
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

/// The text is not the name of a repetition rule.
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
