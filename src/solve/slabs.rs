//! Slabs: runs of rows of a level that one thread works on at a time.
//!
//! A slab is a run of whole opponent's rows inside one block, a power of two of them. It has about
//! 2^17 boards, so that its states fit a core's second-level cache. Small levels have smaller slabs,
//! to have enough for all threads; the largest levels have larger ones, to limit the number of
//! lists in an update buffer.

use crate::index::{LevelIndex, gapped_rows, row_count};
use crate::rules::MAX_SEEDS;
use std::ops::Range;

const USUAL_BOARDS: u64 = 1 << 17;
const LEAST_BOARDS: u64 = 1 << 15;
/// A level has at least this many slabs, unless they become too small.
const FEWEST_SLABS: u64 = 512;
/// A level has about this many slabs at most.
const MOST_SLABS: u64 = 8192;

/// A run of whole opponent's rows of one block. See the module's page.
#[derive(Clone, Debug)]
pub(crate) struct Slab {
    pub(super) mover_seeds: u8,
    pub(super) opponent_seeds: u8,
    /// Numbers of the opponent's rows.
    pub(super) majors: Range<u32>,
    /// Index of the first board.
    pub(super) start: usize,
    /// Boards in the slab.
    pub(crate) boards: usize,
}

/// The cut of a block: the number of its first slab, and the opponent's rows per slab.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cut {
    first: u32,
    /// The binary logarithm of the opponent's rows per slab, and one less than their number.
    rows_log: u32,
    rows_mask: u32,
    /// Mover's rows: boards per opponent's row.
    minors: u32,
}

impl Cut {
    /// The slab of the boards with an opponent's row, and the number of the first of them in it.
    #[inline]
    pub(super) const fn locate(self, major: u32) -> (usize, u32) {
        ((self.first + (major >> self.rows_log)) as usize, (major & self.rows_mask) * self.minors)
    }
}

/// The slabs of a level, in index order.
#[derive(Debug)]
pub(crate) struct Slabs {
    slabs: Vec<Slab>,
    /// By the mover's seeds.
    cuts: [Cut; MAX_SEEDS as usize + 1],
}

impl Slabs {
    pub(crate) fn new(level: &LevelIndex) -> Self {
        let most = USUAL_BOARDS.max(level.boards() / MOST_SLABS);
        let slab_boards = (level.boards() / FEWEST_SLABS).clamp(LEAST_BOARDS, most);
        let mut slabs = Vec::new();
        let mut start = 0;
        let mut cuts = [Cut::default(); MAX_SEEDS as usize + 1];
        for mover_seeds in 0..=level.seeds().get() {
            let opponent_seeds = level.seeds().get() - mover_seeds;
            let (minors, majors) = (row_count(mover_seeds), gapped_rows(opponent_seeds));
            let rows_log = (slab_boards / u64::from(minors)).max(1).ilog2();
            let first = u32::try_from(slabs.len()).expect("some thousand slabs");
            let rows_mask = (1 << rows_log) - 1;
            cuts[usize::from(mover_seeds)] = Cut { first, rows_log, rows_mask, minors };
            let mut from = 0;
            while from < majors {
                let to = majors.min(from.saturating_add(1 << rows_log));
                let boards = (to - from) as usize * minors as usize;
                slabs.push(Slab { mover_seeds, opponent_seeds, majors: from..to, start, boards });
                start += boards;
                from = to;
            }
        }
        Self { slabs, cuts }
    }

    pub(crate) fn as_slice(&self) -> &[Slab] {
        &self.slabs
    }

    /// The cut of the block of `mover_seeds`.
    pub(super) const fn cut_of(&self, mover_seeds: u8) -> Cut {
        self.cuts[mover_seeds as usize]
    }

    /// Cuts a slice with one entry per board into slabs.
    pub(super) fn cut<'all, T>(&self, mut all: &'all mut [T]) -> Vec<&'all mut [T]> {
        let mut pieces = Vec::with_capacity(self.slabs.len());
        for slab in &self.slabs {
            let (piece, rest) = all.split_at_mut(slab.boards);
            pieces.push(piece);
            all = rest;
        }
        pieces
    }
}
