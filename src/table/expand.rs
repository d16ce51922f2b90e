//! From a table back to a plain level.
//!
//! A board with captures may be stored as any number up to its value; the value is the greater of that number and
//! the best capture, which is looked up in the smaller levels. Boards without captures, and
//! boards that have ended, are stored as they are.

use super::captures::{
    NO_CAPTURE, SmallerLevels, best_value, count_quiet_moves, raise_to_captures,
};
use super::error::{Part, TableError};
use super::forward::{Crossings, MoverRows, crossings};
use super::plain::plain_byte;
use super::reader::{BlockScratch, Table};
use super::{Bytes, Digest, Histogram, PlainLevel};
use crate::index::{LevelIndex, gapped_rows, gapped_unrank, row_count};
use crate::rules::{Policy, Row, Slam, with_rules};
use rayon::prelude::*;
use std::io;

/// Opponent's rows that one thread takes at a time.
const ROWS_A_TASK: usize = 16;

/// A sowing makes 2 or 3 of 1 or 2, six times at most: an opponent with more seeds keeps some.
const MOST_SLAM_SEEDS: u8 = 12;

/// Decodes every block, recovers the values of boards with captures from `smaller` (the plain
/// levels of 0, 1, … seeds, in order), and compares the result with the header's digest and
/// histogram.
///
/// # Errors
/// When a block is damaged, a smaller level is missing or not the one that the table was computed
/// from, the result is not what the header says, or memory is short.
pub fn expand(table: &Table, smaller: &[PlainLevel]) -> Result<PlainLevel, TableError> {
    expect_levels(table, smaller)?;
    expand_from(table, smaller)
}

/// As [`expand`], without comparing the result with the header: blocks are checked, and the
/// smaller levels are taken to be the right ones.
///
/// # Errors
/// When a block is damaged, a smaller level is missing, or memory is short.
pub fn expand_unchecked(table: &Table, smaller: &[PlainLevel]) -> Result<PlainLevel, TableError> {
    expect_levels(table, smaller)?;
    recover_level(table, smaller)
}

/// As [`expand`], with smaller levels that may come by groups; all of them are there.
pub(crate) fn expand_from<S: SmallerLevels + ?Sized>(
    table: &Table,
    smaller: &S,
) -> Result<PlainLevel, TableError> {
    let level = recover_level(table, smaller)?;
    let header = table.header();
    if Histogram::of_level(&level) != header.values {
        return Err(table.damaged(Part::Histogram));
    }
    if Digest::of_values(&level) != header.values_digest {
        return Err(table.damaged(Part::ValuesDigest));
    }
    Ok(level)
}

fn expect_levels(table: &Table, smaller: &[PlainLevel]) -> Result<(), TableError> {
    for level in 0..table.header().subject.seeds {
        if smaller.get(usize::from(level)).map(PlainLevel::seeds) != Some(level) {
            let path = table.path().to_owned();
            return Err(TableError::ForeignLevel { path, seeds: level });
        }
    }
    Ok(())
}

fn recover_level<S: SmallerLevels + ?Sized>(
    table: &Table,
    smaller: &S,
) -> Result<PlainLevel, TableError> {
    let header = table.header();
    let seeds = header.subject.seeds;
    let boards = usize::try_from(header.boards).unwrap_or(usize::MAX);
    let no_memory = || TableError::io("hold", table.path());
    let mut bytes = Bytes::zeroed(boards).map_err(no_memory())?;
    bytes.par_chunks_mut(table.group_boards()).enumerate().try_for_each_init(
        || (BlockScratch::default(), Vec::new()),
        |(scratch, stored), (group, bytes)| {
            table.decode_group(u32::try_from(group).unwrap_or(u32::MAX), scratch, stored)?;
            for (byte, number) in bytes.iter_mut().zip(stored) {
                *byte = number.cast_unsigned();
            }
            Ok(())
        },
    )?;
    with_rules!(header.subject.rules, P => recover::<P, S>(seeds, smaller, &mut bytes))
        .map_err(no_memory())?;
    Ok(PlainLevel::from_solved(LevelIndex::new(seeds), bytes))
}

/// Turns stored numbers into plain bytes.
fn recover<P: Policy, S: SmallerLevels + ?Sized>(
    seeds: u8,
    smaller: &S,
    bytes: &mut [u8],
) -> io::Result<()> {
    let levels: Vec<_> = (0..=seeds).map(LevelIndex::new).collect();
    let movers: Vec<_> = (0..=seeds).map(|mover| MoverRows::new(P::PATH, mover)).collect();
    let mut best = Bytes::zeroed(bytes.len())?;
    debug_assert_eq!(NO_CAPTURE, 0);
    smaller.for_each_group(seeds, &mut |group, is_last| {
        let mut rest = (&mut *bytes, &mut *best);
        for (rows, opponent_seeds) in movers.iter().zip((0..=seeds).rev()) {
            let minors = row_count(rows.seeds) as usize;
            let block = minors * gapped_rows(opponent_seeds) as usize;
            let (block_bytes, bytes) = rest.0.split_at_mut(block);
            let (block_best, best) = rest.1.split_at_mut(block);
            rest = (bytes, best);
            let tasks = block_bytes.par_chunks_mut(minors * ROWS_A_TASK);
            let tasks = tasks.zip(block_best.par_chunks_mut(minors * ROWS_A_TASK));
            tasks.enumerate().for_each(|(task, (bytes, best))| {
                let first = u32::try_from(task * ROWS_A_TASK).unwrap_or(u32::MAX);
                let rows_of_task = bytes.chunks_mut(minors).zip(best.chunks_mut(minors));
                for (major, (bytes, best)) in (first..).zip(rows_of_task) {
                    let opponent = gapped_unrank(opponent_seeds, major);
                    let effects = crossings::<P>(&levels, rows.seeds, opponent);
                    raise_to_captures::<P>(&levels, group, rows, opponent, &effects, best);
                    if is_last {
                        recover_row::<P>(&levels, rows, opponent, &effects, best, bytes);
                    }
                }
            });
        }
    })
}

/// Turns the stored numbers of all boards with one opponent's row into plain bytes, given their
/// best captures.
fn recover_row<P: Policy>(
    levels: &[LevelIndex],
    rows: &MoverRows,
    opponent: Row,
    effects: &Crossings,
    best: &[u8],
    bytes: &mut [u8],
) {
    // Ended boards are free, and have no moves.
    let may_be_stuck = rows.seeds == 0
        || opponent.is_empty()
        || matches!(P::SLAM, Slam::Illegal) && opponent.seeds() <= MOST_SLAM_SEEDS;
    let mut quiet = Vec::new();
    if may_be_stuck {
        quiet = vec![0; best.len()];
        count_quiet_moves::<P>(levels, rows, opponent, effects, &mut quiet);
    }
    for (place, (byte, &best)) in bytes.iter_mut().zip(best).enumerate() {
        let is_ended = best == NO_CAPTURE && quiet.get(place) == Some(&0);
        // No capture reads as a value below every other.
        let capture = best_value(best);
        let value = byte.cast_signed().max(capture);
        *byte = plain_byte(value, value == capture || is_ended);
    }
}
