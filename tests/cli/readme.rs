//! The README tells the truth: what it shows in `console` blocks is what the commands print.

use crate::program::{Run, oware, run_on};
use std::fs;

/// The commands of the README's `console` blocks, each with the output shown below it.
fn sessions(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("```console\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap_or_default());
    let mut found: Vec<(String, String)> = Vec::new();
    for line in blocks.flat_map(str::lines) {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((command.to_owned(), String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => panic!("a block begins with a command, not '{line}'"),
        }
    }
    found
}

#[test]
fn commands_print_what_the_readme_shows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = folder.path().join("tables");
    run_on(&tables, &["build", "--seeds", "12", "--distances"]).succeeded();
    let readme = fs::read_to_string("README.md").expect("the README");
    let sessions = sessions(&readme);
    assert!(sessions.len() >= 4, "{sessions:?}");
    for (command, expected) in sessions {
        let words = shlex::split(&command).expect("words");
        assert_eq!(words[0], "oware", "{command}");
        let mut oware = oware();
        oware.current_dir(folder.path()).args(&words[1..]);
        let run = Run::of(oware.output().expect("the program starts")).succeeded();
        assert_eq!(run.stdout.trim_end(), expected.trim_end(), "{command}");
    }
}
