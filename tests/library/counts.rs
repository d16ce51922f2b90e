//! How many boards have each value, as published and as found by an independent slow solver: the
//! counts under `data/`.

use oware::rules::Rules;
use std::collections::BTreeMap;

/// Boards per value.
pub(crate) type Histogram = BTreeMap<i8, u64>;

const ORACLE: &str = include_str!("../../data/oracle_histograms.csv");
const PUBLISHED: &str = include_str!("../../data/lincke_histograms.csv");

/// The oracle's counts of one level: all boards, reachable boards. Values that no board has are
/// left out.
pub(crate) fn oracle(rules: Rules, seeds: u8) -> (Histogram, Histogram) {
    let mut all = Histogram::new();
    let mut reachable = Histogram::new();
    for fields in rows(ORACLE) {
        let [name, level, value, in_all, in_reachable] = fields[..] else {
            panic!("five fields expected: {fields:?}");
        };
        if name == rules.name() && number(level) == u64::from(seeds) {
            count(&mut all, value, in_all);
            count(&mut reachable, value, in_reachable);
        }
    }
    assert!(!all.is_empty(), "{rules}, {seeds} seeds: not in the oracle's file");
    (all, reachable)
}

/// The published counts of one level of `awari`, all boards.
pub(crate) fn published(seeds: u8) -> Histogram {
    let mut all = Histogram::new();
    for fields in rows(PUBLISHED) {
        let [level, value, boards] = fields[..] else {
            panic!("three fields expected: {fields:?}");
        };
        if number(level) == u64::from(seeds) {
            count(&mut all, value, boards);
        }
    }
    assert!(!all.is_empty(), "{seeds} seeds: not in the published file");
    all
}

fn rows(file: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = file.lines().skip(1).filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(',').collect())
}

fn number(field: &str) -> u64 {
    field.parse().expect("a number")
}

fn count(histogram: &mut Histogram, value: &str, boards: &str) {
    if number(boards) > 0 {
        histogram.insert(value.parse().expect("a value"), number(boards));
    }
}
