//! What `doctor`, `verify` and a failing build advise mends the fault, whatever it is, in one go.

use crate::program::{Run, oware, run_on};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_64_with_seed};

/// A fault, the file that has it, and the command that is to find it.
struct Fault {
    name: &'static str,
    file: &'static str,
    make: fn(&Path),
    found_by: &'static [&'static str],
}

const VALUES: &str = "awari-05.oware";
const LARGEST: &str = "awari-07.oware";
const DISTANCES: &str = "awari-05.distance.oware";
const BOUNDS: &str = "awari-05.bounds.oware";
const RANKS: &str = "awari-05.ranks.oware";
const DOCTOR: &[&str] = &["doctor"];
const VERIFY: &[&str] = &["verify"];

const FAULTS: [Fault; 25] = [
    Fault { name: "missing", file: VALUES, make: remove, found_by: DOCTOR },
    Fault { name: "missing, found by verify", file: VALUES, make: remove, found_by: VERIFY },
    Fault { name: "block damaged", file: VALUES, make: flip_middle, found_by: DOCTOR },
    Fault { name: "largest damaged", file: LARGEST, make: flip_middle, found_by: DOCTOR },
    Fault { name: "block, by verify", file: VALUES, make: flip_middle, found_by: VERIFY },
    Fault { name: "block of distances", file: DISTANCES, make: flip_middle, found_by: DOCTOR },
    Fault { name: "distances, by verify", file: DISTANCES, make: flip_middle, found_by: VERIFY },
    Fault { name: "block of bounds", file: BOUNDS, make: flip_middle, found_by: DOCTOR },
    Fault { name: "bounds, by verify", file: BOUNDS, make: flip_middle, found_by: VERIFY },
    Fault { name: "bounds cut", file: BOUNDS, make: cut, found_by: DOCTOR },
    Fault {
        name: "bounds of another level",
        file: BOUNDS,
        make: bounds_of_level_4,
        found_by: DOCTOR,
    },
    Fault { name: "block of ranks", file: RANKS, make: flip_middle, found_by: DOCTOR },
    Fault { name: "ranks, by verify", file: RANKS, make: flip_middle, found_by: VERIFY },
    Fault { name: "header damaged", file: VALUES, make: |path| flip(path, 40), found_by: DOCTOR },
    Fault { name: "magic damaged", file: VALUES, make: |path| flip(path, 1), found_by: DOCTOR },
    Fault { name: "model or index", file: VALUES, make: flip_index, found_by: DOCTOR },
    Fault { name: "cut", file: VALUES, make: cut, found_by: DOCTOR },
    Fault { name: "bytes after its end", file: LARGEST, make: lengthen, found_by: DOCTOR },
    Fault { name: "empty", file: VALUES, make: empty, found_by: DOCTOR },
    Fault { name: "another level's", file: VALUES, make: copy_of_level_4, found_by: DOCTOR },
    Fault { name: "foreign", file: LARGEST, make: make_foreign, found_by: DOCTOR },
    Fault { name: "older version", file: VALUES, make: make_old, found_by: DOCTOR },
    Fault { name: "a folder in its place", file: VALUES, make: make_folder, found_by: DOCTOR },
    Fault {
        name: "histogram of all boards",
        file: VALUES,
        make: other_histogram,
        found_by: VERIFY,
    },
    Fault {
        name: "values of other rules, all sums right",
        file: VALUES,
        make: wrong_values,
        found_by: VERIFY,
    },
];

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).expect("a table");
    change(&mut bytes);
    fs::write(path, bytes).expect("written");
}

fn flip(path: &Path, at: usize) {
    change(path, |bytes| bytes[at] ^= 1);
}

fn flip_middle(path: &Path) {
    change(path, |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    });
}

fn flip_index(path: &Path) {
    change(path, |bytes| {
        let at = bytes.len() - 18;
        bytes[at] ^= 1;
    });
}

fn remove(path: &Path) {
    fs::remove_file(path).expect("removed");
}

fn cut(path: &Path) {
    change(path, |bytes| bytes.truncate(bytes.len() - 1));
}

fn lengthen(path: &Path) {
    change(path, |bytes| bytes.push(0));
}

fn empty(path: &Path) {
    change(path, Vec::clear);
}

fn copy_of_level_4(path: &Path) {
    fs::copy(path.with_file_name("awari-04.oware"), path).expect("copied");
}

fn bounds_of_level_4(path: &Path) {
    fs::copy(path.with_file_name("awari-04.bounds.oware"), path).expect("copied");
}

fn make_folder(path: &Path) {
    remove(path);
    fs::create_dir(path).expect("a folder");
}

fn make_old(path: &Path) {
    let kept =
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/library/format/version-1/awari-05.oware");
    fs::copy(kept, path).expect("copied");
}

fn header_bytes(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes[72..76].try_into().expect("4 bytes")) as usize
}

/// Makes the checksums of header and file fit.
fn repair_sums(bytes: &mut [u8]) {
    let header = header_bytes(bytes);
    let checksum = xxh3_64(&bytes[..header - 8]).to_le_bytes();
    bytes[header - 8..header].copy_from_slice(&checksum);
    let end = bytes.len() - 16;
    let mut digest = Xxh3Default::new();
    digest.update(&bytes[header..end]);
    digest.update(&bytes[..header]);
    bytes[end..].copy_from_slice(&digest.digest128().to_le_bytes());
}

/// The digest of level 2, from which the table says that it was computed.
fn make_foreign(path: &Path) {
    change(path, |bytes| {
        let at = header_bytes(bytes) - 8 - 16 * (usize::from(bytes[12]) - 2);
        bytes[at] ^= 1;
        repair_sums(bytes);
    });
}

