//! Solving one level: capture pass, steps, finish.

use super::capture_pass::{raise_level, start_level};
use super::cells::Cells;
use super::checkpoint::Saved;
use super::codes::{counts_with_captures, free, plain_bytes};
use super::geometry::Geometry;
use super::progress::Watch;
use super::propagate::{Item, Lists, Step};
use super::shelf::Shelf;
use super::slabs::{Slab, Slabs};
use crate::index::{LevelIndex, gapped_unrank, row_count, unrank};
use crate::rules::{Policy, end_of};
use crate::table::{Bytes, PlainLevel, Smaller};
use rayon::prelude::*;
use std::ops::Range;

/// Boards looked over for a step before what was found is followed: bounds the list of the found.
const PORTION_BOARDS: usize = 1 << 24;
/// Found boards that a thread follows at a time.
const FOLLOW_ITEMS: usize = 1 << 12;
/// Levels below this many boards are followed by one thread: sharing costs more than it brings.
const SHARED_BOARDS: u64 = 1 << 18;

/// A level on its way from captures to values.
#[derive(Debug)]
pub(super) struct Level<'geometry> {
    geometry: &'geometry Geometry,
    index: &'geometry LevelIndex,
    slabs: Slabs,
    shelves: Vec<Shelf>,
    bytes: Bytes,
    /// Distances so far, where they are wanted: 0 for none, otherwise plies + 1.
    distances: Option<Vec<u16>>,
    /// Where the steps stand.
    cursor: Cursor,
}

/// How far the steps of a level have come: everything of the steps above `step`, and of `step`
/// the slabs before `slab`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) step: i8,
    pub(super) slab: usize,
}

impl<'geometry> Level<'geometry> {
    /// A level of `seeds` seeds before its capture pass.
    pub(super) fn new(
        geometry: &'geometry Geometry,
        seeds: u8,
        with_distances: bool,
    ) -> std::io::Result<Self> {
        let index = &geometry.levels[usize::from(seeds)];
        let boards = usize::try_from(index.boards()).unwrap_or(usize::MAX);
        let bytes = Bytes::zeroed(boards)?;
        let distances = with_distances.then(|| vec![0; boards]);
        let cursor = Cursor { step: seeds.cast_signed(), slab: 0 };
        let slabs = Slabs::new(index);
        Ok(Self { geometry, index, slabs, shelves: Vec::new(), bytes, distances, cursor })
    }

    /// A level as a checkpoint saved it; `None` if that does not fit.
    pub(super) fn resumed(geometry: &'geometry Geometry, seeds: u8, saved: Saved) -> Option<Self> {
        let index = &geometry.levels[usize::from(seeds)];
        let boards = usize::try_from(index.boards()).ok()?;
        let slabs = Slabs::new(index);
        let Saved { cursor, bytes, shelves, distances } = saved;
        let fits = bytes.len() == boards
            && shelves.len() == slabs.as_slice().len()
            && shelves
                .iter()
                .zip(slabs.as_slice())
                .all(|(shelf, slab)| shelf.boards() == slab.boards)
            && cursor.slab <= shelves.len()
            && (0..=seeds.cast_signed()).contains(&cursor.step)
            && distances.as_ref().is_none_or(|distances| distances.len() == boards);
        fits.then_some(Self { geometry, index, slabs, shelves, bytes, distances, cursor })
    }

    /// What a checkpoint saves.
    pub(super) fn parts(&self) -> (Cursor, &[u8], &[Shelf], Option<&[u16]>) {
        (self.cursor, &self.bytes, &self.shelves, self.distances.as_deref())
    }

    /// Part of the capture pass: with some of the smaller levels.
    pub(super) fn raise<P: Policy>(&mut self, smaller: &Smaller<'_>, watch: Watch<'_>) {
        raise_level::<P>(self.geometry, &self.slabs, smaller, &mut self.bytes, watch);
    }

    /// The rest of the capture pass: with the last of the smaller levels.
    pub(super) fn start<P: Policy>(&mut self, smaller: &Smaller<'_>, watch: Watch<'_>) {
        self.shelves =
            start_level::<P>(self.geometry, &self.slabs, smaller, &mut self.bytes, watch);
    }

    /// Whether every step is done.
    pub(super) fn is_solved(&self) -> bool {
        self.cursor.step <= 0
    }

    /// Does the next piece of work; nothing when [`is_solved`](Self::is_solved). Between two
    /// pieces the level may be saved, and taken up again later.
    pub(super) fn advance<P: Policy>(&mut self, watch: Watch<'_>) {
        let step = self.cursor.step;
        if step <= 0 {
            return;
        }
        let end = if self.distances.is_some() {
            self.step_by_plies::<P>(step, watch);
            self.slabs.as_slice().len()
        } else {
            self.step_portion::<P>(step, watch)
        };
        self.cursor.slab = end;
        if end == self.slabs.as_slice().len() {
            self.cursor = Cursor { step: step - 1, slab: 0 };
        }
    }

    /// Decides what follows from the boards of the next slabs that are promised `step` or
    /// `−step`; returns the slab after them.
    fn step_portion<P: Policy>(&mut self, step: i8, watch: Watch<'_>) -> usize {
        let from = self.cursor.slab;
        let to = self.portion_end(from);
        let found = self.find(from..to, step);
        let is_shared = self.is_shared();
        let step = Self::see(
            (self.index, self.geometry, &self.slabs, &self.shelves),
            &mut self.bytes,
            step,
        );
        if is_shared {
            let chunks = found.par_iter().flat_map(|items| items.par_chunks(FOLLOW_ITEMS));
            chunks.for_each_init(Lists::default, |lists, items| {
                watch.progress.advance(step.follow::<P, true>(items, lists));
            });
        } else {
            let mut lists = Lists::default();
            for items in &found {
                watch.progress.advance(step.follow::<P, false>(items, &mut lists));
            }
        }
        to
    }

