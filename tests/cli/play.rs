//! Scripted sessions of `oware play`, through the real binary.

use crate::program::oware;
use tempfile::TempDir;

/// What a session writes, given what is typed, in a folder without tables.
fn session_in(folder: &TempDir, arguments: &[&str], typed: &str) -> String {
    let output = oware()
        .arg("play")
        .args(arguments)
        .current_dir(folder.path())
        .env_remove("CLICOLOR_FORCE")
        .write_stdin(typed)
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    String::from_utf8(output).expect("text")
}

fn session(arguments: &[&str], typed: &str) -> String {
    session_in(&TempDir::new().expect("a folder"), arguments, typed)
}

const TWO_PEOPLE: [&str; 4] = ["--south", "person", "--north", "person"];

fn two_people(rules: &str, typed: &str) -> String {
    let arguments = [&TWO_PEOPLE[..], &["--rules", rules]].concat();
    session(&arguments, typed)
}

#[test]
fn the_board_is_drawn_with_both_rows_labelled_and_no_colour_in_a_file() {
    let text = two_people("awari", "F\nflip\nquit\n");
    let start = "
            North  0
       f    e    d    c    b    a
    ┌────┬────┬────┬────┬────┬────┐
    │  4 │  4 │  4 │  4 │  4 │  4 │
    ├────┼────┼────┼────┼────┼────┤
    │  4 │  4 │  4 │  4 │  4 │  4 │
    └────┴────┴────┴────┴────┴────┘
       A    B    C    D    E    F
>           South  0
";
    let (greeting, board) = text.split_once("\n\n").expect("a greeting, then the board");
    assert!(board.starts_with(start.trim_start_matches('\n')), "{text}");
    assert_eq!(greeting.lines().count(), 4, "{greeting}");
    assert!(text.contains("South plays F.\n"));
    let flipped = "
            South  0
       F    E    D    C    B    A
    ┌────┬────┬────┬────┬────┬────┐
    │  · │  4 │  4 │  4 │  4 │  4 │
    ├────┼────┼────┼────┼────┼────┤
    │  5 │  5 │  5 │  5 │  4 │  4 │
    └────┴────┴────┴────┴────┴────┘
       a    b    c    d    e    f
>           North  0
";
    assert!(text.contains(flipped), "{text}");
    assert!(!text.contains('\u{1b}'), "no escape codes");
}

#[test]
fn a_whole_game_ends_in_words_with_the_score() {
    let moves =
        |joined: &str| joined.chars().map(|letter| format!("{letter}\n")).collect::<String>();
    let cannot_feed = moves("DdFbEeBcCbAaFaAeAfAdAbFcBdCfDaAbBeEbDaBfCcEbFbDcEdF");
    let text = two_people("abapa", &cannot_feed);
    let end = "North cannot give South a seed, so North keeps the 1 seed on the board. The game is drawn, 24 to 24.";
    assert!(text.contains(end), "{text}");
    let repetition = moves(
        "EdFcDfBeAaCfEdAeBbFfEaCcDdEeAcEdDeFfEbFcBeFdEaAfDeFfEaFbCcDdEaFfAaBbCcDdEeAfFaAbBcCdDeEf",
    );
    let text = two_people("abapa", &repetition);
    assert!(
        text.contains("The position came back without a capture in between, so of the"),
        "{text}"
    );
    assert!(text.contains("each side takes those in its own row. South wins 25 to 23."), "{text}");
    let text = two_people("awari", "setup 0 0 0 0 0 0 3 0 0 0 0 0\n");
    let end =
        "South has no seeds to move, so North takes the 3 seeds on the board. North wins 26 to 22.";
    assert!(text.contains(end), "{text}");
}

