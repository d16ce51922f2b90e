//! Which folder of tables is used, and what works where there is none.

use crate::program::{Run, oware, tables_to_9};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A user with an empty working folder and no data.
struct User {
    here: TempDir,
    data: TempDir,
}

impl User {
    fn new() -> Self {
        let folder = || tempfile::tempdir().expect("a temporary folder");
        Self { here: folder(), data: folder() }
    }

    /// The folder of tables among the user's data, on Linux.
    fn folder(&self) -> PathBuf {
        self.data.path().join("oware/tables")
    }

    fn command(&self, arguments: &[&str], input: &str) -> assert_cmd::Command {
        let mut command = oware();
        command.current_dir(self.here.path()).args(arguments).write_stdin(input);
        command.env("XDG_DATA_HOME", self.data.path()).env("HOME", self.data.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.run_with_input(arguments, "")
    }

    fn run_with_input(&self, arguments: &[&str], input: &str) -> Run {
        Run::of(self.command(arguments, input).output().expect("the program starts"))
    }

    /// The folder that `doctor` names, and what chose it.
    fn chosen(&self, arguments: &[&str], variable: Option<&Path>) -> (String, String) {
        let mut command = self.command(&[&["doctor", "--json"], arguments].concat(), "");
        command.envs(variable.map(|folder| ("OWARE_TABLES", folder)));
        let found = Run::of(command.output().expect("the program starts")).succeeded().json();
        let text = |field: &str| found[field].as_str().expect("text").to_owned();
        (text("folder"), text("folder_from"))
    }
}

#[test]
#[cfg(target_os = "linux")]
fn doctor_names_the_folder_and_what_chose_it() {
    let user = User::new();
    let named = tables_to_9().to_str().expect("text");
    let of_data = (user.folder().display().to_string(), "user-data".to_owned());
    assert_eq!(user.chosen(&[], None), of_data);
    fs::create_dir(user.here.path().join("tables")).expect("a folder");
    assert_eq!(user.chosen(&[], None), ("tables".into(), "working-folder".into()));
    let of_variable = user.chosen(&[], Some(tables_to_9()));
    assert_eq!(of_variable, (named.into(), "environment".into()));
    let of_option = user.chosen(&["--tables", named], Some(user.here.path()));
    assert_eq!(of_option, (named.into(), "option".into()));
    let text = user.run(&["doctor"]).succeeded().stdout;
    let first = "folder: tables (the folder tables in the working folder)\n";
    assert!(text.starts_with(first), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_build_without_a_name_makes_is_found_from_everywhere() {
    let user = User::new();
    let built = user.run(&["build", "--seeds", "3"]).succeeded();
    assert!(built.stdout.contains(&user.folder().display().to_string()), "{built:?}");
    assert!(user.folder().join("awari-03.oware").exists());
    let elsewhere = User { here: User::new().here, data: user.data };
    let asked = elsewhere.run(&["query", "0 0 0 0 0 1 1 0 0 0 0 0"]).succeeded();
    assert!(asked.stderr.is_empty(), "{asked:?}");
    // There are tables, so a level that is not among them is an error, with a command that helps.
    let missing = elsewhere.run(&["query", "0 0 0 0 0 4 1 0 0 0 0 0"]);
    let missing = missing.failed(1, &["no awari table of 5 seeds", "`oware build --seeds 5`"]);
    assert!(!missing.stderr.contains("memory"), "{missing:?}");
}

#[test]
fn small_boards_are_answered_where_there_are_no_tables_at_all() {
    let user = User::new();
    let board = "2 1 3 4 0 0 0 0 0 0 0 2";
    for arguments in [&["query", board] as &[&str], &["query", "-"]] {
        let run = user.run_with_input(arguments, board).succeeded();
        assert!(run.stdout.contains("+6"), "{run:?}");
        said_once(&run, "awari");
    }
    let other = user.run(&["query", "--rules", "abapa", "--json", "0 0 0 0 0 1 1 0 0 0 0 0"]);
    assert_eq!(other.succeeded().json()["value"], -2);
    let game = user.run_with_input(
        &["play", "--south", "person", "--north", "person", "--board", board],
        "value\nquit\n",
    );
    let game = game.succeeded();
    assert!(game.stdout.contains("South gets 6 seeds more than North from here on (exact)"));
    said_once(&game, "awari");
    let position = "position fen 2-1-3-4-0-0-0-0-0-0-0-2-18-18-S\ngo\nquit\n";
    let engine = user.run_with_input(&["uci"], &format!("uci\n{position}")).succeeded();
    assert!(engine.stdout.contains("bestmove B"), "{engine:?}");
    said_once(&engine, "awari");
    let grade = ["grade", "--engine", "greedy", "--positions", "20", "--json"];
    let graded = user.run(&grade).succeeded();
    assert_eq!(graded.json()["positions"], 20);
    said_once(&graded, "awari");
}

/// One line on standard error says that levels are solved in memory.
fn said_once(run: &Run, rules: &str) {
    let start = format!("oware: there are no {rules} tables in ");
    let said: Vec<_> = run.stderr.lines().filter(|line| line.starts_with(&start)).collect();
    assert_eq!(said.len(), 1, "{run:?}");
    assert!(said[0].contains("0 to 12 seeds are solved in memory"), "{run:?}");
}

#[test]
fn a_home_that_is_none_is_a_user_without_data() {
    let user = User::new();
    for (home, data) in [("/dev/null", "/dev/null/data"), ("relative", "relative"), ("", "")] {
        let mut command = user.command(&["query", "0 0 0 0 0 1 1 0 0 0 0 0"], "");
        command.env("HOME", home).env("XDG_DATA_HOME", data);
        let run = Run::of(command.output().expect("the program starts")).succeeded();
        assert!(run.stdout.contains("mover"), "{run:?}");
    }
}

#[test]
fn larger_boards_and_named_folders_are_errors_as_ever() {
    let user = User::new();
    let large = user.run(&["query", "2 1 3 4 0 0 0 0 0 0 0 3"]);
    large.failed(1, &["no awari table of 13 seeds", "`oware build --seeds 13`"]);
    let board = "2 1 3 4 0 0 0 0 0 0 0 2";
    user.run(&["query", board, "--tables", "nowhere"]).failed(1, &["no folder nowhere"]);
    let empty = user.here.path().to_str().expect("text");
    user.run(&["query", board, "--tables", empty]).failed(1, &["no awari table of 12 seeds"]);
}