    /// A whole step in breadth-first order: boards at distance 0, then 1, and so on.
    fn step_by_plies<P: Policy>(&mut self, step: i8, watch: Watch<'_>) {
        let found = self.find(0..self.slabs.as_slice().len(), step).concat();
        // Only ended boards have distance 0, and their values are all of the seeds.
        let all_seeds = step.cast_unsigned() == self.index.seeds();
        let is_ended = |item: &Item| {
            let mover = unrank(item.mover_seeds(), item.minor());
            let other = gapped_unrank(self.index.seeds() - item.mover_seeds(), item.major());
            all_seeds && end_of::<P>(mover, other).is_some()
        };
        let (mut frontier, mut captures): (Vec<_>, Vec<_>) =
            found.into_par_iter().partition(is_ended);
        let mut distances = self.distances.take().unwrap_or_default();
        let is_shared = self.is_shared();
        let step = Self::see(
            (self.index, self.geometry, &self.slabs, &self.shelves),
            &mut self.bytes,
            step,
        );
        let mut number = 1u16;
        while !(frontier.is_empty() && captures.is_empty()) {
            for &item in &frontier {
                distances[step.board(item)] = number;
            }
            watch.progress.advance(frontier.len() as u64);
            let mut next: Vec<Item> = if is_shared {
                let chunks = frontier.par_chunks(FOLLOW_ITEMS);
                chunks.flat_map_iter(|items| step.follow_once::<P, true>(items)).collect()
            } else {
                step.follow_once::<P, false>(&frontier)
            };
            next.append(&mut captures);
            frontier = next;
            number = number.saturating_add(1);
        }
        self.distances = Some(distances);
    }

    fn is_shared(&self) -> bool {
        self.index.boards() >= SHARED_BOARDS && rayon::current_num_threads() > 1
    }

    fn see<'level>(
        (index, geometry, slabs, shelves): (
            &'level LevelIndex,
            &'level Geometry,
            &'level Slabs,
            &'level [Shelf],
        ),
        bytes: &'level mut [u8],
        step: i8,
    ) -> Step<'level> {
        Step::new(index, geometry, slabs, shelves, Cells::new(bytes), step)
    }

    fn portion_end(&self, from: usize) -> usize {
        let mut boards = 0;
        let within = |slab: &&Slab| {
            boards += slab.boards;
            boards <= PORTION_BOARDS
        };
        let slabs = self.slabs.as_slice()[from..].iter().take_while(within).count();
        from + slabs.max(1)
    }

    /// The boards of some slabs that are promised `step` or `−step`, a list a slab.
    fn find(&self, slabs: Range<usize>, step: i8) -> Vec<Vec<Item>> {
        let wanted = &self.slabs.as_slice()[slabs];
        let find = |slab: &Slab| {
            find_promised(slab, &self.bytes[slab.start..slab.start + slab.boards], step)
        };
        wanted.par_iter().map(find).collect()
    }

    /// Turns the state bytes into plain ones, when every step is done; the distances beside them.
    pub(super) fn finish(mut self) -> (PlainLevel, Option<Vec<u16>>) {
        debug_assert!(self.is_solved());
        let plain = plain_bytes();
        let pieces = self.slabs.cut(&mut self.bytes);
        pieces.into_par_iter().zip(&self.shelves).for_each(|(bytes, shelf)| {
            for (board, capture) in shelf.iter() {
                if capture == 0 && counts_with_captures(bytes[board]) {
                    bytes[board] = free(0);
                }
            }
            for byte in bytes {
                *byte = plain[usize::from(*byte)];
            }
        });
        (PlainLevel::from_solved(self.index.clone(), self.bytes), self.distances)
    }
}

/// The boards of a slab whose byte is `Free(step)` or `Free(−step)`.
fn find_promised(slab: &Slab, bytes: &[u8], step: i8) -> Vec<Item> {
    let minors = row_count(slab.mover_seeds) as usize;
    let (won, lost) = (free(step), free(-step));
    let mut found = Vec::new();
    let mut add = |board: usize, byte: u8| {
        let major = slab.majors.start + u32::try_from(board / minors).unwrap_or(0);
        let minor = u32::try_from(board % minors).unwrap_or(0);
        found.push(Item::new(slab.mover_seeds, major, minor, byte == won));
    };
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let packed = u64::from_le_bytes(*word);
        let mut hits = bytes_equal(packed, won) | bytes_equal(packed, lost);
        while hits != 0 {
            let place = (hits.trailing_zeros() / 8) as usize;
            hits &= hits - 1;
            add(8 * number + place, word[place]);
        }
    }
    for (place, &byte) in rest.iter().enumerate() {
        if byte == won || byte == lost {
            add(8 * words.len() + place, byte);
        }
    }
    found
}

/// Bit 7 of each byte of the result is set where the byte of `packed` equals `byte`.
const fn bytes_equal(packed: u64, byte: u8) -> u64 {
    const LOWS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let distance = packed ^ u64::from_le_bytes([byte; 8]);
    // Adding to the low seven bits carries into bit 7 unless they are all zero.
    !(((distance & LOWS) + LOWS) | distance | LOWS)
}
