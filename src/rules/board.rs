//! Boards, pits and values.
//!
//! A board is two [`Row`]s: the mover's, then the opponent's, each in the sowing order of its
//! owner.
//!
//! ```text
//!            opponent's row                  position   0  1  2  3  4  5   6  7  8  9 10 11
//!         f   e   d   c   b   a              pit        A  B  C  D  E  F   a  b  c  d  e  f
//!         A   B   C   D   E   F                         mover's row        opponent's row
//!            mover's row
//! ```
//!
//! Arrays, text and JSON have the pits of a board in the order `A…F a…f`. Boards compare as these
//! arrays.

use super::row::{ROW_PITS, Row};
use super::seeds::{MAX_SEEDS, Seeds};
use super::{BoardError, NotAValue, UnknownPit};
use std::fmt;

/// Pits on a board.
pub const BOARD_PITS: usize = 2 * ROW_PITS;

/// Twelve pits seen from the side to move: the mover's row, then the opponent's, both in sowing
/// order (counter-clockwise), with at most [`MAX_SEEDS`] seeds.
///
/// A board converts from and to an array of its pits `A…F a…f`, and from and to text. With serde
/// it is an array of twelve numbers. Boards are ordered as these arrays.
///
/// ```
/// use oware::rules::Board;
///
/// let board: Board = "0 0 0 0 1 1 | 1 0 0 1 0 0".parse()?;
/// assert_eq!(board, Board::try_from([0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0])?);
/// assert_eq!(board.seeds(), 4);
/// assert_eq!(board.mover().pits(), [0, 0, 0, 0, 1, 1]);
/// assert_eq!(board.to_string(), "0 0 0 0 1 1 | 1 0 0 1 0 0");
/// # Ok::<(), oware::rules::BoardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Board {
    mover: Row,
    opponent: Row,
}

impl Board {
    /// The 48-seed board that a game starts from: four seeds in each pit.
    pub const START: Self = Self {
        mover: Row::from_packed(0x0404_0404_0404),
        opponent: Row::from_packed(0x0404_0404_0404),
    };

    /// A board from its pits `A…F a…f`; `None` when they hold more than 48 seeds together.
    #[must_use]
    pub fn new(pits: [u8; BOARD_PITS]) -> Option<Self> {
        let [a, b, c, d, e, f, rest @ ..] = pits;
        Self::from_rows(Row::new([a, b, c, d, e, f])?, Row::new(rest)?)
    }

    /// A board from the mover's and the opponent's row; `None` over 48 seeds.
    #[must_use]
    pub fn from_rows(mover: Row, opponent: Row) -> Option<Self> {
        (mover.seeds() + opponent.seeds() <= MAX_SEEDS).then_some(Self { mover, opponent })
    }

    /// A board from rows that hold at most 48 seeds together.
    pub(crate) const fn from_rows_unchecked(mover: Row, opponent: Row) -> Self {
        Self { mover, opponent }
    }

    /// The row of the side to move.
    #[must_use]
    pub const fn mover(self) -> Row {
        self.mover
    }

    /// The other row.
    #[must_use]
    pub const fn opponent(self) -> Row {
        self.opponent
    }

    /// The pits `A…F a…f`.
    #[must_use]
    pub fn pits(self) -> [u8; BOARD_PITS] {
        let mut pits = [0; BOARD_PITS];
        pits[..ROW_PITS].copy_from_slice(&self.mover.pits());
        pits[ROW_PITS..].copy_from_slice(&self.opponent.pits());
        pits
    }

    /// Seeds on the board, which is its level.
    #[must_use]
    pub const fn seeds(self) -> u8 {
        self.mover.seeds() + self.opponent.seeds()
    }

    /// The level of the board: its [`seeds`](Self::seeds) as the number of a level.
    #[must_use]
    pub const fn level(self) -> Seeds {
        Seeds::of(self.seeds())
    }

    /// Whether the opponent's row has an empty pit. After every move it has one: the pit that was
    /// sown from. Tables hold reachable boards only.
    #[must_use]
    pub const fn is_reachable(self) -> bool {
        self.opponent.empties() != 0
    }

    /// The same seeds seen from the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self { mover: self.opponent, opponent: self.mover }
    }
}

impl TryFrom<[u8; BOARD_PITS]> for Board {
    type Error = BoardError;

