//! Cutting a level into slabs: runs of whole opponent's rows inside one block, some 2^17 boards
//! each. A slab is what a thread works on at a time in the passes that go over all boards.

use crate::index::{LevelIndex, gapped_rows, row_count};
use crate::rules::MAX_SEEDS;
use std::ops::Range;

const SLAB_BOARDS: u32 = 1 << 17;

/// Whole opponent's rows of one block. See the module's page.
#[derive(Clone, Debug)]
pub(super) struct Slab {
    pub(super) mover_seeds: u8,
    pub(super) opponent_seeds: u8,
    /// Numbers of the opponent's rows.
    pub(super) majors: Range<u32>,
    /// Index of the first board.
    pub(super) start: usize,
    /// Boards in the slab.
    pub(super) boards: usize,
}

/// The slabs of a level, in index order.
#[derive(Debug)]
pub(super) struct Slabs {
    slabs: Vec<Slab>,
    /// By the mover's seeds: the first slab of the block and the opponent's rows in each.
    blocks: [(usize, u32); MAX_SEEDS as usize + 1],
}

impl Slabs {
    pub(super) fn new(level: &LevelIndex) -> Self {
        let mut slabs = Vec::new();
        let mut start = 0;
        let mut blocks = [(0, 1); MAX_SEEDS as usize + 1];
        for mover_seeds in 0..=level.seeds() {
            let opponent_seeds = level.seeds() - mover_seeds;
            let (minors, majors) = (row_count(mover_seeds), gapped_rows(opponent_seeds));
            let slab_majors = (SLAB_BOARDS / minors).max(1);
            blocks[usize::from(mover_seeds)] = (slabs.len(), slab_majors);
            let mut from = 0;
            while from < majors {
                let to = majors.min(from + slab_majors);
                let boards = (to - from) as usize * minors as usize;
                slabs.push(Slab { mover_seeds, opponent_seeds, majors: from..to, start, boards });
                start += boards;
                from = to;
            }
        }
        Self { slabs, blocks }
    }

    pub(super) fn as_slice(&self) -> &[Slab] {
        &self.slabs
    }

    /// The slab of an opponent's row, and the row's place in it.
    #[inline]
    pub(super) fn find(&self, mover_seeds: u8, major: u32) -> (usize, u32) {
        let (first, slab_majors) = self.blocks[usize::from(mover_seeds)];
        (first + (major / slab_majors) as usize, major % slab_majors)
    }

    /// The bytes of a level, one a board, cut into slabs.
    pub(super) fn cut<'bytes>(&self, mut bytes: &'bytes mut [u8]) -> Vec<&'bytes mut [u8]> {
        let mut pieces = Vec::with_capacity(self.slabs.len());
        for slab in &self.slabs {
            let (piece, rest) = bytes.split_at_mut(slab.boards);
            pieces.push(piece);
            bytes = rest;
        }
        pieces
    }
}
