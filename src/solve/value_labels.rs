//! Values: the state of a board and its labels.
//!
//! Step `s = n, n − 1, …, 1` decides the boards of value `s` (won) and `−s` (lost), as
//! [`super`] says. One byte holds a board:
//!
//! ```text
//! 0   …  96   ByCapture(v)   v = code − 48, the best of the board's captures and endings
//! 97  … 193   ByQuiet(v)     v = code − 145, exact: a quiet move gives it, no capture does
//! 194 … 241   ByBoth(v)      v = 193 − code < 0, exact: a quiet move and a capture give it
//! 242 … 253   Counting(k, c) k = 1..=6 quiet children that can still save the board; c: whether
//!                            the board has captures, all of them ≤ 0
//! 254         Exhausted      no such child is left, and the best capture must be looked up
//! ```
//!
//! `ByCapture(v)` is a *bound from captures* before step `|v|` and an exact value from that step on.
//! Before it, the board is undecided and has at least `v`: its best capture `v` is positive, or all
//! its quiet children are known to be worse than `v` for it. A quiet child that is lost in the
//! meantime raises the value. The step alone tells the two apart: in step `s`, `ByCapture(v)` is a
//! bound if `|v| < s`, becomes exact if `|v| = s`, and is exact if `|v| > s`.

use super::append_buffer::AppendBuffer;
use super::deferred_captures::DeferredCaptures;
use super::labels::Labels;
use super::slabs::Slab;
use super::update_buffer::Update;
use crate::index::LevelIndex;
use crate::kernels::{NO_CAPTURE, best_value};
use crate::level::{Bytes, LevelValues, plain_byte};
use crate::rules::Seeds;
use bitvec::vec::BitVec;

const BY_CAPTURE: u8 = 0;
const BY_QUIET: u8 = 97;
const BY_BOTH: u8 = 194;
const COUNTING: u8 = 242;

/// See the module's page.
const EXHAUSTED: u8 = 254;

/// One step of values. See the module's page.
#[derive(Clone, Debug)]
pub(crate) struct ValueLabels {
    step: i8,
    /// For predecessors of lost and of won children, by their state.
    changes: [[Change; 256]; 2],
}

impl Labels for ValueLabels {
    type Cell = u8;
    type FirstStates = FirstStates;
    type Level = LevelValues;

    const STRIDE: i8 = 1;
    const DEFERS: bool = true;
    const NUMBERS_LOST: bool = true;

    fn last_step(_seeds: Seeds) -> i8 {
        1
    }

    fn step(_seeds: Seeds, step: i8) -> Self {
        Self { step, changes: changes(step) }
    }

    fn first_states(_slab: &Slab, ended: i8) -> FirstStates {
        FirstStates::new(ended)
    }

    fn begin(first: &FirstStates, quiet: &[u8], cells: &mut [u8], deferred: &mut AppendBuffer<i8>) {
        deferred.append_up_to(cells.len(), |deferred| {
            for (cell, &quiet) in cells.iter_mut().zip(quiet) {
                let best = *cell & 127;
                let (state, is_deferred) = first.get(quiet, best);
                *cell = state;
                deferred.put(best_value(best), is_deferred);
            }
        });
    }

    fn deferred_bits(cells: &[u8]) -> BitVec<u64> {
        deferred_bits(cells)
    }

    fn find(&self, cells: &[u8], found: &mut AppendBuffer<Update>) {
        find_bounds(cells, self.step, found);
    }

    fn apply(
        &self,
        updates: &[u32],
        cells: &mut [u8],
        deferred: Option<&DeferredCaptures>,
        decided: &mut AppendBuffer<Update>,
        exhausted: &mut AppendBuffer<Update>,
    ) {
        let before = decided.len();
        decided.append_up_to(updates.len(), |slots| {
            for &bits in updates {
                let update = Update::from_bits(bits);
                let state = &mut cells[update.place() as usize];
                let change = self.changes[usize::from(update.won())][usize::from(*state)];
                *state = change.code;
                slots.put(update, change.event);
            }
        });
        exhausted.clear();
        decided
            .drain_matching(before, exhausted, |board| cells[board.place() as usize] == EXHAUSTED);
        if let Some(deferred) = deferred {
            self.settle(cells, deferred, exhausted.as_slice(), decided);
        }
    }

    fn end(_seeds: Seeds, cells: &mut [u8], deferred: Option<&DeferredCaptures>) {
        let plain = plain_bytes();
        for (board, capture) in deferred.iter().flat_map(|deferred| deferred.iter()) {
            if capture == 0 && counts_with_captures(cells[board]) {
                cells[board] = by_capture(0);
            }
        }
        for cell in cells {
            *cell = plain[usize::from(*cell)];
        }
    }

    fn level(index: LevelIndex, bytes: Bytes) -> LevelValues {
        LevelValues::from_solved(index, bytes)
    }

    fn bytes(level: &LevelValues) -> &[u8] {
        level.bytes()
    }
}

impl ValueLabels {
    /// Settles exhausted boards by their best captures, and appends those that this decides to
    /// `decided`.
    fn settle(
        &self,
        cells: &mut [u8],
        deferred: &DeferredCaptures,
        exhausted: &[Update],
        decided: &mut AppendBuffer<Update>,
    ) {
        decided.append_up_to(exhausted.len(), |slots| {
            for &board in exhausted {
                let place = board.place() as usize;
                let change = after_exhaustion(self.step, deferred.get(place));
                cells[place] = change.code;
                slots.put(board, change.event);
            }
        });
    }
}

