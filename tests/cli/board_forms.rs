//! Every entrance reads a board in every form in which the program prints one.

use crate::program::{Run, run_on, run_on_with_input, tables_to_9};
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

const PITS: [u8; 12] = [0, 1, 0, 0, 2, 1, 0, 0, 1, 0, 3, 0];

/// The board in every form; what is printed is printed by the program itself.
fn forms() -> Vec<String> {
    let pits = PITS.map(|seeds| seeds.to_string());
    let drawn = run_on(tables_to_9(), &["query", &pits.join(" ")]).succeeded().stdout;
    let play = play(&["--board", &pits.join(" ")], "quit\n");
    let object = run_on(tables_to_9(), &["query", "--json", &pits.join(" ")]).succeeded().stdout;
    let drawing = |text: &str, is_part: fn(&&str) -> bool| -> String {
        text.lines().filter(is_part).map(|line| format!("{line}\n")).collect()
    };
    let plain = pits.join(" ");
    vec![
        plain.clone(),
        format!("{}  {}", pits[..6].join(" "), pits[6..].join(" ")),
        format!("{} | {}", pits[..6].join(" "), pits[6..].join(" ")),
        format!("{} / {}", pits[..6].join(" "), pits[6..].join(" ")),
        pits.join(","),
        json!(PITS).to_string(),
        object.trim().to_owned(),
        format!("{}-20-20-S", pits.join("-")),
        "0-0-1-0-3-0-0-1-0-0-2-1-20-20-N".to_owned(),
        format!("\u{feff}{plain}\r"),
        format!("{plain}  # a comment"),
        format!("# a comment\n\r\n{plain}\r\n\n# more"),
        drawing(&drawn, |line| line.contains(['│', '─'])),
        drawing(&drawn, |line| line.contains(['│', '─']) || line.starts_with("    ")),
        drawing(&play, |line| !line.trim().is_empty()),
    ]
}

/// The board of a session between two people, after the first lines and up to the first prompt.
fn play(arguments: &[&str], typed: &str) -> String {
    let players = ["play", "--south", "person", "--north", "person"];
    let run = run_on_with_input(tables_to_9(), &[&players, arguments].concat(), typed);
    let screen = run.succeeded().stdout;
    let board = screen.split_once("\n\n").expect("the first lines").1;
    board.split("South> ").next().expect("a board").to_owned()
}

fn board(object: &Value) -> [u8; 12] {
    serde_json::from_value(object["board"].clone()).expect("12 numbers")
}

fn graded(file: &str, text: impl AsRef<[u8]>, option: &str) -> Run {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join(file);
    fs::write(&path, text).expect("written");
    let path = path.to_str().expect("a plain path").to_owned();
    let mut arguments = vec!["grade", option, &path, "--answers", "-"];
    if option == "--boards" {
        arguments.extend(["--engine", "greedy"]);
    }
    run_on(tables_to_9(), &arguments)
}

#[test]
fn arguments_input_files_and_games_read_every_form() {
    for form in forms() {
        let argument = run_on(tables_to_9(), &["query", "--json", &form]).succeeded();
        assert_eq!(board(&argument.json()), PITS, "{form}");
        let input = format!("{form}\n{form}\n1 0 0 0 0 0  0 0 0 0 0 1\n");
        let lines = run_on_with_input(tables_to_9(), &["query", "-", "--json"], &input);
        let boards: Vec<_> = lines.succeeded().json_lines().iter().map(board).collect();
        assert_eq!(boards, [PITS, PITS, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]], "{form}");
        let answers = graded("boards.txt", &input, "--boards").succeeded().json_lines();
        let boards: Vec<_> = answers.iter().map(board).collect();
        assert_eq!(boards[..2], [PITS, PITS], "{form}");
        if !form.contains(['\n', '\r', '"']) {
            let (turn, letter) = if form.ends_with('N') { ("1...", 'e') } else { ("1.", 'E') };
            let game = format!("[FEN \"{form}\"]\n\n{turn} {letter}\n");
            let answers = graded("game.ogn", &game, "--games").succeeded();
            assert_eq!(board(&answers.json_lines()[0]), PITS, "{form}");
        }
    }
}

#[test]
fn sessions_read_every_form_as_an_option_and_as_a_command() {
    let expected = play(&["--board", "0 1 0 0 2 1 0 0 1 0 3 0"], "quit\n");
    for form in forms() {
        let is_norths = form.ends_with('N');
        let option = play(&["--board", &form], "quit\n");
        let typed = if form.contains('\n') { "setup\n" } else { "setup " };
        let command = play(&[], &format!("{typed}{form}\nquit\n"));
        if is_norths {
            assert!(option.contains(">           North  20\n"), "{form}\n{option}");
            continue;
        }
        assert_eq!(option, expected, "{form}");
        let run = run_on_with_input(
            tables_to_9(),
            &["play", "--south", "person", "--north", "person"],
            &format!("{typed}{form}\nquit\n"),
        );
        assert!(run.stdout.contains(expected.trim_end()), "{form}\n{command}");
    }
}

#[test]
fn text_that_is_not_utf_8_costs_its_own_line_everywhere() {
    let text = b"\xff\n1 0 0 0 0 0  0 0 0 0 0 1\n# Jos\xe9\n";
    let mut command = crate::program::oware();
    command.args(["query", "-", "--json", "--tables"]).arg(tables_to_9()).write_stdin(&text[..]);
    let lines = Run::of(command.output().expect("the program starts"));
    assert_eq!(lines.status, 1);
    let objects = lines.json_lines();
    assert_eq!((objects.len(), &objects[0]["input_line"]), (2, &json!(1)));
    let graded_boards = graded("boards.txt", text, "--boards").succeeded();
    assert_eq!(graded_boards.json_lines().len(), 1);
    assert!(graded_boards.stderr.contains("boards.txt, line 1: "), "{graded_boards:?}");
    let game = b"[FEN \"1 0 0 0 0 0  0 0 0 0 0 1\"]\n[South \"Jos\xe9\"]\n\n1. A\n";
    let answers = graded("game.ogn", game, "--games").succeeded().json_lines();
    assert_eq!(answers[0]["engine"], "José");
}
