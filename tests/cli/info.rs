//! `info` and `plan` report what is there and what would be.

use crate::program::{run_on, tables_to_9, tables_with_distances};
use serde_json::{Value, json};
use std::fs;

/// A histogram of the slow solver as `info` prints it; `column` 3 counts all boards, 4 reachable
/// ones.
fn oracle(seeds: u64, column: usize) -> Value {
    let text = fs::read_to_string("data/oracle_histograms.csv").expect("the histograms");
    let start = format!("awari,{seeds},");
    let mut counts = serde_json::Map::new();
    for line in text.lines().filter(|line| line.starts_with(&start)) {
        let fields: Vec<_> = line.split(',').collect();
        let boards: u64 = fields[column].parse().expect("a count");
        if boards > 0 {
            counts.insert(fields[2].to_owned(), json!(boards));
        }
    }
    Value::Object(counts)
}

#[test]
fn histograms_are_those_of_the_slow_solver_and_sizes_those_of_the_files() {
    let info = run_on(tables_to_9(), &["info", "--json"]).succeeded().json();
    assert_eq!(info["rules"], "awari");
    let levels = info["levels"].as_array().expect("levels");
    assert_eq!(levels.len(), 10);
    for (seeds, level) in (0..).zip(levels) {
        assert_eq!(level["seeds"], seeds);
        assert_eq!(level["all_values"], oracle(seeds, 3), "{seeds} seeds");
        assert_eq!(level["values"], oracle(seeds, 4), "{seeds} seeds");
        let path = tables_to_9().join(format!("awari-{seeds:02}.oware"));
        let bytes = fs::metadata(path).expect("a table").len();
        assert_eq!(level["bytes"], bytes);
        let boards = level["boards"].as_u64().expect("a count");
        let bits = level["bits_per_board"].as_f64().expect("a number");
        assert!((bits - bytes as f64 * 8.0 / boards as f64).abs() < 1e-6);
        assert_eq!(level["values_digest"].as_str().expect("a digest").len(), 32);
    }
}

#[test]
fn one_level_can_be_asked_for_and_none_may_be_there() {
    let one = run_on(tables_to_9(), &["info", "--json", "--level", "4"]).succeeded().json();
    assert_eq!(one["levels"].as_array().map(Vec::len), Some(1));
    let text = run_on(tables_to_9(), &["info", "--level", "4"]).succeeded().stdout;
    assert!(text.contains("4 seeds, digest"), "{text}");
    let none = run_on(tables_to_9(), &["info", "--json", "--rules", "wari"]).succeeded().json();
    assert_eq!(none, json!({"rules": "wari", "levels": []}));
    let text = run_on(tables_to_9(), &["info", "--rules", "wari"]).succeeded().stdout;
    assert!(text.contains("oware build --seeds 12 --rules wari"), "{text}");
    assert!(text.contains("also here, with --rules: awari"), "{text}");
}

#[test]
fn distances_are_shown_with_the_longest() {
    let tables = tables_with_distances();
    let info = run_on(tables, &["info", "--json", "--level", "7"]).succeeded().json();
    let longest = &info["levels"][0]["longest_distance"];
    let plies = longest["plies"].as_u64().expect("plies");
    let pits: Vec<String> =
        longest["board"].as_array().expect("a board").iter().map(Value::to_string).collect();
    let answer = run_on(tables, &["query", "--json", &pits.join(" ")]).succeeded().json();
    assert_eq!(answer["distance"].as_u64(), Some(plies));
    assert!(plies > 3, "{longest}");
}

#[test]
fn every_level_with_distances_shows_a_board_of_the_longest() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run_on(folder.path(), &["build", "--seeds", "7", "--distances"]).succeeded();
    let info = run_on(folder.path(), &["info", "--json"]).succeeded().json();
    let text = run_on(folder.path(), &["info"]).succeeded().stdout;
    for (seeds, level) in info["levels"].as_array().expect("levels").iter().enumerate() {
        let longest = &level["longest_distance"];
        let plies = longest["plies"].as_u64().expect("plies");
        if seeds == 0 {
            assert!(plies == 0 && longest["board"].is_null(), "the empty board is even");
            continue;
        }
        let pits = longest["board"].as_array().expect("a board");
        let pits: Vec<String> = pits.iter().map(Value::to_string).collect();
        let shown = format!("to {plies} plies: {}  {}", pits[..6].join(" "), pits[6..].join(" "));
        let row = text.lines().find(|line| line.starts_with(&format!("{seeds:>5} ")));
        assert!(row.is_some_and(|row| row.ends_with(&shown)), "no '{shown}' in {text}");
        let answer = run_on(folder.path(), &["query", "--json", &pits.join(" ")]).succeeded();
        assert_eq!(answer.json()["distance"].as_u64(), Some(plies), "{seeds} seeds");
    }
    // A damaged table of distances is told; the rest is shown.
    let path = folder.path().join("awari-05.distance.oware");
    let mut bytes = fs::read(&path).expect("a table");
    let header_bytes = usize::from(u16::from_le_bytes([bytes[72], bytes[73]]));
    bytes[header_bytes..header_bytes + 40].fill(0);
    fs::write(&path, bytes).expect("written");
    let run = run_on(folder.path(), &["info"]);
    assert!(run.stdout.contains("total"), "{run:?}");
    run.failed(1, &["awari-05.distance.oware"]);
}

#[test]
fn a_plan_counts_boards_without_building() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = folder.path().join("tables");
    let plan = run_on(&tables, &["plan", "--seeds", "20"]).succeeded();
    assert!(plan.stdout.contains("20"), "{plan:?}");
    let plan = run_on(&tables, &["plan", "--seeds", "20", "--json"]).succeeded().json();
    let levels = plan["levels"].as_array().expect("levels");
    assert_eq!(levels.len(), 21);
    let boards: u64 = levels.iter().map(|level| level["boards"].as_u64().expect("boards")).sum();
    assert_eq!(boards, 216_135_140, "all reachable boards up to 20 seeds");
    assert!(!tables.exists(), "a plan makes no folder");
}
