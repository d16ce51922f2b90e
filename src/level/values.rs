//! The values of a level, with one plain byte per board. The solver produces them, tables are
//! written from them and expanded to them.
//!
//! ```text
//! bit  7 6 5 4 3 2 1   0
//!      [  value      ][free]      value = (byte as i8) >> 1, −48..=48
//! ```
//!
//! `free` is set if the value equals the best of the board's captures and endings. The smaller
//! levels determine those, so a table need not store the value of a free board. Boards on which
//! the game has ended are free.

use super::bytes::Bytes;
use crate::index::{LevelIndex, reachable_boards};
use crate::rules::{Board, Seeds, Value};

/// The values of the reachable boards of one level, in the order of [`LevelIndex`].
///
/// A level takes one byte per board:
///
/// ```text
/// bit  7 6 5 4 3 2 1   0
///      [  value      ][free]      value = (byte as i8) >> 1, −48..=48
/// ```
///
/// `free` is set if the value equals the best of the board's captures and endings. Boards on which
/// the game has ended are free.
#[derive(Debug)]
pub struct LevelValues {
    index: LevelIndex,
    bytes: Bytes,
}

impl LevelValues {
    /// A level from its bytes in index order; `None` unless there is one byte per board of the
    /// level and every value is in −`seeds`..=`seeds`.
    #[must_use]
    pub fn new(seeds: Seeds, bytes: Bytes) -> Option<Self> {
        let fits = bytes.len() as u64 == reachable_boards(seeds)
            && bytes.iter().all(|&byte| plain_value(byte).unsigned_abs() <= seeds.get());
        fits.then(|| Self { index: LevelIndex::new(seeds), bytes })
    }

    /// A level from its bytes in index order, which must be one per board and in range.
    pub(crate) fn from_solved(index: LevelIndex, bytes: Bytes) -> Self {
        debug_assert_eq!(bytes.len() as u64, index.boards());
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

    /// The bytes in index order, one per board.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Converts the level into its bytes.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The value of a board; `None` if it is not a reachable board of the level.
    #[must_use]
    pub fn value(&self, board: Board) -> Option<Value> {
        self.value_at(self.index.index(board)?)
    }

    /// The value of the board with an index; `None` past the last board.
    #[must_use]
    pub fn value_at(&self, index: u64) -> Option<Value> {
        let at = usize::try_from(index).ok()?;
        Value::new(plain_value(*self.bytes.get(at)?))
    }

    /// All boards with their values, in index order. This is much faster than a look-up per board,
    /// because neighbours follow from each other.
    ///
    /// ```
    /// use oware::{rules::{Rules, Seeds}, solve::solve_in_memory};
    ///
    /// let levels = solve_in_memory(Rules::Awari, Seeds::of(6))?;
    /// let level = &levels[6];
    /// for (index, (board, value)) in (0..).zip(level.iter()) {
    ///     assert_eq!(level.index().index(board), Some(index));
    ///     assert_eq!((level.value(board), level.value_at(index)), (Some(value), Some(value)));
    /// }
    /// assert_eq!(level.iter().count() as u64, level.index().boards());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[expect(clippy::missing_panics_doc, reason = "every byte of a level holds a value")]
    pub fn iter(&self) -> impl Iterator<Item = (Board, Value)> + '_ {
        let value = |&byte| Value::new(plain_value(byte)).expect("checked when the level was made");
        self.index.boards_from(0).zip(self.bytes.iter().map(value))
    }
}

/// The plain byte of a value.
#[inline]
pub(crate) const fn plain_byte(value: i8, free: bool) -> u8 {
    (value << 1).cast_unsigned() | free as u8
}

/// The value in a plain byte.
#[inline]
pub(crate) const fn plain_value(byte: u8) -> i8 {
    byte.cast_signed() >> 1
}

/// Whether the value in a plain byte is the best of the board's captures and endings.
#[inline]
pub(crate) const fn plain_is_free(byte: u8) -> bool {
    byte & 1 == 1
}
