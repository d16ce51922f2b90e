//! The bytes of a build depend on the rule set and the level alone.

use oware::build::{BuildError, BuildOptions, build, plan};
use oware::progress::{NoProgress, StopFlag};
use oware::rules::{Rules, Seeds};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const SEEDS: Seeds = Seeds::of(11);

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a plain name");
        if !name.starts_with('.') {
            found.insert(name, std::fs::read(entry.path()).expect("a file"));
        }
    }
    found
}

fn built(rules: Rules, change: impl FnOnce(&mut BuildOptions)) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = BuildOptions::new(rules, SEEDS, folder.path());
    change(&mut options);
    build(&options, &NoProgress).expect("a build");
    files(folder.path())
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(work)
}

#[test]
fn threads_memory_and_distances_change_no_table_of_values() {
    for rules in [Rules::Awari, Rules::TwoLap, Rules::OpponentTakesRest] {
        let usual = on_threads(1, || built(rules, |_| {}));
        assert_eq!(usual.len(), SEEDS.index() + 1);
        assert!(usual == on_threads(2, || built(rules, |_| {})), "{rules}: two threads");
        assert!(usual == on_threads(3, || built(rules, |_| {})), "{rules}: three threads");
        let least = built(rules, |options| {
            let levels = plan(options).expect("a plan").levels;
            options.memory_bytes = levels.iter().map(|level| level.least_memory_bytes).max();
        });
        assert!(usual == least, "{rules}: the least memory");
        let with_distances = on_threads(2, || built(rules, |options| options.distances = true));
        let values: BTreeMap<_, _> =
            with_distances.into_iter().filter(|(name, _)| !name.contains("distance")).collect();
        assert!(usual == values, "{rules}: distances");
    }
}

#[test]
fn tables_of_distances_bounds_and_ranks_depend_on_neither_threads_nor_memory() {
    for rules in [Rules::Awari, Rules::Abapa, Rules::Wari] {
        let all = |options: &mut BuildOptions| {
            options.distances = true;
            options.bounds = true;
        };
        let one = on_threads(1, || built(rules, all));
        assert_eq!(one.len(), 4 * (SEEDS.index() + 1));
        assert!(one == on_threads(3, || built(rules, all)), "{rules}: three threads");
        let least = built(rules, |options| {
            all(options);
            let levels = plan(options).expect("a plan").levels;
            options.memory_bytes = levels.iter().map(|level| level.least_memory_bytes).max();
        });
        assert!(one == least, "{rules}: the least memory");
        let bounds_alone = built(rules, |options| options.bounds = true);
        for (name, bytes) in &bounds_alone {
            assert!(one[name] == *bytes, "{rules}: {name} without distances");
        }
    }
}

/// Levels that have no bounds yet get them, whichever tables are there.
#[test]
fn bounds_that_are_built_later_are_the_same() {
    let usual = built(Rules::Awari, |options| options.bounds = true);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let make = |seeds: u8, bounds| {
        let options = BuildOptions::new(Rules::Awari, Seeds::of(seeds), folder.path());
        build(&options.bounds(bounds), &NoProgress).expect("a build")
    };
    make(8, false);
    assert_eq!(make(6, true).built.len(), 7);
    assert_eq!(make(SEEDS.get(), true).built.len(), 5);
    assert!(usual == files(folder.path()));
}

#[test]
fn too_little_memory_is_refused_before_work_starts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = BuildOptions::new(Rules::Awari, SEEDS, folder.path());
    options.memory_bytes = Some(1 << 20);
    let refused = build(&options, &NoProgress).expect_err("one megabyte");
    assert!(matches!(refused, BuildError::NoMemory { .. }), "{refused}");
    assert!(files(folder.path()).is_empty());
}

/// Stops a build after so many pieces of solving.
struct StopAfter {
    pieces: AtomicU64,
    stop: StopFlag,
}

impl oware::progress::Progress for StopAfter {
    fn advance(&self, _: u64) {
        if self.pieces.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.stop();
        }
    }
}

#[test]
fn builds_stopped_anywhere_and_resumed_give_the_same_bytes() {
    for (distances, bounds) in [(false, false), (true, false), (false, true), (true, true)] {
        let change = |options: &mut BuildOptions| {
            options.distances = distances;
            options.bounds = bounds;
        };
        let usual = built(Rules::Awari, change);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut stops = 0;
        let mut pieces = 40;
        loop {
            let mut options = BuildOptions::new(Rules::Awari, SEEDS, folder.path());
            change(&mut options);
            // A checkpoint after every piece of work.
            options.checkpoint_every = Duration::ZERO;
            let stop = options.stop.clone();
            match build(&options, &StopAfter { pieces: AtomicU64::new(pieces), stop }) {
                Ok(_) => break,
                Err(BuildError::Stopped) => stops += 1,
                Err(error) => panic!("{error}"),
            }
            pieces += 7;
        }
        assert!(stops > 3, "stopped only {stops} times");
        assert!(usual == files(folder.path()), "distances: {distances}, bounds: {bounds}");
    }
}
