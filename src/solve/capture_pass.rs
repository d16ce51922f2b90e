//! Over all boards of a level once: the best capture or ending of each, the number of its other
//! moves, and from these its first state byte.

use super::codes::{count, counts_with_captures, free};
use super::geometry::Geometry;
use super::list::List;
use super::progress::Watch;
use super::shelf::Shelf;
use super::slabs::{Slab, Slabs};
use crate::index::{gapped_unrank, next_gapped_row, row_count};
use crate::rules::{Policy, Row};
use crate::table::{
    NO_CAPTURE, Smaller, best_value, count_quiet_moves, crossings, raise_to_captures,
};
use bitvec::vec::BitVec;
use rayon::prelude::*;

/// Raises the best capture of every board as far as the levels at hand say; `bytes` holds one best
/// capture a board, [`NO_CAPTURE`] (zero) at first. When told to stop it leaves the rest as it is.
pub(super) fn raise_level<P: Policy>(
    geometry: &Geometry,
    slabs: &Slabs,
    smaller: &Smaller<'_>,
    bytes: &mut [u8],
    watch: Watch<'_>,
) {
    slabs.as_slice().par_iter().zip(slabs.cut(bytes)).for_each(|(slab, bytes)| {
        if watch.stopped() {
            return;
        }
        let rows = &geometry.movers[usize::from(slab.mover_seeds)];
        for_each_row(slab, bytes, |opponent, best| {
            let effects = crossings::<P>(&geometry.levels, slab.mover_seeds, opponent);
            raise_to_captures::<P>(&geometry.levels, smaller, rows, opponent, &effects, best);
        });
        watch.progress.advance(slab.boards as u64);
    });
}

/// As [`raise_level`] with the last levels, then turns every best capture into a state byte and
/// returns the captures put by, a shelf a slab.
pub(super) fn start_level<P: Policy>(
    geometry: &Geometry,
    slabs: &Slabs,
    smaller: &Smaller<'_>,
    bytes: &mut [u8],
    watch: Watch<'_>,
) -> Vec<Shelf> {
    let start = |(slab, bytes): (&Slab, &mut [u8])| {
        if watch.stopped() {
            return Shelf::default();
        }
        let rows = &geometry.movers[usize::from(slab.mover_seeds)];
        let first_codes = FirstCodes::new(ended_value(slab));
        let mut quiet = vec![0; row_count(slab.mover_seeds) as usize];
        let mut captures = List::default();
        for_each_row(slab, bytes, |opponent, cells| {
            let effects = crossings::<P>(&geometry.levels, slab.mover_seeds, opponent);
            raise_to_captures::<P>(&geometry.levels, smaller, rows, opponent, &effects, cells);
            count_quiet_moves::<P>(&geometry.levels, rows, opponent, &effects, &mut quiet);
            captures.fill(cells.len(), |put_by| {
                for (cell, &quiet) in cells.iter_mut().zip(&quiet) {
                    let best = *cell & 127;
                    let (code, is_put_by) = first_codes.of(quiet, best);
                    *cell = code;
                    put_by.put(best_value(best), is_put_by);
                }
            });
        });
        watch.progress.advance(slab.boards as u64);
        Shelf::new(put_by_bits(bytes), captures.into_used())
    };
    slabs.as_slice().par_iter().zip(slabs.cut(bytes)).map(start).collect()
}

/// The value of a slab's boards that have no legal move.
fn ended_value(slab: &Slab) -> i8 {
    let seeds = (slab.mover_seeds + slab.opponent_seeds).cast_signed();
    if slab.mover_seeds == 0 { -seeds } else { seeds }
}

/// Calls `visit` with each opponent's row of a slab and the bytes of its boards.
fn for_each_row(slab: &Slab, bytes: &mut [u8], mut visit: impl FnMut(Row, &mut [u8])) {
    let minors = row_count(slab.mover_seeds) as usize;
    let mut opponent = Some(gapped_unrank(slab.opponent_seeds, slab.majors.start));
    for cells in bytes.chunks_exact_mut(minors) {
        let Some(row) = opponent else { return };
        visit(row, cells);
        opponent = next_gapped_row(row);
    }
}

/// The first code of a board by its quiet moves (0 to 6) and the byte of its best capture, and
/// whether the capture is put by (0 or 1).
struct FirstCodes([[(u8, u8); 128]; 8]);

impl FirstCodes {
    /// The codes of a slab whose ended boards are worth `ended`.
    fn new(ended: i8) -> Self {
        let code = |quiet: usize, best: usize| {
            let (quiet, best) = (quiet.to_le_bytes()[0], best.to_le_bytes()[0]);
            let value = best_value(best);
            match quiet {
                // Bytes that stand for no value do not occur.
                7 => free(0),
                _ if best != NO_CAPTURE && value.abs() > 48 => free(0),
                0 if best == NO_CAPTURE => free(ended),
                0 => free(value),
                _ if value > 0 => free(value),
                _ => count(quiet, best != NO_CAPTURE),
            }
        };
        let codes =
            |quiet, best| (code(quiet, best), counts_with_captures(code(quiet, best)).into());
        Self(std::array::from_fn(|quiet| std::array::from_fn(|best| codes(quiet, best))))
    }

    #[inline]
    fn of(&self, quiet: u8, best: u8) -> (u8, u8) {
        self.0[usize::from(quiet & 7)][usize::from(best & 127)]
    }
}

/// A bit a board: whether its capture is put by.
fn put_by_bits(codes: &[u8]) -> BitVec<u64> {
    let word = |codes: &[u8]| {
        let mut flags = [0; 64];
        for (flag, &code) in flags.iter_mut().zip(codes) {
            *flag = u8::from(counts_with_captures(code));
        }
        // A byte 0 or 1 each: the product gathers eight of them in its top byte.
        let gather =
            |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let (eights, _) = flags.as_chunks::<8>();
        eights.iter().rev().fold(0, |word, eight| word << 8 | gather(eight))
    };
    let mut bits = BitVec::from_vec(codes.chunks(64).map(word).collect());
    bits.truncate(codes.len());
    bits
}
