//! A position of a game: a board with stores and the side to move.

use super::{Board, MAX_SEEDS};
use std::fmt;

/// A side of a game. South owns the pits A–F of a game string, North a–f.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that moves first from the start position.
    South,
    /// The side that moves second.
    North,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    /// The letter in game strings, `S` or `N`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::South => 'S',
            Self::North => 'N',
        }
    }
}

/// A position of a game, written as the Aualé program does:
/// `A-B-C-D-E-F-a-b-c-d-e-f-SouthStore-NorthStore-Turn`.
///
/// The text has the pits of South first in any case. [`board`](Self::board) is seen from the side
/// to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameString {
    /// The board seen from the side to move.
    pub board: Board,
    /// Seeds that South has captured.
    pub south_store: u8,
    /// Seeds that North has captured.
    pub north_store: u8,
    /// The side to move.
    pub turn: Side,
}

impl fmt::Display for GameString {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let south_view = match self.turn {
            Side::South => self.board,
            Side::North => self.board.flipped(),
        };
        for seeds in south_view.pits() {
            write!(out, "{seeds}-")?;
        }
        write!(out, "{}-{}-{}", self.south_store, self.north_store, self.turn.letter())
    }
}

/// What a text says: a board alone, or a position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardText {
    /// A board, seen from the side to move.
    Board(Board),
    /// A board with stores and turn.
    Position(GameString),
}

impl BoardText {
    /// The board, seen from the side to move.
    #[must_use]
    pub const fn board(self) -> Board {
        match self {
            Self::Board(board) => board,
            Self::Position(position) => position.board,
        }
    }

    /// The position. A board alone is South's to move, and the seeds that it lacks to 48 are split
    /// evenly between the stores, so that no side has won.
    #[must_use]
    pub const fn position(self) -> GameString {
        match self {
            Self::Position(position) => position,
            Self::Board(board) => {
                let missing = MAX_SEEDS - board.seeds();
                let south_store = missing / 2;
                let north_store = missing - south_store;
                GameString { board, south_store, north_store, turn: Side::South }
            }
        }
    }
}
