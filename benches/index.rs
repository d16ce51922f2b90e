//! Numbering boards and back, per board.

use divan::Bencher;
use divan::counter::ItemsCount;
use oware::index::LevelIndex;
use oware::rules::{Board, Seeds};

fn main() {
    divan::main();
}

const SEEDS: Seeds = Seeds::of(20);
const SAMPLE: u64 = 100_000;

/// Indexes spread over a level of 84 million boards, in no order.
fn sample(level: &LevelIndex) -> Vec<u64> {
    // A step that shares no factor with the number of boards visits no index twice.
    (0..SAMPLE).map(|number| number * 48_271_000_003 % level.boards()).collect()
}

#[divan::bench]
fn index(bencher: Bencher) {
    let level = LevelIndex::new(SEEDS);
    let indexes = sample(&level);
    let boards: Vec<Board> = indexes.iter().filter_map(|&index| level.board(index)).collect();
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        let sum: u64 = boards.iter().filter_map(|&board| level.index(board)).sum();
        assert_eq!(sum, indexes.iter().sum::<u64>());
    });
}

#[divan::bench]
fn board(bencher: Bencher) {
    let level = LevelIndex::new(SEEDS);
    let indexes = sample(&level);
    bencher.counter(ItemsCount::new(indexes.len())).bench_local(|| {
        let boards = indexes.iter().filter_map(|&index| level.board(index));
        let seeds: u64 = boards.map(|board| u64::from(board.seeds())).sum();
        assert_eq!(seeds, u64::from(SEEDS.get()) * SAMPLE);
    });
}

#[divan::bench]
fn walk(bencher: Bencher) {
    let level = LevelIndex::new(SEEDS);
    bencher.counter(ItemsCount::new(SAMPLE)).bench_local(|| {
        let from = level.boards() - SAMPLE;
        assert_eq!(level.boards_from(from).filter(|board| board.is_reachable()).count(), 100_000);
    });
}
