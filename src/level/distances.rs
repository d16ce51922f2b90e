//! The distances of a level.
//!
//! The *distance to conversion* (DTC) of a board is the number of plies to the next capture or the
//! end of the game. Among the moves that keep the value, the side that wins seeds chooses the
//! shortest way, and the side that loses seeds the longest. A move that captures or ends the game
//! is one ply from conversion, a board on which the game has ended has distance 0, and a board of
//! value 0 on which the game goes on has none.

use super::Digest;
use crate::index::{LevelIndex, reachable_boards};
use crate::rules::{Board, Seeds};

/// The distances to conversion (DTC) of the reachable boards of one level, in the order of
/// [`LevelIndex`].
///
/// The *distance to conversion* of a board is the number of plies to the next capture or the end of
/// the game. Among the moves that keep the value, the side that wins seeds chooses the shortest
/// way, and the side that loses seeds the longest. A board on which the game has ended has distance
/// 0; a board of value 0 on which the game goes on has none.
///
/// The *ranks* of [lower bounds](super::LevelBounds) are kept in the same way; see
/// [`bounds_with_ranks`](crate::solve::bounds_with_ranks).
///
/// A level takes two bytes per board: 0 for a board without a distance, otherwise its plies plus 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelDistances {
    index: LevelIndex,
    numbers: Vec<u16>,
}

impl LevelDistances {
    /// A level from its numbers in index order, 0 for no distance, otherwise plies plus 1; `None`
    /// unless there is one number per board of the level.
    #[must_use]
    pub fn new(seeds: Seeds, numbers: Vec<u16>) -> Option<Self> {
        let fits = numbers.len() as u64 == reachable_boards(seeds);
        fits.then(|| Self { index: LevelIndex::new(seeds), numbers })
    }

    /// Seeds on each board.
    #[must_use]
    pub const fn seeds(&self) -> Seeds {
        self.index.seeds()
    }

    /// The order of the boards.
    #[must_use]
    pub const fn index(&self) -> &LevelIndex {
        &self.index
    }

    /// The numbers in index order, one per board: 0 for no distance, otherwise plies plus 1.
    #[must_use]
    pub fn numbers(&self) -> &[u16] {
        &self.numbers
    }

    /// The distance of a board in plies; `None` if it has none or is not a reachable board of the
    /// level.
    #[must_use]
    pub fn distance(&self, board: Board) -> Option<u16> {
        self.distance_at(self.index.index(board)?)
    }

    /// The distance in plies of the board with an index; `None` if it has none or the index is past
    /// the last board.
    #[must_use]
    pub fn distance_at(&self, index: u64) -> Option<u16> {
        let at = usize::try_from(index).ok()?;
        self.numbers.get(at)?.checked_sub(1)
    }

    /// All boards with their distances in plies, in index order.
    ///
    /// ```
    /// use oware::{rules::{Rules, Seeds}, solve::solve_with_distances};
    ///
    /// let levels = solve_with_distances(Rules::Awari, Seeds::of(6))?;
    /// let (_, distances) = &levels[6];
    /// let longest = distances.iter().max_by_key(|&(_, plies)| plies).expect("a level has boards");
    /// assert_eq!(longest.1.map(u32::from), Some(distances.most_plies()));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Board, Option<u16>)> + '_ {
        let plies = self.numbers.iter().map(|number| number.checked_sub(1));
        self.index.boards_from(0).zip(plies)
    }

    /// The largest distance in plies; 0 if no board has a distance.
    #[must_use]
    pub fn most_plies(&self) -> u32 {
        self.numbers.iter().max().map_or(0, |&most| u32::from(most.saturating_sub(1)))
    }

    /// The digest of the distances. It is computed as the digest of values is, with the number of a
    /// board in the place of its value.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_level(self.seeds(), |from, count| {
            self.numbers[from..from + count].iter().map(|&number| u64::from(number))
        })
    }
}
