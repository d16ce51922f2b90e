//! A level in memory, one byte a board: what the solver makes, what tables are written from and
//! expanded to.
//!
//! ```text
//! bit  7 6 5 4 3 2 1   0
//!      [  value      ][free]      value = (byte as i8) >> 1, −48..=48
//! ```
//!
//! `free` is set when the value equals the best of the board's captures and endings. Whoever knows
//! the smaller levels can compute those, so a table need not store a free board's value. Ended
//! boards are free.

use super::bytes::Bytes;
use crate::index::{LevelIndex, reachable_boards};
use crate::rules::{Board, MAX_SEEDS, Value};

/// The values of one level's reachable boards, in index order. See the module's page for the byte.
#[derive(Debug)]
pub struct LevelValues {
    index: LevelIndex,
    bytes: Bytes,
}

impl LevelValues {
    /// A level from its bytes in index order; `None` unless there is one a board of the level and
    /// each holds a value of at most `seeds` seeds either way.
    #[must_use]
    pub fn new(seeds: u8, bytes: Bytes) -> Option<Self> {
        let fits = seeds <= MAX_SEEDS
            && bytes.len() as u64 == reachable_boards(seeds)
            && bytes.iter().all(|&byte| plain_value(byte).unsigned_abs() <= seeds);
        fits.then(|| Self { index: LevelIndex::new(seeds), bytes })
    }

    /// A level from bytes that the caller made one a board and in range.
    pub(crate) fn from_solved(index: LevelIndex, bytes: Bytes) -> Self {
        debug_assert_eq!(bytes.len() as u64, index.boards());
        Self { index, bytes }
    }

    /// Seeds on each board.
    #[must_use]
    pub const fn seeds(&self) -> u8 {
        self.index.seeds()
    }

    /// The numbering of the level's boards.
    #[must_use]
    pub const fn index(&self) -> &LevelIndex {
        &self.index
    }

    /// One byte a board in index order.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, taken out.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// The value of a board; `None` when it has other seeds or is not reachable.
    #[must_use]
    pub fn value(&self, board: Board) -> Option<Value> {
        let at = usize::try_from(self.index.index(board)?).ok()?;
        Value::new(plain_value(*self.bytes.get(at)?))
    }
}

/// The byte of a board with this value.
#[inline]
pub(crate) const fn plain_byte(value: i8, free: bool) -> u8 {
    (value << 1).cast_unsigned() | free as u8
}

/// The value in a byte.
#[inline]
pub(crate) const fn plain_value(byte: u8) -> i8 {
    byte.cast_signed() >> 1
}

/// Whether a byte's value is the best of the board's captures and endings.
#[inline]
pub(crate) const fn plain_is_free(byte: u8) -> bool {
    byte & 1 == 1
}
