//! Expansion: from a table to a level in memory.
//!
//! The stored number of a board with captures is at most its value. The value is the greater of
//! that number and the best capture, which is looked up in the smaller levels. The stored number of
//! any other board is its value.

use super::error::{Part, TableError, TableErrorKind};
use super::reader::{BlockScratch, Table};
use crate::index::LevelIndex;
use crate::kernels::{
    Crossings, MoverRows, NO_CAPTURE, SmallerLevelsByGroup, best_value, count_quiet_moves,
    crossings, raise_to_captures,
};
use crate::level::{Bytes, Digest, Histogram, LevelValues, plain_byte};
use crate::rules::{Row, Rules, Seeds, Slam};
use rayon::prelude::*;
use std::io;
use std::ops::Range;

/// Boards per task, about.
const TASK_BOARDS: u32 = 1 << 15;

/// The most seeds of an opponent's row that a slam captures, before the sowing: 2 per pit.
const MOST_SLAM_SEEDS: u8 = 12;

/// Expands a table: decodes every block, computes the values of boards with captures from the
/// levels of 0, 1, 2, … seeds in `smaller`, and compares the result with the digest and the
/// histogram of the header.
///
/// # Errors
/// When a block is damaged, a smaller level is missing or not the one that the table was computed
/// from, the result does not fit the header, or memory is short.
pub fn expand(table: &Table, smaller: &[LevelValues]) -> Result<LevelValues, TableError> {
    expect_levels(table, smaller)?;
    expand_from(table, smaller)
}

/// Expands a table as [`expand`] does, but does not compare the result with the header. Blocks are
/// checked, the smaller levels are not.
///
/// # Errors
/// When a block is damaged, a smaller level is missing, or memory is short.
pub fn expand_unchecked(table: &Table, smaller: &[LevelValues]) -> Result<LevelValues, TableError> {
    expect_levels(table, smaller)?;
    recover_level(table, smaller)
}

/// Expands a table as [`expand`] does, with smaller levels that may come in groups and are
/// complete.
pub(crate) fn expand_from<S: SmallerLevelsByGroup + ?Sized>(
    table: &Table,
    smaller: &S,
) -> Result<LevelValues, TableError> {
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

fn expect_levels(table: &Table, smaller: &[LevelValues]) -> Result<(), TableError> {
    for level in table.header().id.seeds.below() {
        if smaller.get(level.index()).map(LevelValues::seeds) != Some(level) {
            let kind = TableErrorKind::ForeignLevel { seeds: level };
            return Err(TableError::new(table.path(), kind));
        }
    }
    Ok(())
}

fn recover_level<S: SmallerLevelsByGroup + ?Sized>(
    table: &Table,
    smaller: &S,
) -> Result<LevelValues, TableError> {
    let header = table.header();
    let seeds = header.id.seeds;
    let boards = usize::try_from(header.boards)
        .map_err(|_| TableError::io("hold", table.path())(io::ErrorKind::OutOfMemory.into()))?;
    let no_memory = || TableError::io("hold", table.path());
    let mut bytes = Bytes::zeroed(boards).map_err(no_memory())?;
    bytes.par_chunks_mut(table.group_boards()).enumerate().try_for_each_init(
        || (BlockScratch::default(), Vec::new()),
        |(scratch, stored), (group, bytes)| {
            table.decode_group(
                u32::try_from(group).expect("a table has fewer than 2^32 blocks"),
                scratch,
                stored,
            )?;
            for (byte, number) in bytes.iter_mut().zip(stored) {
                *byte = number.cast_unsigned();
            }
            Ok(())
        },
    )?;
    recover(header.id.rules, seeds, smaller, &mut bytes).map_err(no_memory())?;
    Ok(LevelValues::from_solved(LevelIndex::new(seeds), bytes))
}

/// Converts stored numbers to plain bytes.
fn recover<S: SmallerLevelsByGroup + ?Sized>(
    rules: Rules,
    seeds: Seeds,
    smaller: &S,
    bytes: &mut [u8],
) -> io::Result<()> {
    let levels: Vec<_> = seeds.up_to().map(LevelIndex::new).collect();
    let level = &levels[seeds.index()];
    let movers: Vec<_> = (0..=seeds.get()).map(|m| MoverRows::new(rules.path(), m)).collect();
    let mut best = Bytes::zeroed(bytes.len())?;
    const { assert!(NO_CAPTURE == 0, "`best` starts without captures") };
    let runs: Vec<_> = (0..=seeds.get()).flat_map(|m| level.row_runs(m, TASK_BOARDS)).collect();
    smaller.for_each_group(seeds.get(), &mut |group, is_last| {
        let bytes = split(bytes, &runs).into_par_iter().zip(split(&mut best, &runs));
        bytes.zip(&runs).for_each(|((mut bytes, mut best), run)| {
            for row in level.rows_from(run.start).take_while(|row| row.start < run.end) {
                let rows = &movers[usize::from(row.mover_seeds)];
                let (row_bytes, rest) = std::mem::take(&mut bytes).split_at_mut(rows.filled.len());
                bytes = rest;
                let (row_best, rest) = std::mem::take(&mut best).split_at_mut(rows.filled.len());
                best = rest;
                let opponent = row.opponent;
                let effects = crossings(rules, &levels, row.mover_seeds, opponent);
                raise_to_captures(rules, &levels, group, rows, opponent, &effects, row_best);
                if is_last {
                    recover_row(rules, &levels, rows, opponent, &effects, row_best, row_bytes);
                }
            }
        });
    })
}

/// Splits one cell per board into runs.
pub(super) fn split<'b, C>(mut cells: &'b mut [C], runs: &[Range<u64>]) -> Vec<&'b mut [C]> {
    let piece = |run: &Range<u64>| {
        let len = usize::try_from(run.end - run.start).expect("the level is in memory");
        let (piece, rest) = std::mem::take(&mut cells).split_at_mut(len);
        cells = rest;
        piece
    };
    runs.iter().map(piece).collect()
}

/// Converts the stored numbers of the boards with one opponent's row to plain bytes, given their
/// best captures.
fn recover_row(
    rules: Rules,
    levels: &[LevelIndex],
    rows: &MoverRows,
    opponent: Row,
    effects: &Crossings,
    best: &[u8],
    bytes: &mut [u8],
) {
    // Boards on which the game has ended are free. They have no moves.
    let may_be_stuck = rows.seeds == 0
        || opponent.is_empty()
        || rules.slam() == Slam::Illegal && opponent.seeds() <= MOST_SLAM_SEEDS;
    let mut quiet = Vec::new();
    if may_be_stuck {
        quiet = vec![0; best.len()];
        count_quiet_moves(rules, levels, rows, opponent, effects, &mut quiet);
    }
    for (place, (byte, &best)) in bytes.iter_mut().zip(best).enumerate() {
        let is_ended = best == NO_CAPTURE && quiet.get(place) == Some(&0);
        // `NO_CAPTURE` is less than any value.
        let capture = best_value(best);
        let value = byte.cast_signed().max(capture);
        *byte = plain_byte(value, value == capture || is_ended);
    }
}
