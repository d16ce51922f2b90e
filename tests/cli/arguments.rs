//! Wrong usage is one line that says what to do, exit status 2, and touches nothing.

use crate::program::{run, run_on};

#[test]
fn boards_that_are_none_are_told_apart() {
    let twelve = "1 1 1 1 1 1 1 1 1 1 1 1";
    for (board, word) in [
        ("1 2 3", "3 fields"),
        ("1 1 1 1 1 1 1 1 1 1 1", "11 fields"),
        (&format!("{twelve} 1"), "13 fields"),
        ("-1 1 1 1 1 1 1 1 1 1 1 1", "dash"),
        ("1 -1 1 1 1 1 1 1 1 1 1 1", "separator"),
        ("1 1 1 x 1 1 1 1 1 1 1 1", "'x'"),
        ("1 1 1 1.5 1 1 1 1 1 1 1 1", "'1.5'"),
        ("1,,1,1,1,1,1,1,1,1,1,1", "separator"),
        ("1--1-1-1-1-1-1-1-1-1-1-1", "separator"),
        ("1 1 1 1 1 | 1 1 1 1 1 1 1", "'|'"),
        ("49 0 0 0 0 0 0 0 0 0 0 0", "49 seeds"),
        ("40 0 0 0 0 0 9 0 0 0 0 0", "49 seeds"),
        ("99999999999999999999 0 0 0 0 0 0 0 0 0 0 0", "48"),
        ("1-1-1-1-1-1-1-1-1-1-1-1-20-17-S", "49 seeds"),
        ("1-1-1-1-1-1-1-1-1-1-1-1-0-0-X", "'X'"),
        ("1-1-1-1-1-1-1-1-1-1-1-1-0-0", "14 fields"),
        ("", "board"),
        (" ", "board"),
    ] {
        run(&["query", "--tables", "nowhere", "--", board]).failed(2, &[word]);
    }
    let negative = ["query", "1", "1", "-1", "1", "1", "1", "1", "1", "1", "1", "1", "1"];
    run(&negative).failed(2, &["dash"]);
    run(&["query", "-1-1-1"]).failed(2, &["dash"]);
}

#[test]
fn other_wrong_usage_names_the_option_and_the_choice() {
    run(&["query", "--rules", "chess", "1"]).failed(2, &["--rules", "'chess'", "two-lap"]);
    run(&["frobnicate"]).failed(2, &["'frobnicate'", "oware --help"]);
    run(&["query"]).failed(2, &["BOARD", "oware query --help"]);
    run(&["query", "-", "1"]).failed(2, &["standard input"]);
    run(&["query", "--jsom", "1"]).failed(2, &["'--json'"]);
    run(&["info", "--threads", "0"]).failed(2, &["--threads"]);
    run(&["info", "--progress", "perhaps"]).failed(2, &["--progress", "always"]);
    run(&["build", "--seeds", "49"]).failed(2, &["--seeds", "48"]);
    run(&["build", "--seeds", "5", "--memory", "12Q"]).failed(2, &["12Q", "12G"]);
    run(&["build"]).failed(2, &["--seeds"]);
}

/// Every option that takes a number, with what its command needs besides.
const NUMBERS: [(&str, &[&str]); 22] = [
    ("--threads", &["info"]),
    ("--level", &["info"]),
    ("--level", &["verify"]),
    ("--memory", &["verify"]),
    ("--memory", &["build", "--seeds", "5"]),
    ("--checkpoint-every", &["build", "--seeds", "5"]),
    ("--seeds", &["build"]),
    ("--seeds", &["plan"]),
    ("--cache", &["query", "1 0 0 0 0 0 0 0 0 0 0 1"]),
    ("--sample", &["export", "--to", "npy", "--level", "5"]),
    ("--seed", &["export", "--to", "npy", "--level", "5"]),
    ("--positions", &["grade", "--engine", "random"]),
    ("--min-accuracy", &["grade", "--engine", "random"]),
    ("--jobs", &["grade", "--engine", "random"]),
    ("--timeout", &["grade", "--engine", "random"]),
    ("--movetime", &["grade", "--engine", "random"]),
    ("--depth", &["match", "--engine", "random"]),
    ("--pairs", &["match", "--engine", "random"]),
    ("--opening-plies", &["match", "--engine", "random"]),
    ("--time", &["play"]),
    ("--series", &["play"]),
    ("--hash", &["uci"]),
];

