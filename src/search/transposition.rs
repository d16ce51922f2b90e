//! The transposition table.
//!
//! A bucket is one cache line of four entries of 16 bytes. An entry belongs to the search
//! (generation) that stored it and is invisible to later searches. So results do not depend on
//! earlier searches, and the table is not cleared. A proved bound holds at every depth.
//!
//! ```text
//! key 64 bits · score 16 · generation 16 · depth 8 · pit 8 · bounds 8 · unused 8
//! ```

use crate::level::{Bytes, memory};
use crate::rules::{Board, Pit};
use std::io;

/// Entries per bucket.
const BUCKET: usize = 4;
/// Bytes per entry.
const ENTRY_BYTES: usize = 16;
/// Bytes per bucket: one cache line.
const BUCKET_BYTES: usize = BUCKET * ENTRY_BYTES;
/// Marks an entry without a best move.
const NO_PIT: u8 = 6;

/// The stored result of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Sixteen zero bytes are an entry of generation 0, which no search has.
    const fn of_bytes(bytes: [u8; ENTRY_BYTES]) -> Self {
        let [k0, k1, k2, k3, k4, k5, k6, k7, s0, s1, g0, g1, depth, pit, bounds, _] = bytes;
        Self {
            key: u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            score: i16::from_le_bytes([s0, s1]),
            generation: u16::from_le_bytes([g0, g1]),
            depth,
            pit,
            bounds,
        }
    }

    const fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let [k0, k1, k2, k3, k4, k5, k6, k7] = self.key.to_le_bytes();
        let ([s0, s1], [g0, g1]) = (self.score.to_le_bytes(), self.generation.to_le_bytes());
        let Self { depth, pit, bounds, .. } = self;
        [k0, k1, k2, k3, k4, k5, k6, k7, s0, s1, g0, g1, depth, pit, bounds, 0]
    }

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
///
/// The memory is zero and comes from the system page by page when it is first used, so that a large
/// table costs no time before the search.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    bytes: Bytes,
    generation: u16,
}

impl TranspositionTable {
    /// A table of at most `bytes` bytes, but at least one bucket.
    ///
    /// # Errors
    /// When the system has no memory for it.
    pub(super) fn new(bytes: usize) -> io::Result<Self> {
        let rounded = rounded_bytes(bytes);
        memory::expect_free(rounded as u64)?;
        Ok(Self { bytes: Bytes::zeroed(rounded)?, generation: 0 })
    }

    /// A table of one bucket.
    pub(super) fn smallest() -> Self {
        Self { bytes: Bytes::from(vec![0; BUCKET_BYTES]), generation: 0 }
    }

    /// Whether a new table of at most `bytes` bytes would have the size of this one.
    pub(super) fn fits(&self, bytes: usize) -> bool {
        self.bytes.len() == rounded_bytes(bytes)
    }

    /// Makes all entries invisible.
    pub(super) fn new_search(&mut self) {
        match self.generation.checked_add(1) {
            Some(next) => self.generation = next,
            None => {
                self.bytes.fill(0);
                self.generation = 1;
            }
        }
    }

    /// The first byte of the bucket of a key.
    fn bucket(&self, key: u64) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "the mask keeps low bits only")]
        let low = key as usize;
        // The length is a power of two.
        low.wrapping_mul(BUCKET_BYTES) & (self.bytes.len() - 1)
    }

    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let at = self.bucket(key);
        let (entries, _) = self.bytes[at..at + BUCKET_BYTES].as_chunks();
        let mut entries = entries.iter().map(|&bytes| Entry::of_bytes(bytes));
        entries.find(|entry| entry.key == key && entry.generation == self.generation)
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
        let (bucket, _) = self.bytes[at..at + BUCKET_BYTES].as_chunks_mut();
        // The order of replacement: the same position, an earlier search, the least depth.
        let priority = |old: Entry| match old.generation == generation {
            false => -1,
            true if old.key == key => -2,
            true => i32::from(old.depth),
        };
        let replaced = bucket.iter_mut().min_by_key(|old| priority(Entry::of_bytes(**old)));
        *replaced.expect("a bucket has entries") = entry.to_bytes();
    }

    /// Thousandths of the table that hold entries of the current search, estimated from a sample.
    pub(super) fn permille_used(&self) -> u32 {
        let (entries, _) = self.bytes.as_chunks();
        let sample = &entries[..entries.len().min(250 * BUCKET)];
        let is_used =
            |bytes: &&[u8; ENTRY_BYTES]| Entry::of_bytes(**bytes).generation == self.generation;
        let used = sample.iter().filter(is_used).count();
        u32::try_from(1000 * used / sample.len()).expect("at most 1000")
    }
}

/// The size of a table of at most `bytes` bytes: a power of two, at least one bucket.
fn rounded_bytes(bytes: usize) -> usize {
    let buckets = (bytes / BUCKET_BYTES).max(1);
    BUCKET_BYTES << buckets.ilog2()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let entry =
            Entry { key: u64::MAX - 5, score: -4800, generation: 7, depth: 99, pit: 3, bounds: 9 };
        assert_eq!(Entry::of_bytes(entry.to_bytes()), entry);
        assert_eq!(Entry::of_bytes([0; ENTRY_BYTES]), Entry::default());
    }

    #[test]
    fn sizes_are_powers_of_two_and_never_more_than_allowed() {
        for (bytes, rounded) in [(0, 64), (64, 64), (127, 64), (128, 128), (1 << 20, 1 << 20)] {
            assert_eq!(rounded_bytes(bytes), rounded, "{bytes}");
        }
        assert_eq!(rounded_bytes(usize::MAX), 1 << (usize::BITS - 1));
        assert!(TranspositionTable::new(usize::MAX).is_err());
    }

    #[test]
    fn a_search_finds_what_it_stored_and_nothing_older() {
        let mut table = TranspositionTable::new(1 << 12).expect("memory");
        table.new_search();
        let bounds = Bounds { lower: true, proved_upper: true, ..Bounds::default() };
        for key in 0..1000u64 {
            table.store(key, 4, -7, Pit::new(2), bounds);
            let found = table.probe(key).expect("just stored");
            assert_eq!((found.depth(), found.score(), found.best()), (4, -7, Pit::new(2)));
            assert_eq!(found.bounds(), bounds);
        }
        assert_eq!(table.permille_used(), 1000);
        table.new_search();
        assert!((0..1000).all(|key| table.probe(key).is_none()));
        assert_eq!(table.permille_used(), 0);
    }
}
