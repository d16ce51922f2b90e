//! Cutting a level into slabs: runs of whole opponent's rows inside one block, a power of two of
//! them. A slab is what a thread works on at a time, and its bytes stay in a core's second cache
//! while it does: some 2^17 boards. Small levels have smaller slabs, so that there is one for
//! everybody; the largest have larger ones, so that there are not too many to write to in turn.

use crate::index::{LevelIndex, gapped_rows, row_count};
use crate::rules::MAX_SEEDS;
use std::ops::Range;

const USUAL_BOARDS: u64 = 1 << 17;
const LEAST_BOARDS: u64 = 1 << 15;
/// Slabs that a level is cut into at the least, if they do not get too small.
const FEW_SLABS: u64 = 512;
/// Slabs that a level is cut into at the most, about.
const MANY_SLABS: u64 = 8192;

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

/// How a block is cut: where its slabs begin, and the opponent's rows in each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cut {
    first: u32,
    /// The binary logarithm of the opponent's rows in a slab, and one less than their number.
    rows_log: u32,
    rows_mask: u32,
    /// Mover's rows: boards an opponent's row.
    minors: u32,
}

impl Cut {
    /// The slab of the boards with an opponent's row, and the place of the first of them in it.
    #[inline]
    pub(super) const fn locate(self, major: u32) -> (usize, u32) {
        ((self.first + (major >> self.rows_log)) as usize, (major & self.rows_mask) * self.minors)
    }
}

/// The slabs of a level, in index order.
#[derive(Debug)]
pub(super) struct Slabs {
    slabs: Vec<Slab>,
    /// By the mover's seeds.
    cuts: [Cut; MAX_SEEDS as usize + 1],
}

impl Slabs {
    pub(super) fn new(level: &LevelIndex) -> Self {
        let most = USUAL_BOARDS.max(level.boards() / MANY_SLABS);
        let slab_boards = (level.boards() / FEW_SLABS).clamp(LEAST_BOARDS, most);
        let mut slabs = Vec::new();
        let mut start = 0;
        let mut cuts = [Cut::default(); MAX_SEEDS as usize + 1];
        for mover_seeds in 0..=level.seeds() {
            let opponent_seeds = level.seeds() - mover_seeds;
            let (minors, majors) = (row_count(mover_seeds), gapped_rows(opponent_seeds));
            let rows_log = (slab_boards / u64::from(minors)).max(1).ilog2();
            let first = u32::try_from(slabs.len()).unwrap_or(u32::MAX);
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

    pub(super) fn as_slice(&self) -> &[Slab] {
        &self.slabs
    }

    /// How the block of a mover's seeds is cut.
    pub(super) const fn cut_of(&self, mover_seeds: u8) -> Cut {
        self.cuts[mover_seeds as usize]
    }

    /// What there is one of for each board, cut into slabs.
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
