//! The same through the real binary: `build`, then `info` and `query`; and that what it builds is
//! what it built before (`data/golden_levels.csv`).

use crate::counts::{self, Histogram};
use crate::program::tables_to_16;
use oware::rules::Rules;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const GOLDEN: &str = include_str!("../../data/golden_levels.csv");
const VECTORS: &str = include_str!("../../data/vectors.csv");

/// Runs `oware` with a folder of tables and gives its standard output.
fn oware(tables: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_oware"))
        .args(arguments)
        .args(["--progress", "never", "--tables"])
        .arg(tables)
        .output()
        .expect("the command starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "oware {arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn histogram(counts: &Value) -> Histogram {
    let counts = counts.as_object().expect("an object of counts");
    let counts = counts.iter().map(|(value, boards)| {
        (value.parse().expect("a value"), boards.as_u64().expect("a count"))
    });
    counts.filter(|&(_, boards)| boards > 0).collect()
}

/// The levels that `info --json` lists, in order.
fn levels(tables: &Path, rules: Rules) -> Vec<Value> {
    let info = oware(tables, &["info", "--json", "--rules", rules.name()]);
    let info: Value = serde_json::from_str(&info).expect("JSON");
    assert_eq!(info["rules"], rules.name());
    let levels = info["levels"].as_array().expect("levels").clone();
    for (seeds, level) in levels.iter().enumerate() {
        assert_eq!(level["seeds"], seeds, "{rules}");
    }
    levels
}

/// Holds a level of `info --json` to the golden record, which must have it.
fn check_golden(rules: Rules, level: &Value) {
    let key = format!("{rules},{},", level["seeds"]);
    let row = GOLDEN.lines().find(|line| line.starts_with(&key)).expect(&key);
    let fields: Vec<_> = row.split(',').collect();
    let [_, _, boards, digest, values, all_values] = fields[..] else {
        panic!("six fields expected: {row}");
    };
    assert_eq!(level["boards"].to_string(), boards, "{key}");
    assert_eq!(level["values_digest"], digest, "{key}");
    for (kind, recorded) in [("values", values), ("all_values", all_values)] {
        assert_eq!(histogram(&level[kind]), golden_histogram(recorded), "{key} {kind}");
    }
}

/// Reads `-1:7 1:5`.
fn golden_histogram(text: &str) -> Histogram {
    let pair = |pair: &str| {
        let (value, boards) = pair.split_once(':')?;
        Some((value.parse().ok()?, boards.parse().ok()?))
    };
    text.split(' ').map(|entry| pair(entry).expect("value:boards")).collect()
}

#[test]
fn built_tables_have_the_oracle_histograms_to_10_seeds() {
    let tables = tempfile::tempdir().expect("a folder");
    for rules in Rules::ALL {
        oware(tables.path(), &["build", "--seeds", "10", "--rules", rules.name()]);
        let levels = levels(tables.path(), rules);
        assert_eq!(levels.len(), 11, "{rules}");
        for (seeds, level) in (0..).zip(&levels) {
            let (all, reachable) = counts::oracle(rules, seeds);
            assert_eq!(histogram(&level["all_values"]), all, "{rules}, {seeds} seeds");
            assert_eq!(histogram(&level["values"]), reachable, "{rules}, {seeds} seeds");
            check_golden(rules, level);
        }
    }
}

#[test]
fn built_tables_have_the_published_histograms_to_16_seeds() {
    let levels = levels(tables_to_16(), Rules::Awari);
    assert_eq!(levels.len(), 17);
    for (seeds, level) in (0..).zip(&levels) {
        assert_eq!(histogram(&level["all_values"]), counts::published(seeds), "{seeds} seeds");
        check_golden(Rules::Awari, level);
    }
}

#[test]
fn known_boards_are_answered_with_their_known_values() {
    let mut vectors = 0;
    for line in VECTORS.lines().skip(1).filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split(',').collect();
        let [rules, board, value, of_moves] = fields[..] else {
            panic!("four fields expected: {line}");
        };
        let answer = oware(tables_to_16(), &["query", "--json", "--rules", rules, board]);
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["value"].to_string(), value, "{line}");
        let moves = answer["moves"].as_array().expect("moves");
        let found: Vec<String> = ["A", "B", "C", "D", "E", "F"]
            .into_iter()
            .map(|pit| {
                let listed = moves.iter().find(|listed| listed["move"] == pit);
                listed.map_or("x".to_owned(), |listed| listed["value"].to_string())
            })
            .collect();
        assert_eq!(found.join(" "), of_moves, "{line}");
        vectors += 1;
    }
    assert_eq!(vectors, 1, "lines of data/vectors.csv");
}
