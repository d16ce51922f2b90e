//! Completions offer what an option takes, and files only where it takes files.

use crate::program::{left_out, run};
use std::process::Command;

/// What bash offers after these words, in a folder with the file `a-file`; `None` without bash.
fn offered(script: &str, words: &[&str]) -> Option<Vec<String>> {
    const COMPLETE: &str = r#"
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
        _oware oware "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("script");
    std::fs::write(&file, script).expect("written");
    std::fs::write(folder.path().join("a-file"), "").expect("written");
    let mut bash = Command::new("bash");
    bash.current_dir(folder.path()).args(["-c", COMPLETE, "bash"]).arg(&file).args(words);
    let output = bash.output().ok()?;
    let text = String::from_utf8(output.stdout).expect("text");
    Some(text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

#[test]
fn names_are_offered_where_names_are_taken_and_files_where_files_are() {
    let script = run(&["completions", "bash"]).succeeded().stdout;
    let rules = ["awari", "abapa", "wari", "leave-first", "leave-last", "two-lap"];
    let players = ["person", "random", "greedy", "easy", "medium", "hard", "perfect"];
    for (words, wanted) in [
        (&["oware", "query", "--rules", ""] as &[&str], &rules as &[&str]),
        (&["oware", "--rules", ""], &rules),
        (&["oware", "play", "--south", ""], &players),
        (&["oware", "play", "--north", ""], &players),
        (&["oware", "uci", "--level", ""], &players[1..]),
        (&["oware", "grade", "--aim", ""], &["margin", "result"]),
        (&["oware", "match", "--repetition", ""], &["split", "own-side"]),
        (&["oware", "export", "--to", ""], &["vu", "npy"]),
        (&["oware", "build", "--seeds", ""], &[]),
        (&["oware", "play", "--board", ""], &[]),
        (&["oware", "grade", "--boards", ""], &["a-file"]),
        (&["oware", "match", "--save", ""], &["a-file"]),
    ] {
        let Some(found) = offered(&script, words) else {
            return left_out("completions in bash, without bash");
        };
        for name in wanted {
            assert!(
                found.iter().any(|offer| offer == name),
                "no {name} after {words:?}: {found:?}"
            );
        }
        let has_files = found.iter().any(|offer| offer == "a-file");
        assert_eq!(has_files, wanted.contains(&"a-file"), "{words:?}: {found:?}");
    }
}

#[test]
fn every_shell_knows_the_rule_sets_and_the_players() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]).succeeded().stdout;
        let needed = if shell == "elvish" || shell == "powershell" { "--rules" } else { "two-lap" };
        assert!(script.contains(needed), "{shell}");
    }
}
