//! Verification: sound tables pass, and each way of being wrong is found.

use crate::naive::{self, Pits};
use crate::quick_disk::{options, write_levels};
use oware::index::LevelIndex;
use oware::level::{LevelDistances, LevelValues};
use oware::progress::{NoProgress, StopFlag};
use oware::rules::{Rules, Seeds, parse_board};
use oware::solve::solve_in_memory;
use oware::table::{
    Backend, Contents, Table, TableError, TableErrorKind, TableId, write_distances,
};
use oware::verify::{
    Depth, Problem, Proof, VerifyError, VerifyOptions, VerifyReport, verify, verify_against,
};
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SEEDS: u8 = 5;

fn tables(rules: Rules, seeds: u8) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_levels(folder.path(), rules, &solve_in_memory(rules, Seeds::of(seeds)).expect("small"));
    folder
}

fn path(folder: &Path, seeds: u8) -> PathBuf {
    folder.join(TableId::values(Rules::Awari, Seeds::of(seeds)).file_name())
}

fn check(folder: &Path, rules: Rules, depth: Depth, level: Option<u8>) -> VerifyReport {
    let mut options = VerifyOptions::new().depth(depth);
    options.level = level.map(Seeds::of);
    verify(folder, rules, &options, &NoProgress, &StopFlag::default()).expect("tables are there")
}

fn board_problems(report: &VerifyReport) -> usize {
    report.findings.iter().filter(|finding| finding.problem.board().is_some()).count()
}

#[test]
fn sound_tables_pass_at_every_depth_for_every_rule_set() {
    for rules in Rules::ALL {
        let folder = tables(rules, 6);
        for (depth, proof) in [
            (Depth::Quick, Proof::File),
            (Depth::Moves, Proof::BestMoves),
            (Depth::Deep, Proof::Recomputed),
        ] {
            let report = check(folder.path(), rules, depth, None);
            assert!(report.is_clean(), "{rules} {depth:?}: {}", report.findings[0]);
            assert_eq!(report.levels.len(), 7);
            assert!(report.levels.iter().all(|level| level.proof == proof));
            assert!(report.assumptions.is_empty());
        }
        let one = check(folder.path(), rules, Depth::Moves, Some(6));
        assert!(one.is_clean() && one.levels.len() == 1);
        assert!(one.assumptions[0].contains("levels 0 to 5"), "{:?}", one.assumptions);
    }
}

#[test]
fn every_flipped_bit_and_every_truncation_is_found() {
    let folder = tables(Rules::Awari, SEEDS);
    let path = path(folder.path(), 4);
    let whole = fs::read(&path).expect("a table");
    let mut file = File::options().write(true).open(&path).expect("opened");
    let mut put = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).expect("inside the file");
        file.write_all(&[byte]).expect("written");
    };
    for (at, &byte) in whole.iter().enumerate() {
        for bit in 0..8 {
            put(at, byte ^ (1 << bit));
            let report = check(folder.path(), Rules::Awari, Depth::Quick, Some(4));
            assert!(!report.is_clean(), "bit {bit} of byte {at}");
        }
        put(at, byte);
    }
    assert!(check(folder.path(), Rules::Awari, Depth::Quick, None).is_clean());
    for len in (0..whole.len()).rev() {
        file.set_len(len as u64).expect("shortened");
        let report = check(folder.path(), Rules::Awari, Depth::Quick, Some(4));
        assert!(!report.is_clean(), "{len} bytes");
    }
}

#[test]
fn a_table_under_another_levels_or_rule_sets_name_is_found() {
    let folder = tables(Rules::Awari, SEEDS);
    fs::copy(path(folder.path(), 4), path(folder.path(), SEEDS)).expect("copied");
    let report = check(folder.path(), Rules::Awari, Depth::Quick, None);
    assert!(matches!(
        report.findings[0].problem,
        Problem::Table(TableError { kind: TableErrorKind::OtherTable { .. }, .. })
    ));

    let folder = tables(Rules::Awari, SEEDS);
    let other = tables(Rules::Wari, SEEDS);
    let from = other.path().join(TableId::values(Rules::Wari, Seeds::of(SEEDS)).file_name());
    fs::copy(from, path(folder.path(), SEEDS)).expect("copied");
    let report = check(folder.path(), Rules::Awari, Depth::Quick, None);
    assert!(matches!(
        report.findings[0].problem,
        Problem::Table(TableError { kind: TableErrorKind::OtherTable { .. }, .. })
    ));
}

