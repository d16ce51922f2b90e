//! Plans: what they say does not depend on what else is asked, totals are sums, and what does not fit
//! is sent to them.

use crate::program::{Run, oware, run_on, tables_to_9};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn plan(tables: &Path, arguments: &[&str]) -> Value {
    run_on(tables, &[&["plan", "--json"], arguments].concat()).succeeded().json()
}

fn number(of: &Value, field: &str) -> f64 {
    of[field].as_f64().unwrap_or_else(|| panic!("no {field} in {of}"))
}

#[test]
fn what_a_level_takes_does_not_depend_on_the_largest() {
    let nowhere = tables_to_9().join("nowhere");
    let fields = ["boards", "memory_bytes", "least_memory_bytes", "disk_bytes"];
    for extra in [&[] as &[&str], &["--distances"], &["--distances", "--bounds"]] {
        let [small, large] = ["12", "48"].map(|seeds| {
            let plan = plan(&nowhere, &[&["--seeds", seeds], extra].concat());
            plan["levels"].as_array().expect("levels")[..13].to_vec()
        });
        for (small, large) in small.iter().zip(&large) {
            for field in fields {
                assert_eq!(small[field], large[field], "{field} of {small} and {large}");
            }
        }
        assert!(number(&small[0], "memory_bytes") < 20e6, "{extra:?}");
    }
}

#[test]
fn totals_are_the_sums_of_the_rows() {
    for seeds in ["9", "10", "20", "30"] {
        let plan = plan(tables_to_9(), &["--seeds", seeds]);
        let missing = plan["levels"].as_array().expect("levels").iter();
        let missing: Vec<_> = missing.filter(|level| level["exists"] == false).collect();
        for field in ["disk_bytes", "seconds"] {
            let sum: f64 = missing.iter().map(|level| number(level, field)).sum();
            let total = number(&plan, field);
            assert!((total - sum).abs() <= 1e-6 * sum.abs(), "{seeds}: {field} {total}, {sum}");
        }
        assert!(number(&plan, "seconds").is_sign_positive(), "{plan}");

        let text = run_on(tables_to_9(), &["plan", "--seeds", seeds]).succeeded().stdout;
        assert!(!text.contains("-0"), "{text}");
        let rows = text.lines().skip(3).take_while(|line| !line.is_empty());
        let sum: f64 = rows.filter_map(|row| seconds(row.get(54..)?)).sum();
        let total = text.lines().find_map(|line| line.strip_prefix("to build: ")).expect("a total");
        let total = total.split(", ").nth(1).and_then(seconds).unwrap_or_default();
        assert!((total - sum).abs() <= 0.02 * sum + 0.1, "{sum} s in {text}");
    }
}

/// `3 min 20 s` in seconds; `None` for other words.
fn seconds(text: &str) -> Option<f64> {
    let words: Vec<_> = text.split_whitespace().collect();
    let parts = words.chunks(2).map(|part| {
        let unit = [("s", 1.0), ("min", 60.0), ("h", 3600.0), ("d", 86_400.0)];
        let (_, size) = unit.into_iter().find(|(name, _)| part.get(1) == Some(name))?;
        Some(part[0].parse::<f64>().ok()? * size)
    });
    parts.sum()
}

#[test]
fn the_disk_is_named_whether_the_folder_is_there_or_not() {
    let place = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(place.path().join("there")).expect("a folder");
    for folder in ["nowhere", "not/at/all", "there", "./nowhere", "../nowhere"] {
        let mut program = oware();
        program.current_dir(place.path()).args(["plan", "--seeds", "3", "--tables", folder]);
        let run = Run::of(program.output().expect("the program starts")).succeeded();
        let disk = run.stdout.lines().find(|line| line.starts_with("disk: "));
        assert!(disk.is_some_and(|line| line.ends_with(" free")), "{folder}: {run:?}");
    }
    let all_there = run_on(tables_to_9(), &["plan", "--seeds", "9"]).succeeded();
    assert!(
        all_there.stdout.contains("to build: nothing, all tables are there\n"),
        "{all_there:?}"
    );
}

#[test]
fn a_level_that_does_not_fit_is_sent_to_the_plan_and_another_to_the_build() {
    let tables = tables_to_9().to_str().expect("UTF-8");
    for (board, seeds) in [("4 4 4 4 4 4 4 4 4 4 4 4", 48), ("4 4 4 4 4 4 4 4 4 4 4 1", 45)] {
        let run = run_on(tables_to_9(), &["query", board]);
        let command = format!("`oware plan --seeds {seeds} --tables {tables}`");
        let run = run.failed(1, &["this machine builds up to", &command]);
        assert!(!run.stderr.contains("oware build"), "{run:?}");
    }
    for (level, command) in [("48", "oware plan --seeds 48"), ("12", "oware build --seeds 12")] {
        let info = run_on(tables_to_9(), &["info", "--level", level]).succeeded();
        assert!(info.stdout.contains(command), "{info:?}");
    }
    let grade = ["grade", "--engine", "random", "--seeds", "4..48"];
    run_on(tables_to_9(), &grade).failed(1, &["48 seeds", "oware plan --seeds 48"]);
    // The largest of several missing levels, since a build makes the others too.
    let grade = ["grade", "--engine", "random", "--seeds", "4..14"];
    run_on(tables_to_9(), &grade).failed(1, &["14 seeds", "oware build --seeds 14"]);
}

#[test]
fn a_level_that_is_not_there_is_not_claimed_to_be() {
    for extra in [&[] as &[&str], &["--quick"], &["--deep"], &["--json"]] {
        let verify = [&["verify", "--level", "12"], extra].concat();
        let run = run_on(tables_to_9(), &verify);
        let run =
            run.failed(1, &["no awari table of 12 seeds", "`oware build --seeds 12 --tables"]);
        assert!(run.stdout.is_empty() && !run.stderr.contains("--force"), "{run:?}");
    }
    // Only levels that were read fit their digests.
    let folder = tempfile::tempdir().expect("a temporary folder");
    run_on(folder.path(), &["build", "--seeds", "8"]).succeeded();
    for (missing, assumed) in [(5, Some("levels 0 to 4 were")), (1, Some("level 0 was")), (0, None)]
    {
        let name = folder.path().join(format!("awari-0{missing}.oware"));
        let aside = folder.path().join("aside");
        fs::rename(&name, &aside).expect("moved");
        let run = run_on(folder.path(), &["verify", "--level", "8", "--json"]);
        let report: Value = serde_json::from_str(&run.stdout).expect("a report");
        let found = report["assumptions"].as_array().expect("assumptions");
        assert_eq!(found.len(), usize::from(assumed.is_some()), "{report}");
        let first = found.first().and_then(Value::as_str).unwrap_or_default();
        assert!(first.starts_with(assumed.unwrap_or_default()), "{report}");
        fs::rename(&aside, &name).expect("moved back");
    }
}