    /// Converts the pits `A…F a…f`.
    ///
    /// # Errors
    /// [`BoardError::TooManySeeds`] over [`MAX_SEEDS`] seeds.
    fn try_from(pits: [u8; BOARD_PITS]) -> Result<Self, BoardError> {
        let seeds = pits.iter().map(|&seeds| u32::from(seeds)).sum();
        Self::new(pits).ok_or(BoardError::TooManySeeds { seeds })
    }
}

impl From<Board> for [u8; BOARD_PITS] {
    /// The pits `A…F a…f`.
    fn from(board: Board) -> Self {
        board.pits()
    }
}

/// Serializes as an array of twelve numbers, the pits `A…F a…f`.
impl serde::Serialize for Board {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.pits().serialize(serializer)
    }
}

/// Deserializes from an array of twelve numbers, the pits `A…F a…f`.
impl<'de> serde::Deserialize<'de> for Board {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pits = <[u8; BOARD_PITS]>::deserialize(deserializer)?;
        Self::try_from(pits).map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Board {
    /// Writes twelve numbers with a bar between the rows: `4 4 4 4 4 4 | 4 4 4 4 4 4`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, seeds) in self.pits().iter().enumerate() {
            match position {
                0 => {}
                ROW_PITS => out.write_str(" | ")?,
                _ => out.write_str(" ")?,
            }
            write!(out, "{seeds}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Board({self})")
    }
}

/// One of the mover's six pits, written `A` to `F`. With serde it is this letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(u8);

impl Pit {
    /// All six, in sowing order.
    pub const ALL: [Self; ROW_PITS] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// The pit with a place in sowing order; `None` if the place is not in 0..6.
    #[must_use]
    pub fn new(place: usize) -> Option<Self> {
        Self::ALL.get(place).copied()
    }

    /// The pit with a letter in `A`–`F` or `a`–`f`; `None` for another character.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let place = "ABCDEF".find(letter.to_ascii_uppercase())?;
        Self::new(place)
    }

    /// The place in sowing order, 0..6.
    #[must_use]
    pub const fn place(self) -> usize {
        self.0 as usize
    }

    /// The letter, `A`–`F`.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'A' + self.0) as char
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.letter())
    }
}

impl fmt::Debug for Pit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Pit({})", self.letter())
    }
}

/// Serializes as the letter.
impl serde::Serialize for Pit {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

/// Deserializes from the letter.
impl<'de> serde::Deserialize<'de> for Pit {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let letter = char::deserialize(deserializer)?;
        Self::from_letter(letter)
            .ok_or_else(|| serde::de::Error::custom(UnknownPit(letter.to_string())))
    }
}

/// The seeds that the mover captures from a board on, minus the seeds that the opponent captures,
/// when both play perfectly: −48..=48. With serde it is this number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Value(i8);

impl Value {
    /// Both sides capture the same number of seeds.
    pub const EVEN: Self = Self(0);

    /// A value in seeds; `None` outside of −48..=48.
    #[must_use]
    pub fn new(seeds: i8) -> Option<Self> {
        (seeds.unsigned_abs() <= MAX_SEEDS).then_some(Self(seeds))
    }

    /// The value of a board on which the mover takes (`won`) or loses all of its `seeds` seeds, at
    /// most 48.
    pub(crate) const fn all(seeds: u8, won: bool) -> Self {
        debug_assert!(seeds <= MAX_SEEDS);
        let seeds = seeds.cast_signed();
        Self(if won { seeds } else { -seeds })
    }

    /// The value in seeds.
    #[must_use]
    pub const fn get(self) -> i8 {
        self.0
    }

    /// The value of a move that captures `captured` seeds and leaves the next mover with `self`.
    #[must_use]
    pub const fn after_capturing(self, captured: u8) -> Self {
        Self(captured.cast_signed() - self.0)
    }
}

impl TryFrom<i8> for Value {
    type Error = NotAValue;

    /// Converts a value in seeds.
    ///
    /// # Errors
    /// [`NotAValue`] outside of −48..=48.
    fn try_from(seeds: i8) -> Result<Self, NotAValue> {
        Self::new(seeds).ok_or_else(|| NotAValue(seeds.to_string()))
    }
}

impl From<Value> for i8 {
    /// The value in seeds.
    fn from(value: Value) -> Self {
        value.get()
    }
}

/// Serializes as the value in seeds.
impl serde::Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i8(self.get())
    }
}

/// Deserializes from the value in seeds.
impl<'de> serde::Deserialize<'de> for Value {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(i8::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl std::ops::Neg for Value {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, out)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Value({})", self.0)
    }
}
