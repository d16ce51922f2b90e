//! A board: twelve pits seen from the side to move.

use super::row::{ROW_PITS, Row};
use std::fmt;

/// The largest number of seeds on a board.
pub const MAX_SEEDS: u8 = 48;

/// Pits on a board.
pub const BOARD_PITS: usize = 2 * ROW_PITS;

/// Twelve pits seen from the side to move: the mover's row, then the opponent's, both in sowing
/// order (counter-clockwise). At most 48 seeds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
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

    /// A board from rows that the caller knows to hold at most 48 seeds together.
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

    /// Seeds on the board: its level.
    #[must_use]
    pub const fn seeds(self) -> u8 {
        self.mover.seeds() + self.opponent.seeds()
    }

    /// Whether a move can have led here: the opponent's row has an empty pit, the one just sown
    /// from. Tables hold just these boards.
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

impl fmt::Display for Board {
    /// Twelve numbers, a bar between the rows: `4 4 4 4 4 4 | 4 4 4 4 4 4`.
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

/// One of the mover's six pits, written `A` to `F`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(u8);

impl Pit {
    /// All six, in sowing order.
    pub const ALL: [Self; ROW_PITS] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// The pit with this place in sowing order (0..6).
    #[must_use]
    pub fn new(place: usize) -> Option<Self> {
        Self::ALL.get(place).copied()
    }

    /// The pit named by `A`–`F` or `a`–`f`.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let place = "ABCDEF".find(letter.to_ascii_uppercase())?;
        Self::new(place)
    }

    /// Place in sowing order, 0..6.
    #[must_use]
    pub const fn place(self) -> usize {
        self.0 as usize
    }

    /// `A`–`F`.
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

/// Seeds that the mover captures from here on minus seeds that the opponent captures: −48..=48.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Value(i8);

impl Value {
    /// Nothing more is won by either side.
    pub const EVEN: Self = Self(0);

    /// A value; `None` outside −48..=48.
    #[must_use]
    pub fn new(seeds: i8) -> Option<Self> {
        (seeds.unsigned_abs() <= MAX_SEEDS).then_some(Self(seeds))
    }

    /// The mover takes (`won`) or loses all of `seeds`, which is at most 48.
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