/// The code of `ByCapture(value)`.
const fn by_capture(value: i8) -> u8 {
    BY_CAPTURE + (value + 48).cast_unsigned()
}

/// The code of `ByQuiet(value)`.
const fn by_quiet(value: i8) -> u8 {
    BY_QUIET + (value + 48).cast_unsigned()
}

/// The code of `ByBoth(value)`, for a negative value.
const fn by_both(value: i8) -> u8 {
    BY_BOTH + (-value - 1).cast_unsigned()
}

/// The code of `Counting(children, has_captures)`, for 1 to 6 children.
const fn counting(children: u8, has_captures: bool) -> u8 {
    COUNTING + 2 * (children - 1) + has_captures as u8
}

/// Whether the code is `Counting` for a board with captures.
const fn counts_with_captures(code: u8) -> bool {
    // Codes with and without captures alternate from COUNTING on; EXHAUSTED is even.
    (code >= COUNTING) & (code & 1 == 1)
}

/// The [level byte](crate::level::LevelValues) of each code after the last step. A board that still
/// counts is worth 0; the caller corrects the boards whose best capture is 0 too.
fn plain_bytes() -> [u8; 256] {
    let mut bytes = [plain_byte(0, false); 256];
    for value in -48..=48 {
        bytes[usize::from(by_capture(value))] = plain_byte(value, true);
        bytes[usize::from(by_quiet(value))] = plain_byte(value, false);
    }
    for value in -48..0 {
        bytes[usize::from(by_both(value))] = plain_byte(value, true);
    }
    bytes
}

/// The effect of an update on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    /// The new code.
    code: u8,
    /// 1 if the board is now decided or [`EXHAUSTED`], 0 otherwise.
    event: u8,
}

/// The changes of step `s` by the board's code: for an update from a child that is won (s) by its
/// mover, and from one that is lost (−s).
fn changes(step: i8) -> [[Change; 256]; 2] {
    let same = |place: usize| Change { code: place.to_le_bytes()[0], event: 0 };
    let [mut after_won, mut after_lost]: [[Change; 256]; 2] = [std::array::from_fn(same); 2];
    let win = Change { code: by_quiet(step), event: 1 };
    for bound in 1..step {
        after_lost[usize::from(by_capture(bound))] = win;
    }
    for children in 1..=6 {
        for has_captures in [false, true] {
            let code = usize::from(counting(children, has_captures));
            after_lost[code] = win;
            after_won[code] = match (children, has_captures) {
                (1, false) => Change { code: by_quiet(-step), event: 1 },
                (1, true) => Change { code: EXHAUSTED, event: 1 },
                _ => Change { code: counting(children - 1, has_captures), event: 0 },
            };
        }
    }
    [after_won, after_lost]
}

/// The change of an [`EXHAUSTED`] board in step `s`, given its best capture (at most 0).
fn after_exhaustion(step: i8, best_capture: i8) -> Change {
    match best_capture.cmp(&-step) {
        std::cmp::Ordering::Less => Change { code: by_quiet(-step), event: 1 },
        std::cmp::Ordering::Equal => Change { code: by_both(-step), event: 1 },
        std::cmp::Ordering::Greater => Change { code: by_capture(best_capture), event: 0 },
    }
}

/// The first state of a board by its quiet moves (0 to 6) and the byte of its best capture, and
/// whether the capture is deferred (0 or 1).
pub(crate) struct FirstStates([[(u8, u8); 128]; 8]);

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

/// Lists the boards of a slab whose state is `ByCapture(step)` or `ByCapture(−step)`.
fn find_bounds(states: &[u8], step: i8, found: &mut AppendBuffer<Update>) {
    let (won, lost) = (by_capture(step), by_capture(-step));
    let mut place = 0;
    let (words, rest) = states.as_chunks::<8>();
    for word in words {
        let packed = u64::from_le_bytes(*word);
        let wins = bytes_equal(packed, won);
        let mut hits = wins | bytes_equal(packed, lost);
        while hits != 0 {
            let bit = hits.trailing_zeros();
            hits &= hits - 1;
            found.push(Update::new(place + bit / 8, wins >> bit & 1 == 1));
        }
        place += 8;
    }
    for &state in rest {
        if state == won || state == lost {
            found.push(Update::new(place, state == won));
        }
        place += 1;
    }
}

/// Bit 7 of each byte of the result is set where the byte of `packed` equals `byte`.
const fn bytes_equal(packed: u64, byte: u8) -> u64 {
    const LOWS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let distance = packed ^ u64::from_le_bytes([byte; 8]);
    // Adding to the low seven bits carries into bit 7 unless they are all zero.
    !(((distance & LOWS) + LOWS) | distance | LOWS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_all_different() {
        let codes = (-48..=48).flat_map(|value| [by_capture(value), by_quiet(value)]);
        let codes = codes.chain((-48..0).map(by_both));
        let codes = codes.chain((1..=6).flat_map(|k| [counting(k, false), counting(k, true)]));
        let codes: Vec<u8> = codes.chain([EXHAUSTED]).collect();
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
        assert_eq!(codes.iter().filter(|&&code| counts_with_captures(code)).count(), 6);
    }
}
