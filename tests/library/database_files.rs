//! The database over files: every back end, cache size and way of asking gives the slow solver's
//! values, and what is wrong with a file is a typed error.

use crate::layout::u32_at;
use crate::naive::{self, Pits};
use crate::quick_disk::write_levels;
use oware::database::{Backend, Database, DatabaseError};
use oware::level::LevelValues;
use oware::rules::{Board, Rules, Seeds};
use oware::table::{TableErrorKind, TableId};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn solved(rules: Rules, most: u8) -> (tempfile::TempDir, HashMap<Pits, i8>) {
    let values = naive::solve(rules, most);
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_levels(folder.path(), rules, &naive::plain_levels(rules, most, &values));
    (folder, values)
}

#[test]
fn every_back_end_and_cache_gives_the_slow_solvers_values() {
    for rules in Rules::ALL {
        let (folder, values) = solved(rules, 6);
        for (backend, cache_bytes) in [
            (Backend::Mapped, 64 << 20),
            (Backend::Mapped, 3000),
            (Backend::Read, 0),
            (Backend::Read, 20_000),
            (Backend::Memory, 1 << 20),
        ] {
            let options = Database::options().backend(backend).cache_bytes(cache_bytes);
            let database = options.open(folder.path(), rules).expect("opens");
            // Twice, so that resolved bytes are asked for too.
            for (pits, &value) in values.iter().chain(values.iter().take(2000)) {
                let board = naive::board(pits);
                let found = database.value(board).expect("held");
                assert_eq!(found.get(), value, "{rules} {backend:?} {cache_bytes} {board}");
            }
        }
    }
}

#[test]
fn batches_equal_single_probes() {
    for rules in Rules::ALL {
        let (folder, values) = solved(rules, 6);
        let boards: Vec<Board> = values.keys().map(naive::board).collect();
        for cache_bytes in [0, 1 << 20] {
            let options = Database::options().cache_bytes(cache_bytes);
            let database = options.open(folder.path(), rules).expect("opens");
            for boards in [&boards[..], &boards[..500]] {
                let found = database.values(boards);
                let moves = database.moves_batch(boards);
                assert_eq!((found.len(), moves.len()), (boards.len(), boards.len()));
                for ((board, found), moves) in boards.iter().zip(found).zip(moves) {
                    let value = values[&board.pits()];
                    assert_eq!(found.expect("held").get(), value, "{rules} {board}");
                    let single = database.moves(*board).expect("held");
                    assert_eq!(moves.expect("held"), single, "{rules} {board}");
                }
            }
        }
    }
}

#[test]
fn threads_share_a_database() {
    let (folder, values) = solved(Rules::Awari, 6);
    let options = Database::options().cache_bytes(50_000);
    let database = options.open(folder.path(), Rules::Awari).expect("opens");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (pits, &value) in &values {
                    let found = database.value(naive::board(pits)).expect("held");
                    assert_eq!(found.get(), value, "{pits:?}");
                }
            });
        }
    });
}

#[test]
fn expanded_levels_hold_the_same_values_as_their_tables() {
    let (folder, values) = solved(Rules::Wari, 6);
    let mut database = Database::open(folder.path(), Rules::Wari).expect("opens");
    database.expand_levels(Seeds::of(5)).expect("levels 0 to 5 are there");
    for (pits, &value) in &values {
        assert_eq!(database.value(naive::board(pits)).expect("held").get(), value, "{pits:?}");
    }
    let again = database.level_values_to(Seeds::of(6)).expect("levels 0 to 6 are there");
    for (level, expected) in again.iter().zip(naive::plain_levels(Rules::Wari, 6, &values)) {
        assert_eq!(level.bytes(), expected.bytes());
    }
    let seven = Seeds::of(7);
    let error = database.expand_levels(seven).expect_err("level 7 is missing");
    assert!(matches!(error, DatabaseError::MissingLevel { seeds, .. } if seeds == seven));
}

fn error_of(folder: &Path, rules: Rules, board: &str) -> DatabaseError {
    let database = Database::open(folder, rules).expect("opens");
    let board: Board = board.parse().expect("a board");
    let in_batch = database.values(&[board]).remove(0).expect_err("a batch fails too");
    let error = database.value(board).expect_err("no value");
    assert_eq!(in_batch.to_string(), error.to_string());
    error
}

