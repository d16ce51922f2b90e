//! Distances of a level in memory: how many plies it takes until a board's value is won or lost.

use super::Digest;
use crate::index::{LevelIndex, reachable_boards};
use crate::rules::{Board, MAX_SEEDS};

/// The distances of one level's reachable boards in index order: two bytes a board, 0 for none
/// (the board's value is 0), otherwise plies + 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelDistances {
    index: LevelIndex,
    numbers: Vec<u16>,
}

impl LevelDistances {
    /// A level from its numbers in index order (0 for none, otherwise plies + 1); `None` unless
    /// there is one for each board of the level.
    #[must_use]
    pub fn new(seeds: u8, numbers: Vec<u16>) -> Option<Self> {
        let fits = seeds <= MAX_SEEDS && numbers.len() as u64 == reachable_boards(seeds);
        fits.then(|| Self { index: LevelIndex::new(seeds), numbers })
    }

    /// Seeds on each board.
    #[must_use]
    pub const fn seeds(&self) -> u8 {
        self.index.seeds()
    }

    /// One number a board in index order: 0 for none, otherwise plies + 1.
    #[must_use]
    pub fn numbers(&self) -> &[u16] {
        &self.numbers
    }

    /// The distance of a board in plies; `None` when it has none, other seeds, or is not reachable.
    #[must_use]
    pub fn distance(&self, board: Board) -> Option<u16> {
        let at = usize::try_from(self.index.index(board)?).ok()?;
        self.numbers.get(at)?.checked_sub(1)
    }

    /// The largest distance in plies.
    #[must_use]
    pub fn most_plies(&self) -> u32 {
        self.numbers.iter().max().map_or(0, |&most| u32::from(most.saturating_sub(1)))
    }

    /// The digest of the distances: as the values' digest, with the number in the value's place.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_level(self.seeds(), |from, count| {
            let run = self.numbers.get(from..from + count).unwrap_or_default();
            run.iter().map(|&number| u64::from(number))
        })
    }
}