#[test]
fn two_swapped_blocks_are_found() {
    let folder = tables(Rules::Awari, SEEDS);
    let path = path(folder.path(), SEEDS);
    let table = Table::open(&path, Backend::Read).expect("a table");
    let header = table.header();
    let mut bytes = fs::read(&path).expect("a table");
    let start =
        usize::try_from(header.header_bytes()).expect("small") + header.model_bytes as usize;
    // The block index: an offset, then two bytes of length a block.
    let index = start + usize::try_from(header.blocks_bytes).expect("small") + 8;
    let lengths: Vec<usize> = (0..header.blocks().min(64) as usize)
        .map(|block| {
            let at = index + 2 * block;
            usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
        })
        .collect();
    let at = |block: usize| start + lengths[..block].iter().sum::<usize>();
    let pair = (0..lengths.len()).flat_map(|one| (0..one).map(move |two| (one, two)));
    let (one, two) = pair
        .filter(|&(one, two)| lengths[one] == lengths[two])
        .find(|&(one, two)| {
            bytes[at(one)..at(one) + lengths[one]] != bytes[at(two)..at(two) + lengths[two]]
        })
        .expect("two blocks of one length");
    for byte in 0..lengths[one] {
        bytes.swap(at(one) + byte, at(two) + byte);
    }
    fs::remove_file(&path).expect("removed");
    fs::write(&path, bytes).expect("written");
    let report = check(folder.path(), Rules::Awari, Depth::Quick, Some(SEEDS));
    let damaged = |finding: &&oware::verify::Finding| {
        finding.to_string().contains(&format!("block {one}"))
            || finding.to_string().contains(&format!("block {two}"))
    };
    assert_eq!(report.findings.iter().filter(damaged).count(), 2, "{:?}", report.findings);
}

