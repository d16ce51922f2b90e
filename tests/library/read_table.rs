//! The plain Python reader, written from docs/format.md alone, reads the tables that this program
//! writes: all values, by their digest and histogram, for every rule set.
//!
//! Without `python3` the test says that it is left out.

use oware::level::{Digest, Histogram};
use oware::rules::{Rules, Seeds};
use oware::solve::solve_in_memory;
use oware::table::{TableContents, WriteOptions, write_table};
use std::io::Write as _;
use std::process::Command;

#[test]
fn a_reader_written_from_the_format_page_reads_every_rule_set() {
    if Command::new("python3").arg("--version").output().is_err() {
        // Past the harness, which shows nothing of tests that pass.
        let _ = writeln!(std::io::stderr(), "left out: tools/read_table.py, without python3");
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
