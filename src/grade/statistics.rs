//! Shares, means and their 95 % intervals.
//!
//! The interval of a share is Wilson's (E. B. Wilson, "Probable inference, the law of succession,
//! and statistical inference", JASA 22, 1927), which stays inside 0..=1 and is accurate near the ends
//! and for few trials. The interval of a mean is the normal interval of its standard error.
//!
//! Invariant: without observations every statistic is `None` (`null` in JSON).

use serde::Serialize;

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// A 95 % interval, lower end first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval(pub f64, pub f64);

impl Interval {
    /// Whether `value` lies inside, ends included.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        (self.0..=self.1).contains(&value)
    }
}

/// The number of successes in some trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Successes.
    pub hits: u64,
    /// Trials.
    pub trials: u64,
}

impl Share {
    /// Counts a trial.
    pub fn count(&mut self, hit: bool) {
        self.trials += 1;
        self.hits += u64::from(hit);
    }

    /// Successes per trial, 0 to 1; `None` without trials.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        (self.trials > 0).then(|| real(self.hits) / real(self.trials))
    }

    /// Wilson's 95 % interval; `None` without trials.
    #[must_use]
    pub fn interval(self) -> Option<Interval> {
        wilson(self.rate()?, self.trials)
    }
}

/// Wilson's 95 % interval of a rate over `trials` trials. It is also valid, if wide, for the mean of
/// numbers between 0 and 1, whose variance is at most that of hits and misses.
pub(crate) fn wilson(rate: f64, trials: u64) -> Option<Interval> {
    if trials == 0 {
        return None;
    }
    let trials = real(trials);
    let square = NORMAL_95 * NORMAL_95;
    let scale = 1.0 + square / trials;
    let centre = rate + square / (2.0 * trials);
    let spread =
        NORMAL_95 * (rate * (1.0 - rate) / trials + square / (4.0 * trials * trials)).sqrt();
    Some(Interval(((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0)))
}

/// A running mean and spread (Welford's update).
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    observations: u64,
    mean: f64,
    squares: f64,
}

impl Mean {
    /// Adds an observation.
    pub fn add(&mut self, value: f64) {
        self.observations += 1;
        let before = value - self.mean;
        self.mean += before / real(self.observations);
        self.squares += before * (value - self.mean);
    }

    /// The number of observations.
    #[must_use]
    pub const fn observations(&self) -> u64 {
        self.observations
    }

    /// The mean; `None` without observations.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        (self.observations > 0).then_some(self.mean)
    }

    /// The normal 95 % interval; `None` with fewer than two observations.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        if self.observations < 2 {
            return None;
        }
        let observations = real(self.observations);
        let error = (self.squares / (observations - 1.0) / observations).sqrt();
        Some(Interval(self.mean - NORMAL_95 * error, self.mean + NORMAL_95 * error))
    }
}

/// A count as a real number.
pub(crate) fn real(count: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of answers are far below 2^52")]
    let number = count as f64;
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 5e-4
    }

    #[test]
    fn wilson_intervals_equal_published_ones() {
        // Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in
        // Medicine 17 (1998), table I, method 3 (score without continuity correction).
        for (hits, trials, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let Interval(a, b) = Share { hits, trials }.interval().expect("trials");
            assert!(near(a, low) && near(b, high), "{hits}/{trials}: {a} {b}");
        }
        let all = Share { hits: 29, trials: 29 }.interval().expect("trials");
        assert!(all.contains(1.0) && near(all.0, 1.0 - 0.1170), "{all:?}");
        assert_eq!(Share::default().interval(), None);
        assert_eq!(Share::default().rate(), None);
    }

    #[test]
    fn the_running_mean_equals_the_plain_one() {
        let values = [0.0, 3.0, 0.0, 1.0, 7.0, 2.0];
        let mut mean = Mean::default();
        assert_eq!(mean.value(), None);
        mean.add(values[0]);
        assert_eq!(mean.interval(), None);
        values[1..].iter().for_each(|&value| mean.add(value));
        let plain = values.iter().sum::<f64>() / 6.0;
        let variance = values.iter().map(|value| (value - plain).powi(2)).sum::<f64>() / 5.0;
        let half = 1.96 * (variance / 6.0).sqrt();
        assert!(near(mean.value().expect("six"), plain));
        let Interval(low, high) = mean.interval().expect("six");
        assert!(near(low, plain - half) && near(high, plain + half));
    }
}
