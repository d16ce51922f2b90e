//! The rules: boards, moves, endings and un-moves, for seven rule sets.
//!
//! Read in this order: [`row`](Row) (six pits in a word) → [`board`](Board) → `sowing` (where
//! seeds go) → `policy` and its seven files (what differs between rule sets) → `moves` (what a
//! move does, when a board has ended) → `unmoves` (which boards lead here without a capture) →
//! `notation` (boards as text).
//!
//! Invariants: nothing here knows files, threads or levels. Every rule that differs between rule
//! sets is a constant of [`Policy`]; sowing, capturing and judging a move are shared.

mod abapa;
mod awari;
mod board;
mod leave_first;
mod leave_last;
mod moves;
mod notation;
mod opponent_takes_rest;
mod policy;
mod row;
mod sowing;
mod two_lap;
mod unmoves;
mod wari;

pub use abapa::Abapa;
pub use awari::Awari;
pub use board::{BOARD_PITS, Board, MAX_SEEDS, Pit, Value};
pub use leave_first::LeaveFirst;
pub use leave_last::LeaveLast;
pub use moves::{End, Outcome};
pub(crate) use moves::{RowsOutcome, capture_run, end_of, play, play_rows, settle};
pub use notation::{BoardError, GameString, Side, parse_board};
pub use opponent_takes_rest::OpponentTakesRest;
pub use policy::{Policy, Slam};
pub use row::{ROW_PITS, Row};
pub use sowing::Path;
pub(crate) use sowing::sowing;
pub use two_lap::TwoLap;
pub(crate) use unmoves::for_each_unmove;
pub use wari::Wari;

use std::fmt;
use std::str::FromStr;

/// A rule set: part of a table's identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Rules {
    /// A slam is illegal.
    #[default]
    Awari,
    /// A slam captures nothing.
    Abapa,
    /// A slam captures.
    Wari,
    /// A slam leaves the first pit of its run.
    LeaveFirst,
    /// A slam leaves the last pit of its run.
    LeaveLast,
    /// A slam ends the game, the opponent takes the rest.
    OpponentTakesRest,
    /// As `awari`, sowing back and forth.
    TwoLap,
}

/// Evaluates an expression with `$policy` bound to the type of a run-time rule set: the one place
/// where a rule set is chosen, outside every loop.
macro_rules! with_rules {
    ($rules:expr, $policy:ident => $body:expr) => {
        match $rules {
            $crate::rules::Rules::Awari => {
                type $policy = $crate::rules::Awari;
                $body
            }
            $crate::rules::Rules::Abapa => {
                type $policy = $crate::rules::Abapa;
                $body
            }
            $crate::rules::Rules::Wari => {
                type $policy = $crate::rules::Wari;
                $body
            }
            $crate::rules::Rules::LeaveFirst => {
                type $policy = $crate::rules::LeaveFirst;
                $body
            }
            $crate::rules::Rules::LeaveLast => {
                type $policy = $crate::rules::LeaveLast;
                $body
            }
            $crate::rules::Rules::OpponentTakesRest => {
                type $policy = $crate::rules::OpponentTakesRest;
                $body
            }
            $crate::rules::Rules::TwoLap => {
                type $policy = $crate::rules::TwoLap;
                $body
            }
        }
    };
}
pub(crate) use with_rules;

impl Rules {
    /// All rule sets, the default first.
    pub const ALL: [Self; 7] = [
        Self::Awari,
        Self::Abapa,
        Self::Wari,
        Self::LeaveFirst,
        Self::LeaveLast,
        Self::OpponentTakesRest,
        Self::TwoLap,
    ];

    /// The name used on command lines and in file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Awari => "awari",
            Self::Abapa => "abapa",
            Self::Wari => "wari",
            Self::LeaveFirst => "leave-first",
            Self::LeaveLast => "leave-last",
            Self::OpponentTakesRest => "opponent-takes-rest",
            Self::TwoLap => "two-lap",
        }
    }

    /// The number that stands for the rule set in files, 0..7; fixed for ever.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Awari => 0,
            Self::Abapa => 1,
            Self::Wari => 2,
            Self::LeaveFirst => 3,
            Self::LeaveLast => 4,
            Self::OpponentTakesRest => 5,
            Self::TwoLap => 6,
        }
    }

    /// The rule set of a file's number.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.code() == code)
    }

    /// What sowing pit `pit` does on `board`.
    #[must_use]
    pub fn play(self, board: Board, pit: Pit) -> Outcome {
        with_rules!(self, P => play::<P>(board, pit))
    }

    /// The legal moves of `board` in pit order, each with what it does.
    pub fn moves(self, board: Board) -> impl Iterator<Item = (Pit, Outcome)> {
        Pit::ALL
            .into_iter()
            .map(move |pit| (pit, self.play(board, pit)))
            .filter(|(_, outcome)| *outcome != Outcome::Illegal)
    }

    /// How the game has ended on `board`, or `None` when there is a legal move.
    #[must_use]
    pub fn end(self, board: Board) -> Option<End> {
        with_rules!(self, P => end_of::<P>(board.mover(), board.opponent()))
    }

    /// The boards that lead to `board` by a move that captures nothing, seen from their movers.
    #[must_use]
    pub fn unmoves(self, board: Board) -> Vec<(Pit, Board)> {
        let mut found = Vec::new();
        with_rules!(self, P => for_each_unmove::<P>(board.mover(), board.opponent(), 1, |place, mover, opponent| {
            found.push((Pit::ALL[place], Board::from_rows_unchecked(mover, opponent)));
        }));
        found
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A rule set's name that is none of the seven.
#[derive(Debug, thiserror::Error)]
#[error(
    "unknown rule set '{0}': choose awari, abapa, wari, leave-first, leave-last, opponent-takes-rest or two-lap"
)]
pub struct UnknownRules(String);

impl FromStr for Rules {
    type Err = UnknownRules;
    fn from_str(name: &str) -> Result<Self, UnknownRules> {
        Self::ALL
            .into_iter()
            .find(|rules| rules.name() == name)
            .ok_or_else(|| UnknownRules(name.to_owned()))
    }
}
