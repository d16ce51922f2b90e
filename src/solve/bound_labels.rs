//! Bounds: the state of a board and its labels.
//!
//! Whatever settles endless play, a board of `n` seeds is worth at least its lower bound `L` and at
//! most its upper bound `U` to its mover. With `cL` the best of its endings and of `k − U(child)`
//! over captures of `k` seeds, and `cU` the same with `L(child)`,
//!
//! ```text
//! L(p) = max(cL, max −U(q))     the least solution, from −n up
//! U(p) = max(cU, max −L(q))     the greatest solution, from n down       over quiet children q
//! ```
//!
//! Step `s = n, n − 2, …, 2 − n` labels the boards with `L = s` (won) and those with `U = −s` (lost):
//!
//! - a board with `cL = s` has `L = s`;
//! - a board with a quiet child of `U = −s` has `L = s`, unless it has a greater `L`;
//! - a board whose quiet children all have `L ≥ s` has `U = −s` if `cU ≤ −s`, otherwise `U = cU`,
//!   which step `−cU` labels.
//!
//! What is left in the end has `L = −n` or `U = n`. A board is labelled twice at most.
//!
//! Two bytes hold a board, with bounds counted as `(bound + n) / 2`, which is 0 to 48:
//!
//! ```text
//! bit  15     10 9      7 6         5    0
//!      [ upper ][ count ][by a move][lower]
//! ```
//!
//! `lower` is the best lower bound so far, at first from captures. It is `L` from the step on that
//! it names. `count` is the number of quiet children without a lower bound; `upper` is `cU` until it
//! is 0, and then `U`. [`LABELLED`] in place of the count marks an upper bound whose board has been
//! on the frontier already.

use super::append_buffer::AppendBuffer;
use super::deferred_captures::DeferredCaptures;
use super::labels::Labels;
use super::slabs::Slab;
use super::update_buffer::Update;
use crate::index::LevelIndex;
use crate::kernels::{NO_CAPTURE, best_value};
use crate::level::{Bytes, LevelBounds};
use crate::rules::Seeds;
use bitvec::vec::BitVec;

const LOWER: u16 = 0x3f;
/// The lower bound comes from a quiet move, and its board has been on the frontier already.
const BY_MOVE: u16 = 1 << 6;
const COUNT_SHIFT: u32 = 7;
const COUNT: u16 = 7 << COUNT_SHIFT;
/// In place of the count. See the module's page.
const LABELLED: u16 = COUNT;
const UPPER_SHIFT: u32 = 10;

/// One step of bounds. See the module's page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundLabels {
    /// The bound `s`, counted from −n in steps of two.
    won: u16,
    /// The bound `−s`, counted so.
    lost: u16,
}

impl Labels for BoundLabels {
    type Cell = [u8; 2];
    type FirstStates = FirstStates;
    type Level = LevelBounds;

    const STRIDE: i8 = 2;
    const DEFERS: bool = false;
    const NUMBERS_LOST: bool = false;

    fn last_step(seeds: Seeds) -> i8 {
        2 - seeds.get().cast_signed()
    }

    fn step(seeds: Seeds, step: i8) -> Self {
        Self { won: counted(seeds.get(), step), lost: counted(seeds.get(), -step) }
    }

    fn first_states(slab: &Slab, ended: i8) -> FirstStates {
        FirstStates::new(slab.mover_seeds + slab.opponent_seeds, ended)
    }

    fn begin(
        first: &FirstStates,
        quiet: &[u8],
        cells: &mut [[u8; 2]],
        _deferred: &mut AppendBuffer<i8>,
    ) {
        for (cell, &quiet) in cells.iter_mut().zip(quiet) {
            *cell = first.get(quiet, *cell).to_le_bytes();
        }
    }

    fn deferred_bits(_cells: &[[u8; 2]]) -> BitVec<u64> {
        BitVec::new()
    }

    fn find(&self, cells: &[[u8; 2]], found: &mut AppendBuffer<Update>) {
        let (won, lost) = (self.won, self.lost << (UPPER_SHIFT - COUNT_SHIFT));
        let is_won = |cell: [u8; 2]| u16::from_le_bytes(cell) & (LOWER | BY_MOVE) == won;
        let is_lost = |cell: [u8; 2]| u16::from_le_bytes(cell) >> COUNT_SHIFT == lost;
        let mut place = 0;
        for some in cells.chunks(32) {
            if some.iter().fold(false, |any, &cell| any | is_won(cell) | is_lost(cell)) {
                found.append_up_to(2 * some.len(), |slots| {
                    for (place, &cell) in (place..).zip(some) {
                        slots.put(Update::new(place, true), is_won(cell).into());
                        slots.put(Update::new(place, false), is_lost(cell).into());
                    }
                });
            }
            place += 32;
        }
    }