#[test]
fn wrong_input_explains_itself_and_changes_nothing() {
    let text = two_people(
        "awari",
        "setup 1 0 9 0 0 1 0 0 0 0 0 0\nb\na\nxyzzy\nsetup 1 2 3\nhint me\nsave\nload nowhere.ogn\nnorth ape\nmoves\nc\n",
    );
    for expected in [
        "B is empty: choose one of C, F.",
        "A would leave the opponent without seeds: choose one of C, F.",
        "'xyzzy' is no move and no command: type help.",
        "3 fields where a board has 12 numbers (or a game string 15 fields).",
        "'hint' stands alone, without 'me'.",
        "save needs a file's name after it.",
        "nowhere.ogn: No such file",
        "north: 'ape' is nobody",
        "no moves yet",
        "South plays C",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn undo_and_redo_walk_to_the_person_s_own_moves() {
    let machine = ["--south", "person", "--north", "greedy", "--rules", "awari"];
    let text = session(&machine, "undo\nF\nE\nmoves\nundo\nmoves\nredo\nmoves\nredo\nquit\n");
    assert!(text.contains("There is no move to take back."));
    assert!(text.contains("There is no move to play again."));
    let shown: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("South> "))
        .filter(|line| line.len() <= 4 && line.starts_with('F'))
        .collect();
    let [four, two, again] = shown.as_slice() else { panic!("{shown:?}\n{text}") };
    assert_eq!((four.len(), two.len()), (4, 2));
    assert_eq!((&four[..2], four), (*two, again));
}

#[test]
fn a_saved_game_is_loaded_again_and_a_file_is_not_lost_by_mistake() {
    let folder = TempDir::new().expect("a folder");
    let arguments = [&TWO_PEOPLE[..], &["--rules", "abapa"]].concat();
    let text = session_in(&folder, &arguments, "F\nf\nC\nsave a game.ogn\nb\nsave a game.ogn\n");
    assert!(text.contains("The game is in a game.ogn."));
    assert!(text.contains("Not saved: the file is there already (save! replaces it)."));
    let saved = std::fs::read_to_string(folder.path().join("a game.ogn")).expect("saved");
    assert!(saved.contains("[Variant \"Oware Abapa\"]") && saved.contains("1. F f 2. C"));
    // The rules come from the file.
    let text = session_in(&folder, &TWO_PEOPLE, "load a game.ogn\nmoves\nb\nsave! a game.ogn\n");
    assert!(text.contains("FfC"), "{text}");
    let saved = std::fs::read_to_string(folder.path().join("a game.ogn")).expect("saved");
    assert!(saved.contains("2. C b"), "{saved}");
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 1, "nothing left over");
    // Smaller games have no place in such files.
    let text = two_people("awari", "setup 1-0-0-0-0-1-1-1-0-0-0-0-0-2-S\nsave small.ogn\n");
    assert!(text.contains("game files hold games of 48 seeds, this one has 6."), "{text}");
}

#[test]
fn machines_play_a_game_and_a_series_to_the_end_by_themselves() {
    let machines = ["--south", "greedy", "--north", "random", "--seed", "3"];
    let text = session(&machines, "");
    assert!(text.contains("South plays") && text.contains("North plays"));
    assert!(text.contains(" wins ") || text.contains("is drawn"), "{text}");
    assert_eq!(text, session(&machines, ""), "the same seed, the same game");
    let series = [&machines[..], &["--series", "60", "--play-on"]].concat();
    let text = session(&series, "");
    assert!(text.contains("Game 2 of a series to 60 seeds: "), "{text}");
    assert!(
        text.contains("seeds: player 1 (greedy) is South, player 2 (random) is North."),
        "{text}"
    );
    let last = text.lines().last().expect("a last line");
    assert!(last.starts_with("The series after game "), "{last}");
    assert!(last.ends_with(") wins it.") || last.ends_with("The series is drawn."), "{last}");
}

#[test]
fn hints_and_values_say_how_sure_they_are() {
    // South takes two, and North has to give its last seed away: proved without tables.
    let text = two_people("awari", "setup 0-0-0-0-0-1-1-0-0-0-0-1-22-23-S\nhint\nvalue\n");
    assert!(text.contains("South>   F  +"), "{text}");
    assert!(text.contains("South gets 3 seeds more than North from here on (exact)."), "{text}");
    let machine = ["--south", "person", "--north", "person", "--time", "0.2"];
    let text = session(&machine, "hint\nvalue\n");
    for letter in ["  A  ", "  F  "] {
        assert!(text.contains(letter), "{text}");
    }
    assert!(text.contains("about"), "{text}");
    assert!(text.contains("(an estimate)."), "{text}");
}

