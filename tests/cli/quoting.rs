//! Commands that messages offer can be pasted: they name the same folder, whatever it is called.

use crate::program::{Run, oware, run_on, tables_to_9};
use std::fs;
use std::path::Path;

/// Names that a shell would take apart, expand or misread.
const AWKWARD: [&str; 5] = ["with blank", "it's", "$HOME `id`", "a;b \"c\" *", "Aual\u{e9}"];

/// The commands that a run offers: in backquotes, or after `next:`, `try:` or a mistake's figures.
fn offered(run: &Run) -> Vec<String> {
    let mut commands = Vec::new();
    for line in run.stdout.lines().chain(run.stderr.lines()) {
        if let Some(at) = line.find("`oware ") {
            let rest = &line[at + 1..];
            // A folder's name may have a backquote too, in quotes.
            let end = rest.match_indices('`').map(|(end, _)| end);
            let mut words = end.filter(|&end| shlex::split(&rest[..end]).is_some());
            commands.push(rest[..words.next_back().expect("an end")].to_owned());
        } else if let Some(at) = line.find(": oware ").or_else(|| line.find("query ")) {
            let start = line[at..].find(' ').expect("a blank") + at + 1;
            let start = if line[at..].starts_with("query ") { at } else { start };
            commands.push(line[start..].to_owned());
        }
    }
    commands
}

/// Runs what was offered, in a folder beside the tables.
fn paste(command: &str, place: &Path) -> Run {
    let words = shlex::split(command).expect("words");
    let arguments = words.iter().skip(usize::from(words[0] == "oware"));
    let mut program = oware();
    program.current_dir(place).args(arguments);
    Run::of(program.output().expect("the program starts"))
}

#[test]
fn offered_commands_name_the_folder_whatever_it_is_called() {
    for name in AWKWARD {
        let place = tempfile::tempdir().expect("a temporary folder");
        let tables = place.path().join(name);
        let folder = tables.to_str().expect("text");
        let board = "1 1 1 1 1 2 4 2 3 0 0 0";
        // Nothing there, then some levels, then a damaged one.
        let mut runs = vec![
            run_on(&tables, &["info"]).failed(1, &["there is no folder"]),
            run_on(&tables, &["query", board]).failed(1, &["there is no folder"]),
            run_on(&tables, &["build", "--seeds", "9"]).succeeded(),
            run_on(&tables, &["query", board]).failed(1, &["no awari table of 16 seeds"]),
            run_on(&tables, &["info", "--rules", "wari"]).succeeded(),
            run_on(&tables, &["info", "--level", "11"]).succeeded(),
            run_on(&tables, &["doctor"]).succeeded(),
            run_on(&tables, &["grade", "--engine", "random", "--seeds", "9"]).succeeded(),
        ];
        fs::write(tables.join("awari-04.oware"), b"something else").expect("written");
        runs.push(run_on(&tables, &["verify", "--quick"]).failed(1, &["--force"]));
        runs.push(run_on(&tables, &["doctor"]));
        for run in &runs {
            let commands = offered(run);
            assert!(!commands.is_empty(), "{run:?}");
            for command in commands {
                let words = shlex::split(&command).expect("words");
                assert!(words.iter().any(|word| word == folder), "{command} for {folder}");
            }
        }
        let mended = paste(&offered(&runs[8])[0], place.path());
        assert_eq!(mended.status, 0, "{mended:?}");
        for command in runs[6..8].iter().flat_map(|run| offered(run).into_iter().take(2)) {
            assert_eq!(paste(&command, place.path()).status, 0, "{command}");
        }
    }
}

#[test]
fn offered_commands_leave_out_a_folder_that_is_meant_anyway() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let tables = place.path().join("tables");
    fs::create_dir(&tables).expect("a folder");
    fs::copy(tables_to_9().join("awari-00.oware"), tables.join("awari-00.oware")).expect("a copy");
    let run = paste("oware doctor", place.path());
    assert_eq!(offered(&run), ["oware verify"]);
}
