//! How many boards have each value, against the published and the oracle counts under `data/`.

use crate::counts::{Histogram, oracle, published};
use crate::naive;
use oware::rules::Rules;
use rayon::prelude::*;

#[test]
fn slow_values_have_the_oracle_histograms_to_9_seeds() {
    Rules::ALL.into_par_iter().for_each(|rules| {
        let values = naive::solve(rules, 9);
        let mut found = vec![(Histogram::new(), Histogram::new()); 10];
        for (pits, value) in values {
            let (all, reachable) = &mut found[usize::from(pits.iter().sum::<u8>())];
            *all.entry(value).or_default() += 1;
            if pits[6..].contains(&0) {
                *reachable.entry(value).or_default() += 1;
            }
        }
        for (seeds, found) in (0..).zip(found) {
            assert_eq!(found, oracle(rules, seeds), "{rules}, {seeds} seeds");
        }
    });
}

#[test]
fn oracle_and_published_histograms_agree_to_10_seeds() {
    for seeds in 0..=10 {
        assert_eq!(oracle(Rules::Awari, seeds).0, published(seeds), "{seeds} seeds");
    }
}
