//! `oware grade` and `oware match` through the real binary.

use crate::program::ignores;
use assert_cmd::Command;
use oware::build::{BuildOptions, build};
use oware::progress::NoProgress;
use oware::rules::{Rules, Seeds};
use predicates::str::contains;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

const FAKE: &str = concat!("sh ", env!("CARGO_MANIFEST_DIR"), "/tests/fake_engine.sh");

/// Tables of 0 to 8 seeds: awari and abapa.
static TABLES: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    for rules in [Rules::Awari, Rules::Abapa] {
        build(&BuildOptions::new(rules, Seeds::of(8), folder.path()), &NoProgress)
            .expect("small levels");
    }
    folder
});

fn oware(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("oware").expect("the binary");
    command.args(arguments).arg("--tables").arg(TABLES.path());
    command
}

fn grade(arguments: &[&str]) -> Command {
    let mut command = oware(&["grade"]);
    command.args(arguments);
    command
}

fn json(command: &mut Command) -> Value {
    let output = command.arg("--json").output().expect("runs");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn json_is_one_object_with_the_promised_names() {
    let arguments = ["--engine", "random", "--seeds", "6..8", "--positions", "300", "--seed", "1"];
    let report = json(&mut grade(&arguments));
    assert_eq!(report["rules"], "awari");
    assert_eq!(report["aim"], "margin");
    assert_eq!(report["engine"], "random");
    assert_eq!(report["positions"], 300);
    assert_eq!(report["endless_play"], "split");
    for share in ["accuracy", "keeps_result", "random_accuracy"] {
        let share = report[share].as_f64().expect("a number");
        assert!((0.0..=1.0).contains(&share));
    }
    assert!(report["loss_mean"].as_f64().expect("a number") > 0.0);
    let levels = report["by_level"].as_array().expect("levels");
    let seeds: Vec<_> = levels.iter().map(|of| of["seeds"].as_u64().expect("seeds")).collect();
    assert_eq!(seeds, [6, 7, 8]);
    assert!(levels.iter().all(|of| of["positions"] == 100));
    assert!(report["failures"].as_array().expect("failures").is_empty());
    assert_eq!(report, json(&mut grade(&arguments)), "the same seed gives the same report");
}

#[test]
fn the_worst_mistakes_are_boards_that_query_values_the_same() {
    let report = json(&mut grade(&["--engine", "greedy", "--seeds", "8", "--positions", "200"]));
    let worst = &report["worst"][0];
    let pits: Vec<String> =
        worst["board"].as_array().expect("pits").iter().map(ToString::to_string).collect();
    let mut query = oware(&["query"]);
    let answer = json(query.args(&pits));
    assert_eq!(answer["value"], worst["value"]);
    assert_eq!(answer["best"], worst["best"]);
    let moves = answer["moves"].as_array().expect("moves");
    let played = moves.iter().find(|of| of["move"] == worst["answer"]).expect("a legal move");
    assert_eq!(played["value"], worst["answer_value"]);
    let lost = worst["value"].as_i64().expect("a value") - played["value"].as_i64().expect("one");
    assert_eq!(worst["loss"], lost);
}

/// Our own engine as a command line, with little memory to clear before each game.
fn own_engine(arguments: &str) -> String {
    let tables = TABLES.path().to_str().expect("a plain path");
    format!("'{}' uci --hash 1 --tables '{tables}' {arguments}", env!("CARGO_BIN_EXE_oware"))
}

#[test]
fn our_own_engine_is_perfect_with_tables_under_either_aim() {
    for rules in ["awari", "abapa"] {
        for aim in ["margin", "result"] {
            let engine = own_engine(&format!("--rules {rules} --aim {aim}"));
            let arguments = ["--rules", rules, "--aim", aim, "--seeds", "5..8"];
            let report = json(grade(&arguments).args(["--positions", "60", "--engine", &engine]));
            assert_eq!(report["failures"], serde_json::json!([]));
            assert_eq!(report["accuracy"], 1.0, "{rules}, {aim}: {:?}", report["worst"]);
            assert_eq!(report["keeps_result"], 1.0, "{rules}, {aim}");
        }
    }
}

#[test]
fn searching_without_tables_is_better_than_chance_and_deeper_is_better() {
    let engine = own_engine("--no-tables");
    let arguments = ["--seeds", "8", "--positions", "120", "--depth", "1,8", "--engine"];
    let output = grade(&arguments).args([&engine, "--json"]).output().expect("runs");
    let lines = String::from_utf8(output.stdout).expect("text");
    let shares = |name: &str| -> Vec<f64> {
        let reports = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        reports.map(|report| report[name].as_f64().expect("a share")).collect()
    };
    let (chance, found) = (shares("random_accuracy"), shares("accuracy"));
    assert!(chance[0] < found[0] && found[0] < found[1], "{chance:?} {found:?}");
}

#[test]
fn our_own_engine_plays_whole_games_under_both_rules_of_repetition() {
    for repetition in ["split", "own-side"] {
        let engine = own_engine(&format!("--rules abapa --repetition {repetition}"));
        let arguments = ["match", "--rules", "abapa", "--pairs", "1", "--depth", "2"];
        let report = json(oware(&arguments).args([
            "--repetition",
            repetition,
            "--engine",
            &engine,
            "--engine",
            "greedy",
        ]));
        assert_eq!(report["games"], 2);
        assert_eq!(report["forfeits"], serde_json::json!([0, 0]), "{report}");
    }
}

#[test]
fn falling_short_is_exit_status_1_and_said() {
    let arguments = ["--engine", "random", "--seeds", "8", "--positions", "100"];
    grade(&arguments).args(["--min-accuracy", "0.1"]).assert().success();
    grade(&arguments)
        .args(["--min-accuracy", "0.99"])
        .assert()
        .code(1)
        .stdout(contains("perfect"))
        .stderr(contains("is below 0.99"));
}

#[test]
fn a_bad_engine_is_in_the_report_with_its_conversation_and_the_run_goes_on() {
    for (behaviour, kind) in [("crash 3", "crash"), ("illegal 3", "illegal-move")] {
        let engine = format!("{FAKE} {behaviour}");
        let arguments =
            ["--rules", "abapa", "--seeds", "6..8", "--positions", "30", "--depth", "1"];
        let report = json(grade(&arguments).args(["--jobs", "1", "--engine", &engine]));
        assert_eq!(report["positions"], 30);
        let failures = report["failures"].as_array().expect("failures");
        assert_eq!(failures.len(), if kind == "crash" { 10 } else { 1 });
        assert_eq!(failures[0]["kind"], kind);
        let transcript = failures[0]["transcript"].as_array().expect("lines");
        assert_eq!(transcript[0], "> uci");
        assert!(transcript.iter().any(|line| line == "> go depth 1"));
        let first_word = behaviour.split(' ').next().expect("a word");
        assert_eq!(report["engine"], format!("Fake {first_word}"));
    }
}

#[test]
fn an_engine_that_is_not_there_or_never_answers_is_exit_status_1() {
    grade(&["--engine", "./no-such-engine", "--seeds", "6", "--positions", "5"])
        .assert()
        .code(1)
        .stderr(contains("./no-such-engine"));
    grade(&["--engine", &format!("{FAKE} dead"), "--seeds", "6", "--positions", "9"])
        .assert()
        .code(1)
        .stderr(contains("not asked: 6"));
}

#[test]
fn wrong_usage_is_exit_status_2_and_a_missing_table_names_its_command() {
    for wrong in [
        &["--seeds", "6"][..],
        &["--engine", "", "--seeds", "6"],
        &["--engine", "random", "--seeds", "9..6"],
        &["--engine", "random", "--min-accuracy", "95"],
        &["--engine", "random", "--depth", "2", "--movetime", "5"],
        &["--engine", "random", "--aim", "beauty"],
        &["--games", "x.ogn", "--engine", "random"],
    ] {
        grade(wrong).assert().code(2);
    }
    grade(&["--engine", "random", "--seeds", "9"])
        .assert()
        .code(1)
        .stderr(contains("build --seeds 9"));
}

#[test]
fn several_engines_answer_the_same_positions_into_one_page() {
    let folder = TempDir::new().expect("a temporary folder");
    let (page, chart) = (folder.path().join("r.html"), folder.path().join("c.svg"));
    let output = grade(&["--engine", "random", "--engine", "greedy", "--seeds", "6..8", "--json"])
        .args([Path::new("--report"), &page, Path::new("--chart"), &chart])
        .output()
        .expect("runs");
    let lines: Vec<Value> = String::from_utf8(output.stdout)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["random_accuracy"], lines[1]["random_accuracy"]);
    let page = fs::read_to_string(page).expect("a page");
    assert_eq!(page.matches("<svg").count(), 3);
    for outside in ["http://", "https://", "<script", "src=", "<link", "@import", "url("] {
        // The one address is the name of the SVG language.
        let found = page.matches(outside).count();
        let allowed = if outside == "http://" { 3 } else { 0 };
        assert_eq!(found, allowed, "{outside}");
    }
    assert!(page.contains("Worst mistakes") && page.contains("greedy") && !page.contains("NaN"));
    let chart = fs::read_to_string(chart).expect("a chart");
    assert!(chart.starts_with("<svg") && chart.contains("expected of chance"));
}

