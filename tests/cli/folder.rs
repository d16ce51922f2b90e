//! `doctor` on sound and on broken folders, and `export` as other programs read it.

use crate::program::{run, run_on, tables_to_9};
use std::fs;
use std::path::Path;

fn copy_of_tables(folder: &Path) {
    for seeds in 0..=9 {
        let name = format!("awari-{seeds:02}.oware");
        fs::copy(tables_to_9().join(&name), folder.join(&name)).expect("a copy");
    }
}

#[test]
fn doctor_finds_a_whole_folder_sound() {
    let json = run_on(tables_to_9(), &["doctor", "--json"]).succeeded().json();
    assert_eq!(json["rules"][0]["rules"], "awari");
    assert_eq!(json["rules"][0]["levels"].as_array().map(Vec::len), Some(10));
    let text = run_on(tables_to_9(), &["doctor"]).succeeded().stdout;
    assert!(text.contains("levels 0-9") && text.contains("all is well"), "{text}");
}

#[test]
fn doctor_names_what_is_missing_damaged_and_foreign_and_the_command_that_mends_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy_of_tables(folder.path());
    fs::remove_file(folder.path().join("awari-04.oware")).expect("removed");
    fs::write(folder.path().join("awari-05.oware.tmp"), b"half").expect("written");
    let found = run_on(folder.path(), &["doctor"]);
    assert_eq!(found.status, 1, "{found:?}");
    for words in ["missing: levels 4", "awari-05.oware.tmp", "next: oware build --seeds 9 --tables"]
    {
        assert!(found.stdout.contains(words), "no '{words}' in {found:?}");
    }

    let damaged = folder.path().join("awari-06.oware");
    let mut bytes = fs::read(&damaged).expect("a table");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::remove_file(&damaged).expect("removed");
    fs::write(&damaged, bytes).expect("written");
    let json = run_on(folder.path(), &["doctor", "--json"]).json();
    assert_eq!(json["rules"][0]["damaged"][0]["file"], "awari-06.oware");
    assert!(json["next"][0].as_str().is_some_and(|next| next.contains("--force")), "{json}");
    // A header alone does not show it.
    let json = run_on(folder.path(), &["doctor", "--json", "--headers"]).json();
    assert_eq!(json["rules"][0]["damaged"].as_array().map(Vec::len), Some(0));

    let empty = tempfile::tempdir().expect("a temporary folder");
    let json = run_on(empty.path(), &["doctor", "--json"]).succeeded().json();
    assert!(json["next"][0].as_str().is_some_and(|next| next.contains("build --seeds 12")));
    run(&["doctor", "--tables", "not/there"]).failed(1, &["not/there", "oware build"]);
}

#[test]
fn export_vu_writes_a_byte_a_board_that_verify_finds_right() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("scores.8");
    let file_name = file.to_str().expect("plain text");
    let arguments = ["export", "--to", "vu", "--level", "8", "--output", file_name, "--json"];
    let json = run_on(tables_to_9(), &arguments).succeeded().json();
    assert_eq!(json["boards"], 75_504);
    let bytes = fs::read(&file).expect("the file");
    assert_eq!(bytes.len(), 75_504);
    // The first board has all seeds in the mover's first pit.
    let first = run_on(tables_to_9(), &["query", "8 0 0 0 0 0 0 0 0 0 0 0", "--json"]).json();
    assert_eq!(first["value"], i64::from(bytes[0].cast_signed()));
    assert!(!folder.path().join("scores.8.tmp").exists());

    let nowhere = folder.path().join("not/there");
    let arguments =
        ["export", "--to", "vu", "--level", "8", "--output", nowhere.to_str().expect("plain")];
    run_on(tables_to_9(), &arguments).failed(1, &["cannot write"]);
    run_on(tables_to_9(), &["export", "--to", "vu", "--level", "12"])
        .failed(1, &["build --seeds 12"]);
}

/// Nothing but a plain file may be replaced: who exports to `/dev/stdout` keeps it.
#[cfg(unix)]
#[test]
fn export_writes_through_a_link_and_leaves_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [link, file] = ["link", "file"].map(|name| folder.path().join(name));
    fs::write(&file, b"longer than what comes").expect("written");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    let output = link.to_str().expect("plain text");
    run_on(tables_to_9(), &["export", "--to", "vu", "--level", "1", "--output", output])
        .succeeded();
    assert!(fs::symlink_metadata(&link).expect("still there").is_symlink());
    assert_eq!(fs::read(&file).expect("the file").len(), 12, "a byte a board");
}

#[test]
fn export_npy_writes_boards_with_the_values_that_query_gives() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("sample.npy");
    let file_name = file.to_str().expect("plain text");
    let arguments = [
        "export", "--to", "npy", "--level", "9", "--sample", "50", "--seed", "4", "--output",
        file_name,
    ];
    run_on(tables_to_9(), &arguments).succeeded();
    let bytes = fs::read(&file).expect("the file");
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let records: Vec<&[u8]> = bytes[header..].chunks(13).collect();
    assert_eq!(records.len(), 50);
    for record in records.iter().step_by(10) {
        let board = record[..12].iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let answer = run_on(tables_to_9(), &["query", &board, "--json"]).succeeded().json();
        assert_eq!(answer["value"], i64::from(record[12].cast_signed()), "{board}");
    }
}