#[test]
fn numbers_that_are_none_are_told_with_the_option_in_words_of_our_own() {
    for (option, command) in NUMBERS {
        for value in ["x", "", "nan", "1e99", "99999999999999999999999", "-1"] {
            let given = [command, &[option, value, "--tables", "nowhere"]].concat();
            let run = run(&given);
            let run = run.failed(2, &[if value == "-1" { "" } else { option }]);
            for jargon in ["digit found", "float", "Duration", "fit in target", "a board has no"] {
                let of_a_board = jargon.starts_with("a board") && command[0] == "query";
                assert!(of_a_board || !run.stderr.contains(jargon), "{given:?}: {run:?}");
            }
        }
    }
    let mut unset = crate::program::oware();
    unset.env("OWARE_TABLES", "").arg("info");
    crate::program::Run::of(unset.output().expect("it starts")).failed(2, &["OWARE_TABLES"]);
}

#[test]
fn wrong_usage_points_to_the_help_of_its_command() {
    for (arguments, command) in [
        (&["frobnicate"] as &[&str], "oware"),
        (&["--threads", "x"], "oware"),
        (&["query"], "oware query"),
        (&["query", "x"], "oware query"),
        (&["query", "-", "x"], "oware query"),
        (&["query", "--lien", "1"], "oware query"),
        (&["query", "--threads", "x", "1"], "oware query"),
        (&["--threads", "x", "query", "1"], "oware query"),
        (&["--rules", "chess", "build", "--seeds", "3"], "oware build"),
        (&["build", "--seeds", "49"], "oware build"),
        (&["plan", "--memory", "12Q", "--seeds", "3"], "oware plan"),
        (&["verify", "--quick", "--deep"], "oware verify"),
        (&["info", "--level", "x"], "oware info"),
        (&["doctor", "x"], "oware doctor"),
        (&["export", "--to", "xls", "--level", "3"], "oware export"),
        (&["grade"], "oware grade"),
        (&["grade", "--seeds", "9..4"], "oware grade"),
        (&["match", "--engine", "random", "--pairs", "0"], "oware match"),
        (&["match", "--engine", "a", "--engine", "b", "--engine", "c"], "oware match"),
        (&["play", "--south", "ape"], "oware play"),
        (&["play", "--board", "1 2 3"], "oware play"),
        (&["uci", "--hash", "0"], "oware uci"),
        (&["completions", "csh"], "oware completions"),
    ] {
        let help = format!(" (see '{command} --help')\n");
        let run = run(arguments);
        assert!(run.status == 2 && run.stderr.ends_with(&help), "{arguments:?}: {run:?}");
    }
}

#[test]
fn help_goes_to_standard_output_and_shows_examples() {
    for command in [
        &[] as &[&str],
        &["query"],
        &["build"],
        &["info"],
        &["verify"],
        &["plan"],
        &["export"],
        &["grade"],
        &["match"],
        &["play"],
        &["uci"],
        &["completions"],
    ] {
        let help = run(&[command, &["--help"]].concat()).succeeded();
        assert!(help.stdout.contains("Examples:\n  oware"), "{help:?}");
        assert!(help.stderr.is_empty(), "{help:?}");
    }
    let typed = run(&["play", "--help"]).succeeded().stdout;
    for line in ["\n  A … F   ", "\n  hint   ", "\n  quit   "] {
        assert!(typed.contains(line), "{typed}");
    }
    let statuses = run(&["--help"]).succeeded().stdout;
    assert!(statuses.contains("130 stopped by a signal"), "{statuses}");
    assert!(run(&["--version"]).succeeded().stdout.starts_with("oware 0."));
    assert_eq!(run(&[]).status, 2);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let missing = folder.path().join("missing");
    let name = missing.to_str().expect("UTF-8");
    for command in [&["info"] as &[&str], &["query", "1 0 0 0 0 0 0 0 0 0 0 0"], &["verify"]] {
        run_on(&missing, command).failed(1, &[name]);
    }
    run_on(&missing.join("deeper"), &["build", "--seeds", "1"]).failed(1, &[name]);
    assert!(!missing.exists());
}

#[test]
fn manual_pages_are_printed_or_written_one_per_command() {
    let page = run(&["man"]).succeeded();
    assert!(page.stdout.contains(".TH oware 1") && page.stdout.contains("oware build"), "{page:?}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().to_str().expect("a name in Unicode");
    run(&["man", "--to", path]).succeeded();
    for command in ["build", "query", "verify", "man"] {
        let page = folder.path().join(format!("oware-{command}.1"));
        let text = std::fs::read_to_string(page).expect("a page");
        assert!(text.contains("Examples:") && text.contains(".SH OPTIONS"), "{text}");
    }
    assert_eq!(
        std::fs::read_to_string(folder.path().join("oware.1")).expect("a page"),
        page.stdout
    );
    run(&["man", "--to", &format!("{path}/nowhere")]).failed(1, &["manual pages", "nowhere"]);
}

#[test]
fn completions_know_the_commands_of_each_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]).succeeded();
        assert!(script.stdout.contains("grade") && script.stdout.contains("tables"), "{shell}");
    }
    run(&["completions", "tcsh"]).failed(2, &["'tcsh'", "bash"]);
}
