//! Expansion of bounds: from the tables of a level's values and bounds to its bounds in memory.
//!
//! The table of bounds gives the lower bounds, together with the values. The upper bound of a board
//! is the best of its moves, each worth its captures minus the lower bound of the board after it;
//! one pass over the level looks them up.

use super::error::{Part, TableError};
use super::expand::split;
use super::reader::{BlockScratch, Table};
use crate::index::LevelIndex;
use crate::kernels::{
    Cell, MoverRows, NO_CAPTURE, SmallerLevelsByGroup, best_value, crossings, raise_to_moves,
};
use crate::level::{BoundsHistogram, Bytes, LevelBounds, LevelValues, lower_bound, plain_value};
use crate::rules::Value;
use rayon::prelude::*;
use std::io;

/// Boards per task, about.
const TASK_BOARDS: u32 = 1 << 15;

/// Expands a table of bounds, given the values of the level and the bounds of all smaller levels,
/// and compares the result with the digest and the histogram of the header.
///
/// # Errors
/// When a block is damaged, the result does not fit the values or the header, a smaller level
/// cannot be loaded, or memory is short.
pub(crate) fn expand_bounds<S: SmallerLevelsByGroup<[u8; 2]> + ?Sized>(
    table: &Table,
    values: &LevelValues,
    smaller: &S,
) -> Result<LevelBounds, TableError> {
    let no_memory = || TableError::io("hold", table.path());
    let boards = values.bytes().len();
    let mut bytes = Bytes::zeroed(2 * boards).map_err(no_memory())?;
    read_lower_bounds(table, values, <[u8; 2]>::cells_mut(&mut bytes))?;
    find_upper_bounds(table, &mut bytes, smaller).map_err(no_memory())?;
    let level =
        LevelBounds::new(values.seeds(), bytes).ok_or_else(|| table.damaged(Part::Numbers))?;
    let header = table.header();
    if Some(BoundsHistogram::of_level(&level)) != header.bounds {
        return Err(table.damaged(Part::Histogram));
    }
    if level.digest() != header.contents_digest {
        return Err(table.damaged(Part::ContentsDigest));
    }
    Ok(level)
}

/// Sets the first of each pair to the lower bound of the board.
fn read_lower_bounds(
    table: &Table,
    values: &LevelValues,
    pairs: &mut [[u8; 2]],
) -> Result<(), TableError> {
    let seeds = values.seeds();
    let groups = pairs.par_chunks_mut(table.group_boards());
    groups.zip(values.bytes().par_chunks(table.group_boards())).enumerate().try_for_each_init(
        || (BlockScratch::default(), Vec::new()),
        |(scratch, stored), (group, (pairs, values))| {
            let group = u32::try_from(group).expect("a table has fewer than 2^32 blocks");
            table.decode_group(group, scratch, stored)?;
            for ((pair, &byte), &stored) in pairs.iter_mut().zip(values).zip(&*stored) {
                let value = Value::new(plain_value(byte));
                let low = value.and_then(|value| lower_bound(seeds, value, stored));
                let low = low.ok_or_else(|| table.damaged(Part::Numbers))?;
                pair[0] = low.get().cast_unsigned();
            }
            Ok(())
        },
    )
}

/// Sets the second of each pair to the upper bound of the board.
fn find_upper_bounds<S: SmallerLevelsByGroup<[u8; 2]> + ?Sized>(
    table: &Table,
    bytes: &mut Bytes,
    smaller: &S,
) -> io::Result<()> {
    let (rules, seeds) = (table.header().id.rules, table.header().id.seeds);
    let levels: Vec<_> = seeds.up_to().map(LevelIndex::new).collect();
    let level = &levels[seeds.index()];
    let movers: Vec<_> = (0..=seeds.get()).map(|m| MoverRows::new(rules.path(), m)).collect();
    let runs: Vec<_> = (0..=seeds.get()).flat_map(|m| level.row_runs(m, TASK_BOARDS)).collect();
    let mut best = Bytes::zeroed(bytes.len())?;
    const { assert!(NO_CAPTURE == 0, "`best` starts without moves") };
    let mut is_first = true;
    smaller.for_each_group(seeds.get(), &mut |group, _| {
        let mut group = group.to_vec();
        group.resize(seeds.index(), None);
        // Moves that stay in the level are looked up with the first group: once is enough.
        group.push(std::mem::take(&mut is_first).then(|| <[u8; 2]>::cells(bytes)));
        let best = split(<[u8; 2]>::cells_mut(&mut best), &runs).into_par_iter();
        best.zip(&runs).for_each(|(mut best, run)| {
            for row in level.rows_from(run.start).take_while(|row| row.start < run.end) {
                let rows = &movers[usize::from(row.mover_seeds)];
                let (row_best, rest) = std::mem::take(&mut best).split_at_mut(rows.filled.len());
                best = rest;
                let effects = crossings(rules, &levels, row.mover_seeds, row.opponent);
                raise_to_moves(rules, &levels, &group, rows, row.opponent, &effects, row_best);
            }
        });
    })?;
    let pairs = <[u8; 2]>::cells_mut(bytes).par_iter_mut().zip(<[u8; 2]>::cells(&best));
    pairs.with_min_len(TASK_BOARDS as usize).for_each(|([low, high], &[_, best])| {
        // A board without a move has ended; both bounds are its value.
        *high = if best == NO_CAPTURE { *low } else { best_value(best).cast_unsigned() };
    });
    Ok(())
}
