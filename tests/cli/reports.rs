//! What the commands print, text and JSON, kept whole in `snapshots/`.
//!
//! A change of wording or form shows up as a difference there. To accept it, run the tests with
//! `INSTA_UPDATE=always` and commit the files. Folders, times and what depends on the machine are
//! replaced by words in brackets.

use crate::program::{Run, run_on, run_on_with_input, tables_with_distances};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A run as it is kept: standard output, then, where there is one, standard error and the status.
/// JSON is laid out a field to a line.
fn shown(run: &Run, is_json: bool) -> String {
    let mut text = run.stdout.clone();
    if is_json {
        let pretty = |line| {
            let object: Value = serde_json::from_str(line).expect("a line of JSON");
            format!("{object:#}\n")
        };
        text = text.lines().map(pretty).collect();
    }
    if !run.stderr.is_empty() {
        text += &format!("--- standard error\n{}", run.stderr);
    }
    if run.status != 0 {
        text += &format!("--- status {}\n", run.status);
    }
    text
}

/// Compares a run with the snapshot of this name, and one with `--json` with its fellow.
fn keep(name: &str, tables: &Path, arguments: &[&str]) {
    keep_with_input(name, tables, arguments, "");
}

fn keep_with_input(name: &str, tables: &Path, arguments: &[&str], input: &str) {
    let text = run_on_with_input(tables, arguments, input);
    keep_shown(name, tables, arguments, &shown(&text, false));
    let arguments = [arguments, &["--json"]].concat();
    let json = run_on_with_input(tables, &arguments, input);
    keep_shown(&format!("{name}.json"), tables, &arguments, &shown(&json, true));
}

fn keep_shown(name: &str, tables: &Path, arguments: &[&str], shown: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(format!("oware {}", arguments.join(" ")));
    settings.add_filter(&regex_of(tables.to_str().expect("a plain path")), "[TABLES]");
    // The program is named as it was started.
    settings.add_filter(r"try: \S*oware ", "try: oware ");
    settings.add_filter(r"[0-9.]+ [kM] boards/s", "[RATE]");
    settings.add_filter(r"\b[0-9.]+ s\b", "[TIME]");
    settings.bind(|| insta::assert_snapshot!(name, shown));
}

/// The regular expression of a text.
fn regex_of(text: &str) -> String {
    let marks =
        |mark: char| if mark.is_alphanumeric() { format!("{mark}") } else { format!("\\{mark}") };
    text.chars().map(marks).collect()
}

/// A copy of the tables that may be changed.
fn copy() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for entry in fs::read_dir(tables_with_distances()).expect("the tables") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        if path.extension().is_some_and(|end| end == "oware") {
            fs::copy(&path, folder.path().join(name)).expect("a copy");
        }
    }
    folder
}

#[test]
fn info() {
    keep("info", tables_with_distances(), &["info"]);
    keep("info_level", tables_with_distances(), &["info", "--level", "5"]);
    keep("info_nothing", tables_with_distances(), &["info", "--rules", "wari"]);
}

#[test]
fn verify() {
    let tables = tables_with_distances();
    keep("verify", tables, &["verify"]);
    keep("verify_quick", tables, &["verify", "--quick"]);
    keep("verify_deep_level", tables, &["verify", "--deep", "--level", "8"]);
}

#[test]
fn verify_and_doctor_of_a_damaged_folder() {
    let folder = copy();
    let path = folder.path().join("awari-05.oware");
    let mut bytes = fs::read(&path).expect("a table");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("written");
    fs::remove_file(folder.path().join("awari-07.oware")).expect("removed");
    fs::write(folder.path().join("awari-03.distance.oware"), "no table").expect("written");
    keep("verify_damaged", folder.path(), &["verify", "--quick"]);
    keep("doctor_damaged", folder.path(), &["doctor"]);
}

#[test]
fn doctor() {
    keep("doctor", tables_with_distances(), &["doctor"]);
    let empty = tempfile::tempdir().expect("a temporary folder");
    keep("doctor_empty", empty.path(), &["doctor"]);
}

#[test]
fn query() {
    let tables = tables_with_distances();
    keep("query", tables, &["query", "0 1 0 0 2 1 0 0 1 0 3 0"]);
    keep("query_two", tables, &["query", "1-0-0-0-0-0-0-0-0-0-0-1", "0,0,0,0,0,1,0,0,0,0,2,0"]);
    keep("query_ended", tables, &["query", "0 0 0 0 0 2 | 1 1 0 0 0 0"]);
    keep("query_missing", tables, &["query", "1 1 1 1 1 2 4 2 3 0 0 0"]);
    let lines =
        "0 1 0 0 2 1 0 0 1 0 3 0\nx\n0 0 0 0 0 2 | 1 1 0 0 0 0\n\n4 4 4 4 0 0 0 0 0 0 0 0\n";
    keep_with_input("query_lines", tables, &["query", "-"], lines);
    keep_with_input("query_lines_line", tables, &["query", "-", "--line"], lines);
}

#[test]
fn grade_and_match() {
    let tables = tables_with_distances();
    let sampled = ["--seeds", "5..8", "--positions", "200", "--seed", "1"];
    keep("grade", tables, &[&["grade", "--engine", "greedy"], &sampled[..]].concat());
    let result = ["grade", "--engine", "random", "--aim", "result"];
    keep("grade_result", tables, &[&result, &sampled[..]].concat());
    let players = ["match", "--engine", "greedy", "--engine", "random", "--pairs", "5"];
    keep("match", tables, &players);
}

#[test]
fn plan() {
    let mut settings = insta::Settings::clone_current();
    // What this machine has, and what follows from its cores and its memory.
    settings.add_filter(r" +[0-9.]+[KMGT]\b", " [SIZE]");
    settings.add_filter(r"largest level that fits: [0-9]+", "largest level that fits: [SEEDS]");
    settings.add_filter(r#""largest_seeds": [0-9]+"#, r#""largest_seeds": "[SEEDS]""#);
    settings.add_filter(
        r#""(\w*memory_bytes|\w*disk\w*_bytes|working_bytes|seconds)": [-+.e0-9]+"#,
        r#""$1": "[NUMBER]""#,
    );
    settings.bind(|| {
        keep("plan", tables_with_distances(), &["plan", "--seeds", "10"]);
        keep("plan_distances", tables_with_distances(), &["plan", "--seeds", "9", "--distances"]);
    });
}

#[test]
fn build() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let arguments = ["build", "--seeds", "4", "--distances"];
    let first = run_on(folder.path(), &arguments);
    keep_shown("build", folder.path(), &arguments, &shown(&first, false));
    let again = run_on(folder.path(), &arguments);
    keep_shown("build_again", folder.path(), &arguments, &shown(&again, false));
}