    fn apply(
        &self,
        updates: &[u32],
        cells: &mut [[u8; 2]],
        _deferred: Option<&DeferredCaptures>,
        decided: &mut AppendBuffer<Update>,
        _scratch: &mut AppendBuffer<Update>,
    ) {
        decided.append_up_to(updates.len(), |slots| {
            for &bits in updates {
                let update = Update::from_bits(bits);
                let cell = &mut cells[update.place() as usize];
                let state = u16::from_le_bytes(*cell);
                let (raised, is_raised) = self.raise(state);
                let (counted, is_counted) = self.count_down(state);
                let (state, event) = match update.won() {
                    true => (raised, is_raised),
                    false => (counted, is_counted),
                };
                *cell = state.to_le_bytes();
                slots.put(update, event.into());
            }
        });
    }

    fn end(seeds: Seeds, cells: &mut [[u8; 2]], _deferred: Option<&DeferredCaptures>) {
        let bound = |counted: u16| 2 * counted.cast_signed() - i16::from(seeds.get());
        let highest = counted(seeds.get(), seeds.get().cast_signed());
        for cell in cells {
            let state = u16::from_le_bytes(*cell);
            let is_open = state & COUNT != 0 && state & COUNT != LABELLED;
            let upper = if is_open { highest } else { state >> UPPER_SHIFT };
            *cell = [bound(state & LOWER), bound(upper)].map(|bound| bound.to_le_bytes()[0]);
        }
    }

    fn level(index: LevelIndex, bytes: Bytes) -> LevelBounds {
        LevelBounds::from_solved(index, bytes)
    }

    fn bytes(level: &LevelBounds) -> &[u8] {
        level.bytes()
    }
}

impl BoundLabels {
    /// The state of a board with a quiet child of `U = −s`, and whether this labels its lower bound.
    #[inline]
    const fn raise(self, state: u16) -> (u16, bool) {
        let is_raised = state & LOWER < self.won;
        let raised = state & !(LOWER | BY_MOVE) | BY_MOVE | self.won;
        (if is_raised { raised } else { state }, is_raised)
    }

    /// The state of a board with one more quiet child of `L = s`, and whether this labels its upper
    /// bound.
    #[inline]
    const fn count_down(self, state: u16) -> (u16, bool) {
        let counted = state.wrapping_sub(1 << COUNT_SHIFT);
        let is_labelled = counted & COUNT == 0 && counted >> UPPER_SHIFT <= self.lost;
        let labelled = counted & (LOWER | BY_MOVE) | LABELLED | self.lost << UPPER_SHIFT;
        (if is_labelled { labelled } else { counted }, is_labelled)
    }
}

/// A bound of a level of `seeds` seeds, counted from −n in steps of two. A bound that the level
/// cannot have is counted as −n.
fn counted(seeds: u8, bound: i8) -> u16 {
    let above = (i16::from(seeds) + i16::from(bound)).max(0).cast_unsigned();
    if bound.unsigned_abs() > seeds { 0 } else { above / 2 }
}

/// The first state of a board by its quiet moves and the bytes of its best captures.
pub(crate) struct FirstStates {
    /// The counted bound by the byte of a best capture. Without one, it is −n.
    counted: [u16; 128],
    /// The state of ended boards.
    ended: u16,
}

impl FirstStates {
    fn new(seeds: u8, ended: i8) -> Self {
        let counts = |byte: u8| match byte {
            NO_CAPTURE => 0,
            byte => counted(seeds, best_value(byte)),
        };
        let ended = counted(seeds, ended);
        Self {
            counted: std::array::from_fn(|byte| counts(byte.to_le_bytes()[0])),
            ended: ended | ended << UPPER_SHIFT,
        }
    }

    #[inline]
    fn get(&self, quiet: u8, [low, high]: [u8; 2]) -> u16 {
        if quiet == 0 && low == NO_CAPTURE {
            return self.ended;
        }
        self.counted[usize::from(low & 127)]
            | u16::from(quiet) << COUNT_SHIFT
            | self.counted[usize::from(high & 127)] << UPPER_SHIFT
    }
}
