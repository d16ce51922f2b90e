//! The bounds of a level: what either side can secure on its boards, whatever settles endless play.
//!
//! A level of `n` seeds takes two bytes per board, the lower and the upper bound, in two's
//! complement. Both have the parity of `n`.

use super::Digest;
use super::bytes::Bytes;
use crate::index::LevelIndex;
use crate::rules::{Board, Bounds, Seeds, Value};

/// The bounds of the reachable boards of one level, in the order of [`LevelIndex`].
///
/// See [`Bounds`] for what they mean.
#[derive(Debug)]
pub struct LevelBounds {
    index: LevelIndex,
    /// Two per board: the lower and the upper bound.
    bytes: Bytes,
}

impl LevelBounds {
    /// A level from its bytes in index order, the lower and the upper bound of each board; `None`
    /// unless there are two bytes per board of the level that are [`Bounds`] of it.
    #[must_use]
    pub fn new(seeds: Seeds, bytes: Bytes) -> Option<Self> {
        let index = LevelIndex::new(seeds);
        let (pairs, rest) = bytes.as_chunks();
        let fits = pairs.len() as u64 == index.boards()
            && rest.is_empty()
            && pairs.iter().all(|&pair| bounds_of(seeds, pair).is_some());
        fits.then(|| Self { index, bytes })
    }

    /// A level from its bytes in index order, which must be as [`new`](Self::new) wants them.
    pub(crate) fn from_solved(index: LevelIndex, bytes: Bytes) -> Self {
        debug_assert_eq!(bytes.len() as u64, 2 * index.boards());
        Self { index, bytes }
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

    /// The bytes in index order: the lower and the upper bound of each board.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The lower and the upper bound of each board, in index order.
    pub(crate) fn pairs(&self) -> &[[u8; 2]] {
        self.bytes.as_chunks().0
    }

    /// The bounds of a board; `None` if it is not a reachable board of the level.
    #[must_use]
    pub fn bounds(&self, board: Board) -> Option<Bounds> {
        self.bounds_at(self.index.index(board)?)
    }

    /// The bounds of the board with an index; `None` past the last board.
    #[must_use]
    pub fn bounds_at(&self, index: u64) -> Option<Bounds> {
        bounds_of(self.seeds(), *self.pairs().get(usize::try_from(index).ok()?)?)
    }

    /// All boards with their bounds, in index order.
    #[expect(clippy::missing_panics_doc, reason = "every pair of a level is bounds")]
    pub fn iter(&self) -> impl Iterator<Item = (Board, Bounds)> + '_ {
        let bounds = |&pair: &[u8; 2]| {
            bounds_of(self.seeds(), pair).expect("checked when the level was made")
        };
        self.index.boards_from(0).zip(self.pairs().iter().map(bounds))
    }

    /// The digest of the bounds. It is computed as the digest of values is, with `low | high << 8`
    /// (both as bytes) in the place of the value.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_level(self.seeds(), |from, count| {
            let pairs = &self.pairs()[from..from + count];
            pairs.iter().map(|&pair| u64::from(u16::from_le_bytes(pair)))
        })
    }
}

fn bounds_of(seeds: Seeds, [low, high]: [u8; 2]) -> Option<Bounds> {
    Bounds::new(seeds, low.cast_signed(), high.cast_signed())
}

/// The number that a table stores for a lower bound: half of what the value exceeds it by, rounded
/// up.
pub(crate) const fn stored_bound(value: i8, low: i8) -> i8 {
    (value - low + 1) / 2
}

/// The lower bound of a board of `seeds` seeds with a value, from the number that a table of bounds
/// stores for it; `None` if there is no such bound.
///
/// The number is half of what the value exceeds the bound by. A value of 0 may differ from `seeds`
/// in parity, which bounds never do; then the half is rounded up.
#[must_use]
pub fn lower_bound(seeds: Seeds, value: Value, stored: i8) -> Option<Value> {
    let (n, value) = (seeds.get().cast_signed(), value.get());
    if !(0..=n).contains(&stored) {
        return None;
    }
    let low = value - 2 * stored + ((value - n) & 1);
    if low < -n || low > value {
        return None;
    }
    Value::new(low)
}
