//! Propagation: one step of retrograde analysis, one ply at a time.
//!
//! The plain algorithm of step `s`: take a decided board. For each of its predecessors by a quiet
//! move, change the predecessor's state as its [labels](super::labels) say. If that decides the
//! predecessor, it is taken in its turn. Repeat until no decided board is left.
//!
//! Four departures from it make it fast:
//!
//! 1. Predecessors lie all over the level, so changing each in place would be a cache miss per
//!    update. A ply therefore has two halves. [`expand`](Propagation::expand) goes through the
//!    decided boards of a slab and sends updates to an [`UpdateBuffer`], grouped by slab.
//!    [`apply`](super::labels::Labels::apply) goes through the updates of one slab, whose states
//!    fit a core's second-level cache, and lists the boards that they decide.
//! 2. In either half one thread owns a slab, so states are plain bytes: no locks, no atomics.
//! 3. Boards are expanded in [batches](super::predecessors), with a few additions per predecessor.
//! 4. A change is a table look-up or a few additions. Decided boards are appended unconditionally, and the length
//!    grows by the event bit, so that no branch is to be predicted.
//!
//! The values do not depend on the order of work, see [`super`]. Plies are counted by distances.

use super::move_tables::MoveTables;
use super::predecessors::{BATCH, Crossings, RowPair, SlabTables};
use super::slabs::{Slab, Slabs};
use super::unmove_tables::FULL;
use super::update_buffer::{Update, UpdateBuffer};
use crate::index::{gapped_rank, gapped_unrank, rank, unrank};
use crate::rules::{MAX_SEEDS, for_each_unmove};

/// Most predecessors of a board: 11 from row tables, and from the rules one for each further seed
/// of a sowing that passes a whole row twice.
pub(super) const MOST_PREDECESSORS: usize = 11 + MAX_SEEDS as usize;

/// The un-moves of a level.
#[derive(Debug)]
pub(super) struct Propagation<'level> {
    tables: &'level MoveTables,
    slabs: &'level Slabs,
}

impl<'level> Propagation<'level> {
    pub(super) const fn new(tables: &'level MoveTables, slabs: &'level Slabs) -> Self {
        Self { tables, slabs }
    }

    /// Sends an update to every predecessor of some decided boards of a slab.
    pub(super) fn expand(&self, slab: usize, decided: &[Update], buffer: &mut UpdateBuffer) {
        let slab = &self.slabs.as_slice()[slab];
        let (batches, rest) = decided.as_chunks::<BATCH>();
        let tables = SlabTables::new(self.tables, self.slabs, slab);
        for batch in batches {
            self.expand_batch(slab, &tables, batch, buffer);
        }
        if !rest.is_empty() {
            self.expand_batch(slab, &tables, rest, buffer);
        }
    }

    /// Expands up to [`BATCH`] boards.
    #[inline]
    fn expand_batch(
        &self,
        slab: &Slab,
        tables: &SlabTables<'_>,
        batch: &[Update],
        buffer: &mut UpdateBuffer,
    ) {
        let mut pairs = [RowPair::default(); BATCH];
        let mut crossings = Crossings::default();
        let mut is_rare = false;
        for ((number, &board), pair) in (0..).zip(batch).zip(&mut pairs) {
            *pair = tables.pair(board);
            let (sower, receiver) = tables.rows(*pair);
            crossings.add(number, receiver.allows);
            is_rare |= sower.is_rare;
        }
        for &pair in pairs.iter().take(batch.len()) {
            tables.send_home(pair, buffer);
        }
        for (number, crossed) in crossings.iter() {
            tables.send_crossing(pairs[number], crossed, buffer);
        }
        if is_rare {
            for &pair in pairs.iter().take(batch.len()) {
                tables.send_wraps(pair, buffer);
                self.send_by_rules(slab, tables, pair, buffer);
            }
        }
    }

    /// Sends the updates along un-moves that no table holds.
    fn send_by_rules(
        &self,
        slab: &Slab,
        tables: &SlabTables<'_>,
        pair: RowPair,
        buffer: &mut UpdateBuffer,
    ) {
        let (sower, receiver) = tables.rows(pair);
        if sower.long_least == 0 || receiver.allows & FULL == 0 {
            return;
        }
        let mover = unrank(slab.mover_seeds, pair.minor);
        let opponent = gapped_unrank(slab.opponent_seeds, slab.majors.start + pair.major);
        let rules = self.tables.rules;
        for_each_unmove(rules, mover, opponent, sower.long_least, |_, mover, opponent| {
            let Some(major) = gapped_rank(opponent) else { return };
            let (slab, row) = self.slabs.cut_of(mover.seeds()).locate(major);
            buffer.send(slab, (row + rank(mover)) << 1 | pair.won);
        });
    }
}
