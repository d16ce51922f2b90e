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
    assert!(text.starts_with(start), "{text}");
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
    assert!(text.contains("Game 2 of a series to 60 seeds."), "{text}");
    assert!(text.contains("player wins the series.") || text.contains("series is drawn"), "{text}");
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
