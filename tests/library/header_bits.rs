//! Every bit of a header, flipped, with all checksums repaired: all readers give what is true or an
//! error, single probes and batches the same, and `verify` finds each.

use crate::layout::{layout, repair_all};
use oware::build::{BuildOptions, build};
use oware::database::{Backend, Database};
use oware::export::{Fields, write_npy, write_vu};
use oware::level::LevelValues;
use oware::progress::{NoProgress, StopFlag};
use oware::rules::{Board, Bounds, Rules, Seeds};
use oware::solve::{bounds_with_ranks, solve_with_distances};
use oware::table::{Contents, Table, TableId, expand};
use oware::verify::{VerifyOptions, verify};
use std::fs;
use std::path::Path;

const RULES: Rules = Rules::Awari;
const MOST: Seeds = Seeds::of(5);
const CHANGED: Seeds = Seeds::of(4);
const BACKENDS: [Backend; 3] = [Backend::Mapped, Backend::Read, Backend::Memory];

/// What is true of the boards that are asked for.
struct Truth {
    boards: Vec<Board>,
    values: Vec<i8>,
    distances: Vec<Option<u32>>,
    bounds: Vec<Bounds>,
    ranks: Vec<Option<u32>>,
    npy: Vec<u8>,
    /// Of the changed level and the one above it.
    vu: [Vec<u8>; 2],
    /// The changed level.
    level: LevelValues,
}

impl Truth {
    /// From the untouched tables, compared with the solver.
    fn of(folder: &Path) -> Self {
        let mut levels = solve_with_distances(RULES, MOST).expect("memory");
        let boards: Vec<Board> = [CHANGED, MOST]
            .into_iter()
            .flat_map(|seeds| levels[seeds.index()].0.index().boards_from(0).step_by(23))
            .collect();
        let value =
            |board: &Board| levels[board.level().index()].0.value(*board).expect("reachable").get();
        let distance =
            |board: &Board| levels[board.level().index()].1.distance(*board).map(u32::from);
        let bounds_and_ranks = bounds_with_ranks(RULES, MOST).expect("memory");
        let bounds = |board: &Board| {
            bounds_and_ranks[board.level().index()].0.bounds(*board).expect("reachable")
        };
        let rank = |board: &Board| {
            bounds_and_ranks[board.level().index()].1.distance(*board).map(u32::from)
        };
        let (bounds, ranks) =
            (boards.iter().map(bounds).collect(), boards.iter().map(rank).collect());
        let values = boards.iter().map(value).collect();
        let distances = boards.iter().map(distance).collect();
        let database = Database::open(folder, RULES).expect("opens");
        let mut npy = Vec::new();
        write_npy(&database, &boards, Fields::Values, &mut npy).expect("sound tables");
        let vu = [CHANGED, MOST].map(|seeds| vu_of(&database, seeds).expect("sound tables"));
        let level = levels.swap_remove(CHANGED.index()).0;
        Self { boards, values, distances, bounds, ranks, npy, vu, level }
    }

    /// Asks every reader. Each answer is true or an error.
    fn check_readers(&self, folder: &Path, backend: Backend, what: &str) {
        for cache_bytes in [0, 1 << 20] {
            let options = Database::options().backend(backend).cache_bytes(cache_bytes);
            let database = options.open(folder, RULES).expect("opens");
            let batch = database.values(&self.boards);
            for ((board, found), value) in self.boards.iter().zip(&batch).zip(&self.values) {
                let single = database.value(*board);
                assert_eq!(format!("{single:?}"), format!("{found:?}"), "{what}, {board}");
                assert!(single.map_or(true, |found| found.get() == *value), "{what}, {board}");
            }
            for (board, plies) in self.boards.iter().zip(&self.distances) {
                let found = database.distance(*board);
                assert!(found.map_or(true, |found| found == *plies), "{what}, {board}");
            }
            for ((board, bounds), rank) in self.boards.iter().zip(&self.bounds).zip(&self.ranks) {
                let found = database.bounds(*board);
                assert!(found.map_or(true, |found| found == *bounds), "{what}, {board}");
                let found = database.rank(*board);
                let is_true = |found| found == *rank || RULES.end(*board).is_some();
                assert!(found.map_or(true, is_true), "{what}, {board}");
            }
            let mut npy = Vec::new();
            let written = write_npy(&database, &self.boards, Fields::Values, &mut npy);
            assert_eq!(written.is_ok(), batch.iter().all(Result::is_ok), "{what}");
            assert!(written.is_err() || npy == self.npy, "{what}");
        }
        let database = Database::open(folder, RULES).expect("opens");
        for (seeds, expected) in [CHANGED, MOST].into_iter().zip(&self.vu) {
            assert!(vu_of(&database, seeds).is_none_or(|vu| vu == *expected), "{what}");
        }
        let id = TableId::values(RULES, CHANGED);
        let smaller = database.level_values_to(Seeds::of(3));
        let table = Table::open_in(folder, id, backend);
        if let (Ok(table), Ok(smaller)) = (table, smaller) {
            let level = expand(&table, &smaller);
            let is_true = |level: LevelValues| level.bytes() == self.level.bytes();
            assert!(level.map_or(true, is_true), "{what}");
        }
    }
}

fn vu_of(database: &Database, seeds: Seeds) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    write_vu(database, seeds, &mut bytes).ok().map(|_| bytes)
}

#[test]
fn whatever_bit_of_a_header_is_flipped_readers_agree_and_verify_finds_it() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path();
    let options = BuildOptions::new(RULES, MOST, folder).distances(true).bounds(true);
    build(&options, &NoProgress).expect("built");
    let truth = Truth::of(folder);
    truth.check_readers(folder, Backend::Mapped, "untouched");
    for contents in Contents::ALL {
        let path = folder.join(TableId { rules: RULES, seeds: CHANGED, contents }.file_name());
        let whole = fs::read(&path).expect("a table");
        let places = layout(&whole);
        let bits = 0..8 * (places.header_bytes - 8);
        // Of the histograms and digests, a share: their bits are alike.
        for bit in bits.filter(|&bit| bit < 8 * 128 || bit % 7 == 0) {
            let what = format!("{contents}, byte {} bit {}", bit / 8, bit % 8);
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            repair_all(&mut changed, &places);
            fs::remove_file(&path).expect("removed");
            fs::write(&path, changed).expect("written");
            truth.check_readers(folder, BACKENDS[bit % 3], &what);
            let verified =
                verify(folder, RULES, &VerifyOptions::new(), &NoProgress, &StopFlag::default());
            assert!(!verified.expect("verified").is_clean(), "{what}");
        }
        fs::write(&path, whole).expect("restored");
    }
    let verified = verify(folder, RULES, &VerifyOptions::new(), &NoProgress, &StopFlag::default());
    assert!(verified.expect("verified").is_clean());
}