#[test]
fn one_wrong_value_with_sound_checksums_is_found_with_its_board() {
    let mut levels = solve_in_memory(Rules::Awari, Seeds::of(SEEDS)).expect("small");
    let mut bytes = levels.pop().expect("the last").into_bytes().to_vec();
    // A board that a table keeps as it is: its value is no capture's.
    let at = bytes.iter().position(|&byte| byte & 1 == 0 && byte != 0).expect("one");
    let board = LevelIndex::new(Seeds::of(SEEDS)).board(at as u64).expect("a board");
    bytes[at] = 0;
    levels.push(LevelValues::new(Seeds::of(SEEDS), bytes.into()).expect("in range"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_levels(folder.path(), Rules::Awari, &levels);
    assert!(check(folder.path(), Rules::Awari, Depth::Quick, None).is_clean());
    for depth in [Depth::Moves, Depth::Deep] {
        let report = check(folder.path(), Rules::Awari, depth, None);
        let found = report.findings.iter().any(|finding| finding.problem.board() == Some(board));
        assert!(found, "{board}: {:?}", report.findings);
        let json = serde_json::to_value(&report).expect("a report serialises");
        assert_eq!(json["ok"], false);
        assert!(json["findings"][0]["what"].as_str().is_some_and(|what| what.contains("value")));
    }
}

#[test]
fn a_table_computed_from_another_smaller_level_is_found() {
    let folder = tables(Rules::Awari, SEEDS);
    let mut levels = solve_in_memory(Rules::Awari, Seeds::of(3)).expect("small");
    let mut bytes = levels.pop().expect("the last").into_bytes().to_vec();
    *bytes.iter_mut().find(|byte| **byte & 1 == 0 && **byte != 0).expect("one") = 0;
    levels.push(LevelValues::new(Seeds::of(3), bytes.into()).expect("in range"));
    write_levels(folder.path(), Rules::Awari, &levels);
    let report = check(folder.path(), Rules::Awari, Depth::Quick, None);
    let foreign = |finding: &&oware::verify::Finding| {
        matches!(
            finding.problem,
            Problem::Table(TableError { kind: TableErrorKind::ForeignLevel { seeds }, .. })
                if seeds == Seeds::of(3)
        )
    };
    assert_eq!(report.findings.iter().filter(foreign).count(), 2, "levels 4 and 5");
}

#[test]
fn a_missing_level_is_found_and_what_needs_it_is_left_out() {
    let folder = tables(Rules::Awari, SEEDS);
    fs::remove_file(path(folder.path(), 3)).expect("removed");
    let report = check(folder.path(), Rules::Awari, Depth::Moves, None);
    assert!(matches!(report.findings[0].problem, Problem::Missing));
    assert_eq!(report.levels.len(), 3);
    assert_eq!(check(folder.path(), Rules::Awari, Depth::Quick, None).levels.len(), 5);
}

/// A level-7 table whose every value is the best of its moves and which is wrong all the same.
fn consistent_and_wrong() -> (TempDir, HashMap<Pits, i8>) {
    let mut values = naive::solve(Rules::Awari, 6);
    let right = naive::sweep(Rules::Awari, 7, &values, |_| 0, || true);
    let mut start = rand_pcg::Pcg64::seed_from_u64(7);
    let mut part = rand_pcg::Pcg64::seed_from_u64(8);
    let wrong =
        naive::sweep(Rules::Awari, 7, &values, |_| start.random_range(-7..=7), || part.random());
    let differing = wrong.iter().filter(|(pits, value)| right[*pits] != **value).count();
    assert!(differing > 1000, "{differing} wrong boards");
    values.extend(wrong);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let levels = naive::plain_levels(Rules::Awari, 7, &values);
    write_levels(folder.path(), Rules::Awari, &levels);
    (folder, values)
}

fn write_distances_of(folder: &Path, seeds: u8, distances: &HashMap<Pits, Option<u16>>) {
    let number = |board: oware::rules::Board| distances[&board.pits()].map_or(0, |plies| plies + 1);
    let numbers = LevelIndex::new(Seeds::of(seeds)).boards_from(0).map(number).collect();
    let level = LevelDistances::new(Seeds::of(seeds), numbers).expect("one for each board");
    let values = Table::open(path(folder, seeds), Backend::Read).expect("a table");
    write_distances(folder, values.header(), &level, &options()).expect("written");
}

#[test]
fn a_consistent_but_wrong_level_passes_the_local_check_and_fails_the_deep_one() {
    let (folder, values) = consistent_and_wrong();
    let local = check(folder.path(), Rules::Awari, Depth::Moves, None);
    assert!(local.is_clean(), "{:?}", local.findings.first());
    let deep = check(folder.path(), Rules::Awari, Depth::Deep, None);
    assert!(board_problems(&deep) > 0);
    assert!(deep.findings.iter().all(|finding| finding.seeds == Seeds::of(7)));

    // No distances make it pass: neither what the equations settle on, nor a plain lie.
    let settled = naive::distances(Rules::Awari, 7, &values, 200);
    let lie =
        settled.iter().map(|(pits, plies)| (*pits, plies.map(|plies| plies.min(1)))).collect();
    for distances in [settled, lie] {
        write_distances_of(folder.path(), 7, &distances);
        let report = check(folder.path(), Rules::Awari, Depth::Deep, Some(7));
        assert_eq!(report.levels[0].proof, Proof::Distances);
        assert!(board_problems(&report) > 0);
    }
}

#[test]
fn right_distances_prove_a_level_and_one_wrong_one_does_not() {
    for rules in [Rules::Awari, Rules::OpponentTakesRest] {
        let values = naive::solve(rules, SEEDS);
        let folder = tempfile::tempdir().expect("a temporary folder");
        write_levels(folder.path(), rules, &naive::plain_levels(rules, SEEDS, &values));
        let mut last = None;
        for seeds in 0..=SEEDS {
            let distances = naive::distances(rules, seeds, &values, 10_000);
            let number =
                |board: oware::rules::Board| distances[&board.pits()].map_or(0, |plies| plies + 1);
            let numbers: Vec<u16> =
                LevelIndex::new(Seeds::of(seeds)).boards_from(0).map(number).collect();
            let level =
                LevelDistances::new(Seeds::of(seeds), numbers.clone()).expect("one for each board");
            let subject = TableId { rules, seeds: Seeds::of(seeds), contents: Contents::Values };
            let table = Table::open_in(folder.path(), subject, Backend::Read).expect("a table");
            write_distances(folder.path(), table.header(), &level, &options()).expect("written");
            last = Some((table, numbers));
        }
        let report = check(folder.path(), rules, Depth::Deep, None);
        assert!(report.is_clean(), "{rules}: {}", report.findings[0]);
        assert!(report.levels.iter().all(|level| level.proof == Proof::Distances));

        let (table, mut numbers) = last.expect("levels were written");
        let at = numbers.iter().position(|&number| number > 3).expect("a long one");
        numbers[at] -= 1;
        let level = LevelDistances::new(Seeds::of(SEEDS), numbers).expect("one for each board");
        write_distances(folder.path(), table.header(), &level, &options()).expect("written");
        let report = check(folder.path(), rules, Depth::Deep, None);
        let board = LevelIndex::new(Seeds::of(SEEDS)).board(at as u64);
        assert!(report.findings.iter().any(|finding| finding.problem.board() == board));
    }
}

#[test]
fn a_level_is_compared_with_a_score_file_board_by_board() {
    let values = naive::solve(Rules::Awari, 6);
    let folder = tables(Rules::Awari, 6);
    let mut boards = naive::boards(6);
    boards.retain(|pits| pits[6..].contains(&0));
    boards.sort_by_key(|pits| pits.iter().rev().copied().collect::<Vec<_>>());
    let mut scores: Vec<u8> = boards.iter().map(|pits| values[pits].cast_unsigned()).collect();
    let file = folder.path().join("scores.6");
    fs::write(&file, &scores).expect("written");
    let report = verify_against(folder.path(), Rules::Awari, None, &file).expect("both are there");
    assert!(report.is_clean(), "{}", report.findings[0]);

    let board = parse_board("0 1 2 0 0 0 | 0 1 2 0 0 0").expect("a board");
    scores[2726] = scores[2726].wrapping_add(1);
    fs::write(&file, &scores).expect("written");
    let report = verify_against(folder.path(), Rules::Awari, None, &file).expect("both are there");
    assert_eq!(report.findings.len(), 1);
    assert_eq!(report.findings[0].problem.board(), Some(board));

    fs::write(&file, &scores[1..]).expect("written");
    let error = verify_against(folder.path(), Rules::Awari, None, &file).expect_err("too short");
    assert!(matches!(error, VerifyError::OtherFile { .. }), "{error}");
}

#[test]
fn a_verification_stops_when_told_to_and_refuses_what_does_not_fit() {
    let folder = tables(Rules::Awari, SEEDS);
    let run = |options: VerifyOptions, is_stopped| {
        let stop = StopFlag::default();
        if is_stopped {
            stop.stop();
        }
        verify(folder.path(), Rules::Awari, &options, &NoProgress, &stop)
    };
    assert!(matches!(run(VerifyOptions::default(), true), Err(VerifyError::Stopped)));
    let small = VerifyOptions::new().memory_bytes(1000);
    assert!(
        matches!(run(small, false), Err(VerifyError::TooLittleMemory { seeds, .. }) if seeds == Seeds::of(SEEDS))
    );
    let nothing = verify(
        folder.path(),
        Rules::Abapa,
        &VerifyOptions::default(),
        &NoProgress,
        &StopFlag::default(),
    );
    assert!(matches!(nothing, Err(VerifyError::NoTables { .. })));
}
