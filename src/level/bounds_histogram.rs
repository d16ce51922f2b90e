//! The number of boards per pair of bounds in a level.

use super::LevelBounds;
use crate::rules::{Bounds, Seeds};
use rayon::prelude::*;

/// The number of boards per pair of bounds in a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundsHistogram {
    seeds: Seeds,
    /// For each lower bound from −n in steps of two, the boards by upper bound from it to n.
    counts: Vec<u64>,
}

impl BoundsHistogram {
    /// The empty histogram of a level of `seeds` seeds.
    #[must_use]
    pub fn new(seeds: Seeds) -> Self {
        Self { seeds, counts: vec![0; Self::entries(seeds)] }
    }

    /// The number of pairs of bounds that a level can have: (n + 1)(n + 2) / 2.
    pub(crate) const fn entries(seeds: Seeds) -> usize {
        (seeds.index() + 1) * (seeds.index() + 2) / 2
    }

    /// A histogram from its counts: for each lower bound from −n in steps of two, the boards by
    /// upper bound from it to n. `None` unless there is a count for every pair.
    #[must_use]
    pub fn from_counts(seeds: Seeds, counts: Vec<u64>) -> Option<Self> {
        (counts.len() == Self::entries(seeds)).then_some(Self { seeds, counts })
    }

    /// The histogram of the reachable boards of a level.
    #[must_use]
    pub fn of_level(level: &LevelBounds) -> Self {
        const TASK_BOARDS: usize = 1 << 16;
        let empty = || Self::new(level.seeds());
        let add = |mut sums: Self, more: Self| {
            sums.counts.iter_mut().zip(more.counts).for_each(|(sum, more)| *sum += more);
            sums
        };
        let pieces = level.pairs().par_chunks(TASK_BOARDS).map(|pairs| {
            let mut counts = empty();
            for &pair in pairs {
                let [low, high] = pair.map(|bound| counts.place(bound.cast_signed()));
                let at = counts.position(low, high);
                counts.counts[at] += 1;
            }
            counts
        });
        pieces.reduce(empty, add)
    }

    /// The counts as [`from_counts`](Self::from_counts) takes them.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The pairs of bounds that boards have, lower bounds first, with their numbers of boards.
    pub fn iter(&self) -> impl Iterator<Item = (Bounds, u64)> + '_ {
        let n = self.seeds.get().cast_signed();
        let pairs = (-n..=n).step_by(2).flat_map(move |low| {
            (low..=n).step_by(2).filter_map(move |high| Bounds::new(self.seeds, low, high))
        });
        pairs.zip(self.counts.iter().copied()).filter(|&(_, count)| count > 0)
    }

    /// The number of all boards.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Boards whose value does not depend on the rule for endless play.
    #[must_use]
    pub fn exact_boards(&self) -> u64 {
        self.iter().filter(|(bounds, _)| bounds.is_exact()).map(|(_, count)| count).sum()
    }

    /// The mean number of contested seeds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    pub fn mean_contested(&self) -> f64 {
        let contested: f64 =
            self.iter().map(|(bounds, count)| f64::from(bounds.contested()) * count as f64).sum();
        contested / self.boards().max(1) as f64
    }

    fn place(&self, bound: i8) -> usize {
        let above = i16::from(bound) + i16::from(self.seeds.get());
        usize::from(above.unsigned_abs() / 2)
    }

    const fn position(&self, low: usize, high: usize) -> usize {
        let row = self.seeds.index() + 1;
        low * row - low * low.saturating_sub(1) / 2 + high - low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::solve::bounds_in_memory;

    #[test]
    fn counts_are_in_the_order_of_the_pairs() {
        for level in bounds_in_memory(Rules::Awari, Seeds::of(6)).expect("memory") {
            let histogram = BoundsHistogram::of_level(&level);
            assert_eq!(histogram.boards(), level.index().boards());
            for (bounds, count) in histogram.iter() {
                let found = level.iter().filter(|(_, found)| *found == bounds).count();
                assert_eq!(count, found as u64, "{bounds:?} at {} seeds", level.seeds());
            }
        }
    }
}
