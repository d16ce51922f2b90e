//! The array format of NumPy, version 1.0: a header with type and shape, then one record per board.
//!
//! ```text
//! "\x93NUMPY" 01 00 [length, 2 bytes] {'descr': …, 'fortran_order': False, 'shape': (n,)} … \n
//! [ 12 pits, one byte each, mover's row first ][ value ], then with bounds [ low ][ high ]
//! ```
//!
//! `numpy.load` returns an array of records with the fields `board` (12 unsigned bytes) and
//! `value`, a signed byte; if bounds are wanted also `low` and `high`, signed bytes.

use super::ExportError;
use crate::database::Database;
use crate::index::LevelIndex;
use crate::rules::{Board, Seeds};
use std::io::Write;

/// Boards per look-up and write.
const ROUND_BOARDS: usize = 1 << 18;
/// The records start at a multiple of this.
const ALIGNMENT: usize = 64;
const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

/// A uniform random sample of `count` different boards of a level, in index order; all boards if
/// the level has no more. The same `seed` gives the same sample.
///
/// # Panics
/// On a 32-bit system, if the level has 2^32 boards or more.
#[cfg(feature = "sample")]
#[must_use]
pub fn sample(seeds: Seeds, count: u64, seed: u64) -> Vec<Board> {
    use rand::SeedableRng;

    let level = LevelIndex::new(seeds);
    if count >= level.boards() {
        return level.boards_from(0).collect();
    }
    let boards = usize::try_from(level.boards()).expect("a level below 2^32 boards");
    let count = usize::try_from(count).expect("fewer than the boards of the level");
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    let mut drawn = rand::seq::index::sample(&mut random, boards, count).into_vec();
    drawn.sort_unstable();
    let board = |index| level.board(index as u64).expect("drawn below the number of boards");
    drawn.into_iter().map(board).collect()
}

/// The fields of an array beside boards and values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fields {
    /// None.
    #[default]
    Values,
    /// Both bounds.
    Bounds,
}

/// Writes boards with their values, and with their bounds if these are wanted, as a NumPy array.
///
/// # Errors
/// When a board has no value, or no bounds that are wanted, in the database, or `out` fails.
pub fn write_npy(
    database: &Database,
    boards: &[Board],
    fields: Fields,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    write_records(database, boards.len() as u64, boards.iter().copied(), fields, out)
}

/// Writes all reachable boards of a level with their values as a NumPy array, in index order.
/// Returns their number. The memory does not grow with the level.
///
/// # Errors
/// As [`write_npy`].
pub fn write_npy_level(
    database: &Database,
    seeds: Seeds,
    fields: Fields,
    out: &mut impl Write,
) -> Result<u64, ExportError> {
    let level = LevelIndex::new(seeds);
    write_records(database, level.boards(), level.boards_from(0), fields, out)?;
    Ok(level.boards())
}

fn write_records(
    database: &Database,
    count: u64,
    mut boards: impl Iterator<Item = Board>,
    fields: Fields,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let with_bounds = fields == Fields::Bounds;
    out.write_all(&header(count, with_bounds))?;
    let (mut round, mut records) = (Vec::new(), Vec::new());
    loop {
        round.clear();
        round.extend(boards.by_ref().take(ROUND_BOARDS));
        if round.is_empty() {
            return Ok(());
        }
        records.clear();
        let mut bounds =
            if with_bounds { database.bounds_batch(&round) } else { Vec::new() }.into_iter();
        for (board, value) in round.iter().zip(database.values(&round)) {
            records.extend(board.pits());
            records.push(value?.get().cast_unsigned());
            if let Some(bounds) = bounds.next().transpose()? {
                records
                    .extend([bounds.low(), bounds.high()].map(|bound| bound.get().cast_unsigned()));
            }
        }
        out.write_all(&records)?;
    }
}

fn header(boards: u64, with_bounds: bool) -> Vec<u8> {
    let bounds = if with_bounds { ", ('low', '|i1'), ('high', '|i1')" } else { "" };
    let mut text = format!(
        "{{'descr': [('board', '|u1', (12,)), ('value', '|i1'){bounds}], 'fortran_order': False, 'shape': ({boards},), }}"
    );
    let before = MAGIC.len() + 2;
    let whole = (before + text.len() + 1).next_multiple_of(ALIGNMENT);
    text.extend(std::iter::repeat_n(' ', whole - before - text.len() - 1));
    text.push('\n');
    let mut header = MAGIC.to_vec();
    let length = u16::try_from(text.len()).expect("a line of some hundred bytes");
    header.extend(length.to_le_bytes());
    header.extend(text.as_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_what_numpy_reads() {
        let header = header(1_000, false);
        assert_eq!(header.len() % ALIGNMENT, 0);
        assert_eq!(&header[..8], b"\x93NUMPY\x01\x00");
        let length = usize::from(u16::from_le_bytes([header[8], header[9]]));
        assert_eq!(header.len(), 10 + length);
        let text = std::str::from_utf8(&header[10..]).expect("plain text");
        assert!(text.starts_with("{'descr'") && text.ends_with('\n') && text.contains("(1000,)"));
    }

    #[cfg(feature = "sample")]
    #[test]
    fn a_sample_is_distinct_sorted_and_repeatable() {
        let boards = sample(Seeds::of(9), 500, 3);
        let level = LevelIndex::new(Seeds::of(9));
        let indices: Vec<_> = boards.iter().map(|&board| level.index(board)).collect();
        assert!(indices.is_sorted_by(|one, next| one < next) && indices.len() == 500);
        assert_eq!(boards, sample(Seeds::of(9), 500, 3));
        assert_ne!(boards, sample(Seeds::of(9), 500, 4));
        assert_eq!(
            sample(Seeds::of(2), 1_000, 1).len() as u64,
            LevelIndex::new(Seeds::of(2)).boards()
        );
    }
}
