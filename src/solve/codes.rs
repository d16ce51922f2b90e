//! The state of a board while its level is solved, in one byte.
//!
//! ```text
//! 0   …  96   Free(v)      worth v = code − 48, the best of its captures and endings
//! 97  … 193   Held(v)      worth v = code − 145, by a move that captures nothing
//! 194 … 241   Tied(v)      worth v = 193 − code < 0, by both at once
//! 242 … 253   Count(k, c)  k = 1..=6 children not yet known to be won; c: has captures, all ≤ 0
//! 254         RunOut       no such child is left; the best capture is to be looked up
//! ```
//!
//! `Free(v)` also stands for boards that are not decided yet but will be worth `v` unless a child
//! is lost first: those whose best capture `v` is positive, and those whose every child is known to
//! be won while `v` is better still. In step `s` a `Free(v)` with `|v| < s` is such a promise, with
//! `|v| > s` a decision, with `|v| = s` it becomes one. Nothing else tells them apart, and nothing
//! else needs to.

use crate::table::plain_byte;

const FREE: u8 = 0;
const HELD: u8 = 97;
const TIED: u8 = 194;
const COUNT: u8 = 242;

/// See the module's page.
pub(super) const RUN_OUT: u8 = 254;

/// The code of `Free(value)`.
pub(super) const fn free(value: i8) -> u8 {
    FREE + (value + 48).cast_unsigned()
}

/// The code of `Held(value)`.
pub(super) const fn held(value: i8) -> u8 {
    HELD + (value + 48).cast_unsigned()
}

/// The code of `Tied(value)`, for a negative value.
pub(super) const fn tied(value: i8) -> u8 {
    TIED + (-value - 1).cast_unsigned()
}

/// The code of `Count(children, has_captures)`, for 1 to 6 children.
pub(super) const fn count(children: u8, has_captures: bool) -> u8 {
    COUNT + 2 * (children - 1) + has_captures as u8
}

/// Whether the code is a `Count` of a board with captures.
pub(super) const fn counts_with_captures(code: u8) -> bool {
    // Codes of two kinds take turns from COUNT on; RUN_OUT is even.
    (code >= COUNT) & (code & 1 == 1)
}

/// The plain byte of each code when nothing is left to follow. A board that still counts is even;
/// whether its best capture is even too is for the caller to add.
pub(super) fn plain_bytes() -> [u8; 256] {
    let mut bytes = [plain_byte(0, false); 256];
    for value in -48..=48 {
        bytes[usize::from(free(value))] = plain_byte(value, true);
        bytes[usize::from(held(value))] = plain_byte(value, false);
    }
    for value in -48..0 {
        bytes[usize::from(tied(value))] = plain_byte(value, true);
    }
    bytes
}

/// What a decided child does to a board: its new code and what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) code: u8,
    /// 1 if the board is decided or its count ran out ([`RUN_OUT`]), 0 if nothing follows.
    pub(super) event: u8,
}

/// The changes of step `s`, by the board's code: for a child that was won (s), which the board
/// loses to, and for one that was lost (−s), by which it wins.
pub(super) fn changes(step: i8) -> [[Change; 256]; 2] {
    let same = |place: usize| Change { code: place.to_le_bytes()[0], event: 0 };
    let [mut after_won, mut after_lost]: [[Change; 256]; 2] = [std::array::from_fn(same); 2];
    let win = Change { code: held(step), event: 1 };
    for promise in 1..step {
        after_lost[usize::from(free(promise))] = win;
    }
    for children in 1..=6 {
        for has_captures in [false, true] {
            let code = usize::from(count(children, has_captures));
            after_lost[code] = win;
            after_won[code] = match (children, has_captures) {
                (1, false) => Change { code: held(-step), event: 1 },
                (1, true) => Change { code: RUN_OUT, event: 1 },
                _ => Change { code: count(children - 1, has_captures), event: 0 },
            };
        }
    }
    [after_won, after_lost]
}

/// What becomes of a board whose count ran out in step `s`, given its best capture (at most 0).
pub(super) fn after_run_out(step: i8, best_capture: i8) -> Change {
    match best_capture.cmp(&-step) {
        std::cmp::Ordering::Less => Change { code: held(-step), event: 1 },
        std::cmp::Ordering::Equal => Change { code: tied(-step), event: 1 },
        std::cmp::Ordering::Greater => Change { code: free(best_capture), event: 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_all_different() {
        let codes = (-48..=48).flat_map(|value| [free(value), held(value)]);
        let codes = codes.chain((-48..0).map(tied));
        let codes = codes.chain((1..=6).flat_map(|k| [count(k, false), count(k, true)]));
        let codes: Vec<u8> = codes.chain([RUN_OUT]).collect();
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
        assert_eq!(codes.iter().filter(|&&code| counts_with_captures(code)).count(), 6);
    }
}
