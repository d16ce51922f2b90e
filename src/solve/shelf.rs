//! Best captures put by: those of boards that count their children and whose captures are all
//! worth 0 or less. A count leaves no room for them in the board's byte, they are needed only if
//! the count runs out, and one board in seven has one.
//!
//! A bit a board tells who has one; its rank among the set bits is the place of its byte. A running
//! total every 64 boards keeps the rank cheap.

use bitvec::order::Lsb0;
use bitvec::vec::BitVec;

const WORD_BITS: usize = 64;

/// The captures put by of one slab's boards. See the module's page.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Shelf {
    present: BitVec<u64, Lsb0>,
    /// Set bits before each word.
    before: Vec<u32>,
    captures: Vec<i8>,
}

impl Shelf {
    /// A shelf from a bit a board and the captures of those whose bit is set, in order.
    pub(super) fn new(present: BitVec<u64, Lsb0>, captures: Vec<i8>) -> Self {
        let mut before = Vec::with_capacity(present.as_raw_slice().len());
        let mut total = 0;
        for word in present.as_raw_slice() {
            before.push(total);
            total += word.count_ones();
        }
        debug_assert_eq!(total as usize, captures.len());
        Self { present, before, captures }
    }

    /// The capture of the slab's board number `board`, which has one.
    pub(super) fn get(&self, board: usize) -> i8 {
        debug_assert!(self.present[board]);
        let words = self.present.as_raw_slice();
        let (word, bit) = (board / WORD_BITS, board % WORD_BITS);
        let part = (words[word] & ((1 << bit) - 1)).count_ones();
        self.captures[(self.before[word] + part) as usize]
    }

    /// The slab's boards that have a capture put by, in order, each with it.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, i8)> {
        self.present.iter_ones().zip(self.captures.iter().copied())
    }

    /// Boards of the slab.
    pub(super) fn boards(&self) -> usize {
        self.present.len()
    }

    /// The parts, to be saved.
    pub(super) fn parts(&self) -> (&BitVec<u64, Lsb0>, &[i8]) {
        (&self.present, &self.captures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn get_finds_what_was_put_by() {
        let holds = |board: usize| board % 7 == 3 || (board / 600).is_multiple_of(2);
        let capture = |board: usize| i8::try_from(board % 49).expect("small") - 48;
        let present: BitVec<u64, Lsb0> = (0..5000).map(holds).collect();
        let captures = (0..5000).filter(|&board| holds(board)).map(capture).collect();
        let shelf = Shelf::new(present, captures);
        for board in (0..5000).filter(|&board| holds(board)) {
            assert_eq!(shelf.get(board), capture(board));
        }
        assert!(shelf.iter().all(|(board, found)| holds(board) && found == capture(board)));
    }
}
