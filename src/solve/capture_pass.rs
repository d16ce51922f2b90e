//! Over all boards of a level once: the best capture or ending of each, the number of its other
//! moves, and from these its first state byte.

use super::codes::{count, free};
use super::geometry::Geometry;
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
/// capture a board, [`NO_CAPTURE`] (zero) at first.
pub(super) fn raise_level<P: Policy>(
    geometry: &Geometry,
    slabs: &Slabs,
    smaller: &Smaller<'_>,
    bytes: &mut [u8],
    watch: Watch<'_>,
) {
    slabs.as_slice().par_iter().zip(slabs.cut(bytes)).for_each(|(slab, bytes)| {
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
    let first_codes = FirstCodes::new();
    let start = |(slab, bytes): (&Slab, &mut [u8])| {
        let rows = &geometry.movers[usize::from(slab.mover_seeds)];
        let ended = ended_value(slab);
        let mut quiet = vec![0; row_count(slab.mover_seeds) as usize];
        let mut put_by = PutBy::new(slab.boards);
        for_each_row(slab, bytes, |opponent, cells| {
            let effects = crossings::<P>(&geometry.levels, slab.mover_seeds, opponent);
            raise_to_captures::<P>(&geometry.levels, smaller, rows, opponent, &effects, cells);
            count_quiet_moves::<P>(&geometry.levels, rows, opponent, &effects, &mut quiet);
            for (cell, &quiet) in cells.iter_mut().zip(&quiet) {
                let best = *cell;
                *cell = match (best, quiet) {
                    (NO_CAPTURE, 0) => free(ended),
                    _ => first_codes.0[usize::from(quiet)][usize::from(best & 0x7f)],
                };
                put_by.add(best, first_codes.puts_by(best, quiet));
            }
        });
        watch.progress.advance(slab.boards as u64);
        put_by.finish()
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

/// The first code of a board by its quiet moves (0 to 6) and the byte of its best capture.
struct FirstCodes([[u8; 128]; 7]);

impl FirstCodes {
    fn new() -> Self {
        let code = |quiet: usize, best: usize| {
            let best = u8::try_from(best).unwrap_or(0);
            let children = u8::try_from(quiet).unwrap_or(0);
            let value = best_value(best);
            match (best, children) {
                (NO_CAPTURE, 0) => free(0),
                (NO_CAPTURE, _) => count(children, false),
                (_, 0) if value.abs() <= 48 => free(value),
                (_, _) if (1..=48).contains(&value) => free(value),
                (_, 0) => free(0),
                (_, _) => count(children, true),
            }
        };
        Self(std::array::from_fn(|quiet| std::array::from_fn(|best| code(quiet, best))))
    }

    /// Whether a board keeps its best capture on a shelf: none is better than 0, and there are
    /// other moves.
    #[inline]
    fn puts_by(&self, best: u8, quiet: u8) -> bool {
        best != NO_CAPTURE && best_value(best) <= 0 && quiet > 0
    }
}

/// Collects a slab's shelf in index order.
struct PutBy {
    present: Vec<u64>,
    word: u64,
    boards: usize,
    captures: Vec<i8>,
}

impl PutBy {
    fn new(boards: usize) -> Self {
        let present = Vec::with_capacity(boards.div_ceil(64));
        Self { present, word: 0, boards: 0, captures: Vec::new() }
    }

    #[inline]
    fn add(&mut self, best: u8, put_by: bool) {
        self.word |= u64::from(put_by) << (self.boards % 64);
        if put_by {
            self.captures.push(best_value(best));
        }
        self.boards += 1;
        if self.boards.is_multiple_of(64) {
            self.present.push(std::mem::take(&mut self.word));
        }
    }

    fn finish(mut self) -> Shelf {
        if !self.boards.is_multiple_of(64) {
            self.present.push(self.word);
        }
        let mut present = BitVec::from_vec(self.present);
        present.truncate(self.boards);
        self.captures.shrink_to_fit();
        Shelf::new(present, self.captures)
    }
}
