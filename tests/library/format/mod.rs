//! Tables kept as they were first written: those of this format's version read as they ever did, those of
//! another are refused by name.

use oware::rules::{Rules, Seeds};
use oware::solve::{solve_in_memory, solve_with_distances};
use oware::table::{Backend, BlockScratch, FORMAT_VERSION, Table, TableErrorKind, TableId, expand};
use std::path::Path;

/// The files beside this one.
fn kept(subject: TableId) -> Table {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/format");
    let table = Table::open_in(folder, subject, Backend::Mapped).expect("a sound table");
    table.check_file().expect("every byte as written");
    table
}

#[test]
fn tables_of_version_1_are_refused_and_the_message_says_what_to_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/format/version-1");
    for subject in [
        TableId::values(Rules::Awari, Seeds::of(5)),
        TableId::distances(Rules::LeaveLast, Seeds::of(4)),
    ] {
        let error = Table::open_in(&folder, subject, Backend::Mapped).expect_err("another version");
        let TableErrorKind::OtherVersion { found, known } = error.kind else { panic!("{error}") };
        assert_eq!((found, known), (1, FORMAT_VERSION));
    }
}

#[test]
fn values_of_version_2_read_as_ever() {
    let mut levels = solve_in_memory(Rules::Awari, Seeds::of(5)).expect("small levels");
    let solved = levels.pop().expect("the level of 5 seeds");
    let read = expand(&kept(TableId::values(Rules::Awari, Seeds::of(5))), &levels).expect("sound");
    assert_eq!(read.bytes(), solved.bytes());
}

#[test]
fn distances_of_version_2_read_as_ever() {
    let levels = solve_with_distances(Rules::LeaveLast, Seeds::of(4)).expect("small levels");
    let table = kept(TableId::distances(Rules::LeaveLast, Seeds::of(4)));
    let (mut scratch, mut plies, mut read) = (BlockScratch::default(), Vec::new(), Vec::new());
    for block in 0..table.header().blocks() {
        table.decode_distances(block, &mut scratch, &mut plies).expect("sound");
        read.append(&mut plies);
    }
    let solved = &levels[4].1;
    let expected: Vec<_> = solved.numbers().iter().map(|number| number.checked_sub(1)).collect();
    assert_eq!(read, expected);
    assert_eq!(table.header().most_plies, solved.most_plies());
}
