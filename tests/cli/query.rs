//! `query` says the truth in the form that was promised.

use crate::program::{Run, run, run_on, run_on_with_input, tables_to_9};
use oware::index::reachable_boards;
use oware::rules::{Board, Outcome, Pit, Rules, Seeds};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

/// Every board of a level, reachable or not.
fn boards_of(seeds: u8) -> Vec<[u8; 12]> {
    fn fill(board: &mut [u8; 12], pit: usize, left: u8, found: &mut Vec<[u8; 12]>) {
        if pit == 11 {
            board[pit] = left;
            found.push(*board);
            return;
        }
        for seeds in 0..=left {
            board[pit] = seeds;
            fill(board, pit + 1, left - seeds, found);
        }
    }
    let mut found = Vec::new();
    fill(&mut [0; 12], 0, seeds, &mut found);
    found
}

fn text_of(board: &[u8; 12]) -> String {
    board.map(|seeds| seeds.to_string()).join(" ")
}

fn board_of(object: &Value) -> Board {
    let pits: [u8; 12] = serde_json::from_value(object["board"].clone()).expect("12 numbers");
    Board::new(pits).expect("at most 48 seeds")
}

#[test]
fn the_values_of_all_boards_of_a_level_are_those_of_the_slow_solver() {
    let expected = fs::read_to_string("data/oracle_histograms.csv").expect("the histograms");
    for seeds in [0, 1, 3, 6] {
        let boards = boards_of(seeds);
        let input: String = boards.iter().map(|board| text_of(board) + "\n").collect();
        let answers = run_on_with_input(tables_to_9(), &["query", "-", "--json"], &input);
        let mut counts = BTreeMap::new();
        let mut reachable = 0;
        for (object, board) in answers.succeeded().json_lines().iter().zip(&boards) {
            assert_eq!(object["board"], json!(board), "answers come in the order of the input");
            assert_eq!(object["seeds"], seeds);
            let count = counts.entry(object["value"].as_i64().expect("a value")).or_insert((0, 0));
            count.0 += 1;
            if board[6..].contains(&0) {
                count.1 += 1;
                reachable += 1;
            }
        }
        assert_eq!(reachable, reachable_boards(Seeds::of(seeds)));
        let rows = counts
            .iter()
            .map(|(value, (all, reachable))| format!("awari,{seeds},{value},{all},{reachable}"));
        let start = format!("awari,{seeds},");
        let wanted = expected.lines().filter(|line| line.starts_with(&start));
        assert_eq!(rows.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
    }
}

#[test]
fn an_answer_has_the_promised_fields() {
    let answer = run_on(tables_to_9(), &["query", "0 1 0 0 2 1 0 0 1 0 3 0", "--json"]).succeeded();
    let object = answer.json();
    let fields: Vec<_> = object.as_object().expect("an object").keys().collect();
    let expected = ["best", "board", "line", "moves", "rules", "seeds", "value"];
    let mut required: Vec<_> = fields.into_iter().filter(|field| *field != "line_end").collect();
    required.sort();
    assert_eq!(required, expected);
    assert!(answer.stdout.starts_with(
        "{\"rules\":\"awari\",\"board\":[0,1,0,0,2,1,0,0,1,0,3,0],\"seeds\":8,\"value\":"
    ));
    let values: Vec<_> = object["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|found| {
            let letter = found["move"].as_str().expect("a letter").to_owned();
            (-found["value"].as_i64().expect("a value"), letter)
        })
        .collect();
    assert!(values.is_sorted(), "best first, equal ones in pit order: {values:?}");
    let letters: Vec<_> = values.iter().map(|(_, letter)| letter.as_str()).collect();
    assert_eq!(
        {
            let mut sorted = letters;
            sorted.sort_unstable();
            sorted
        },
        ["B", "E", "F"]
    );
}

#[test]
fn ended_boards_say_how() {
    for (board, end, value) in [
        ("0 0 0 0 0 0 1 0 0 0 0 2", "no-seeds", -3),
        ("1 2 0 0 0 0 0 0 0 0 0 0", "cannot-feed", 3),
        ("0 0 0 0 0 2 1 1 0 0 0 0", "only-slams", 4),
    ] {
        let object = run_on(tables_to_9(), &["query", board, "--json"]).succeeded().json();
        assert_eq!(object["end"], end, "{board}");
        assert_eq!(object["value"], value, "{board}");
        for field in ["moves", "best", "line"] {
            assert_eq!(object[field], json!([]), "{board} {field}");
        }
    }
}

#[test]
fn a_line_of_best_play_realises_the_value() {
    let mut input = String::new();
    for board in boards_of(7).iter().step_by(97) {
        let _ = writeln!(input, "{}", text_of(board));
    }
    let answers = run_on_with_input(tables_to_9(), &["query", "-", "--json", "--line"], &input);
    let mut ends = BTreeMap::new();
    for object in answers.succeeded().json_lines() {
        let (net, repeated) = replay(&object);
        let end = object.get("line_end").map_or("", |end| end.as_str().expect("a word"));
        assert_eq!(repeated, end == "repetition", "{object}");
        assert_eq!(Some(net), object["value"].as_i64(), "{object}");
        *ends.entry(end.to_owned()).or_insert(0) += 1;
    }
    assert!(ends[""] > 50, "{ends:?}");
}

