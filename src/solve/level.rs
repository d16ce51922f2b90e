//! Solving one level: capture pass, steps, finish.

use super::capture_pass::{raise_level, start_level};
use super::checkpoint::Saved;
use super::codes::{counts_with_captures, free, plain_bytes};
use super::geometry::Geometry;
use super::list::List;
use super::progress::Watch;
use super::propagate::{Decided, Step};
use super::rounds::{Lists, Rounds, portion_boards};
use super::shelf::Shelf;
use super::slabs::{Slab, Slabs};
use crate::index::{LevelIndex, gapped_unrank, row_count, unrank};
use crate::rules::{Policy, end_of};
use crate::table::{Bytes, PlainLevel, Smaller};
use rayon::prelude::*;

/// Slabs that a thread looks through before what was found is counted.
const FIND_SLABS: usize = 16;

/// A level on its way from captures to values.
#[derive(Debug)]
pub(super) struct Level<'geometry> {
    geometry: &'geometry Geometry,
    index: &'geometry LevelIndex,
    slabs: Slabs,
    shelves: Vec<Shelf>,
    bytes: Bytes,
    rounds: Rounds,
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
        let rounds = Rounds::new(slabs.as_slice().len(), boards);
        let shelves = Vec::new();
        Ok(Self { geometry, index, slabs, shelves, bytes, rounds, distances, cursor })
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
        let rounds = Rounds::new(slabs.as_slice().len(), boards);
        fits.then_some(Self { geometry, index, slabs, shelves, bytes, rounds, distances, cursor })
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
            self.step_with_distances::<P>(step, watch);
            self.slabs.as_slice().len()
        } else {
            self.step_portion(step, watch)
        };
        self.rounds.release();
        self.cursor.slab = end;
        if end == self.slabs.as_slice().len() {
            self.cursor = Cursor { step: step - 1, slab: 0 };
        }
    }

    /// Decides what follows from the boards of the next slabs that are promised `step` or
    /// `−step`; returns the slab after them.
    fn step_portion(&mut self, step: i8, watch: Watch<'_>) -> usize {
        let most = usize::try_from(portion_boards(self.index.boards())).unwrap_or(usize::MAX);
        let end = self.find(self.cursor.slab, step, most);
        let step = Step::new(self.geometry, &self.slabs, &self.shelves, step);
        while let boards @ 1.. = self.rounds.round(&step, &self.slabs, &mut self.bytes) {
            watch.progress.advance(boards as u64);
        }
        end
    }

    /// A whole step, its boards numbered by rounds: ended boards have distance 0; captures come in
    /// with the boards at distance 1.
    fn step_with_distances<P: Policy>(&mut self, step: i8, watch: Watch<'_>) {
        self.find(0, step, usize::MAX);
        let mut captures = self.hold_captures_back::<P>(step);
        let step = Step::new(self.geometry, &self.slabs, &self.shelves, step);
        let mut distances = self.distances.take().unwrap_or_default();
        let mut number = 1u16;
        loop {
            let each = self.slabs.cut(&mut distances).into_par_iter();
            each.zip(self.rounds.frontier()).for_each(|(distances, list)| {
                for board in list.in_use() {
                    distances[board.place() as usize] = number;
                }
            });
            let boards = self.rounds.round(&step, &self.slabs, &mut self.bytes);
            if boards == 0 && captures.is_empty() {
                break;
            }
            watch.progress.advance(boards as u64);
            for (list, captures) in self.rounds.frontier().iter_mut().zip(captures.drain(..)) {
                list.append(&captures);
            }
            number = number.saturating_add(1);
        }
        self.distances = Some(distances);
    }

    /// Leaves the ended boards in the frontier; returns the others, a list a slab.
    fn hold_captures_back<P: Policy>(&mut self, step: i8) -> Lists {
        let seeds = self.index.seeds();
        let hold_back = |(slab, list): (&Slab, &mut List<Decided>)| {
            let minors = row_count(slab.mover_seeds);
            let is_ended = |board: Decided| {
                let major = slab.majors.start + board.place() / minors;
                let mover = unrank(slab.mover_seeds, board.place() % minors);
                end_of::<P>(mover, gapped_unrank(slab.opponent_seeds, major)).is_some()
            };
            // Only ended boards are worth all of the seeds without a capture before.
            if step.cast_unsigned() != seeds {
                return std::mem::take(list);
            }
            let (mut ended, mut captures) = (List::default(), List::default());
            for &board in list.in_use() {
                let kind = if is_ended(board) { &mut ended } else { &mut captures };
                kind.append_one(board);
            }
            *list = ended;
            captures
        };
        let slabs = self.slabs.as_slice().par_iter();
        slabs.zip(self.rounds.frontier()).map(hold_back).collect()
    }

    /// Puts the boards of the slabs from `from` on that are promised `step` or `−step` on the
    /// frontier, some `most` of them; returns the slab after them.
    fn find(&mut self, from: usize, step: i8, most: usize) -> usize {
        let slabs = self.slabs.as_slice();
        let some = FIND_SLABS * rayon::current_num_threads();
        let mut to = from;
        while to < slabs.len() && self.rounds.boards() < most {
            let range = to..slabs.len().min(to + some);
            to = range.end;
            let lists = &mut self.rounds.frontier()[range.clone()];
            let bytes = &self.bytes;
            slabs[range].par_iter().zip(lists).for_each(|(slab, list)| {
                find_promised(&bytes[slab.start..slab.start + slab.boards], step, list);
            });
        }
        to
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

/// Lists the boards of a slab whose byte is `Free(step)` or `Free(−step)`.
fn find_promised(bytes: &[u8], step: i8, found: &mut List<Decided>) {
    let (won, lost) = (free(step), free(-step));
    let mut place = 0;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        let packed = u64::from_le_bytes(*word);
        let wins = bytes_equal(packed, won);
        let mut hits = wins | bytes_equal(packed, lost);
        while hits != 0 {
            let bit = hits.trailing_zeros();
            hits &= hits - 1;
            found.append_one(Decided::new(place + bit / 8, wins >> bit & 1 == 1));
        }
        place += 8;
    }
    for &byte in rest {
        if byte == won || byte == lost {
            found.append_one(Decided::new(place, byte == won));
        }
        place += 1;
    }
}

/// Bit 7 of each byte of the result is set where the byte of `packed` equals `byte`.
const fn bytes_equal(packed: u64, byte: u8) -> u64 {
    const LOWS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let distance = packed ^ u64::from_le_bytes([byte; 8]);
    // Adding to the low seven bits carries into bit 7 unless they are all zero.
    !(((distance & LOWS) + LOWS) | distance | LOWS)
}