#[test]
fn what_an_engine_calls_itself_cannot_break_the_page() {
    let folder = TempDir::new().expect("a temporary folder");
    let page = folder.path().join("r.html");
    let engine = format!("{FAKE} '<b>&\"well'");
    grade(&["--rules", "abapa", "--engine", &engine, "--seeds", "6", "--positions", "5"])
        .arg("--report")
        .arg(&page)
        .assert()
        .success();
    let page = fs::read_to_string(page).expect("a page");
    assert!(!page.contains("<b>&\"well") && page.contains("&lt;b&gt;"), "{page}");
}

#[test]
fn boards_come_from_files_and_wrong_lines_are_named() {
    let folder = TempDir::new().expect("a temporary folder");
    let boards = folder.path().join("boards.txt");
    let text = "# two boards and one that has ended\n\
                1 1 0 0 0 2 | 0 1 0 0 1 0\n0-0-0-0-1-1-1-1-0-0-0-0-22-22-S\n\
                0 0 0 0 0 0 | 1 0 0 0 0 0\n";
    fs::write(&boards, text).expect("written");
    let file = boards.to_str().expect("a plain path");
    grade(&["--engine", "greedy", "--boards", file])
        .assert()
        .success()
        .stdout(contains("positions 2,"))
        .stderr(contains("ended, left out: 1"));
    for (wrong, why) in [
        ("1 2 3", "line 1"),
        ("0-0-0-0-1-1-1-1-0-0-0-0-20-22-S", "48"),
        ("0-0-0-0-1-1-1-1-0-0-0-0-25-19-S", "decided"),
    ] {
        fs::write(&boards, wrong).expect("written");
        let assert = grade(&["--engine", "greedy", "--boards", file]).assert();
        assert.code(1).stderr(contains(why));
    }
}

