//! From a table back to a plain level.
//!
//! A board with captures may be stored as any number up to its value; the value is the greater of that number and
//! the best capture, which is looked up in the smaller levels. Boards without captures, and
//! boards that have ended, are stored as they are.

use super::captures::{NO_CAPTURE, best_value, count_quiet_moves, raise_to_captures};
use super::error::{Part, TableError};
use super::forward::{MoverRows, crossings};
use super::plain::plain_byte;
use super::reader::{BlockScratch, Table};
use super::{Bytes, Digest, Histogram, PlainLevel};
use crate::index::{LevelIndex, gapped_rows, gapped_unrank, row_count};
use crate::rules::{Policy, Row, Slam, with_rules};
use rayon::prelude::*;

/// Opponent's rows that one thread takes at a time.
const ROWS_A_TASK: usize = 16;

/// A slam takes at most two pits' worth of twos: an opponent with more seeds keeps some.
const MOST_SLAM_SEEDS: u8 = 12;

/// Decodes every block, recovers the values of boards with captures from `smaller` (the plain
/// levels of 0, 1, … seeds, in order), and compares the result with the header's digest and
/// histogram.
///
/// # Errors
/// When a block is damaged, a smaller level is missing or not the one that the table was computed
/// from, the result is not what the header says, or memory is short.
pub fn expand(table: &Table, smaller: &[PlainLevel]) -> Result<PlainLevel, TableError> {
    let level = expand_unchecked(table, smaller)?;
    let header = table.header();
    if Histogram::of_level(&level) != header.values {
        return Err(table.damaged(Part::Histogram));
    }
    if Digest::of_values(&level) != header.values_digest {
        return Err(table.damaged(Part::ValuesDigest));
    }
    Ok(level)
}

/// As [`expand`], without comparing the result with the header: blocks are checked, and the smaller levels
/// are taken to be the right ones.
///
/// # Errors
/// When a block is damaged, a smaller level is missing, or memory is short.
pub fn expand_unchecked(table: &Table, smaller: &[PlainLevel]) -> Result<PlainLevel, TableError> {
    let header = table.header();
    let seeds = header.subject.seeds;
    for level in 0..seeds {
        if smaller.get(usize::from(level)).map(PlainLevel::seeds) != Some(level) {
            let path = table.path().to_owned();
            return Err(TableError::ForeignLevel { path, seeds: level });
        }
    }
    let boards = usize::try_from(header.boards).unwrap_or(usize::MAX);
    let mut bytes = Bytes::zeroed(boards).map_err(TableError::io("hold", table.path()))?;
    bytes.par_chunks_mut(header.block_boards as usize).enumerate().try_for_each_init(
        || (BlockScratch::default(), Vec::new()),
        |(scratch, stored), (block, bytes)| {
            table.decode(u32::try_from(block).unwrap_or(u32::MAX), scratch, stored)?;
            for (byte, number) in bytes.iter_mut().zip(stored) {
                *byte = number.cast_unsigned();
            }
            Ok(())
        },
    )?;
    let smaller: Vec<_> = smaller.iter().map(|level| Some(level.bytes())).collect();
    with_rules!(header.subject.rules, P => recover::<P>(seeds, &smaller, &mut bytes));
    Ok(PlainLevel::from_solved(LevelIndex::new(seeds), bytes))
}

/// Turns stored numbers into plain bytes.
fn recover<P: Policy>(seeds: u8, smaller: &[Option<&[u8]>], bytes: &mut [u8]) {
    let levels: Vec<_> = (0..=seeds).map(LevelIndex::new).collect();
    let mut rest = bytes;
    for mover_seeds in 0..=seeds {
        let rows = MoverRows::new(P::PATH, mover_seeds);
        let minors = row_count(mover_seeds) as usize;
        let majors = gapped_rows(seeds - mover_seeds);
        let (block, after) = rest.split_at_mut(minors * majors as usize);
        rest = after;
        block.par_chunks_mut(minors * ROWS_A_TASK).enumerate().for_each_init(
            || Scratch { best: vec![NO_CAPTURE; minors], quiet: vec![0; minors] },
            |scratch, (task, bytes)| {
                let first = u32::try_from(task * ROWS_A_TASK).unwrap_or(u32::MAX);
                for (major, bytes) in (first..).zip(bytes.chunks_mut(minors)) {
                    let opponent = gapped_unrank(seeds - mover_seeds, major);
                    recover_row::<P>(&levels, smaller, &rows, opponent, scratch, bytes);
                }
            },
        );
    }
}

struct Scratch {
    best: Vec<u8>,
    quiet: Vec<u8>,
}

/// Turns the stored numbers of all boards with one opponent's row into plain bytes.
fn recover_row<P: Policy>(
    levels: &[LevelIndex],
    smaller: &[Option<&[u8]>],
    rows: &MoverRows,
    opponent: Row,
    scratch: &mut Scratch,
    bytes: &mut [u8],
) {
    let Scratch { best, quiet } = scratch;
    best.fill(NO_CAPTURE);
    let effects = crossings::<P>(levels, rows.seeds, opponent);
    raise_to_captures::<P>(levels, smaller, rows, opponent, &effects, best);
    for (byte, &best) in bytes.iter_mut().zip(&*best) {
        // No capture reads as a value below every other.
        let best = best_value(best);
        let value = byte.cast_signed().max(best);
        *byte = plain_byte(value, value == best);
    }
    // Ended boards are free, and have no moves.
    let may_be_stuck = rows.seeds == 0
        || opponent.is_empty()
        || matches!(P::SLAM, Slam::Illegal) && opponent.seeds() <= MOST_SLAM_SEEDS;
    if may_be_stuck {
        count_quiet_moves::<P>(levels, rows, opponent, &effects, quiet);
        for ((byte, &best), &quiet) in bytes.iter_mut().zip(&*best).zip(&*quiet) {
            *byte |= u8::from(best == NO_CAPTURE && quiet == 0);
        }
    }
}
