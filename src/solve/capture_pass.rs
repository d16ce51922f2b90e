//! The capture pass: goes over all boards of a level once, and gives each its best capture or
//! ending, its number of quiet moves, and from these its first state.

use super::append_buffer::AppendBuffer;
use super::deferred_captures::DeferredCaptures;
use super::labels::Labels;
use super::move_tables::MoveTables;
use super::slabs::{Slab, Slabs};
use crate::index::{LevelIndex, row_count};
use crate::kernels::{Cell, SmallerLevels, count_quiet_moves, crossings, raise_to_captures};
use crate::progress::Watch;
use crate::rules::Row;
use rayon::prelude::*;

/// Raises the best capture of every board, over the captures that lead to the levels of `smaller`.
/// `cells` holds one best capture per board, at first none (zero bytes). When the work is stopped,
/// the remaining boards keep theirs.
pub(super) fn raise_level<C: Cell>(
    tables: &MoveTables,
    slabs: &Slabs,
    smaller: &SmallerLevels<'_, C>,
    cells: &mut [C],
    watch: Watch<'_>,
) {
    slabs.as_slice().par_iter().zip(slabs.cut(cells)).for_each(|(slab, cells)| {
        if watch.is_stopped() {
            return;
        }
        let MoveTables { rules, levels, movers, .. } = tables;
        let rows = &movers[usize::from(slab.mover_seeds)];
        for_each_row(levels, slab, cells, |opponent, best| {
            let effects = crossings(*rules, levels, slab.mover_seeds, opponent);
            raise_to_captures(*rules, levels, smaller, rows, opponent, &effects, best);
        });
        watch.progress.advance(slab.boards as u64);
    });
}

/// Does the same with the last of the smaller levels, then turns every best capture into a state,
/// and returns the deferred captures of each slab.
pub(super) fn finish_level<L: Labels>(
    tables: &MoveTables,
    slabs: &Slabs,
    smaller: &SmallerLevels<'_, L::Cell>,
    cells: &mut [L::Cell],
    watch: Watch<'_>,
) -> Vec<DeferredCaptures> {
    let finish = |(slab, cells): (&Slab, &mut [L::Cell])| {
        if watch.is_stopped() {
            return DeferredCaptures::default();
        }
        let MoveTables { rules, levels, movers, .. } = tables;
        let rows = &movers[usize::from(slab.mover_seeds)];
        let first_states = L::first_states(slab, ended_value(slab));
        let mut quiet = vec![0; row_count(slab.mover_seeds) as usize];
        let mut deferred = AppendBuffer::default();
        for_each_row(levels, slab, cells, |opponent, cells| {
            let effects = crossings(*rules, levels, slab.mover_seeds, opponent);
            raise_to_captures(*rules, levels, smaller, rows, opponent, &effects, cells);
            count_quiet_moves(*rules, levels, rows, opponent, &effects, &mut quiet);
            L::begin(&first_states, &quiet, cells, &mut deferred);
        });
        watch.progress.advance(slab.boards as u64);
        DeferredCaptures::new(L::deferred_bits(cells), deferred.into_vec())
    };
    let deferred: Vec<_> = slabs.as_slice().par_iter().zip(slabs.cut(cells)).map(finish).collect();
    if L::DEFERS { deferred } else { Vec::new() }
}

/// The value of a slab's boards that have no legal move.
fn ended_value(slab: &Slab) -> i8 {
    let seeds = (slab.mover_seeds + slab.opponent_seeds).cast_signed();
    if slab.mover_seeds == 0 { -seeds } else { seeds }
}

/// Calls `visit` with each opponent's row of a slab and the cells of its boards.
fn for_each_row<C>(
    levels: &[LevelIndex],
    slab: &Slab,
    cells: &mut [C],
    mut visit: impl FnMut(Row, &mut [C]),
) {
    let level = &levels[usize::from(slab.mover_seeds + slab.opponent_seeds)];
    let minors = row_count(slab.mover_seeds) as usize;
    for (row, cells) in level.rows_from(slab.start as u64).zip(cells.chunks_exact_mut(minors)) {
        visit(row.opponent, cells);
    }
}
