//! Following decisions backwards: the second half of solving a level, as a work list.
//!
//! The plain algorithm, for one step `s`: take a decided board from the list; for each of its
//! predecessors by a move that captures nothing, change the predecessor's byte as
//! [`changes`](super::codes::changes) says; if that decides it, put it on the list. When a count
//! runs out on a board with captures, look its best capture up and see. Until the list is empty.
//!
//! What is done differently, and why:
//!
//! 1. Boards are taken 32 at a time. Their row halves, then their predecessors' bytes, are asked
//!    for before any is used, so that cache misses overlap.
//! 2. Predecessors are put together from [`super::unmove_rows`], a few additions each.
//! 3. A change is one look-up in a 512-entry table, and the list is appended to always but
//!    lengthened only by the event bit, so that nothing waits for a branch.
//! 4. An item carries the place of its board (block and two row numbers), not its index, which
//!    would have to be divided.
//!
//! With several threads each has its own list; bytes are changed by compare-and-swap. A board is
//! decided by the one thread that swapped its deciding byte in, and only that thread follows it.
//! The values do not depend on the order, see [`super`].

use super::cells::{Cells, prefetch};
use super::codes::{Change, DECIDED, LOOK_UP, after_run_out, changes};
use super::geometry::Geometry;
use super::list::List;
use super::shelf::Shelf;
use super::slabs::Slabs;
use super::unmove_rows::{CROSS, FULL, HOME, ReceiverRow, SowerRow};
use crate::index::{LevelIndex, gapped_rank, gapped_unrank, rank, row_count, unrank};
use crate::rules::{MAX_SEEDS, Policy, for_each_unmove};

/// A decided board: the place of the board and whether its mover won (`s`) or lost (`−s`).
///
/// ```text
/// bit  63   53    48 47      24 23       0
///      [won][ m     ][ major   ][ minor   ]
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Item(u64);

const WON: u64 = 1 << 63;
const ROW: u64 = (1 << 24) - 1;

impl Item {
    #[inline]
    pub(super) fn new(mover_seeds: u8, major: u32, minor: u32, won: bool) -> Self {
        let place = u64::from(mover_seeds) << 48 | u64::from(major) << 24 | u64::from(minor);
        Self(place | u64::from(won) << 63)
    }

    #[inline]
    fn won(self) -> bool {
        self.0 & WON != 0
    }

    #[inline]
    pub(super) const fn mover_seeds(self) -> u8 {
        (self.0 >> 48 & 0x3f) as u8
    }

    #[inline]
    pub(super) const fn major(self) -> u32 {
        (self.0 >> 24 & ROW) as u32
    }

    #[inline]
    pub(super) const fn minor(self) -> u32 {
        (self.0 & ROW) as u32
    }
}

/// Boards taken from the list at a time.
const BATCH: usize = 32;

/// A byte to change: a predecessor, decided as its child's opposite if the change decides it.
#[derive(Clone, Copy, Debug, Default)]
struct Target {
    board: usize,
    item: Item,
}

/// Most predecessors of a board: 11 by rows, and by the rules one for each further seed of a
/// sowing that passes a whole row twice.
const MOST_TARGETS: usize = 11 + MAX_SEEDS as usize;

/// A thread's lists, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Lists {
    open: List<Item>,
    targets: List<Target>,
    run_out: List<Item>,
}

/// A level under work, as one step sees it.
#[derive(Debug)]
pub(super) struct Step<'level> {
    level: &'level LevelIndex,
    geometry: &'level Geometry,
    slabs: &'level Slabs,
    shelves: &'level [Shelf],
    cells: Cells<'level>,
    step: i8,
    changes: [Change; 512],
    /// By the mover's seeds: the block's start, and its minor rows.
    blocks: [(usize, usize); MAX_SEEDS as usize + 1],
}

impl Lists {
    fn open(&mut self, items: &[Item]) {
        self.open.reserve(items.len());
        for &item in items {
            self.open.put(item, 1);
        }
    }
}

impl<'level> Step<'level> {
    pub(super) fn new(
        level: &'level LevelIndex,
        geometry: &'level Geometry,
        slabs: &'level Slabs,
        shelves: &'level [Shelf],
        cells: Cells<'level>,
        step: i8,
    ) -> Self {
        let mut blocks = [(0, 0); MAX_SEEDS as usize + 1];
        for mover_seeds in 0..=level.seeds() {
            let start = usize::try_from(level.block_start(mover_seeds)).unwrap_or(usize::MAX);
            blocks[usize::from(mover_seeds)] = (start, row_count(mover_seeds) as usize);
        }
        Self { level, geometry, slabs, shelves, cells, step, changes: changes(step), blocks }
    }

    /// Follows the boards of `found`, which are decided, and all that comes of it; returns how
    /// many boards that were. `SHARED` says whether other threads do the same now.
    pub(super) fn follow<P: Policy, const SHARED: bool>(
        &self,
        found: &[Item],
        lists: &mut Lists,
    ) -> u64 {
        let mut batches = found.chunks(BATCH);
        let mut followed = 0;
        lists.open.used = 0;
        loop {
            if lists.open.used < BATCH {
                match batches.next() {
                    Some(batch) => lists.open(batch),
                    None if lists.open.used == 0 => return followed,
                    None => {}
                }
            }
            let from = lists.open.used.saturating_sub(BATCH);
            let mut batch = [Item::default(); BATCH];
            let taken = lists.open.used - from;
            batch[..taken].copy_from_slice(&lists.open.in_use()[from..]);
            lists.open.used = from;
            self.follow_batch::<P, SHARED>(&batch[..taken], lists);
            followed += taken as u64;
        }
    }

