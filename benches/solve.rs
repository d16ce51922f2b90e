//! Solving, level 14 from those below it, by rule set; with distances; each checked by its count
//! of even boards.

use divan::{Bencher, black_box};
use oware::rules::{Rules, Seeds};
use oware::solve::{solve_in_memory, solve_with_distances};

const SEEDS: Seeds = Seeds::of(14);

fn main() {
    divan::main();
}

/// Boards of value 0 at 14 seeds, and boards in all levels up to it.
fn even_boards(levels: &[oware::level::LevelValues]) -> usize {
    levels[SEEDS.index()].bytes().iter().filter(|&&byte| byte >> 1 == 0).count()
}

#[divan::bench(args = Rules::ALL, sample_count = 5)]
fn levels_to_14(bencher: Bencher<'_, '_>, rules: Rules) {
    let expected = even_boards(&solve_in_memory(rules, SEEDS).expect("memory"));
    let boards: u64 = SEEDS.up_to().map(oware::index::reachable_boards).sum();
    bencher.counter(divan::counter::ItemsCount::new(boards)).bench(|| {
        let levels = solve_in_memory(black_box(rules), SEEDS).expect("memory");
        assert_eq!(even_boards(&levels), expected);
    });
}

#[divan::bench(sample_count = 5)]
fn levels_to_12_with_distances() {
    let levels = solve_with_distances(black_box(Rules::Awari), Seeds::of(12)).expect("memory");
    // Published: 130 plies occur at 12 seeds.
    assert_eq!(levels[12].1.most_plies(), 130);
}