#[test]
fn missing_foreign_renamed_and_damaged_tables_are_typed_errors() {
    let (folder, values) = solved(Rules::Awari, 5);
    let path = folder.path();
    let nowhere = Database::open(path.join("not-there"), Rules::Awari).expect_err("no folder");
    assert!(matches!(&nowhere, DatabaseError::Table(error)
        if matches!(error.kind, TableErrorKind::NoFolder)));

    let six = "1 1 0 1 0 1 | 1 0 1 0 0 0";
    let five = "1 1 0 1 0 0 | 1 0 1 0 0 0";
    let error = error_of(path, Rules::Awari, six);
    assert!(
        matches!(error, DatabaseError::MissingLevel { seeds, .. } if seeds == Seeds::of(6)),
        "{error}"
    );
    assert!(!error.to_string().contains("oware"), "advice is for the command line: {error}");
    assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    let error = error_of(path, Rules::Wari, five);
    assert!(matches!(error, DatabaseError::MissingLevel { rules: Rules::Wari, .. }), "{error}");

    // A level 3 of another rule set's values under this one's name.
    let table = |seeds| path.join(TableId::values(Rules::Awari, Seeds::of(seeds)).file_name());
    let good = std::fs::read(table(3)).expect("level 3");
    let mut other = naive::plain_levels(Rules::Awari, 3, &values);
    let mut bytes = other.pop().expect("level 3").into_bytes().to_vec();
    let won = bytes.iter_mut().find(|byte| **byte >= 2).expect("a board that is not even");
    *won = 0;
    other.push(LevelValues::new(Seeds::of(3), bytes.into()).expect("in range"));
    write_levels(path, Rules::Awari, &other);
    let error = error_of(path, Rules::Awari, five);
    assert!(
        matches!(&error, DatabaseError::Table(error)
        if matches!(error.kind, TableErrorKind::ForeignLevel { seeds } if seeds == Seeds::of(3))),
        "{error}"
    );
    std::fs::write(table(3), &good).expect("restored");

    // Level 4 under level 5's name.
    let whole = std::fs::read(table(5)).expect("level 5");
    std::fs::copy(table(4), table(5)).expect("copied");
    let error = error_of(path, Rules::Awari, five);
    assert!(
        matches!(&error, DatabaseError::Table(error)
        if matches!(error.kind, TableErrorKind::OtherTable { .. })),
        "{error}"
    );

    // A flipped bit in each byte: the right value or an error.
    let board: Board = five.parse().expect("a board");
    let value = values[&board.pits()];
    let (mut noticed, mut harmless) = (0, 0);
    std::fs::remove_file(table(5)).expect("removed");
    std::fs::write(table(5), &whole).expect("restored");
    let mut file = File::options().write(true).open(table(5)).expect("opened");
    let mut put = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).expect("inside the file");
        file.write_all(&[byte]).expect("written");
    };
    for (at, &byte) in whole.iter().enumerate() {
        put(at, byte ^ (1 << (at % 8)));
        let database = Database::open(path, Rules::Awari).expect("opens");
        match database.value(board) {
            Ok(found) => {
                assert_eq!(found.get(), value, "byte {at}");
                harmless += 1;
            }
            Err(_) => noticed += 1,
        }
        put(at, byte);
    }
    assert!(noticed > 0 && harmless > 0, "{noticed} noticed, {harmless} harmless");

    // Truncated everywhere.
    for len in (0..whole.len()).rev() {
        file.set_len(len as u64).expect("shortened");
        let database = Database::open(path, Rules::Awari).expect("opens");
        assert!(!database.has_level(Seeds::of(5)));
        database.value(board).expect_err("truncated");
    }
}

#[test]
fn a_table_replaced_under_an_open_database_is_noticed() {
    let (folder, _) = solved(Rules::Awari, 4);
    let database = Database::open(folder.path(), Rules::Awari).expect("opens");
    let (other, _) = solved(Rules::Abapa, 4);
    for seeds in 0..=4 {
        let bytes = std::fs::read(
            other.path().join(TableId::values(Rules::Abapa, Seeds::of(seeds)).file_name()),
        );
        let to = folder.path().join(TableId::values(Rules::Awari, Seeds::of(seeds)).file_name());
        std::fs::write(to, bytes.expect("a table")).expect("written");
    }
    let board: Board = "1 1 0 1 0 0 | 1 0 0 0 0 0".parse().expect("a board");
    database.value(board).expect_err("another rule set's table");
}

/// Another program writes into a table all the time while it is read: answers are right or errors.
#[test]
fn a_file_that_changes_while_it_is_read_gives_no_wrong_value() {
    let (folder, values) = solved(Rules::Awari, 6);
    let path = folder.path().join(TableId::values(Rules::Awari, Seeds::of(6)).file_name());
    let whole = std::fs::read(&path).expect("level 6");
    let header = u32_at(&whole, 72);
    let boards: Vec<_> = values.iter().filter(|(pits, _)| pits.iter().sum::<u8>() == 6).collect();
    for backend in [Backend::Mapped, Backend::Read] {
        let options = Database::options().backend(backend).cache_bytes(0);
        let database = options.open(folder.path(), Rules::Awari).expect("opens");
        database.value(naive::board(boards[0].0)).expect("whole so far");
        let done = AtomicBool::new(false);
        let (mut right, mut refused, mut wrong) = (0, 0, 0);
        std::thread::scope(|scope| {
            scope.spawn(|| rewrite(&path, &whole, header, &done));
            while (right < 20_000 || refused < 20_000) && right + refused < 400_000 {
                for (pits, value) in &boards {
                    match database.value(naive::board(pits)) {
                        Ok(found) if found.get() == **value => right += 1,
                        Ok(_) => wrong += 1,
                        Err(_) => refused += 1,
                    }
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        assert!(right > 0 && refused > 0, "{backend:?}: {right} right, {refused} refused");
        assert_eq!(wrong, 0, "{backend:?}: {right} right, {refused} refused");
    }
}

/// Changes a byte in each few of a file after its header and puts it back, until told to stop.
fn rewrite(path: &Path, whole: &[u8], header: usize, done: &AtomicBool) {
    let changed: Vec<u8> =
        whole.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at % 16 == 0)).collect();
    let mut file = File::options().write(true).open(path).expect("the table");
    let mut write = |bytes: &[u8]| {
        file.seek(SeekFrom::Start(header as u64)).expect("a place");
        file.write_all(&bytes[header..]).expect("written");
    };
    while !done.load(Ordering::Relaxed) {
        write(&changed);
        std::thread::sleep(Duration::from_micros(50));
        write(whole);
        std::thread::sleep(Duration::from_micros(50));
    }
}
