//! Ends of games, and scores.

use crate::rules::{End, Side};
use std::fmt;

/// A count of half seeds. Two sides that share an odd number of seeds evenly get half a seed each.
///
/// It is displayed in seeds: `24` or `24.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct HalfSeeds(u8);

impl HalfSeeds {
    /// A count of half seeds.
    #[must_use]
    pub const fn new(half_seeds: u8) -> Self {
        Self(half_seeds)
    }

    /// Whole seeds (at most 127).
    #[must_use]
    pub const fn from_seeds(seeds: u8) -> Self {
        debug_assert!(seeds < 128);
        Self(seeds * 2)
    }

    /// The count in half seeds.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The count in seeds.
    #[must_use]
    pub fn seeds(self) -> f64 {
        f64::from(self.0) / 2.0
    }
}

impl fmt::Display for HalfSeeds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.0 % 2 == 1 { ".5" } else { "" };
        write!(out, "{}{half}", self.0 / 2)
    }
}

/// The seeds of both sides, displayed South first: `25-23`, `24.5-23.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// South's seeds.
    pub south: HalfSeeds,
    /// North's seeds.
    pub north: HalfSeeds,
}

impl Score {
    /// The side with more seeds; `None` for a draw.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self.south.cmp(&self.north) {
            std::cmp::Ordering::Greater => Some(Side::South),
            std::cmp::Ordering::Less => Some(Side::North),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The seeds of one side.
    #[must_use]
    pub const fn of(self, side: Side) -> HalfSeeds {
        match side {
            Side::South => self.south,
            Side::North => self.north,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{}", self.south, self.north)
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// A side has more than half of the game's seeds in its store. The other seeds stay on the
    /// board.
    MoreThanHalf(Side),
    /// The player to move has no legal move. One side gets the seeds on the board.
    NoMove(End),
    /// A slam ended the game. The other side got the seeds on the board.
    Slam,
    /// A position was repeated without a capture in between.
    Repetition,
}

impl GameEnd {
    /// The name of the end: `more-than-half`, `no-seeds`, `cannot-feed`, `only-slams`, `slam`, `repetition`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MoreThanHalf(_) => "more-than-half",
            Self::NoMove(end) => end.name(),
            Self::Slam => "slam",
            Self::Repetition => "repetition",
        }
    }
}
