//! NumPy's format, version 1.0: a header that says type and shape, then the records.
//!
//! ```text
//! "\x93NUMPY" 01 00 [length, 2 bytes] {'descr': …, 'fortran_order': False, 'shape': (n,)} … \n
//! [ 12 pits, a byte each, mover's row first ][ value, a signed byte ]   a board
//! ```
//!
//! `numpy.load` gives an array of records with the fields `board` (12 unsigned bytes) and `value`.

use super::ExportError;
use crate::database::Database;
use crate::index::LevelIndex;
use crate::rules::Board;
use rand::SeedableRng;
use std::io::Write;

/// Boards looked up and written at a time.
const BOARDS_A_ROUND: usize = 1 << 18;
/// Records start at a multiple of this.
const ALIGNMENT: usize = 64;
const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

/// Boards of a level drawn at random, all different and each as likely as another, in index
/// order. The same seed draws the same boards. All of the level when `count` is no less.
#[must_use]
pub fn sample(seeds: u8, count: u64, seed: u64) -> Vec<Board> {
    let level = LevelIndex::new(seeds);
    if count >= level.boards() {
        return level.boards_from(0).collect();
    }
    let boards = usize::try_from(level.boards()).unwrap_or(usize::MAX);
    let count = usize::try_from(count).unwrap_or(boards);
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    let mut drawn = rand::seq::index::sample(&mut random, boards, count).into_vec();
    drawn.sort_unstable();
    drawn.into_iter().filter_map(|index| level.board(index as u64)).collect()
}

/// Writes boards with their values as one NumPy array.
///
/// # Errors
/// When a board has no value in the database, or `out` fails.
pub fn write_npy(
    database: &Database,
    boards: &[Board],
    out: &mut impl Write,
) -> Result<(), ExportError> {
    out.write_all(&header(boards.len()))?;
    let mut records = Vec::new();
    for round in boards.chunks(BOARDS_A_ROUND) {
        records.clear();
        for (board, value) in round.iter().zip(database.values(round)) {
            records.extend(board.pits());
            records.push(value?.get().cast_unsigned());
        }
        out.write_all(&records)?;
    }
    Ok(())
}

fn header(boards: usize) -> Vec<u8> {
    let mut text = format!(
        "{{'descr': [('board', '|u1', (12,)), ('value', '|i1')], 'fortran_order': False, 'shape': ({boards},), }}"
    );
    let before = MAGIC.len() + 2;
    let whole = (before + text.len() + 1).next_multiple_of(ALIGNMENT);
    text.extend(std::iter::repeat_n(' ', whole - before - text.len() - 1));
    text.push('\n');
    let mut header = MAGIC.to_vec();
    header.extend(u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes());
    header.extend(text.as_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_what_numpy_reads() {
        let header = header(1_000);
        assert_eq!(header.len() % ALIGNMENT, 0);
        assert_eq!(&header[..8], b"\x93NUMPY\x01\x00");
        let length = usize::from(u16::from_le_bytes([header[8], header[9]]));
        assert_eq!(header.len(), 10 + length);
        let text = std::str::from_utf8(&header[10..]).expect("plain text");
        assert!(text.starts_with("{'descr'") && text.ends_with('\n') && text.contains("(1000,)"));
    }

    #[test]
    fn a_sample_is_distinct_sorted_and_repeatable() {
        let boards = sample(9, 500, 3);
        let level = LevelIndex::new(9);
        let indices: Vec<_> = boards.iter().map(|&board| level.index(board)).collect();
        assert!(indices.is_sorted_by(|one, next| one < next) && indices.len() == 500);
        assert_eq!(boards, sample(9, 500, 3));
        assert_ne!(boards, sample(9, 500, 4));
        assert_eq!(sample(2, 1_000, 1).len() as u64, LevelIndex::new(2).boards());
    }
}
