//! The capture pass: goes over all boards of a level once, and gives each its best capture or
//! ending, its number of quiet moves, and from these its first state.

use super::append_buffer::AppendBuffer;
use super::deferred_captures::DeferredCaptures;
use super::move_tables::MoveTables;
use super::slabs::{Slab, Slabs};
use super::state::{by_capture, counting, counts_with_captures};
use crate::index::{LevelIndex, row_count};
use crate::kernels::{
    NO_CAPTURE, SmallerLevels, best_value, count_quiet_moves, crossings, raise_to_captures,
};
use crate::progress::Watch;
use crate::rules::Row;
use bitvec::vec::BitVec;
use rayon::prelude::*;

/// Raises the best capture of every board, over the captures that lead to the levels of `smaller`.
/// `bytes` holds one best capture per board, [`NO_CAPTURE`] (zero) at first. When the work is
/// stopped, the remaining boards keep theirs.
pub(super) fn raise_level(
    tables: &MoveTables,
    slabs: &Slabs,
    smaller: &SmallerLevels<'_>,
    bytes: &mut [u8],
    watch: Watch<'_>,
) {
    slabs.as_slice().par_iter().zip(slabs.cut(bytes)).for_each(|(slab, bytes)| {
        if watch.is_stopped() {
            return;
        }
        let MoveTables { rules, levels, movers, .. } = tables;
        let rows = &movers[usize::from(slab.mover_seeds)];
        for_each_row(levels, slab, bytes, |opponent, best| {
            let effects = crossings(*rules, levels, slab.mover_seeds, opponent);
            raise_to_captures(*rules, levels, smaller, rows, opponent, &effects, best);
        });
        watch.progress.advance(slab.boards as u64);
    });
}

/// Does the same with the last of the smaller levels, then turns every best capture into a state,
/// and returns the deferred captures of each slab.
pub(super) fn finish_level(
    tables: &MoveTables,
    slabs: &Slabs,
    smaller: &SmallerLevels<'_>,
    bytes: &mut [u8],
    watch: Watch<'_>,
) -> Vec<DeferredCaptures> {
    let finish = |(slab, bytes): (&Slab, &mut [u8])| {
        if watch.is_stopped() {
            return DeferredCaptures::default();
        }
        let MoveTables { rules, levels, movers, .. } = tables;
        let rows = &movers[usize::from(slab.mover_seeds)];
        let first_states = FirstStates::new(ended_value(slab));
        let mut quiet = vec![0; row_count(slab.mover_seeds) as usize];
        let mut captures = AppendBuffer::default();
        for_each_row(levels, slab, bytes, |opponent, cells| {
            let effects = crossings(*rules, levels, slab.mover_seeds, opponent);
            raise_to_captures(*rules, levels, smaller, rows, opponent, &effects, cells);
            count_quiet_moves(*rules, levels, rows, opponent, &effects, &mut quiet);
            captures.append_up_to(cells.len(), |deferred| {
                for (cell, &quiet) in cells.iter_mut().zip(&quiet) {
                    let best = *cell & 127;
                    let (state, is_deferred) = first_states.get(quiet, best);
                    *cell = state;
                    deferred.put(best_value(best), is_deferred);
                }
            });
        });
        watch.progress.advance(slab.boards as u64);
        DeferredCaptures::new(deferred_bits(bytes), captures.into_vec())
    };
    slabs.as_slice().par_iter().zip(slabs.cut(bytes)).map(finish).collect()
}

/// The value of a slab's boards that have no legal move.
fn ended_value(slab: &Slab) -> i8 {
    let seeds = (slab.mover_seeds + slab.opponent_seeds).cast_signed();
    if slab.mover_seeds == 0 { -seeds } else { seeds }
}

/// Calls `visit` with each opponent's row of a slab and the bytes of its boards.
fn for_each_row(
    levels: &[LevelIndex],
    slab: &Slab,
    bytes: &mut [u8],
    mut visit: impl FnMut(Row, &mut [u8]),
) {
    let level = &levels[usize::from(slab.mover_seeds + slab.opponent_seeds)];
    let minors = row_count(slab.mover_seeds) as usize;
    for (row, cells) in level.rows_from(slab.start as u64).zip(bytes.chunks_exact_mut(minors)) {
        visit(row.opponent, cells);
    }
}

/// The first state of a board by its quiet moves (0 to 6) and the byte of its best capture, and
/// whether the capture is deferred (0 or 1).
struct FirstStates([[(u8, u8); 128]; 8]);

impl FirstStates {
    /// The states of a slab whose ended boards are worth `ended`.
    fn new(ended: i8) -> Self {
        let code = |quiet: usize, best: usize| {
            let (quiet, best) = (quiet.to_le_bytes()[0], best.to_le_bytes()[0]);
            let value = best_value(best);
            match quiet {
                // The table has entries for arguments that do not occur: 7 moves, and bytes that
                // stand for no value.
                7 => by_capture(0),
                _ if best != NO_CAPTURE && value.abs() > 48 => by_capture(0),
                0 if best == NO_CAPTURE => by_capture(ended),
                0 => by_capture(value),
                _ if value > 0 => by_capture(value),
                _ => counting(quiet, best != NO_CAPTURE),
            }
        };
        let codes =
            |quiet, best| (code(quiet, best), counts_with_captures(code(quiet, best)).into());
        Self(std::array::from_fn(|quiet| std::array::from_fn(|best| codes(quiet, best))))
    }

    #[inline]
    fn get(&self, quiet: u8, best: u8) -> (u8, u8) {
        self.0[usize::from(quiet & 7)][usize::from(best & 127)]
    }
}

/// One bit per board: whether its capture is deferred.
fn deferred_bits(codes: &[u8]) -> BitVec<u64> {
    let word = |codes: &[u8]| {
        let mut flags = [0; 64];
        for (flag, &code) in flags.iter_mut().zip(codes) {
            *flag = u8::from(counts_with_captures(code));
        }
        // Each byte is 0 or 1: the product gathers eight of them in its top byte.
        let gather =
            |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let (eights, _) = flags.as_chunks::<8>();
        eights.iter().rev().fold(0, |word, eight| word << 8 | gather(eight))
    };
    let mut bits = BitVec::from_vec(codes.chunks(64).map(word).collect());
    bits.truncate(codes.len());
    bits
}
