//! Tables of bounds and ranks that were damaged, cut, mixed up or written over: every answer is true
//! or an error.
//!
//! Run with `--nocapture` to see how many cases were tried and how they went.
#![expect(clippy::print_stdout, reason = "the counts are the test's report")]

use crate::layout::layout;
use oware::build::{BuildOptions, build};
use oware::database::Database;
use oware::level::{LevelBounds, LevelDistances};
use oware::progress::NoProgress;
use oware::rules::{Board, Rules, Seeds};
use oware::solve::bounds_with_ranks;
use oware::table::{Contents, Table, TableId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const RULES: Rules = Rules::Awari;
const MOST: Seeds = Seeds::of(7);

struct Tables {
    folder: TempDir,
    truth: Vec<(LevelBounds, LevelDistances)>,
    boards: Vec<Board>,
}

#[derive(Debug, Default)]
struct Tally {
    tried: u32,
    noticed: u32,
    harmless: u32,
}

impl Tables {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = BuildOptions::new(RULES, MOST, folder.path()).bounds(true).distances(true);
        build(&options, &NoProgress).expect("built");
        let truth = bounds_with_ranks(RULES, MOST).expect("memory");
        let of_level = |(level, _): &(LevelBounds, _)| {
            let step = level.bytes().len() / 100 + 1;
            level.index().boards_from(0).step_by(step).collect::<Vec<_>>()
        };
        let boards = truth.iter().flat_map(of_level).collect();
        Self { folder, truth, boards }
    }

    fn path(&self, seeds: Seeds, contents: Contents) -> std::path::PathBuf {
        self.folder.path().join(TableId { rules: RULES, seeds, contents }.file_name())
    }

    /// Puts other bytes under a table's name, and compares every answer with the truth.
    fn probe(&self, path: &Path, bytes: &[u8], what: &str, tally: &mut Tally) {
        fs::remove_file(path).expect("removed");
        fs::write(path, bytes).expect("written");
        let database = Database::open(self.folder.path(), RULES).expect("opens");
        let mut errors = 0;
        for &board in &self.boards {
            let (bounds, ranks) = &self.truth[board.level().index()];
            let found = database.bounds(board);
            errors += u32::from(found.is_err());
            assert!(found.map_or(true, |found| Some(found) == bounds.bounds(board)), "{what}");
            let found = database.rank(board);
            errors += u32::from(found.is_err());
            let rank = match RULES.end(board) {
                Some(_) => Some(0),
                None => ranks.distance(board).map(u32::from),
            };
            assert!(found.map_or(true, |found| found == rank), "{what}: rank of {board}");
        }
        tally.tried += 1;
        tally.noticed += u32::from(errors > 0);
        tally.harmless += u32::from(errors == 0);
    }
}

#[test]
fn damaged_bounds_and_ranks_are_never_read_wrong() {
    let tables = Tables::new();
    let mut random = Pcg64::seed_from_u64(11);
    for contents in [Contents::Bounds, Contents::Ranks] {
        let path = tables.path(MOST, contents);
        let whole = fs::read(&path).expect("a table");
        let mut tally = Tally::default();
        for _ in 0..400 {
            let bit = random.random_range(0..8 * whole.len());
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            tables.probe(&path, &changed, &format!("{contents}, bit {bit}"), &mut tally);
        }
        for _ in 0..100 {
            let length = random.random_range(0..whole.len());
            tables.probe(&path, &whole[..length], &format!("{contents}, {length}"), &mut tally);
        }
        fs::write(&path, &whole).expect("restored");
        println!("{contents}: {tally:?}");
    }
}

/// Every other table under a name, and blocks of another level in the place of a table's own.
#[test]
fn bounds_and_ranks_of_others_are_never_read_wrong() {
    let tables = Tables::new();
    let below = MOST.checked_sub(1).expect("above 0");
    let mut tally = Tally::default();
    for contents in [Contents::Bounds, Contents::Ranks] {
        let path = tables.path(MOST, contents);
        let whole = fs::read(&path).expect("a table");
        for seeds in MOST.up_to() {
            for other in Contents::ALL {
                if (seeds, other) == (MOST, contents) {
                    continue;
                }
                let bytes = fs::read(tables.path(seeds, other)).expect("a table");
                tables.probe(&path, &bytes, &format!("{other} of {seeds}"), &mut tally);
            }
        }
        let other = fs::read(tables.path(below, contents)).expect("a table");
        let (places, guests) = (layout(&whole).block_starts, layout(&other).block_starts);
        for (number, place) in places.windows(2).enumerate() {
            let guest = &guests[number % (guests.len() - 1)..][..2];
            let length = (guest[1] - guest[0]).min(place[1] - place[0]);
            let mut changed = whole.clone();
            changed[place[0]..][..length].copy_from_slice(&other[guest[0]..][..length]);
            tables.probe(&path, &changed, &format!("{contents}, block {number}"), &mut tally);
        }
        fs::write(&path, &whole).expect("restored");
        Table::open(&path, oware::table::Backend::Read).expect("whole again");
    }
    println!("others: {tally:?}");
    assert!(tally.tried > 150 && tally.noticed > 100);
}
