//! The README and the pages under `docs/` tell the truth.
//!
//! Each page's `console` blocks are run from top to bottom in one folder that is empty at first, by a
//! user without data, as a reader would who follows the page: what a page needs, its own commands make. `sh` blocks show
//! commands that take long, ask for input or name the reader's own folders: those are held to what
//! the program understands.

use crate::program::{oware, run_on};
use oware::database::Database;
use oware::rules::{Board, Rules};
use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The README and every page under `docs/`, by name.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).expect("the documents");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        docs.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    paths.sort();
    paths.push(root.join("README.md"));
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("a page"))
    };
    paths.into_iter().map(read).collect()
}

/// The text of each block of this language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let start = format!("\n```{language}\n");
    let rests = page.split(start.as_str()).skip(1);
    rests.map(|rest| rest.split("\n```").next().expect("a block's text").to_owned()).collect()
}

/// The `console` blocks of a page as they are compared. `[..]`, which stands for anything, is in
/// place of the times shown; commands to try name the program as it was started, by its path here;
/// the reader's home is a folder of the test; and an empty line is where an output ends.
fn compared(page: &str) -> String {
    let times = Regex::new(r"in [0-9.]+ s, [0-9.]+ [kM] boards/s").expect("an expression");
    let blocks = blocks(page, "console").into_iter().map(|block| {
        let block = times.replace_all(&block, "in [..] s, [..] boards/s");
        let block = block.replace("try: oware ", "try: [PROGRAM] ").replace("\n$ ", "\n\n$ ");
        let block = block.replace("/home/you/", "[HOME]/");
        format!("```console\n{block}\n\n```\n")
    });
    blocks.collect()
}

#[test]
fn console_blocks_print_what_the_pages_show() {
    let program = env!("CARGO_BIN_EXE_oware");
    for (name, page) in pages() {
        let blocks = compared(&page);
        if blocks.is_empty() {
            continue;
        }
        // The commands run in the folder that has the page's name and ends in `.in`.
        let place = tempfile::tempdir().expect("a temporary folder");
        let home = tempfile::tempdir().expect("a temporary folder");
        let copy = place.path().join(&name);
        fs::write(&copy, blocks).expect("a copy");
        fs::create_dir(copy.with_extension("in")).expect("a folder");
        trycmd::TestCases::new()
            .register_bin("oware", Path::new(program))
            .insert_var("[PROGRAM]", program)
            .expect("a name in brackets")
            .insert_var("[HOME]", home.path().to_string_lossy().into_owned())
            .expect("a name in brackets")
            .env("HOME", home.path().to_string_lossy())
            .env("XDG_DATA_HOME", home.path().join(".local/share").to_string_lossy())
            .case(&copy)
            .run();
    }
}

#[test]
fn every_command_of_a_console_block_is_one_that_is_run() {
    let mut commands = 0;
    for (name, page) in pages() {
        for block in blocks(&page, "console") {
            assert!(block.starts_with("$ oware "), "{name}: {block}");
            for command in block.lines().filter(|line| line.starts_with("$ ")) {
                assert!(command.starts_with("$ oware "), "{name}: {command}");
                commands += 1;
            }
        }
        assert!(!page.contains("```text\n$ "), "{name}: a session that is not run");
    }
    assert!(commands > 6, "{commands} commands");
}

#[test]
fn commands_shown_without_their_output_are_understood() {
    let mut understood = 0;
    for (name, page) in pages() {
        for block in blocks(&page, "sh") {
            let lines = block.replace("\\\n", " ");
            for line in lines.lines().filter(|line| line.starts_with("oware ")) {
                let words = shlex::split(line).expect("words");
                let mut program = oware();
                // Options and their values are looked at before help is printed.
                program.args(&words[1..]).arg("--help");
                let output = program.output().expect("the program starts");
                assert!(output.status.success(), "{name}: {line}: {output:?}");
                understood += 1;
            }
        }
    }
    assert!(understood > 5, "{understood} commands");
}

/// What the README shows under *Library*.
#[expect(clippy::print_stdout, reason = "the README's own lines")]
fn snippet() -> Result<(), Box<dyn std::error::Error>> {
    // README: begin
    let database = Database::open("tables", Rules::Awari)?;
    let board: Board = "2 1 3 4 0 0 | 0 0 0 0 0 2".parse()?;
    println!("{} is worth {}", board, database.value(board)?);
    for found in database.moves(board)? {
        println!("{} captures {}, worth {}", found.pit, found.captured, found.value);
    }
    // README: end
    Ok(())
}

/// Set for the run of this program that runs the snippet.
const IN_THE_FOLDER: &str = "OWARE_TEST_SNIPPET";

#[test]
fn the_library_snippet_is_as_shown_and_runs_in_the_folder_of_the_readme() {
    if std::env::var_os(IN_THE_FOLDER).is_some() {
        snippet().expect("the tables are there");
        return;
    }
    let (_, readme) = pages().pop().expect("the README is last");
    let shown = blocks(&readme, "rust,no_run").pop().expect("a snippet");
    let source = include_str!("documents.rs");
    let body = source.split("// README: begin\n").nth(1).expect("a beginning");
    let body = body.split("    // README: end").next().expect("an end");
    assert!(shown.contains(body.replace("\n    ", "\n").trim()), "{shown}");

    // The folder is the run's own, so the snippet needs a process of its own.
    let place = tempfile::tempdir().expect("a temporary folder");
    run_on(&place.path().join("tables"), &["build", "--seeds", "12"]).succeeded();
    let this = std::env::current_exe().expect("this program");
    let name = "documents::the_library_snippet_is_as_shown_and_runs_in_the_folder_of_the_readme";
    let run = Command::new(this)
        .args(["--exact", name, "--nocapture"])
        .current_dir(place.path())
        .env(IN_THE_FOLDER, "1")
        .output()
        .expect("this program starts");
    let printed = String::from_utf8(run.stdout).expect("text");
    assert!(run.status.success(), "{printed}");
    assert!(printed.contains("2 1 3 4 0 0 | 0 0 0 0 0 2 is worth 6\n"), "{printed}");
    assert!(printed.contains("B captures 0, worth 6\n"), "{printed}");
}