#[test]
fn a_match_is_scored_saved_and_its_games_are_graded() {
    let folder = TempDir::new().expect("a temporary folder");
    let games = folder.path().join("games.ogn");
    let mut command =
        oware(&["match", "--engine", "greedy", "--engine", "random", "--pairs", "10"]);
    let report = json(command.arg("--save").arg(&games));
    assert_eq!(report["games"], 20);
    assert_eq!(report["engines"], serde_json::json!(["greedy", "random"]));
    let counts = ["wins", "draws", "losses"].map(|of| report[of].as_u64().expect("a count"));
    assert_eq!(counts.iter().sum::<u64>(), 20);
    let file = games.to_str().expect("a plain path");
    let graded = json(&mut grade(&["--games", file]));
    assert_eq!(graded["engine"], "recorded games");
    let players = graded["by_player"].as_array().expect("players");
    let names: Vec<_> = players.iter().map(|of| of["player"].as_str().expect("a name")).collect();
    assert_eq!(names, ["greedy", "random"]);
    let of_players: u64 = players.iter().map(|of| of["graded"].as_u64().expect("a count")).sum();
    assert_eq!(graded["graded"], of_players);
    assert!(of_players > 0);
    // Another rule set's tables refuse the games.
    grade(&["--games", file, "--rules", "abapa"])
        .assert()
        .code(1)
        .stderr(contains("choose --rules awari"));
}

#[test]
fn failures_are_in_the_first_line_and_in_the_exit_status_unless_tolerated() {
    let arguments = ["--rules", "abapa", "--seeds", "6..8", "--positions", "12", "--depth", "1"];
    for (behaviour, first_line, failures) in [
        ("illegal 3", ": 1 failure (1 illegal-move)", 1),
        ("crash 3", ": 4 failures (4 crash)", 4),
        ("no-move 2", ": 1 failure (1 no-move)", 1),
        ("well", "", 0),
    ] {
        let engine = format!("{FAKE} {behaviour}");
        for (tolerated, code) in
            [(0, i32::from(failures > 0)), (failures, 0), (3, i32::from(failures > 3))]
        {
            let assert = grade(&arguments)
                .args(["--jobs", "1", "--engine", &engine])
                .args(["--max-failures", &tolerated.to_string()])
                .assert()
                .code(code);
            let output = String::from_utf8(assert.get_output().stdout.clone()).expect("text");
            let line = output.lines().next().expect("a first line");
            assert!(line.ends_with(&format!("seed 1){first_line}")), "{behaviour}: {line}");
            let errors = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
            assert_eq!(errors.contains("more than --max-failures"), code == 1, "{errors}");
            assert!(errors.contains("no option for Rules abapa"), "{errors}");
        }
    }
}

