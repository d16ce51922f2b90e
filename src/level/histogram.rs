//! The number of boards per value in a level.

use super::{LevelValues, plain_value};
use crate::rules::Seeds;
use rayon::prelude::*;

/// The number of boards per value, −n..=n in a level of n seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Entry `value + n`.
    counts: Vec<u64>,
}

impl Histogram {
    /// The empty histogram of a level of `seeds` seeds.
    #[must_use]
    pub fn new(seeds: Seeds) -> Self {
        Self { counts: vec![0; Self::entries(seeds)] }
    }

    /// The histogram of the reachable boards of a level.
    #[must_use]
    pub fn of_level(level: &LevelValues) -> Self {
        const TASK_BYTES: usize = 1 << 16;
        let by_byte = level
            .bytes()
            .par_chunks(TASK_BYTES)
            .map(|bytes| {
                // Two counters per byte, used in turn: in a run of one value, an increment does not
                // wait for the one before.
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
            histogram.add(plain_value(byte), count);
        }
        histogram
    }

    /// The number of values in −`seeds`..=`seeds`.
    pub(crate) const fn entries(seeds: Seeds) -> usize {
        2 * seeds.index() + 1
    }

    /// A histogram from its counts for −n..=n; `None` unless there are 2n + 1 of them for some n up
    /// to 48.
    #[must_use]
    pub fn from_counts(counts: Vec<u64>) -> Option<Self> {
        let fits = counts.len() % 2 == 1 && counts.len() <= Self::entries(Seeds::MAX);
        fits.then_some(Self { counts })
    }

    /// Adds `boards` boards to the count of a value.
    ///
    /// # Panics
    /// If the value is not in −n..=n and `boards` is not 0.
    pub fn add(&mut self, value: i8, boards: u64) {
        if boards > 0 {
            let at = self.place(value).expect("a value is at most the level's seeds");
            self.counts[at] += boards;
        }
    }

    /// The number of boards with a value; 0 if the value is not in −n..=n.
    #[must_use]
    pub fn count(&self, value: i8) -> u64 {
        self.place(value).map_or(0, |at| self.counts[at])
    }

    /// The counts for −n..=n.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The number of all boards.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The values that boards have, from −n to n, with their numbers of boards.
    #[expect(clippy::missing_panics_doc, reason = "a histogram has at most 97 entries")]
    pub fn iter(&self) -> impl Iterator<Item = (i8, u64)> + '_ {
        let seeds = i8::try_from(self.counts.len() / 2).expect("a level has at most 48 seeds");
        (-seeds..).zip(self.counts.iter().copied()).filter(|&(_, count)| count > 0)
    }

    fn place(&self, value: i8) -> Option<usize> {
        let at = isize::from(value) + (self.counts.len() / 2).cast_signed();
        usize::try_from(at).ok().filter(|&at| at < self.counts.len())
    }
}
