//! Predecessors of the boards of a slab, combined from row tables (see [`super::unmove_tables`]) for
//! a batch of boards at a time.
//!
//! The table rows of a batch are loaded before any is used, so that cache misses overlap. The
//! un-moves of the batch are then sent kind by kind, so that no branch depends on how many un-moves
//! of a kind one board has.

use super::move_tables::MoveTables;
use super::slabs::{Cut, Slab, Slabs};
use super::unmove_tables::{CROSS, HOME, ReceiverRow, SowerRow};
use super::update_buffer::{Update, UpdateBuffer};
use crate::index::row_count;
use crate::rules::ROW_PITS;

/// Boards in a batch.
pub(super) const BATCH: usize = 32;

/// A board to expand: the numbers of its rows, the opponent's counted from the slab's first, and
/// whether its predecessors win (1) or lose (0).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowPair {
    pub(super) major: u32,
    pub(super) minor: u32,
    pub(super) won: u32,
}

/// The row tables of a slab's boards, and the cuts of the blocks that their predecessors are in, by
/// seeds that crossed.
pub(super) struct SlabTables<'rows> {
    sowers: &'rows [SowerRow],
    receivers: &'rows [ReceiverRow],
    minors: u32,
    cuts: [Cut; ROW_PITS + 1],
}

impl<'rows> SlabTables<'rows> {
    pub(super) fn new(tables: &'rows MoveTables, slabs: &Slabs, slab: &Slab) -> Self {
        let sowers = &tables.sowers[usize::from(slab.opponent_seeds)];
        // No more seeds cross than the mover has now.
        let crossed = |seeds: u8| slab.opponent_seeds + seeds.min(slab.mover_seeds);
        Self {
            sowers: &sowers[slab.majors.start as usize..slab.majors.end as usize],
            receivers: &tables.receivers[usize::from(slab.mover_seeds)],
            minors: row_count(slab.mover_seeds),
            cuts: [0, 1, 2, 3, 4, 5, 6].map(|seeds| slabs.cut_of(crossed(seeds))),
        }
    }

    #[inline]
    pub(super) fn pair(&self, board: Update) -> RowPair {
        let (place, minors) = (board.place(), self.minors);
        RowPair { major: place / minors, minor: place % minors, won: u32::from(!board.won()) }
    }

    #[inline]
    pub(super) fn rows(&self, pair: RowPair) -> (&SowerRow, &ReceiverRow) {
        (&self.sowers[pair.major as usize], &self.receivers[pair.minor as usize])
    }

    #[inline]
    pub(super) fn send_home(&self, pair: RowPair, buffer: &mut UpdateBuffer) {
        const { assert!(HOME == 1) };
        let (sower, receiver) = self.rows(pair);
        let stays = sower.homes * (receiver.allows & HOME);
        let (slab, row) = self.cuts[0].locate(receiver.rows[0]);
        let updates = sower.home.map(|minor| (row + minor) << 1 | pair.won);
        buffer.send_first(slab, updates, stays);
    }

    #[inline]
    pub(super) fn send_crossing(&self, pair: RowPair, crossed: usize, buffer: &mut UpdateBuffer) {
        let (sower, receiver) = self.rows(pair);
        let (slab, row) = self.cuts[crossed].locate(receiver.rows[crossed]);
        buffer.send(slab, (row + sower.cross[crossed]) << 1 | pair.won);
    }

    pub(super) fn send_wraps(&self, pair: RowPair, buffer: &mut UpdateBuffer) {
        let (sower, receiver) = self.rows(pair);
        let (slab, row) = self.cuts[ROW_PITS].locate(receiver.rows[ROW_PITS]);
        let wraps = usize::from(sower.wraps * receiver.wraps);
        for minor in sower.home.iter().skip(usize::from(sower.homes)).take(wraps) {
            buffer.send(slab, (row + minor) << 1 | pair.won);
        }
    }
}

/// The cross un-moves of a batch, one byte each: the number of the board in the batch and the
/// seeds that crossed.
pub(super) struct Crossings {
    bytes: [u8; BATCH * 6 + 8],
    used: usize,
}

impl Default for Crossings {
    fn default() -> Self {
        Self { bytes: [0; BATCH * 6 + 8], used: 0 }
    }
}

impl Crossings {
    /// Adds the un-moves that a receiver allows. Eight bytes are written, and the valid ones are
    /// counted.
    #[inline]
    pub(super) fn add(&mut self, number: u8, allows: u8) {
        let (bytes, used) = CROSSED[usize::from(allows & CROSS) >> 1];
        if let Some(slots) = self.bytes[self.used..].first_chunk_mut() {
            *slots = (bytes + u64::from(number) * 0x0808_0808_0808_0808).to_le_bytes();
        }
        self.used += used;
    }

    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        self.bytes[..self.used].iter().map(|&byte| (usize::from(byte >> 3), usize::from(byte & 7)))
    }
}

/// By the set of a receiver's cross un-moves: the seeds that cross in each, one byte each, and the
/// number of un-moves.
static CROSSED: [(u64, usize); 64] = {
    let mut table = [(0, 0); 64];
    let mut set = 0;
    while set < 64 {
        let mut crossed = 6;
        while crossed > 0 {
            if set >> (crossed - 1) & 1 == 1 {
                table[set].0 = table[set].0 << 8 | crossed;
                table[set].1 += 1;
            }
            crossed -= 1;
        }
        set += 1;
    }
    table
};
