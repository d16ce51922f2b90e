//! How games end, and the score then.

use crate::rules::{End, Side};
use std::fmt;

/// A count of half seeds: an odd rest shared evenly gives each side half a seed. Shown in seeds,
/// `24` or `24.5`.
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

/// What each side has, South first: `25-23`, `24.5-23.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// South's seeds.
    pub south: HalfSeeds,
    /// North's seeds.
    pub north: HalfSeeds,
}

impl Score {
    /// Who has more, or `None` when both have the same.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self.south.cmp(&self.north) {
            std::cmp::Ordering::Greater => Some(Side::South),
            std::cmp::Ordering::Less => Some(Side::North),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// One side's seeds.
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
    /// A store holds more than half of the game's seeds; the board stays as it is.
    MoreThanHalf(Side),
    /// The player to move has no legal move; the rest goes to one side.
    NoMove(End),
    /// A slam that ends the game; the other side took the rest.
    Slam,
    /// A position came back without a capture in between.
    Repetition,
}

impl GameEnd {
    /// One word: `more-than-half`, `no-seeds`, `cannot-feed`, `only-slams`, `slam`, `repetition`.
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
