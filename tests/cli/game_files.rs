//! Files of games and of results: a bad item costs only itself, nothing is replaced or lost by mistake,
//! and standard output is one of the files where it is asked for.

use crate::program::{Run, ignores, oware, run_on, run_on_with_input, tables_to_9};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.path(name)).expect(name)).into_owned()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).expect(name);
    }

    /// The program in this folder.
    fn run(&self, arguments: &[&str]) -> Run {
        self.run_with_input(arguments, "")
    }

    fn run_with_input(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = oware();
        command.args(arguments).arg("--tables").arg(tables_to_9()).current_dir(self.0.path());
        Run::of(command.write_stdin(input).output().expect("the program starts"))
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<_> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    }
}

const CHASE: &str = "[FEN \"1-0-0-0-0-0-1-0-0-0-0-0-23-23-S\"]\n[South \"a\"]\n[North \"b\"]\n\n\
                     A a B b C c D d E e F f A\n\n";
const BAD: [(&str, &str); 4] = [
    ("[FEN \"1-2\"]\n\nA\n\n", "tag FEN"),
    ("[FEN \"1-0-0-0-0-0-1-0-0-0-0-0-23-23-S\"]\n\nA { never\n\n", "never closed"),
    ("[FEN \"1-0-0-0-0-0-1-0-0-0-0-0-23-23-S\"]\n\nF\n\n", "move 1: F is empty"),
    ("[Variant \"Oware wari\"]\n\nF\n\n", "choose --rules wari"),
];

#[test]
fn all_readers_read_a_game_that_went_on_after_a_repetition() {
    let folder = Folder::new();
    folder.write("games.ogn", CHASE);
    let graded = folder.run(&["grade", "--games", "games.ogn", "--json"]).succeeded();
    assert_eq!(graded.json()["positions"], 13);
    assert!(graded.stderr.contains("game 1 after move 12, repetition"), "{graded:?}");
    let people = ["play", "--south", "person", "--north", "person"];
    let loaded = folder.run_with_input(&people, "load games.ogn\nmoves\nquit\n").succeeded();
    assert!(loaded.stdout.contains("North> AaBbCcDdEeFfA\n"), "{loaded:?}");
    assert!(loaded.stdout.contains("went on after move 12"), "{loaded:?}");
    let fen = "position fen 1-0-0-0-0-0-1-0-0-0-0-0-23-23-S moves AaBbCcDdEeFfA";
    let uci = format!("uci\n{fen}\ngo depth 1\nwait\nquit\n");
    let answer = folder.run_with_input(&["uci", "--hash", "1"], &uci).succeeded();
    assert!(answer.stdout.contains("bestmove a"), "{answer:?}");
}

#[test]
fn a_bad_game_or_board_is_named_and_the_others_are_graded() {
    let folder = Folder::new();
    for (bad, why) in BAD {
        folder.write("games.ogn", [CHASE, bad, CHASE].concat());
        let line = 1 + CHASE.matches('\n').count();
        let run = folder.run(&["grade", "--games", "games.ogn", "--json"]).succeeded();
        assert_eq!((&run.json()["left_out"], &run.json()["positions"]), (&json!(1), &json!(26)));
        let place = format!("oware: games.ogn, line {line}, game 2: ");
        assert!(run.stderr.contains(&place) && run.stderr.contains(why), "{run:?}");
        assert!(run.stderr.contains("games left out: 1 of 3"), "{run:?}");
        let strict = folder.run(&["grade", "--games", "games.ogn", "--json", "--strict"]);
        assert_eq!((strict.status, &strict.json()["positions"]), (1, &json!(26)));
        folder.write("bad.ogn", bad);
        let nothing = folder.run(&["grade", "--games", "bad.ogn"]);
        assert_eq!((nothing.status, &*nothing.stdout), (1, ""), "{nothing:?}");
        let people = ["play", "--south", "person", "--north", "person"];
        folder.write("bad_first.ogn", [bad, CHASE].concat());
        let loaded = folder.run_with_input(&people, "load bad_first.ogn\nmoves\ngame 1\n");
        if why.contains("rules") {
            continue; // A game of other rules is played by its own.
        }
        assert!(loaded.stdout.contains("AaBbCcDdEeFfA\n"), "{loaded:?}");
        assert!(loaded.stdout.contains("Game 1 is left out: "), "{loaded:?}");
        assert!(loaded.stdout.contains("Game 2 of 2 in the file"), "{loaded:?}");
        assert!(loaded.stdout.contains("bad_first.ogn: game 1: "), "{loaded:?}");
    }
    let board = "1 1 0 0 0 2  0 1 0 0 1 0";
    for (bad, why) in [
        ("1 2 3", "3 fields"),
        ("0-0-0-0-1-1-1-1-0-0-0-0-20-22-S", "48"),
        ("0-0-0-0-1-1-1-1-0-0-0-0-25-19-S", "decided"),
        ("4 4 4 4 0 0 0 0 0 0 0 0", "build --seeds 16"),
        ("\u{2502} 1 \u{2502}", "drawn board"),
    ] {
        folder.write("boards.txt", format!("# some\n{board}\n{bad}\n\n{board}\n"));
        let grade = ["grade", "--engine", "greedy", "--boards", "boards.txt", "--json"];
        let run = folder.run(&grade).succeeded();
        assert_eq!((&run.json()["left_out"], &run.json()["positions"]), (&json!(1), &json!(2)));
        assert!(run.stderr.contains("boards.txt, line 3: ") && run.stderr.contains(why), "{run:?}");
        assert_eq!(folder.run(&[&grade[..], &["--strict"]].concat()).status, 1);
        folder.write("boards.txt", bad);
        assert_eq!(folder.run(&grade).status, 1);
    }
}

