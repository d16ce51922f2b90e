//! The histogram of all boards of a level.
//!
//! Published histograms also count the boards that no move leads to, those whose opponent's row is
//! full. Each of them is evaluated by one ply of search.

use crate::index::{row_count, rows_of};
use crate::kernels::{
    NO_CAPTURE, SmallerLevels, SmallerLevelsByGroup, best_value, crossings, raise_to_moves,
};
use crate::level::{Bytes, Histogram, LevelValues};
use crate::progress::Watch;
use crate::rules::{ROW_PITS, Row};
use crate::solve::MoveTables;
use rayon::prelude::*;
use std::io;

/// Counts all boards of `level` by value; `smaller` holds the levels below it.
pub(super) fn count_all(
    tables: &MoveTables,
    level: &LevelValues,
    smaller: &impl SmallerLevelsByGroup,
    watch: Watch<'_>,
) -> io::Result<Histogram> {
    let mut histogram = Histogram::of_level(level);
    let blocks = full_blocks(level.seeds().get());
    let boards: usize = blocks.iter().map(FullBlock::boards).sum();
    let mut best = Bytes::zeroed(boards)?;
    let seeds = level.seeds().index();
    let mut first = true;
    // A move captures nothing or two seeds and more.
    smaller.for_each_group(level.seeds().get().saturating_sub(1), &mut |group, _| {
        let mut group = group.to_vec();
        group.resize(seeds, None);
        // The boards of this level itself come with the first group only: once is enough.
        group.push(std::mem::take(&mut first).then(|| level.bytes()));
        raise_blocks(tables, &blocks, &group, &mut best);
    })?;
    watch.progress.advance(boards as u64);
    let mut by_byte = [0u64; 256];
    for &byte in best.iter() {
        by_byte[usize::from(byte)] += 1;
    }
    // The mover has no seeds, or no move that the rules allow.
    let full_rows: u64 = blocks
        .first()
        .filter(|block| block.mover_seeds == 0)
        .map_or(0, |block| block.boards() as u64);
    let signed = level.seeds().get().cast_signed();
    histogram.add(-signed, full_rows);
    histogram.add(signed, by_byte[usize::from(NO_CAPTURE)] - full_rows);
    for (byte, count) in (0u8..128).zip(by_byte).skip(1) {
        histogram.add(best_value(byte), count);
    }
    Ok(histogram)
}

/// The full opponent's rows that go with one number of mover's seeds.
struct FullBlock {
    mover_seeds: u8,
    opponents: Vec<Row>,
}

impl FullBlock {
    fn boards(&self) -> usize {
        self.opponents.len() * row_count(self.mover_seeds) as usize
    }
}

fn full_blocks(seeds: u8) -> Vec<FullBlock> {
    const PITS: u8 = 6;
    const { assert!(PITS as usize == ROW_PITS) }
    let ones = Row::new([1; ROW_PITS]).expect("6 seeds");
    let Some(most_mover_seeds) = seeds.checked_sub(PITS) else { return Vec::new() };
    let block = |mover_seeds: u8| {
        // A full row is any row with a seed more in each pit.
        let rows = rows_of(seeds - mover_seeds - PITS).map(|row| row.plus(ones));
        FullBlock { mover_seeds, opponents: rows.collect() }
    };
    (0..=most_mover_seeds).map(block).collect()
}

fn raise_blocks(
    tables: &MoveTables,
    blocks: &[FullBlock],
    group: &SmallerLevels<'_>,
    best: &mut [u8],
) {
    let mut rest = best;
    for block in blocks {
        let (cells, after) = rest.split_at_mut(block.boards());
        rest = after;
        let rows = &tables.movers[usize::from(block.mover_seeds)];
        let minors = row_count(block.mover_seeds) as usize;
        cells.par_chunks_mut(minors).zip(&block.opponents).for_each(|(best, &opponent)| {
            let effects = crossings(tables.rules(), &tables.levels, block.mover_seeds, opponent);
            raise_to_moves(tables.rules(), &tables.levels, group, rows, opponent, &effects, best);
        });
    }
}
