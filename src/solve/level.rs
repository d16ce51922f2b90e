//! Solving one level: capture pass, steps, finish.

use super::capture_pass::{raise_level, start_level};
use super::cells::Cells;
use super::codes::{counts_with_captures, free, plain_bytes};
use super::geometry::Geometry;
use super::propagate::{Item, Lists, Step};
use super::shelf::Shelf;
use super::slabs::{Slab, Slabs};
use crate::index::{LevelIndex, row_count};
use crate::rules::Policy;
use crate::table::{Bytes, PlainLevel, Smaller};
use rayon::prelude::*;

/// Boards looked over for a step before what was found is followed: bounds the list of the found.
const PORTION_BOARDS: usize = 1 << 26;
/// Found boards that a thread follows at a time.
const FOLLOW_ITEMS: usize = 1 << 12;
/// Levels below this many boards are solved by one thread: sharing costs more than it brings.
const SHARED_BOARDS: u64 = 1 << 20;

/// A level on its way from captures to values.
#[derive(Debug)]
pub(super) struct Level<'geometry> {
    geometry: &'geometry Geometry,
    index: &'geometry LevelIndex,
    slabs: Slabs,
    shelves: Vec<Shelf>,
    bytes: Bytes,
}

impl<'geometry> Level<'geometry> {
    /// A level of `seeds` seeds before its capture pass.
    pub(super) fn new(geometry: &'geometry Geometry, seeds: u8) -> std::io::Result<Self> {
        let index = &geometry.levels[usize::from(seeds)];
        let boards = usize::try_from(index.boards()).unwrap_or(usize::MAX);
        let bytes = Bytes::zeroed(boards)?;
        Ok(Self { geometry, index, slabs: Slabs::new(index), shelves: Vec::new(), bytes })
    }

    /// Part of the capture pass: with some of the smaller levels.
    pub(super) fn raise<P: Policy>(&mut self, smaller: &Smaller<'_>) {
        raise_level::<P>(self.geometry, &self.slabs, smaller, &mut self.bytes);
    }

    /// The rest of the capture pass: with the last of the smaller levels.
    pub(super) fn start<P: Policy>(&mut self, smaller: &Smaller<'_>) {
        self.shelves = start_level::<P>(self.geometry, &self.slabs, smaller, &mut self.bytes);
    }

    /// Decides every board worth `step` or `−step`, after all the steps above.
    pub(super) fn step<P: Policy>(&mut self, step: i8) {
        let shared = self.index.boards() >= SHARED_BOARDS && rayon::current_num_threads() > 1;
        let mut from = 0;
        while from < self.slabs.as_slice().len() {
            let to = self.portion_end(from);
            let found = self.find(from..to, step);
            let cells = Cells::new(&mut self.bytes);
            let step =
                Step::new(self.index, self.geometry, &self.slabs, &self.shelves, cells, step);
            if shared {
                found.par_chunks(FOLLOW_ITEMS).for_each_init(Lists::default, |lists, items| {
                    step.follow::<P, true>(items, lists);
                });
            } else {
                step.follow::<P, false>(&found, &mut Lists::default());
            }
            from = to;
        }
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

    /// The boards of some slabs that are promised `step` or `−step`.
    fn find(&self, slabs: std::ops::Range<usize>, step: i8) -> Vec<Item> {
        let all = self.slabs.as_slice();
        let start: usize = all[..slabs.start].iter().map(|slab| slab.boards).sum();
        let mut starts = Vec::with_capacity(slabs.len());
        let mut at = start;
        for slab in &all[slabs.clone()] {
            starts.push(at);
            at += slab.boards;
        }
        let found: Vec<Vec<Item>> = all[slabs]
            .par_iter()
            .zip(starts)
            .map(|(slab, start)| find_promised(slab, &self.bytes[start..start + slab.boards], step))
            .collect();
        found.concat()
    }

    /// Turns the state bytes into plain ones, when every step is done.
    pub(super) fn finish(mut self) -> PlainLevel {
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
        PlainLevel::from_solved(self.index.clone(), self.bytes)
    }
}

/// The boards of a slab whose byte is `Free(step)` or `Free(−step)`.
fn find_promised(slab: &Slab, bytes: &[u8], step: i8) -> Vec<Item> {
    let minors = row_count(slab.mover_seeds) as usize;
    let (won, lost) = (free(step), free(-step));
    let mut found = Vec::new();
    const CHUNK: usize = 32;
    for (chunk_number, chunk) in bytes.chunks(CHUNK).enumerate() {
        let hits = chunk
            .iter()
            .fold(0u8, |any, &byte| any | u8::from(byte == won) | u8::from(byte == lost));
        if hits == 0 {
            continue;
        }
        for (place, &byte) in chunk.iter().enumerate() {
            if byte == won || byte == lost {
                let board = chunk_number * CHUNK + place;
                let major = slab.majors.start + u32::try_from(board / minors).unwrap_or(0);
                let minor = u32::try_from(board % minors).unwrap_or(0);
                found.push(Item::new(slab.mover_seeds, major, minor, byte == won));
            }
        }
    }
    found
}