#[test]
fn saving_keeps_the_other_games_and_all_that_was_written_about_this_one() {
    let folder = Folder::new();
    let first =
        "% a line\n[Variant \"Oware Abapa\"]\n[Own \"1\"]\n\n1. F { odd   spacing } f *\n\n";
    let second = "[Variant \"Oware Abapa\"]\n[South \"Ada\"]\n[Own \"2\"]\n\n\
                  ; before\n1. F! $1 f { so } ( 1... e ) 2. E e 1/2-1/2\n\n";
    let last = b"[Event \"Jos\xe9\"]\n\n1. ???\n";
    let file = [first.as_bytes(), second.as_bytes(), last].concat();
    folder.write("games.ogn", &file);
    let people = ["play", "--south", "person", "--north", "person"];
    let typed = "load games.ogn\ngame 2\nundo\nundo\nC\nsave! games.ogn\nnew\nA\nsave! games.ogn\n";
    let run = folder.run_with_input(&people, typed).succeeded();
    let saved = fs::read(folder.path("games.ogn")).expect("saved");
    assert!(saved.starts_with(first.as_bytes()), "{}", folder.text("games.ogn"));
    let text = folder.text("games.ogn");
    for kept in [
        "[South \"Ada\"]",
        "[Own \"2\"]",
        "{ before } 1. F! $1 f { so } ( 1... e ) 2. C ( 2. E e )\n",
    ] {
        assert!(text.contains(kept), "no {kept} in {text}\n{run:?}");
    }
    let at = saved.windows(last.len()).position(|part| part == last).expect("the last game");
    let added = String::from_utf8_lossy(&saved[at + last.len()..]);
    assert!(added.starts_with("\n[Variant") && added.ends_with("\n1. A\n"), "{added}");
    // To another file everything goes along, too.
    folder.write("games.ogn", &file);
    folder.run_with_input(&people, "load games.ogn\nsave other.ogn\n").succeeded();
    assert!(folder.text("other.ogn").contains("Ada"));
    assert_eq!(fs::read(folder.path("games.ogn")).expect("it is there"), file);
    // A file that has changed meanwhile is not overwritten by what it held before.
    let typed = "load games.ogn\nsave! games.ogn\nload games.ogn\n";
    folder.run_with_input(&people, typed).succeeded();
    assert_eq!(folder.names(), ["games.ogn", "other.ogn"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_stays_a_link_to_all_that_was_there() {
    let folder = Folder::new();
    folder.write("games.ogn", [CHASE, CHASE].concat());
    folder.write("page.html", "old");
    for (file, link) in [("games.ogn", "link.ogn"), ("page.html", "link.html")] {
        std::os::unix::fs::symlink(file, folder.path(link)).expect("a link");
    }
    let people = ["play", "--south", "person", "--north", "person"];
    folder.run_with_input(&people, "load link.ogn\nsave! link.ogn\n").succeeded();
    assert_eq!(folder.text("games.ogn").matches("A a B b C c").count(), 1);
    assert_eq!(folder.text("games.ogn").matches("[FEN").count(), 2);
    let failing = ["grade", "--engine", "random", "--seeds", "12", "--report", "link.html"];
    folder.run(&[&failing[..], &["--force"]].concat()).failed(1, &["build --seeds 12"]);
    assert_eq!(folder.text("page.html"), "old");
    let good = ["grade", "--engine", "random", "--seeds", "6", "--report", "link.html", "--force"];
    folder.run(&good).succeeded();
    assert!(folder.text("page.html").contains("</html>"));
    assert!(["link.ogn", "link.html"].iter().all(|link| folder.path(link).is_symlink()));
}

/// A match whose games take a while.
const MATCH: [&str; 8] =
    ["match", "--engine", "random", "--engine", "greedy", "--pairs", "3", "--jobs"];

#[test]
fn games_of_a_match_are_saved_where_nothing_is_lost() {
    let folder = Folder::new();
    let save = |arguments: &[&str]| folder.run(&[&MATCH[..], &["1", "--save"], arguments].concat());
    let report = save(&["games.ogn", "--json"]).succeeded();
    let first = folder.text("games.ogn");
    assert_eq!(first.matches("[Variant").count(), 6);
    let refused = save(&["games.ogn"]).failed(1, &["games.ogn is there already: --force"]);
    assert!(refused.stdout.is_empty() && folder.text("games.ogn") == first);
    assert_eq!(save(&["games.ogn", "--json", "--force"]).succeeded().stdout, report.stdout);
    assert_eq!(folder.text("games.ogn"), first);
    save(&["no/folder/games.ogn"]).failed(1, &["cannot write no/folder/games.ogn"]);
    assert_eq!(save(&["-"]).succeeded().stdout, first, "and nothing else");
    assert_eq!(save(&["-", "--json"]).succeeded().stdout, first, "and nothing else");
}

#[test]
fn reports_and_answers_are_files_of_their_own() {
    let folder = Folder::new();
    let grade = |arguments: &[&str]| {
        let drawn = ["--seeds", "5..8", "--positions", "40", "--jobs", "1"];
        folder.run(&[&["grade", "--engine", "random"], &drawn[..], arguments].concat())
    };
    let all = ["--report", "r.html", "--chart", "c.svg", "--answers", "a.jsonl", "--json"];
    let report = grade(&all).succeeded().json();
    assert_eq!(folder.names(), ["a.jsonl", "c.svg", "r.html"]);
    let text = folder.text("a.jsonl");
    let answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 40);
    let graded = answers.iter().filter(|answer| answer["all_equal"] == false);
    let perfect = graded.filter(|answer| answer["perfect"] == true).count();
    assert_eq!(report["perfect"], perfect);
    let worst = &report["worst"][0];
    let same = answers.iter().find(|answer| answer["position"] == worst["position"]);
    for field in ["board", "seeds", "value", "answer", "answer_value", "loss", "keeps_result"] {
        assert_eq!(same.expect("the worst answer")[field], worst[field], "{field}");
    }
    for (option, name) in [("--report", "r.html"), ("--chart", "c.svg"), ("--answers", "a.jsonl")] {
        let before = folder.text(name);
        grade(&[option, name]).failed(1, &[name, "is there already: --force replaces it"]);
        assert_eq!(folder.text(name), before);
        let output = grade(&[option, "-", "--json"]).succeeded().stdout;
        let forced = grade(&[option, name, "--force"]).succeeded();
        assert!(forced.stdout.contains("perfect"), "{forced:?}");
        if option == "--answers" {
            assert_eq!(output.lines().count(), 40);
        } else {
            assert_eq!(output, folder.text(name), "and nothing else");
        }
        grade(&[option, "-", "--boards", "-"]).failed(2, &["--boards"]);
    }
    grade(&["--report", "x", "--chart", "x"]).failed(2, &["x is named twice"]);
    grade(&["--report", "x", "--min-accuracy", "2"]).failed(2, &["--min-accuracy"]);
    // The answers are boards for the next grading.
    let arguments = ["grade", "--engine", "greedy", "--boards", "a.jsonl", "--json"];
    assert_eq!(folder.run(&arguments).succeeded().json()["positions"], 40);
    // A run that fails leaves no page, and no part of one.
    let missing = ["grade", "--engine", "random", "--seeds", "12", "--report", "late.html"];
    folder.run(&missing).failed(1, &["build --seeds 12"]);
    assert_eq!(folder.names(), ["a.jsonl", "c.svg", "r.html"]);
}

#[test]
fn exports_go_to_standard_output_alone() {
    let folder = Folder::new();
    for format in ["vu", "npy"] {
        let export = ["export", "--to", format, "--level", "5", "--output"];
        folder.run(&[&export[..], &["file", "--json"]].concat()).succeeded();
        let file = fs::read(folder.path("file")).expect("exported");
        let mut names = vec!["-"];
        if Path::new("/dev/stdout").exists() {
            names.push("/dev/stdout");
        }
        for name in names {
            for more in [&[][..], &["--json"]] {
                let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oware"));
                command.args(export).arg(name).args(more).arg("--tables").arg(tables_to_9());
                let piped = command.output().expect("the program starts");
                assert!(piped.status.success() && piped.stdout == file, "{format} {name}");
                let redirected = fs::File::create(folder.path("redirected")).expect("created");
                assert!(command.stdout(redirected).status().expect("it starts").success());
                assert_eq!(fs::read(folder.path("redirected")).expect("written"), file);
            }
        }
    }
    for option in ["--sample", "--seed"] {
        run_on(tables_to_9(), &["export", "--to", "vu", "--level", "5", option, "3"])
            .failed(2, &["npy"]);
    }
    assert_eq!(folder.names(), ["file", "redirected"]);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_with_what_is_there() {
    let folder = Folder::new();
    let interrupted = |arguments: &[&str], file: &str| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oware"));
        command.args(arguments).arg("--tables").arg(tables_to_9()).current_dir(folder.0.path());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the program starts");
        let begun = Instant::now();
        while !fs::read(folder.path(file)).is_ok_and(|text| text.len() > 2000) {
            assert!(begun.elapsed() < Duration::from_secs(120), "no results in {file}");
            std::thread::sleep(Duration::from_millis(20));
        }
        let signal = if ignores("INT") { "-TERM" } else { "-INT" };
        let kill = [signal, &child.id().to_string()];
        assert!(Command::new("kill").args(kill).status().expect("kill runs").success());
        let run = Run::of(child.wait_with_output().expect("it ends"));
        assert_eq!(run.status, 130, "{run:?}");
        run
    };
    let engine =
        format!("'{}' uci --hash 1 --no-tables", assert_cmd::cargo::cargo_bin!("oware").display());
    let started = ["--engine", &engine, "--movetime", "20", "--jobs", "1", "--json"];
    let played = ["match", "--pairs", "1000", "--save", "games.ogn"];
    let run = interrupted(&[&played[..], &started].concat(), "games.ogn");
    let report = run.json();
    assert_eq!((&report["is_stopped"], &report["forfeits"]), (&json!(true), &json!([0, 0])));
    let games = folder.text("games.ogn").matches("[Variant").count();
    assert_eq!(report["games"], games);
    assert!(run.stderr.contains(&format!("the whole games, {games} of 2000")), "{run:?}");

    let asked = ["grade", "--positions", "2000", "--answers", "a.jsonl", "--report", "r.html"];
    let run = interrupted(&[&asked[..], &started].concat(), "a.jsonl");
    let report = run.json();
    let answers = folder.text("a.jsonl").lines().count();
    assert_eq!((&report["is_stopped"], &report["failed"]), (&json!(true), &json!(0)));
    assert_eq!(
        (&report["positions"], &report["not_asked"]),
        (&json!(answers), &json!(2000 - answers))
    );
    assert!(run.stderr.contains(&format!("the answers so far, {answers}")), "{run:?}");
    assert!(folder.text("r.html").contains("</html>"));
}

#[test]
fn blank_lines_and_comments_hold_no_board() {
    let input = "\u{feff}# boards\r\n\r\n1 0 0 0 0 0  0 0 0 0 0 1\r\n   \n";
    let run = run_on_with_input(tables_to_9(), &["query", "-", "--json"], input).succeeded();
    assert_eq!(run.json_lines().len(), 1);
}