    /// Takes the boards of `found` back by one ply and returns the boards that this decides, for
    /// those who must go ply by ply.
    pub(super) fn follow_once<P: Policy, const SHARED: bool>(&self, found: &[Item]) -> Vec<Item> {
        let mut lists = Lists::default();
        for batch in found.chunks(BATCH) {
            self.follow_batch::<P, SHARED>(batch, &mut lists);
        }
        lists.open.into_used()
    }

    /// The index of an item's board.
    #[inline]
    pub(super) fn board(&self, item: Item) -> usize {
        let (start, minors) = self.blocks[usize::from(item.mover_seeds())];
        start + item.major() as usize * minors + item.minor() as usize
    }

    fn follow_batch<P: Policy, const SHARED: bool>(&self, batch: &[Item], lists: &mut Lists) {
        self.take_back::<P>(batch, &mut lists.targets);
        self.apply::<SHARED>(lists);
        self.look_up(lists);
    }

    /// Lists the predecessors of a batch and asks for their bytes.
    fn take_back<P: Policy>(&self, batch: &[Item], targets: &mut List<Target>) {
        targets.used = 0;
        targets.reserve(BATCH * MOST_TARGETS);
        for &item in batch {
            let (sower, receiver) = self.halves(item);
            prefetch(sower);
            prefetch(receiver);
        }
        for &item in batch {
            let (sower, receiver) = self.halves(item);
            self.take_back_by_rows(item, sower, receiver, targets);
            if receiver.allows & FULL != 0 && sower.long_least != 0 {
                self.take_back_by_rules::<P>(item, sower.long_least, targets);
            }
        }
    }

    #[inline]
    fn halves(&self, item: Item) -> (&SowerRow, &ReceiverRow) {
        let mover_seeds = usize::from(item.mover_seeds());
        let sowers = &self.geometry.sowers[usize::from(self.level.seeds()) - mover_seeds];
        let receivers = &self.geometry.receivers[mover_seeds];
        (&sowers[item.major() as usize], &receivers[item.minor() as usize])
    }

    #[inline]
    fn take_back_by_rows(
        &self,
        item: Item,
        sower: &SowerRow,
        receiver: &ReceiverRow,
        targets: &mut List<Target>,
    ) {
        let sower_seeds = self.level.seeds() - item.mover_seeds();
        let won = !item.won();
        let mut add = |mover_seeds: u8, major: u32, minor: u32| {
            let (start, minors) = self.blocks[usize::from(mover_seeds)];
            let board = start + major as usize * minors + minor as usize;
            self.cells.prefetch(board);
            targets.put(Target { board, item: Item::new(mover_seeds, major, minor, won) }, 1);
        };
        if receiver.allows & HOME != 0 {
            for &minor in &sower.home[..usize::from(sower.stays)] {
                add(sower_seeds, receiver.own, minor);
            }
        }
        if receiver.wraps != 0 {
            let wraps = usize::from(sower.stays)..usize::from(sower.stays + sower.wraps);
            for &minor in &sower.home[wraps] {
                add(sower_seeds + 6, receiver.after[5], minor);
            }
        }
        let mut crosses = receiver.allows & CROSS;
        while crosses != 0 {
            let pit = crosses.trailing_zeros();
            crosses &= crosses - 1;
            let [crossing, ..] = (pit + 1).to_le_bytes();
            let pit = pit as usize;
            add(sower_seeds + crossing, receiver.after[pit], sower.cross[pit]);
        }
    }

    #[cold]
    fn take_back_by_rules<P: Policy>(&self, item: Item, least: u8, targets: &mut List<Target>) {
        let mover = unrank(item.mover_seeds(), item.minor());
        let opponent = gapped_unrank(self.level.seeds() - item.mover_seeds(), item.major());
        for_each_unmove::<P>(mover, opponent, least, |_, mover, opponent| {
            let Some(major) = gapped_rank(opponent) else { return };
            let item = Item::new(mover.seeds(), major, rank(mover), !item.won());
            targets.put(Target { board: self.board(item), item }, 1);
        });
    }

    /// Changes the targets' bytes and lists what follows.
    #[inline]
    fn apply<const SHARED: bool>(&self, lists: &mut Lists) {
        let Lists { open, targets, run_out } = lists;
        open.reserve(targets.used);
        run_out.used = 0;
        run_out.reserve(targets.used);
        for &Target { board, item } in targets.in_use() {
            let change = self.change::<SHARED>(board, item);
            open.put(item, change.event & DECIDED);
            run_out.put(item, change.event >> 1);
        }
        const { assert!(LOOK_UP == 2 && DECIDED == 1) };
    }

    #[inline]
    fn change<const SHARED: bool>(&self, board: usize, item: Item) -> Change {
        // A board that would be won has a lost child: the first half of the table.
        let half = if item.won() { 0 } else { 256 };
        let mut old = self.cells.get(board);
        loop {
            let change = self.changes[half + usize::from(old)];
            if !SHARED {
                self.cells.set(board, change.code);
                return change;
            }
            if change.code == old {
                return change;
            }
            match self.cells.replace(board, old, change.code) {
                Ok(()) => return change,
                Err(now) => old = now,
            }
        }
    }

    /// Settles the boards whose counts ran out: no child is left that could still change them, so
    /// no other thread touches their bytes.
    fn look_up(&self, lists: &mut Lists) {
        let Lists { open, run_out, .. } = lists;
        open.reserve(run_out.used);
        for &item in run_out.in_use() {
            let (slab, row) = self.slabs.find(item.mover_seeds(), item.major());
            let (_, minors) = self.blocks[usize::from(item.mover_seeds())];
            let in_slab = row as usize * minors + item.minor() as usize;
            let change = after_run_out(self.step, self.shelves[slab].get(in_slab));
            self.cells.set(self.board(item), change.code);
            open.put(item, change.event);
        }
    }
}
