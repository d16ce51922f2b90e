//! What a search remembers of boards that it has met.
//!
//! Buckets of four entries of 16 bytes, one cache line. An entry belongs to the search (generation)
//! that wrote it: others do not see it, so that answers do not depend on what was searched before,
//! and nothing has to be cleared. A proof keeps its worth at every depth.
//!
//! ```text
//! key 64 bits · score 16 · generation 16 · depth 8 · pit 8 · bounds 8 · unused 8
//! ```

use crate::rules::{Board, Pit};

const BUCKET: usize = 4;
/// Bytes of an entry.
const ENTRY_BYTES: usize = size_of::<Entry>();

/// What is remembered of a board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    key: u64,
    score: i16,
    generation: u16,
    depth: u8,
    /// Place of the best move, 6 for none.
    pit: u8,
    bounds: u8,
}

/// What a score says about the searched value (`at_*`) and about the true one (`proves_*`).
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

/// A table of entries.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    buckets: Vec<[Entry; BUCKET]>,
    generation: u16,
}

impl TranspositionTable {
    /// A table of at most `bytes` bytes (at least one bucket).
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / (BUCKET * ENTRY_BYTES)).max(1);
        let rounded = (buckets + 1).next_power_of_two() / 2;
        Self { buckets: vec![[Entry::default(); BUCKET]; rounded.max(1)], generation: 0 }
    }

    /// Forgets everything.
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
        // The mask keeps the low bits, which is what is wanted of a hash.
        #[expect(clippy::cast_possible_truncation, reason = "masked to the table's size")]
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
        let clamp = |score: i32| i16::try_from(score).unwrap_or(0);
        let entry = Entry {
            key,
            score: clamp(score),
            generation: self.generation,
            depth: u8::try_from(depth.max(0)).unwrap_or(u8::MAX),
            pit: best.map_or(6, |pit| u8::try_from(pit.place()).unwrap_or(6)),
            bounds: bits,
        };
        let at = self.bucket(key);
        let generation = self.generation;
        let bucket = &mut self.buckets[at];
        let worth = |old: &Entry| match old.generation == generation {
            false => -1,
            true if old.key == key => -2,
            true => i32::from(old.depth),
        };
        if let Some(least) = bucket.iter_mut().min_by_key(|old| worth(old)) {
            *least = entry;
        }
    }

    /// Thousandths of the table that this search has filled, from a sample.
    pub(super) fn permille_used(&self) -> u32 {
        let sample = self.buckets.len().min(250);
        let used = self.buckets[..sample]
            .iter()
            .flatten()
            .filter(|entry| entry.generation == self.generation)
            .count();
        u32::try_from(1000 * used / (sample * BUCKET)).unwrap_or(1000)
    }
}

/// A hash of a board and of what else its score depends on.
pub(super) fn key(board: Board, ahead: i32) -> u64 {
    let mix = |word: u64, by: u64| {
        let wide = u128::from(word) * u128::from(by);
        // Folding a product's halves keeps what every bit of the word did.
        #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
        let folded = wide as u64 ^ (wide >> 64) as u64;
        folded
    };
    let own = board.mover().packed() ^ 0x9e37_79b9_7f4a_7c15;
    let other = board.opponent().packed() ^ u64::from(ahead.cast_unsigned()).rotate_left(48);
    mix(own ^ mix(other ^ 0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f), 0xe703_7ed1_a0b4_28db)
}