#[test]
fn wrong_options_are_wrong_usage() {
    for arguments in [
        &["--north", "ape"] as &[&str],
        &["--board", "1 2 3"],
        &["--time", "-1"],
        &["--time", "nan"],
        &["--series", "0"],
        &["--repetition", "never"],
    ] {
        let output = oware()
            .arg("play")
            .args(arguments)
            .write_stdin("")
            .assert()
            .code(2)
            .get_output()
            .clone();
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_first_screen_says_what_is_played_by_whom_and_with_what() {
    for (arguments, words) in [
        (
            &["--south", "person", "--north", "medium"] as &[&str],
            ["Rules: awari; ", "shared evenly", "South: person. North: depth-6.", "up to 12 seeds"],
        ),
        (
            &["--rules", "abapa", "--north", "random", "--tables", "nowhere"],
            ["Rules: abapa; ", "own row", "South: person. North: random.", "Tables: none"],
        ),
    ] {
        let text = session(arguments, "");
        let greeting = text.split("\n\n").next().expect("a greeting");
        for word in words.into_iter().chain(["help for all commands"]) {
            let word = if word == "shared evenly" { "share what is left evenly" } else { word };
            assert!(greeting.contains(word), "no '{word}' in {greeting}");
        }
    }
}

#[test]
fn the_lines_of_help_are_indented_alike() {
    let text = two_people("awari", "help\nquit\n");
    let help = text.split("What can be typed:\n").nth(1).expect("help");
    let help = help.split("South>").next().expect("an end");
    assert!(help.lines().count() > 12, "{help}");
    assert!(help.lines().all(|line| line.starts_with("  ")), "{help}");
}

/// An ending in which South has one move, which captures two seeds under `wari`: 25 to 23.
const LAST_MOVE: &str = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S";

#[test]
fn the_end_of_a_game_or_series_leaves_the_person_at_the_prompt() {
    let typed = format!("setup {LAST_MOVE}\nF\nmoves\n\nvalue\nnew\nA\nquit\n");
    let text = two_people("wari", &typed);
    assert!(text.contains("over> F\n") && text.contains("over> over> "), "{text}");
    assert!(text.contains("South plays A"), "{text}");

    // A game of a series may be taken back; it counts once, when the person goes on.
    let arguments = [&TWO_PEOPLE[..], &["--series", "30", "--rules", "wari"]].concat();
    let game = format!("setup {LAST_MOVE}\nF\nundo\nF\n\n");
    let typed = format!("{game}south\n{game}moves\nnew\nA\nquit\n");
    let text = session(&arguments, &typed);
    assert!(text.contains("Game 1 of a series to 30 seeds: player 1 (person) is South"), "{text}");
    assert!(text.contains("player 1 (person) has 25 seeds, player 2 (person) has 23."), "{text}");
    assert!(text.contains("Enter goes on to the next game"), "{text}");
    assert!(text.contains("North had fewer seeds and chooses: south or north? "), "{text}");
    assert!(text.contains("Game 2 of a series to 30 seeds: player 1 (person) is North"), "{text}");
    assert!(text.contains("player 1 (person) has 48 seeds, player 2 (person) has 48."), "{text}");
    assert!(text.contains("The series is drawn."), "{text}");
    assert!(text.contains("over> F\n"), "the session goes on: {text}");
    assert!(text.contains("South plays A"), "and games with it: {text}");
}

#[test]
fn names_that_are_nobody_get_the_range_of_depths() {
    for name in ["ape", "depth-0", "depth-61", "depth-x", "depth-"] {
        let text = two_people("awari", &format!("south {name}\n"));
        assert!(text.contains("depth-N (N from 1 to 60)"), "{name}: {text}");
        let output = oware().args(["play", "--north", name]).write_stdin("").assert().code(2);
        let errors = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(errors.contains("depth-N (N from 1 to 60)"), "{name}: {errors}");
    }
}

/// Types into a terminal: an arrow key recalls the last line, a wrong letter is taken back.
#[cfg(target_os = "linux")]
#[test]
fn lines_are_edited_on_a_terminal() {
    let program = env!("CARGO_BIN_EXE_oware");
    let command = format!("'{program}' play --south person --north person --tables nowhere");
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env("TERM", "xterm");
    script.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let Ok(mut child) = script.spawn() else {
        return crate::program::left_out("line editing, without script");
    };
    let mut keyboard = child.stdin.take().expect("piped");
    // A terminal would take keys that come before the prompt as they are.
    for keys in ["b\u{7f}moves\r", "\u{1b}[A\r", "quit\r"] {
        std::thread::sleep(std::time::Duration::from_millis(700));
        std::io::Write::write_all(&mut keyboard, keys.as_bytes()).expect("typed");
    }
    let output = child.wait_with_output().expect("an end");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("no moves yet").count(), 2, "{text}");
    assert!(output.status.success(), "{text}");
}
