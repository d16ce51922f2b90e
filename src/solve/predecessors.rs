//! Predecessors of a slab's boards, put together from row halves (see [`super::unmove_rows`]) for a
//! batch of boards at a time.
//!
//! The rows of a batch are asked for before any is used, so that cache misses overlap; then its
//! un-moves are gone through kind by kind, so that no branch depends on how many of a kind one
//! board has.

use super::geometry::Geometry;
use super::outbox::Outbox;
use super::propagate::Decided;
use super::slabs::{Cut, Slab, Slabs};
use super::unmove_rows::{CROSS, HOME, ReceiverRow, SowerRow};
use crate::index::row_count;
use crate::rules::ROW_PITS;

/// Boards in a batch.
pub(super) const BATCH: usize = 32;

/// A board to take back: the numbers of its rows, the opponent's counted from the slab's first, and
/// whether its predecessors win (1) or lose (0).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    pub(super) major: u32,
    pub(super) minor: u32,
    pub(super) won: u32,
}

/// The row tables that a slab's boards need, and how the blocks are cut that their predecessors
/// are in, by seeds that crossed.
pub(super) struct Halves<'rows> {
    sowers: &'rows [SowerRow],
    receivers: &'rows [ReceiverRow],
    minors: u32,
    cuts: [Cut; ROW_PITS + 1],
}

impl<'rows> Halves<'rows> {
    pub(super) fn of(geometry: &'rows Geometry, slabs: &Slabs, slab: &Slab) -> Self {
        let sowers = &geometry.sowers[usize::from(slab.opponent_seeds)];
        // No more seeds cross than the mover has now.
        let crossed = |seeds: u8| slab.opponent_seeds + seeds.min(slab.mover_seeds);
        Self {
            sowers: &sowers[slab.majors.start as usize..slab.majors.end as usize],
            receivers: &geometry.receivers[usize::from(slab.mover_seeds)],
            minors: row_count(slab.mover_seeds),
            cuts: [0, 1, 2, 3, 4, 5, 6].map(|seeds| slabs.cut_of(crossed(seeds))),
        }
    }

    #[inline]
    pub(super) fn pair(&self, board: Decided) -> Pair {
        let (place, minors) = (board.place(), self.minors);
        Pair { major: place / minors, minor: place % minors, won: u32::from(!board.won()) }
    }

    #[inline]
    pub(super) fn rows(&self, pair: Pair) -> (&SowerRow, &ReceiverRow) {
        (&self.sowers[pair.major as usize], &self.receivers[pair.minor as usize])
    }

    #[inline]
    pub(super) fn take_back_home(&self, pair: Pair, outbox: &mut Outbox) {
        const { assert!(HOME == 1) };
        let (sower, receiver) = self.rows(pair);
        let stays = sower.stays * (receiver.allows & HOME);
        let (slab, row) = self.cuts[0].locate(receiver.rows[0]);
        let entries = sower.home.map(|minor| (row + minor) << 1 | pair.won);
        outbox.put_some(slab, entries, stays);
    }

    #[inline]
    pub(super) fn take_back_cross(&self, pair: Pair, crossed: usize, outbox: &mut Outbox) {
        let (sower, receiver) = self.rows(pair);
        let (slab, row) = self.cuts[crossed].locate(receiver.rows[crossed]);
        outbox.put(slab, (row + sower.cross[crossed]) << 1 | pair.won);
    }

    pub(super) fn take_back_wraps(&self, pair: Pair, outbox: &mut Outbox) {
        let (sower, receiver) = self.rows(pair);
        let (slab, row) = self.cuts[ROW_PITS].locate(receiver.rows[ROW_PITS]);
        let wraps = usize::from(sower.wraps * receiver.wraps);
        for minor in sower.home.iter().skip(usize::from(sower.stays)).take(wraps) {
            outbox.put(slab, (row + minor) << 1 | pair.won);
        }
    }
}

/// The cross un-moves of a batch's boards, a byte each: the board's number in the batch and the
/// seeds that crossed.
pub(super) struct Crosses {
    bytes: [u8; BATCH * 6 + 8],
    used: usize,
}

impl Default for Crosses {
    fn default() -> Self {
        Self { bytes: [0; BATCH * 6 + 8], used: 0 }
    }
}

impl Crosses {
    /// Adds those that a receiver allows: eight bytes are written, and those counted that are
    /// meant.
    #[inline]
    pub(super) fn add(&mut self, number: u8, allows: u8) {
        let (bytes, used) = CROSSED[usize::from(allows & CROSS) >> 1];
        if let Some(places) = self.bytes[self.used..].first_chunk_mut() {
            *places = (bytes + u64::from(number) * 0x0808_0808_0808_0808).to_le_bytes();
        }
        self.used += used;
    }

    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        self.bytes[..self.used].iter().map(|&byte| (usize::from(byte >> 3), usize::from(byte & 7)))
    }
}

/// By the set of a receiver's cross un-moves: the seeds that cross in each, a byte each, and how
/// many they are.
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
