//! Asking the database: hot and cold probes, moves, batches, threads; every answer checked.
//!
//! Tables of `awari` to 12 seeds are built first. With `OWARE_BENCH_TABLES` the largest level in
//! that folder is asked instead, and `OWARE_BENCH_SEEDS` chooses a smaller one. With
//! `cargo bench` the medians and 99th percentiles of single probes, which divan does not give, are
//! printed before its table.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use divan::{Bencher, black_box};
use oware::build::{BuildOptions, build};
use oware::database::Database;
use oware::export::sample;
use oware::progress::NoProgress;
use oware::rules::{Board, Rules, Seeds};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

const BOARDS: u64 = 100_000;
const ALL_IN_CACHE: u64 = 2 << 30;

fn main() {
    if std::env::args().any(|argument| argument == "--bench") {
        print_latencies();
    }
    divan::main();
}

struct Asked {
    folder: PathBuf,
    boards: Vec<Board>,
    /// The sum of the boards' values, from levels that were expanded or, where that would take
    /// too much memory, from a batch.
    sum: i64,
    _built: Option<tempfile::TempDir>,
}

static ASKED: LazyLock<Asked> = LazyLock::new(|| {
    let given = std::env::var_os("OWARE_BENCH_TABLES").map(PathBuf::from);
    let built = given.is_none().then(|| tempfile::tempdir().expect("a temporary folder"));
    let folder = match (&given, &built) {
        (Some(folder), _) => folder.clone(),
        (None, Some(built)) => {
            build(&BuildOptions::new(Rules::Awari, Seeds::of(12), built.path()), &NoProgress)
                .expect("built");
            built.path().to_owned()
        }
        (None, None) => PathBuf::new(),
    };
    let mut database = Database::open(&folder, Rules::Awari).expect("opens");
    let chosen = std::env::var("OWARE_BENCH_SEEDS").ok().and_then(|seeds| seeds.parse().ok());
    let seeds = chosen.or(database.levels().last().copied()).expect("a level");
    let mut boards = sample(seeds, BOARDS, 1);
    // As users ask: in no order.
    let count = boards.len();
    for at in 0..count {
        boards.swap(at, (at * 7_919 + 13) % count);
    }
    database.expand_levels(seeds).expect("the levels are whole");
    let sum = boards.iter().map(|&board| value(&database, board)).sum();
    Asked { folder, boards, sum, _built: built }
});

fn value(database: &Database, board: Board) -> i64 {
    i64::from(database.value(board).expect("held").get())
}

fn open(cache_bytes: u64) -> Database {
    let options = Database::options().cache_bytes(cache_bytes);
    options.open(&ASKED.folder, Rules::Awari).expect("opens")
}

fn open_hot() -> Database {
    let database = open(ALL_IN_CACHE);
    assert_eq!(sum_one_by_one(&database), ASKED.sum);
    database
}

fn sum_one_by_one(database: &Database) -> i64 {
    ASKED.boards.iter().map(|&board| value(database, board)).sum()
}

/// Asks all boards from as many threads, each its part.
fn sum_by_threads(database: &Database, threads: usize) -> i64 {
    let part = ASKED.boards.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let ask = |boards: &'static [Board]| {
            scope.spawn(move || boards.iter().map(|&board| value(database, board)).sum::<i64>())
        };
        let asking: Vec<_> = ASKED.boards.chunks(part).map(ask).collect();
        asking.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    })
}

#[divan::bench(args = [1, 2], sample_count = 5)]
fn hot_probes(bencher: Bencher<'_, '_>, threads: usize) {
    let database = open_hot();
    let boards = divan::counter::ItemsCount::new(ASKED.boards.len());
    bencher.counter(boards).bench(|| {
        assert_eq!(sum_by_threads(black_box(&database), threads), ASKED.sum);
    });
}

/// One by one as most users ask: a cache of the usual size, with nothing in it at first.
#[divan::bench(sample_count = 3)]
fn probes_with_a_cold_cache(bencher: Bencher<'_, '_>) {
    let boards = divan::counter::ItemsCount::new(ASKED.boards.len());
    let open = || Database::open(&ASKED.folder, Rules::Awari).expect("opens");
    bencher.counter(boards).with_inputs(open).bench_refs(|database| {
        assert_eq!(sum_one_by_one(black_box(database)), ASKED.sum);
    });
}

/// Without a cache: blocks are decoded up to the board asked, and not kept.
#[divan::bench(args = [1, 2], sample_count = 3)]
fn cold_probes(bencher: Bencher<'_, '_>, threads: usize) {
    let database = open(0);
    let boards = divan::counter::ItemsCount::new(ASKED.boards.len());
    bencher.counter(boards).bench(|| {
        assert_eq!(sum_by_threads(black_box(&database), threads), ASKED.sum);
    });
}

#[divan::bench(sample_count = 3)]
fn expanded_probes(bencher: Bencher<'_, '_>) {
    let mut database = open(0);
    let seeds = ASKED.boards[0].level();
    database.expand_levels(seeds).expect("the levels are whole");
    let boards = divan::counter::ItemsCount::new(ASKED.boards.len());
    bencher.counter(boards).bench(|| {
        assert_eq!(sum_one_by_one(black_box(&database)), ASKED.sum);
    });
}

#[divan::bench(sample_count = 5)]
fn batch_of_values_with_a_cold_cache(bencher: Bencher<'_, '_>) {
    let database = open(0);
    let boards = divan::counter::ItemsCount::new(ASKED.boards.len());
    bencher.counter(boards).bench(|| {
        let values = database.values(black_box(&ASKED.boards));
        let sum: i64 = values.into_iter().map(|value| i64::from(value.expect("held").get())).sum();
        assert_eq!(sum, ASKED.sum);
    });
}

#[divan::bench(sample_count = 3)]
fn batch_of_moves_with_a_cold_cache(bencher: Bencher<'_, '_>) {
    let database = open(0);
    let boards = divan::counter::ItemsCount::new(ASKED.boards.len());
    let ended: i64 = ASKED
        .boards
        .iter()
        .filter(|&&board| Rules::Awari.end(board).is_some())
        .map(|&board| value(&database, board))
        .sum();
    bencher.counter(boards).bench(|| {
        let best = |moves: Vec<oware::database::MoveValue>| moves.first().map(|best| best.value);
        let moves = database.moves_batch(black_box(&ASKED.boards)).into_iter();
        let values = moves.filter_map(|moves| best(moves.expect("held")));
        assert_eq!(values.map(|value| i64::from(value.get())).sum::<i64>() + ended, ASKED.sum);
    });
}

/// Median and 99th percentile of single probes, one thread.
fn print_latencies() {
    let seeds = ASKED.boards[0].level();
    println!("{} boards of {seeds} seeds, one thread, ns a probe", ASKED.boards.len());
    println!("                      median    99 %");
    let mut expanded = open(0);
    expanded.expand_levels(seeds).expect("the levels are whole");
    for (name, database) in [
        ("block decoded before", open_hot()),
        ("block not decoded", open(0)),
        ("expanded", expanded),
    ] {
        let mut times: Vec<Duration> = ASKED
            .boards
            .iter()
            .map(|&board| {
                let start = Instant::now();
                black_box(value(&database, board));
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        let at = |share: usize| times[times.len() * share / 100].as_nanos();
        println!("{name:<20} {:>8} {:>7}", at(50), at(99));
    }
}
