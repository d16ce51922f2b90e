//! The transposition table.
//!
//! A bucket is one cache line of four entries of 16 bytes. An entry belongs to the search
//! (generation) that stored it and is invisible to later searches. So results do not depend on
//! earlier searches, and the table is not cleared. A proved bound holds at every depth.
//!
//! ```text
//! key 64 bits · score 16 · generation 16 · depth 8 · pit 8 · bounds 8 · unused 8
//! ```

use crate::rules::{Board, Pit};

/// Entries per bucket.
const BUCKET: usize = 4;
/// Bytes per entry.
const ENTRY_BYTES: usize = size_of::<Entry>();
/// Marks an entry without a best move.
const NO_PIT: u8 = 6;

/// The stored result of one node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    key: u64,
    score: i16,
    generation: u16,
    depth: u8,
    /// Pit of the best move, or [`NO_PIT`].
    pit: u8,
    bounds: u8,
}

/// What a score bounds: the value at the searched depth, and the true value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The value at this depth is at least the score.
    pub(super) lower: bool,
    /// The value at this depth is at most the score.
    pub(super) upper: bool,
    /// The true value is at least the score.
    pub(super) proved_lower: bool,
    /// The true value is at most the score.
    pub(super) proved_upper: bool,
}

impl Entry {
    pub(super) fn score(&self) -> i32 {
        i32::from(self.score)
    }

    pub(super) fn depth(&self) -> i32 {
        i32::from(self.depth)
    }

    pub(super) fn best(&self) -> Option<Pit> {
        Pit::new(usize::from(self.pit))
    }

    pub(super) const fn bounds(&self) -> Bounds {
        Bounds {
            lower: self.bounds & 1 != 0,
            upper: self.bounds & 2 != 0,
            proved_lower: self.bounds & 4 != 0,
            proved_upper: self.bounds & 8 != 0,
        }
    }
}

/// A hash table from positions to search results.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    buckets: Vec<[Entry; BUCKET]>,
    generation: u16,
}

impl TranspositionTable {
    /// A table of at most `bytes` bytes, but at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / (BUCKET * ENTRY_BYTES)).max(1);
        let rounded = (buckets + 1).next_power_of_two() / 2;
        Self { buckets: vec![[Entry::default(); BUCKET]; rounded.max(1)], generation: 0 }
    }

    /// Makes all entries invisible.
    pub(super) fn new_search(&mut self) {
        match self.generation.checked_add(1) {
            Some(next) => self.generation = next,
            None => {
                self.buckets.fill([Entry::default(); BUCKET]);
                self.generation = 1;
            }
        }
    }

    fn bucket(&self, key: u64) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "the mask keeps low bits only")]
        let low = key as usize;
        low & (self.buckets.len() - 1)
    }

    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.bucket(key)];
        bucket.iter().find(|entry| entry.key == key && entry.generation == self.generation).copied()
    }

    pub(super) fn store(
        &mut self,
        key: u64,
        depth: i32,
        score: i32,
        best: Option<Pit>,
        bounds: Bounds,
    ) {
        let bits = u8::from(bounds.lower)
            | u8::from(bounds.upper) << 1
            | u8::from(bounds.proved_lower) << 2
            | u8::from(bounds.proved_upper) << 3;
        let entry = Entry {
            key,
            score: i16::try_from(score).expect("no score is greater than INFINITY"),
            generation: self.generation,
            depth: u8::try_from(depth).expect("a stored depth is from 1 to MAX_DEPTH"),
            pit: best.map_or(NO_PIT, |pit| {
                u8::try_from(pit.place()).expect("a pit's place is less than 6")
            }),
            bounds: bits,
        };
        let at = self.bucket(key);
        let generation = self.generation;
        let bucket = &mut self.buckets[at];
        // The order of replacement: the same position, an earlier search, the least depth.
        let priority = |old: &Entry| match old.generation == generation {
            false => -1,
            true if old.key == key => -2,
            true => i32::from(old.depth),
        };
        let replaced = bucket.iter_mut().min_by_key(|old| priority(old));
        *replaced.expect("a bucket has entries") = entry;
    }

    /// Thousandths of the table that hold entries of the current search, estimated from a sample.
    pub(super) fn permille_used(&self) -> u32 {
        let sample = self.buckets.len().min(250);
        let used = self.buckets[..sample]
            .iter()
            .flatten()
            .filter(|entry| entry.generation == self.generation)
            .count();
        u32::try_from(1000 * used / (sample * BUCKET)).expect("at most 1000")
    }
}

/// The hash of a board and of the mover's lead, on which a score may depend.
pub(super) fn key(board: Board, ahead: i32) -> u64 {
    let mix = |word: u64, by: u64| {
        let wide = u128::from(word) * u128::from(by);
        // Every bit of the word affects the product, and folding keeps both halves of it.
        #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
        let folded = wide as u64 ^ (wide >> 64) as u64;
        folded
    };
    let own = board.mover().packed() ^ 0x9e37_79b9_7f4a_7c15;
    let other = board.opponent().packed() ^ u64::from(ahead.cast_unsigned()).rotate_left(48);
    mix(own ^ mix(other ^ 0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f), 0xe703_7ed1_a0b4_28db)
}