#[test]
fn forfeits_of_a_match_are_in_its_first_line_and_in_the_exit_status() {
    let engine = format!("{FAKE} garbage");
    let arguments = ["match", "--rules", "abapa", "--pairs", "1", "--engine", "greedy"];
    for (tolerated, code) in [("0", 1), ("1", 1), ("2", 0)] {
        let assert = oware(&arguments)
            .args(["--engine", &engine, "--max-failures", tolerated])
            .assert()
            .code(code);
        let output = String::from_utf8(assert.get_output().stdout.clone()).expect("text");
        let line = output.lines().next().expect("a first line");
        assert!(line.ends_with(": Fake garbage 2 failures (2 garbage)"), "{line}");
    }
    oware(&["match", "--pairs", "1", "--engine", "greedy", "--engine", "random"])
        .assert()
        .success();
}

#[test]
fn our_own_engine_is_set_to_the_rules_of_the_match() {
    // The engine begins with other rules, and a game that is over for it.
    let engine = own_engine("--rules wari --no-tables");
    for more in [&["--play-on"][..], &["--repetition", "own-side"], &[]] {
        let arguments = ["match", "--rules", "abapa", "--pairs", "2", "--depth", "1"];
        let report =
            json(oware(&arguments).args(more).args(["--engine", &engine, "--engine", "greedy"]));
        assert_eq!(report["forfeits"], serde_json::json!([0, 0]), "{report}");
        assert_eq!(report["rules_not_set"], serde_json::json!([[], []]));
    }
    let arguments = ["--rules", "abapa", "--seeds", "5..8", "--positions", "40", "--engine"];
    let report = json(grade(&arguments).arg(own_engine("--rules wari")));
    assert_eq!(report["failures"], serde_json::json!([]));
    assert_eq!(report.get("rules_not_set"), None);
}

/// The processes whose numbers an engine wrote to a file, one a line, once there are so many.
#[cfg(target_os = "linux")]
fn helpers(file: &Path, count: usize) -> Vec<String> {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let text = fs::read_to_string(file).unwrap_or_default();
        if text.lines().count() >= count && text.ends_with('\n') {
            return text.lines().map(str::to_owned).collect();
        }
        assert!(std::time::Instant::now() < deadline, "no engine has started");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
fn are_gone(processes: &[String]) -> bool {
    let is_there = |process: &String| {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        text.rsplit(") ").next().is_some_and(|state| !state.is_empty() && !state.starts_with('Z'))
    };
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while processes.iter().any(is_there) && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    !processes.iter().any(is_there)
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_that_an_engine_started_lives_on() {
    let folder = TempDir::new().expect("a temporary folder");
    let started = folder.path().join("started");
    let engine = format!("{FAKE} helper '{}'", started.display());
    let arguments = ["--rules", "abapa", "--seeds", "6..8", "--depth", "1", "--engine", &engine];
    grade(&arguments).args(["--positions", "4", "--jobs", "2"]).assert().success();
    assert!(are_gone(&helpers(&started, 2)), "after the end");

    fs::remove_file(&started).expect("it was written");
    let sleeping = format!("{FAKE} quiet");
    let tables = TABLES.path().to_str().expect("a plain path");
    let many = ["--seeds", "6..8", "--positions", "100000", "--tables", tables];
    // In the match the second engine is under question and silent.
    let both = ["--pairs", "10000", "--engine", &sleeping];
    for signal in ["TERM", "INT", "HUP"].into_iter().filter(|signal| !ignores(signal)) {
        for (command, more) in [("grade", &many[..]), ("match", &both)] {
            let mut oware = std::process::Command::new(env!("CARGO_BIN_EXE_oware"));
            oware.args([command, "--rules", "abapa", "--depth", "1", "--jobs", "1"]);
            oware.args(["--engine", &engine]).args(more);
            let output = oware
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .expect("the binary starts");
            let helpers = helpers(&started, 1);
            let kill = format!("kill -{signal} {}", output.id());
            assert!(
                std::process::Command::new("sh")
                    .args(["-c", &kill])
                    .status()
                    .expect("sh")
                    .success()
            );
            let output = output.wait_with_output().expect("it ends");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(130), "{command}, {signal}: {errors}");
            assert!(errors.contains("stopped: the engines were ended"), "{errors}");
            assert!(are_gone(&helpers), "{command}, {signal}");
            fs::remove_file(&started).expect("it was written");
        }
    }
}
