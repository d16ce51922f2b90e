//! The plain Python reader, written from docs/format.md alone, reads the tables that this program
//! writes: all values, by their digest and histogram, for every rule set.
//!
//! Without `python3` the test says that it is left out.

use oware::build::{BuildOptions, build};
use oware::level::{BoundsHistogram, Digest, Histogram};
use oware::progress::NoProgress;
use oware::rules::{Bounds, Rules, Seeds};
use oware::solve::{bounds_in_memory, solve_in_memory};
use oware::table::{TableContents, WriteOptions, write_table};
use std::io::Write as _;
use std::process::Command;

/// Whether there is a `python3`. Says what is left out without one.
fn has_python() -> bool {
    let has_python = Command::new("python3").arg("--version").output().is_ok();
    if !has_python {
        // Past the harness, which shows nothing of tests that pass.
        let _ = writeln!(std::io::stderr(), "left out: tools/read_table.py, without python3");
    }
    has_python
}

#[test]
fn a_reader_written_from_the_format_page_reads_every_rule_set() {
    if !has_python() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    for rules in Rules::ALL {
        let levels = solve_in_memory(rules, Seeds::of(6)).expect("small levels");
        let mut smaller = Vec::new();
        for level in &levels {
            let contents = TableContents::new(rules, level, &smaller);
            write_table(place.path(), &contents, &WriteOptions::default()).expect("written");
            smaller.push(Digest::of_values(level));
        }
        for level in &levels[4..] {
            let output = Command::new("python3")
                .arg("tools/read_table.py")
                .args([place.path().as_os_str(), rules.name().as_ref()])
                .arg(level.seeds().to_string())
                .output()
                .expect("python3 runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let expected: String = Histogram::of_level(level)
                .iter()
                .map(|(value, count)| format!("{value} {count}\n"))
                .collect();
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{rules}");
        }
    }
}

#[test]
fn the_reader_reads_the_bounds_of_every_rule_set() {
    if !has_python() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().to_str().expect("UTF-8");
    for rules in Rules::ALL {
        let options = BuildOptions::new(rules, Seeds::of(6), place.path()).bounds(true);
        build(&options, &NoProgress).expect("built");
        for level in &bounds_in_memory(rules, Seeds::of(6)).expect("small levels")[5..] {
            let seeds = level.seeds().to_string();
            let (status, output, errors) = read_table(&[folder, rules.name(), &seeds, "--bounds"]);
            let line = |(bounds, count): (Bounds, u64)| {
                format!("{} {} {count}\n", bounds.low().get(), bounds.high().get())
            };
            let expected: String = BoundsHistogram::of_level(level).iter().map(line).collect();
            assert_eq!((status, output), (Some(0), expected), "{rules}: {errors}");
        }
    }
}

/// Runs the reader: the exit status, standard output and standard error.
fn read_table(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut python = Command::new("python3");
    let output = python.arg("tools/read_table.py").args(arguments).output().expect("python3 runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_reader_has_help_and_says_what_is_wrong_in_one_line() {
    if !has_python() {
        return;
    }
    let (status, help, _) = read_table(&["--help"]);
    assert_eq!(status, Some(0));
    assert!(help.contains("FOLDER") && help.contains("leave-first"), "{help}");

    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().to_str().expect("UTF-8");
    let mut smaller = Vec::new();
    for level in &solve_in_memory(Rules::Awari, Seeds::of(4)).expect("small levels") {
        let contents = TableContents::new(Rules::Awari, level, &smaller);
        write_table(place.path(), &contents, &WriteOptions::default()).expect("written");
        smaller.push(Digest::of_values(level));
    }
    let board = "0 0 0 0 1 1 1 0 0 1 0 0";
    assert_eq!(read_table(&[folder, "awari", board]).0, Some(0));
    let fails = |arguments: &[&str], status: i32, words: &str| {
        let (found, _, errors) = read_table(arguments);
        let last = errors.lines().last().unwrap_or_default();
        assert!(!errors.contains("Traceback"), "{arguments:?}: {errors}");
        assert_eq!(found, Some(status), "{arguments:?}: {errors}");
        assert!(last.starts_with("read_table.py: ") && last.contains(words), "{errors}");
    };
    fails(&[], 2, "required");
    fails(&[folder, "chess", "4"], 2, "chess");
    fails(&[folder, "awari", "9"], 1, "awari-09.oware");
    fails(&["nowhere", "awari", board], 1, "nowhere");
    for wrong in ["1 2 3", "a b c d e f g h i j k l", "0 0 0 0 0 49 0 0 0 0 0 0", "", "999"] {
        fails(&[folder, "awari", wrong], 1, "read_table.py: ");
    }
    // Whatever the damage, one line or the truth.
    let path = place.path().join("awari-04.oware");
    let whole = std::fs::read(&path).expect("a table");
    let truth = read_table(&[folder, "awari", "4"]).1;
    let cuts = [0, 1, 8, 100, 128, 200, whole.len() - 1];
    let cut = cuts.into_iter().map(|length| whole[..length].to_vec());
    let flipped = (0..whole.len()).step_by(whole.len() / 10).map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        bytes
    });
    for bytes in cut.chain(flipped) {
        std::fs::write(&path, &bytes).expect("written");
        let (status, output, errors) = read_table(&[folder, "awari", "4"]);
        assert!(!errors.contains("Traceback"), "{errors}");
        match status {
            Some(0) => assert_eq!(output, truth),
            status => assert_eq!((status, errors.lines().count()), (Some(1), 1), "{errors}"),
        }
    }
}
