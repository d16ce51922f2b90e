//! A C program, compiled here against the header and the shared library, asks real tables.

use oware::build::{BuildOptions, build};
use oware::database::Database;
use oware::index::LevelIndex;
use oware::progress::NoProgress;
use oware::rules::{Rules, Seeds};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder that the shared library was built in: this test's own, or the one above.
fn library_folder() -> PathBuf {
    let test = std::env::current_exe().expect("this program");
    let name =
        format!("{}oware_capi{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let here = test.ancestors().skip(1).take(2).find(|folder| folder.join(&name).exists());
    here.unwrap_or_else(|| panic!("no {name} beside {}", test.display())).to_owned()
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_c_program_gets_the_same_answers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = folder.path().join("tables");
    let options = BuildOptions::new(Rules::Awari, Seeds::of(7), &tables).bounds(true);
    build(&options, &NoProgress).expect("built");
    let boards: Vec<u8> = LevelIndex::new(Seeds::of(7))
        .boards_from(0)
        .take(19_000)
        .flat_map(|board| board.pits())
        .collect();
    let boards_file = folder.path().join("boards");
    std::fs::write(&boards_file, boards).expect("written");

    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.path().join("probe");
    let library = library_folder();
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    run(Command::new(compiler)
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root.join("include"))
        .arg(root.join("tests/probe.c"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(&library)
        .arg("-loware_capi")
        .arg(format!("-Wl,-rpath,{}", library.display())));
    let printed = run(Command::new(&program).arg(&tables).arg(&boards_file));

    let database = Database::open(&tables, Rules::Awari).expect("opens");
    let board = "1 0 1 0 0 1 | 1 1 0 2 0 0".parse().expect("a board");
    assert_eq!(printed.trim(), database.value(board).expect("held").to_string());
}
