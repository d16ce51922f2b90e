//! The state of a board while its level is solved, in one byte.
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

use crate::level::plain_byte;

const BY_CAPTURE: u8 = 0;
const BY_QUIET: u8 = 97;
const BY_BOTH: u8 = 194;
const COUNTING: u8 = 242;

/// See the module's page.
pub(super) const EXHAUSTED: u8 = 254;

/// The code of `ByCapture(value)`.
pub(super) const fn by_capture(value: i8) -> u8 {
    BY_CAPTURE + (value + 48).cast_unsigned()
}

/// The code of `ByQuiet(value)`.
pub(super) const fn by_quiet(value: i8) -> u8 {
    BY_QUIET + (value + 48).cast_unsigned()
}

/// The code of `ByBoth(value)`, for a negative value.
pub(super) const fn by_both(value: i8) -> u8 {
    BY_BOTH + (-value - 1).cast_unsigned()
}

/// The code of `Counting(children, has_captures)`, for 1 to 6 children.
pub(super) const fn counting(children: u8, has_captures: bool) -> u8 {
    COUNTING + 2 * (children - 1) + has_captures as u8
}

/// Whether the code is `Counting` for a board with captures.
pub(super) const fn counts_with_captures(code: u8) -> bool {
    // Codes with and without captures alternate from COUNTING on; EXHAUSTED is even.
    (code >= COUNTING) & (code & 1 == 1)
}

/// The [level byte](crate::level::LevelValues) of each code after the last step. A board that still
/// counts is worth 0; the caller corrects the boards whose best capture is 0 too.
pub(super) fn plain_bytes() -> [u8; 256] {
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
pub(super) struct Change {
    /// The new code.
    pub(super) code: u8,
    /// 1 if the board is now decided or [`EXHAUSTED`], 0 otherwise.
    pub(super) event: u8,
}

/// The changes of step `s` by the board's code: for an update from a child that is won (s) by its
/// mover, and from one that is lost (−s).
pub(super) fn changes(step: i8) -> [[Change; 256]; 2] {
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
pub(super) fn after_exhaustion(step: i8, best_capture: i8) -> Change {
    match best_capture.cmp(&-step) {
        std::cmp::Ordering::Less => Change { code: by_quiet(-step), event: 1 },
        std::cmp::Ordering::Equal => Change { code: by_both(-step), event: 1 },
        std::cmp::Ordering::Greater => Change { code: by_capture(best_capture), event: 0 },
    }
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
