//! Tables that are not what was written: an answer is right or an error, never a wrong value.

use crate::program::{Run, run_on, run_on_with_input, tables_to_9};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::fs;
use std::path::Path;

const LEVEL: &str = "awari-06.oware";

fn copy_of_tables() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for entry in fs::read_dir(tables_to_9()).expect("the tables") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, folder.path().join(path.file_name().expect("a name"))).expect("a copy");
    }
    folder
}

/// Some boards of 6 seeds, and how they are answered in a folder.
fn ask(folder: &Path) -> Run {
    let mut input = String::new();
    for place in 0..12 {
        for other in 0..12 {
            let mut board = [0; 12];
            board[place] += 4;
            board[other] += 1;
            board[(place + other) % 12] += 1;
            input += &(board.map(|seeds: u8| seeds.to_string()).join(" ") + "\n");
        }
    }
    run_on_with_input(folder, &["query", "-", "--json"], &input)
}

/// Asks a folder with a damaged table; every answer is an error or that of the whole tables.
/// Says whether there was an error.
fn ask_damaged(folder: &Path, whole: &Run, what: &str) -> bool {
    let answers = ask(folder);
    assert!(answers.status == 0 || answers.status == 1, "{what}: {answers:?}");
    if answers.stdout.is_empty() {
        assert_eq!(answers.stderr.lines().count(), 1, "{what}: {answers:?}");
        assert_eq!(answers.status, 1, "{what}");
        return true;
    }
    let mut errors = 0;
    for (answer, right) in answers.stdout.lines().zip(whole.stdout.lines()) {
        let is_error = answer.starts_with("{\"input_line\"");
        assert!(is_error || answer == right, "{what}: {answer} is not {right}");
        errors += usize::from(is_error);
    }
    assert_eq!(answers.stdout.lines().count(), whole.stdout.lines().count(), "{what}");
    assert_eq!(answers.status, i32::from(errors > 0), "{what}");
    errors > 0
}

#[test]
fn flipped_bits_and_short_files_give_right_answers_or_errors_and_verify_finds_them() {
    let whole = ask(tables_to_9()).succeeded();
    let folder = copy_of_tables();
    let path = folder.path().join(LEVEL);
    let bytes = fs::read(&path).expect("a table");
    let mut random = Pcg64Mcg::seed_from_u64(6);
    let mut noticed = 0;
    for _ in 0..40 {
        let bit = random.random_range(0..bytes.len() * 8);
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, flipped).expect("a damaged table");
        noticed += usize::from(ask_damaged(folder.path(), &whole, &format!("bit {bit}")));
        run_on(folder.path(), &["verify", "--quick"]).found_wrong(LEVEL);

        let length = random.random_range(0..bytes.len());
        fs::write(&path, &bytes[..length]).expect("a short table");
        assert!(ask_damaged(folder.path(), &whole, &format!("{length} bytes")));
        run_on(folder.path(), &["verify", "--quick"]).found_wrong(LEVEL);
    }
    assert!(noticed > 0);
    fs::write(&path, bytes).expect("the table");
    run_on(folder.path(), &["verify"]).succeeded();
}

/// What is no file keeps nobody waiting and is replaced by nobody unasked.
#[test]
fn pipes_folders_and_dead_links_under_a_table_s_name_are_told() {
    let whole = ask(tables_to_9()).succeeded();
    let folder = copy_of_tables();
    let path = folder.path().join(LEVEL);
    let made = |program: &str, arguments: &[&str]| {
        let mut command = std::process::Command::new(program);
        let run = command.args(arguments).arg(&path).output();
        run.is_ok_and(|output| output.status.success())
    };
    let kinds: [(&str, &[&str]); 3] =
        [("mkfifo", &[]), ("mkdir", &[]), ("ln", &["-s", "nothing/there"])];
    for (program, arguments) in kinds {
        let _none_yet = fs::remove_file(&path);
        if !made(program, arguments) {
            continue;
        }
        assert!(ask_damaged(folder.path(), &whole, program));
        run_on(folder.path(), &["verify", "--quick"]).found_wrong(LEVEL);
        for command in [&["info"][..], &["build", "--seeds", "9"]] {
            run_on(folder.path(), command).failed(1, &[LEVEL]);
        }
        let doctor = run_on(folder.path(), &["doctor"]);
        assert!(doctor.status == 1 && doctor.stdout.contains(LEVEL), "{doctor:?}");
        let _was_a_folder = fs::remove_dir(&path);
    }
}

#[test]
fn tables_under_a_wrong_name_are_refused() {
    let whole = ask(tables_to_9()).succeeded();
    let folder = copy_of_tables();
    fs::rename(folder.path().join("awari-07.oware"), folder.path().join(LEVEL)).expect("a name");
    assert!(ask_damaged(folder.path(), &whole, "another level"));
    run_on(folder.path(), &["verify", "--level", "6"]).found_wrong(LEVEL);

    let others = folder.path().join("abapa-06.oware");
    fs::copy(tables_to_9().join(LEVEL), &others).expect("a copy");
    run_on(folder.path(), &["query", "--rules", "abapa", "1 0 0 0 0 2 2 0 0 0 0 1"])
        .failed(1, &["abapa-06.oware"]);
    run_on(folder.path(), &["info", "--rules", "abapa"]).failed(1, &["abapa-06.oware"]);
}
