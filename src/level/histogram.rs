//! How many boards of a level have each value.

use super::LevelValues;
use rayon::prelude::*;

/// Boards by value, −n..=n for a level of n seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Entry `value + n`.
    counts: Vec<u64>,
}

impl Histogram {
    /// No boards yet of a level of `seeds` seeds.
    #[must_use]
    pub fn new(seeds: u8) -> Self {
        Self { counts: vec![0; Self::entries(seeds)] }
    }

    /// The reachable boards of a solved level.
    #[must_use]
    pub fn of_level(level: &LevelValues) -> Self {
        const BYTES_A_TASK: usize = 1 << 16;
        let by_byte = level
            .bytes()
            .par_chunks(BYTES_A_TASK)
            .map(|bytes| {
                // Two counters a byte, taken in turn: runs of one value do not wait for each other.
                let mut counts = [[0u32; 256]; 2];
                for pair in bytes.chunks(2) {
                    for (counts, &byte) in counts.iter_mut().zip(pair) {
                        counts[usize::from(byte)] += 1;
                    }
                }
                let mut sums = [0u64; 256];
                for (sum, (a, b)) in sums.iter_mut().zip(counts[0].iter().zip(&counts[1])) {
                    *sum = u64::from(*a) + u64::from(*b);
                }
                sums
            })
            .reduce(
                || [0; 256],
                |mut sums, more| {
                    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                    sums
                },
            );
        let mut histogram = Self::new(level.seeds());
        for (byte, count) in (0u8..=255).zip(by_byte) {
            histogram.add(super::values::plain_value(byte), count);
        }
        histogram
    }

    /// Entries for a level: one a value.
    pub(crate) const fn entries(seeds: u8) -> usize {
        2 * seeds as usize + 1
    }

    /// A histogram from its counts for −n..=n; `None` for an even number of them.
    #[must_use]
    pub fn from_counts(counts: Vec<u64>) -> Option<Self> {
        (counts.len() % 2 == 1).then_some(Self { counts })
    }

    /// Counts `boards` more of a value; none when the value is out of range and `boards` is 0.
    ///
    /// # Panics
    /// If the value is beyond the level's seeds and `boards` is not 0.
    pub fn add(&mut self, value: i8, boards: u64) {
        if boards > 0 {
            let at = self.place(value).expect("a value is at most the level's seeds");
            self.counts[at] += boards;
        }
    }

    /// Boards with a value.
    #[must_use]
    pub fn count(&self, value: i8) -> u64 {
        self.place(value).map_or(0, |at| self.counts[at])
    }

    /// The counts for −n..=n.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Boards in all.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Each value with its boards, from −n on; values without boards are left out.
    pub fn iter(&self) -> impl Iterator<Item = (i8, u64)> + '_ {
        let seeds = self.counts.len() / 2;
        let least = -i8::try_from(seeds).unwrap_or(i8::MAX);
        (least..).zip(self.counts.iter().copied()).filter(|&(_, count)| count > 0)
    }

    fn place(&self, value: i8) -> Option<usize> {
        let at = isize::from(value) + (self.counts.len() / 2).cast_signed();
        usize::try_from(at).ok().filter(|&at| at < self.counts.len())
    }
}