/// Plays an answer's line by the rules: what the mover of its board nets, and whether the last
/// move repeats a board.
fn replay(object: &Value) -> (i64, bool) {
    let mut board = board_of(object);
    let mut seen = vec![board];
    let mut sign = 1;
    let mut net = 0;
    for letter in object["line"].as_array().expect("a line") {
        let letter = letter.as_str().expect("a letter").chars().next().expect("one letter");
        assert_eq!(letter.is_ascii_uppercase(), sign == 1, "{object}");
        let pit = Pit::from_letter(letter).expect("a pit");
        let Outcome::Moved { captured, next } = Rules::Awari.play(board, pit) else {
            panic!("illegal {letter} in {object}");
        };
        net += sign * i64::from(captured);
        sign = -sign;
        board = next;
        seen.push(board);
    }
    if let Some(end) = Rules::Awari.end(board) {
        net += sign * i64::from(end.value(board.seeds()).get());
    }
    (net, seen[..seen.len() - 1].contains(&board))
}

#[test]
fn bad_lines_are_answered_in_their_place_and_the_rest_goes_on() {
    let input =
        "1 0 0 0 0 0 0 0 0 0 0 1\nnonsense\n\n9 9 9 9 0 0 0 0 0 0 0 0\r\n2 0 0 0 0 0 0 0 0 0 0 1";
    let answers = run_on_with_input(tables_to_9(), &["query", "-", "--json"], input);
    assert_eq!(answers.status, 1);
    assert!(answers.stderr.is_empty(), "{answers:?}");
    let objects = answers.json_lines();
    assert_eq!(objects.len(), 4, "a blank line holds no board");
    assert_eq!(objects[0]["seeds"], 2);
    assert_eq!(objects[1]["input_line"], 2);
    assert_eq!(objects[2]["input_line"], 4);
    let missing = objects[2]["error"].as_str().expect("a message");
    assert!(missing.contains("36 seeds") && missing.contains("--seeds 36"), "{missing}");
    assert_eq!(objects[3]["seeds"], 3);
    assert!(objects[3].get("line").is_none());

    let plain = run_on_with_input(tables_to_9(), &["query", "-"], input);
    assert_eq!(
        (plain.status, plain.stdout.lines().count(), plain.stderr.lines().count()),
        (1, 2, 2)
    );
}

#[test]
fn arguments_and_lines_get_the_same_answers() {
    let boards = ["3 0 1 0 0 2 0 1 0 0 0 2", "0 0 0 3 0 0 1 1 1 1 1 1", "1 0 0 0 0 5 0 1 0 0 0 2"];
    let mut arguments = vec!["query", "--json"];
    arguments.extend(boards);
    let one_by_one = run_on(tables_to_9(), &arguments).succeeded();
    let input = boards.join("\n");
    let together = run_on_with_input(tables_to_9(), &["query", "-", "--json", "--line"], &input);
    assert_eq!(one_by_one.stdout, together.succeeded().stdout);
}

#[test]
fn a_missing_level_names_the_command_that_builds_it() {
    let tables = tables_to_9().to_str().expect("UTF-8");
    let command = format!("oware build --seeds 12 --tables {tables}");
    run_on(tables_to_9(), &["query", "1 1 1 1 1 1 1 1 1 1 1 1"]).failed(1, &[&command]);
    let board = "1 0 0 0 0 0 0 0 0 0 0 1";
    run_on(tables_to_9(), &["query", "--rules", "two-lap", board])
        .failed(1, &["two-lap", "oware build --seeds 2 --rules two-lap"]);
}

#[test]
fn people_see_the_board_the_moves_and_a_line_without_colour_codes() {
    let shown = run_on(
        tables_to_9(),
        &["query", "0", "1", "0", "0", "2", "1", "0", "0", "1", "0", "3", "0"],
    );
    let Run { stdout, .. } = shown.succeeded();
    assert!(stdout.contains("│   │ 1 │   │   │ 2 │ 1 │ mover"), "{stdout}");
    assert!(stdout.contains("│   │ 3 │   │ 1 │   │   │ opponent"), "{stdout}");
    assert!(stdout.contains("best") && stdout.contains("\nline  "), "{stdout}");
    assert!(!stdout.contains('\x1b'), "{stdout}");
}

#[test]
fn the_folder_may_come_from_the_environment() {
    let mut command = crate::program::oware();
    command.env("OWARE_TABLES", tables_to_9()).args(["query", "1 0 0 0 0 0 0 0 0 0 0 1"]);
    Run::of(command.output().expect("the program starts")).succeeded();
    run(&["query", "0 0 0 0 0 0 0 0 0 0 0 1", "--tables", "no/such/folder"])
        .failed(1, &["no/such/folder"]);
}
