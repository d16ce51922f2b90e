//! The best captures of boards that count children and have no capture above 0.
//!
//! The state byte of such a board has no room for its best capture. The capture is needed only if
//! the count reaches zero, and one board in seven has one, so it is kept aside:
//!
//! ```text
//! present    one bit per board of the slab
//! before     per 64 boards, the number of set bits before them
//! captures   one byte per set bit, in order
//! ```
//!
//! The rank of a board's bit among the set bits is the position of its capture.

use bitvec::order::Lsb0;
use bitvec::vec::BitVec;

const WORD_BITS: usize = 64;

/// The deferred captures of one slab. See the module's page.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct DeferredCaptures {
    present: BitVec<u64, Lsb0>,
    before: Vec<u32>,
    captures: Vec<i8>,
}

impl DeferredCaptures {
    /// Deferred captures from one bit per board, and the captures of those whose bit is set, in
    /// order.
    pub(crate) fn new(present: BitVec<u64, Lsb0>, captures: Vec<i8>) -> Self {
        let mut before = Vec::with_capacity(present.as_raw_slice().len());
        let mut total = 0;
        for word in present.as_raw_slice() {
            before.push(total);
            total += word.count_ones();
        }
        debug_assert_eq!(total as usize, captures.len());
        Self { present, before, captures }
    }

    /// The capture of board `board` of the slab, which must have one.
    pub(super) fn get(&self, board: usize) -> i8 {
        debug_assert!(self.present[board]);
        let words = self.present.as_raw_slice();
        let (word, bit) = (board / WORD_BITS, board % WORD_BITS);
        let part = (words[word] & ((1 << bit) - 1)).count_ones();
        self.captures[(self.before[word] + part) as usize]
    }

    /// The boards of the slab with a deferred capture, in order, each with its capture.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, i8)> {
        self.present.iter_ones().zip(self.captures.iter().copied())
    }

    /// Boards of the slab.
    pub(super) fn boards(&self) -> usize {
        self.present.len()
    }

    /// The bits and the captures, as [`new`](Self::new) takes them.
    pub(crate) fn parts(&self) -> (&BitVec<u64, Lsb0>, &[i8]) {
        (&self.present, &self.captures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn get_finds_every_deferred_capture() {
        let holds = |board: usize| board % 7 == 3 || (board / 600).is_multiple_of(2);
        let capture = |board: usize| i8::try_from(board % 49).expect("small") - 48;
        let present: BitVec<u64, Lsb0> = (0..5000).map(holds).collect();
        let captures = (0..5000).filter(|&board| holds(board)).map(capture).collect();
        let deferred = DeferredCaptures::new(present, captures);
        for board in (0..5000).filter(|&board| holds(board)) {
            assert_eq!(deferred.get(board), capture(board));
        }
        assert!(deferred.iter().all(|(board, found)| holds(board) && found == capture(board)));
    }
}
