//! The same through the real binary: `build`, then `info` and `query`.

use crate::histograms::{self, Histogram};
use oware::rules::Rules;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

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

#[test]
fn built_tables_have_the_oracle_histograms_to_10_seeds() {
    let tables = tempfile::tempdir().expect("a folder");
    for rules in Rules::ALL {
        oware(tables.path(), &["build", "--seeds", "10", "--rules", rules.name()]);
        let levels = levels(tables.path(), rules);
        assert_eq!(levels.len(), 11, "{rules}");
        for (seeds, level) in (0..).zip(&levels) {
            let (all, reachable) = histograms::oracle(rules, seeds);
            assert_eq!(histogram(&level["all_values"]), all, "{rules}, {seeds} seeds");
            assert_eq!(histogram(&level["values"]), reachable, "{rules}, {seeds} seeds");
        }
    }
}

#[test]
fn built_tables_have_the_published_histograms_to_12_seeds() {
    let tables = tempfile::tempdir().expect("a folder");
    oware(tables.path(), &["build", "--seeds", "12"]);
    let levels = levels(tables.path(), Rules::Awari);
    assert_eq!(levels.len(), 13);
    for (seeds, level) in (0..).zip(&levels) {
        assert_eq!(histogram(&level["all_values"]), histograms::published(seeds), "{seeds} seeds");
    }
}

#[test]
fn known_boards_are_answered_with_their_known_values() {
    let tables = tempfile::tempdir().expect("a folder");
    oware(tables.path(), &["build", "--seeds", "16"]);
    let mut vectors = 0;
    for line in VECTORS.lines().skip(1).filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split(',').collect();
        let [rules, board, value, of_moves] = fields[..] else {
            panic!("four fields expected: {line}");
        };
        let answer = oware(tables.path(), &["query", "--json", "--rules", rules, board]);
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