/// A board of the histogram of all boards has another value.
fn other_histogram(path: &Path) {
    change(path, |bytes| {
        let second = 128 + 8 * (2 * usize::from(bytes[12]) + 1);
        bytes[second] ^= 1;
        bytes[second + 16] ^= 1;
        repair_sums(bytes);
    });
}

/// All levels of another rule set's values under the names of this one's, from this level on, each
/// sound by its own sums.
fn wrong_values(path: &Path) {
    let others = path.parent().expect("a folder").join("others");
    run_on(&others, &["build", "--seeds", "7", "--rules", "abapa"]).succeeded();
    for seeds in 5..=7 {
        let name = format!("awari-{seeds:02}.oware");
        let mut bytes = fs::read(others.join(format!("abapa-{seeds:02}.oware"))).expect("a table");
        bytes[11] = 0;
        reseal(&mut bytes);
        repair_sums(&mut bytes);
        fs::write(path.with_file_name(name), bytes).expect("written");
    }
    fs::remove_dir_all(others).expect("removed");
}

/// Makes the checks of blocks fit the identity of a table.
fn reseal(bytes: &mut [u8]) {
    let number = |at: usize| {
        usize::try_from(u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes")))
            .expect("small")
    };
    let model = u32::from_le_bytes(bytes[76..80].try_into().expect("4 bytes")) as usize;
    let block_boards = u32::from_le_bytes(bytes[24..28].try_into().expect("4 bytes")) as usize;
    let blocks = number(16).div_ceil(block_boards);
    let mut start = header_bytes(bytes) + model;
    let mut index = start + number(80);
    let identity = xxh3_64(&bytes[..64]);
    for block in 0..blocks {
        index += if block % 64 == 0 { 8 } else { 0 };
        let length = usize::from(u16::from_le_bytes([bytes[index], bytes[index + 1]]));
        let seed = identity.wrapping_add(block as u64);
        let check = xxh3_64_with_seed(&bytes[start + 4..start + length], seed).to_le_bytes();
        bytes[start..start + 4].copy_from_slice(&check[..4]);
        start += length;
        index += 2;
    }
}

/// A copy of a folder with values of 0 to 7 seeds, and distances, bounds and ranks of 0 to 5.
fn copy_of_tables() -> TempDir {
    static TABLES: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        run_on(folder.path(), &["build", "--seeds", "5", "--distances", "--bounds"]).succeeded();
        run_on(folder.path(), &["build", "--seeds", "7"]).succeeded();
        folder
    });
    let folder = tempfile::tempdir().expect("a temporary folder");
    for entry in fs::read_dir(TABLES.path()).expect("the tables") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, folder.path().join(path.file_name().expect("a name"))).expect("a copy");
    }
    folder
}

fn tables_in(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut tables: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "oware"))
        .map(|path| (path.file_name().expect("a name").into(), fs::read(&path).expect("a table")))
        .collect();
    tables.sort();
    tables
}

/// Runs commands as a person would who pastes them.
fn run_advice(advice: &str) {
    let program = assert_cmd::cargo::cargo_bin!("oware");
    let advice = advice.replace("oware build", &format!("{} build", program.display()));
    let done = Command::new("sh").args(["-ec", &advice]).output().expect("a shell");
    assert!(done.status.success(), "{advice}: {done:?}");
}

/// The commands that a run advises: after `next:`, or in backticks.
fn advice_of(run: &Run) -> String {
    let next: Vec<&str> =
        run.stdout.lines().filter_map(|line| line.strip_prefix("next: ")).collect();
    match next.is_empty() {
        false => next.join("\n"),
        true => run.stderr.split('`').nth(1).expect("advice").to_owned(),
    }
}

#[cfg(unix)]
#[test]
fn the_advice_for_every_fault_mends_it_in_one_run() {
    let sound = copy_of_tables();
    let expected = tables_in(sound.path());
    for fault in FAULTS {
        let folder = copy_of_tables();
        (fault.make)(&folder.path().join(fault.file));
        let found = run_on(folder.path(), fault.found_by);
        assert_eq!(found.status, 1, "{}: {found:?}", fault.name);
        let advice = advice_of(&found);
        run_advice(&advice);
        run_on(folder.path(), &["doctor"]).succeeded();
        run_on(folder.path(), &["verify", "--deep"]).succeeded();
        assert!(tables_in(folder.path()) == expected, "{}: after {advice}", fault.name);
    }
}

/// A build that needs a table whose fault its header does not show.
#[cfg(unix)]
#[test]
fn a_build_that_fails_at_a_damaged_table_advises_what_mends_it() {
    let folder = copy_of_tables();
    flip_middle(&folder.path().join(VALUES));
    let failed =
        run_on(folder.path(), &["build", "--seeds", "8"]).failed(1, &[VALUES, "--force=5"]);
    run_advice(&advice_of(&failed));
    run_on(folder.path(), &["build", "--seeds", "8"]).succeeded();
    run_on(folder.path(), &["verify"]).succeeded();
    flip_middle(&folder.path().join(VALUES));
    let forced = run_on(folder.path(), &["build", "--seeds", "9", "--force"]).succeeded();
    assert!(forced.stdout.starts_with("built 2 awari tables"), "{forced:?}");
    run_on(folder.path(), &["verify"]).succeeded();
}

#[test]
fn the_levels_to_make_again_are_numbers() {
    for wrong in ["5,x", "49", "", "some"] {
        let force = format!("--force={wrong}");
        let run =
            Run::of(oware().args(["build", "--seeds", "5", &force]).output().expect("it starts"));
        run.failed(2, &["--force"]);
    }
}
