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

const BOUNDS: &str = include_str!("../../data/bounds_vectors.csv");
const GOLDEN_BOUNDS: &str = include_str!("../../data/golden_bounds.csv");

/// Answers all boards of a rule set in `data/bounds_vectors.csv` from one run.
fn check_bounds(tables: &Path, rules: Rules, lines: &[Vec<&str>]) {
    let boards: String = lines.iter().map(|fields| format!("{}\n", fields[1])).collect();
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_oware"))
        .args(["query", "-", "--bounds", "--json", "--rules", rules.name(), "--tables"])
        .arg(tables)
        .write_stdin(boards)
        .output()
        .expect("the command starts");
    let answers = String::from_utf8(output.stdout).expect("text");
    assert_eq!(answers.lines().count(), lines.len(), "{rules}");
    for (answer, fields) in answers.lines().zip(lines) {
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        let found = [&answer["bounds"]["low"], &answer["value"], &answer["bounds"]["high"]];
        assert_eq!(found.map(Value::to_string), fields[2..], "{rules}: {}", fields[1]);
    }
}

#[test]
fn built_bounds_are_the_recorded_ones() {
    let tables = tempfile::tempdir().expect("a folder");
    let lines: Vec<Vec<&str>> =
        BOUNDS.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let mut vectors = 0;
    for rules in Rules::ALL {
        let most = if matches!(rules, Rules::Awari | Rules::Abapa) { "14" } else { "12" };
        oware(tables.path(), &["build", "--seeds", most, "--bounds", "--rules", rules.name()]);
        let of_rules: Vec<_> =
            lines.iter().filter(|fields| fields[0] == rules.name()).cloned().collect();
        check_bounds(tables.path(), rules, &of_rules);
        vectors += of_rules.len();
        for level in levels(tables.path(), rules) {
            let key = format!("{rules},{},", level["seeds"]);
            let row = GOLDEN_BOUNDS.lines().find(|line| line.starts_with(&key)).expect(&key);
            let digest = level["bounds"]["digest"].as_str().expect("a digest");
            assert_eq!(
                row,
                format!("{key}{},{digest},{}", level["boards"], exact(&level)),
                "{key}"
            );
        }
    }
    assert_eq!(vectors, 110, "lines of data/bounds_vectors.csv");
}

fn exact(level: &Value) -> String {
    level["bounds"]["exact_boards"].to_string()
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
