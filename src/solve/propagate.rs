//! Following decisions backwards: the second half of solving a level, a ply at a time.
//!
//! The plain algorithm, for one step `s`: take a decided board; for each of its predecessors by a
//! move that captures nothing, change the predecessor's byte as [`changes`](super::codes::changes)
//! says; if that decides it, it is taken in its turn. When a count runs out on a board with
//! captures, look its best capture up and see. Until nothing is left to take.
//!
//! What is done differently, and why:
//!
//! 1. Predecessors lie all over the level, and a byte changed where it lies would be a cache miss
//!    for each. So a ply has two halves. [`take_back`](Step::take_back) goes through the decided boards
//!    of a slab and puts what it has to say to predecessors into an [`Outbox`] by slab;
//!    [`deliver`](Step::deliver) then goes through all that was said to a slab, whose bytes are in
//!    the cache meanwhile, and lists the boards that this decides.
//! 2. In either half a slab belongs to one thread, so bytes are plain bytes: no locks, no atomics.
//! 3. Boards are taken back by [batches](super::predecessors), a few additions a predecessor.
//! 4. A change is one look-up in a table, and lists are appended to always but lengthened only by
//!    the event bit, so that nothing waits for a branch.
//!
//! The values do not depend on the order, see [`super`]; the plies are what distances count.

use super::codes::{Change, RUN_OUT, after_run_out, changes};
use super::geometry::Geometry;
use super::list::List;
use super::outbox::Outbox;
use super::predecessors::{BATCH, Crosses, Halves, Pair};
use super::shelf::Shelf;
use super::slabs::{Slab, Slabs};
use super::unmove_rows::FULL;
use crate::index::{gapped_rank, gapped_unrank, rank, unrank};
use crate::rules::{MAX_SEEDS, Row};

/// A board by its place in its slab, and whether its mover wins (`s`) or loses (`−s`): the board is
/// decided so, or it is what a child says to it.
///
/// ```text
/// bit  31    1  0
///      [place][won]
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Decided(u32);

impl Decided {
    #[inline]
    pub(super) const fn new(place: u32, won: bool) -> Self {
        Self(place << 1 | won as u32)
    }

    #[inline]
    pub(super) const fn place(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    pub(super) const fn won(self) -> bool {
        self.0 & 1 != 0
    }
}

/// Most predecessors of a board: 11 by rows, and by the rules one for each further seed of a
/// sowing that passes a whole row twice.
pub(super) const MOST_PREDECESSORS: usize = 11 + MAX_SEEDS as usize;

/// A level under work, as one step sees it.
#[derive(Debug)]
pub(super) struct Step<'level> {
    geometry: &'level Geometry,
    slabs: &'level Slabs,
    shelves: &'level [Shelf],
    step: i8,
    /// For lost and for won children's predecessors, by their byte.
    changes: [[Change; 256]; 2],
}

impl<'level> Step<'level> {
    pub(super) fn new(
        geometry: &'level Geometry,
        slabs: &'level Slabs,
        shelves: &'level [Shelf],
        step: i8,
    ) -> Self {
        Self { geometry, slabs, shelves, step, changes: changes(step) }
    }

    /// Tells the predecessors of some decided boards of a slab.
    pub(super) fn take_back(&self, slab: usize, decided: &[Decided], outbox: &mut Outbox) {
        let slab = &self.slabs.as_slice()[slab];
        let (batches, rest) = decided.as_chunks::<BATCH>();
        let halves = Halves::of(self.geometry, self.slabs, slab);
        for batch in batches {
            self.take_back_batch(slab, &halves, batch, outbox);
        }
        if !rest.is_empty() {
            self.take_back_batch(slab, &halves, rest, outbox);
        }
    }

    /// Tells the predecessors of up to [`BATCH`] boards.
    #[inline]
    fn take_back_batch(
        &self,
        slab: &Slab,
        halves: &Halves<'_>,
        batch: &[Decided],
        outbox: &mut Outbox,
    ) {
        let mut boards = [Pair::default(); BATCH];
        let mut crosses = Crosses::default();
        let mut is_rare = false;
        for ((number, &board), pair) in (0..).zip(batch).zip(&mut boards) {
            *pair = halves.pair(board);
            let (sower, receiver) = halves.rows(*pair);
            crosses.add(number, receiver.allows);
            is_rare |= sower.is_rare;
        }
        for &pair in boards.iter().take(batch.len()) {
            halves.take_back_home(pair, outbox);
        }
        for (number, crossed) in crosses.iter() {
            halves.take_back_cross(boards[number], crossed, outbox);
        }
        if is_rare {
            for &pair in boards.iter().take(batch.len()) {
                halves.take_back_wraps(pair, outbox);
                self.take_back_by_rules(slab, halves, pair, outbox);
            }
        }
    }

    /// The un-moves that no table holds.
    fn take_back_by_rules(
        &self,
        slab: &Slab,
        halves: &Halves<'_>,
        pair: Pair,
        outbox: &mut Outbox,
    ) {
        let (sower, receiver) = halves.rows(pair);
        if sower.long_least == 0 || receiver.allows & FULL == 0 {
            return;
        }
        let mover = unrank(slab.mover_seeds, pair.minor);
        let opponent = gapped_unrank(slab.opponent_seeds, slab.majors.start + pair.major);
        let mut tell = |mover: Row, opponent| {
            let Some(major) = gapped_rank(opponent) else { return };
            let (slab, row) = self.slabs.cut_of(mover.seeds()).locate(major);
            outbox.put(slab, (row + rank(mover)) << 1 | pair.won);
        };
        (self.geometry.for_each_unmove)(mover, opponent, sower.long_least, &mut tell);
    }

    /// Changes a slab's bytes as the outboxes say and appends the boards that this decides to
    /// `found`; `run_out` is a buffer.
    pub(super) fn deliver(
        &self,
        slab: usize,
        bytes: &mut [u8],
        outboxes: &[Outbox],
        found: &mut List<Decided>,
        run_out: &mut List<Decided>,
    ) {
        for said in outboxes.iter().flat_map(|outbox| outbox.chunks(slab)) {
            let before = found.used;
            found.fill(said.len(), |room| {
                for &entry in said {
                    let board = Decided(entry);
                    let byte = &mut bytes[board.place() as usize];
                    let change = self.changes[usize::from(board.won())][usize::from(*byte)];
                    *byte = change.code;
                    room.put(board, change.event);
                }
            });
            run_out.used = 0;
            found.part(before, run_out, |board| bytes[board.place() as usize] == RUN_OUT);
            self.settle(slab, bytes, run_out.in_use(), found);
        }
    }

    /// Looks the best captures of boards up whose counts ran out: no child is left that could still
    /// say anything. Appends those that this decides to `found`.
    fn settle(
        &self,
        slab: usize,
        bytes: &mut [u8],
        run_out: &[Decided],
        found: &mut List<Decided>,
    ) {
        found.fill(run_out.len(), |room| {
            for &board in run_out {
                let place = board.place() as usize;
                let change = after_run_out(self.step, self.shelves[slab].get(place));
                bytes[place] = change.code;
                room.put(board, change.event);
            }
        });
    }
}
