//! Verification of bounds: sound tables pass, and wrong ones are found even if every board fits its
//! moves.

use oware::build::{BuildOptions, build};
use oware::folder::{RulesStatus, TableState};
use oware::level::LevelBounds;
use oware::progress::{NoProgress, StopFlag};
use oware::rules::{Rules, Seeds};
use oware::solve::solve_in_memory;
use oware::table::{Contents, TableHeader, TableId, WriteOptions, write_bounds};
use oware::verify::{Depth, Problem, Proof, VerifyOptions, VerifyReport, verify};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const SEEDS: u8 = 6;

fn built(rules: Rules, distances: bool) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = BuildOptions::new(rules, Seeds::of(SEEDS), folder.path());
    build(&options.bounds(true).distances(distances), &NoProgress).expect("built");
    folder
}

fn check(folder: &Path, rules: Rules, depth: Depth, level: Option<u8>) -> VerifyReport {
    let mut options = VerifyOptions::new().depth(depth);
    options.level = level.map(Seeds::of);
    verify(folder, rules, &options, &NoProgress, &StopFlag::default()).expect("tables are there")
}

#[test]
fn sound_bounds_pass_at_every_depth_for_every_rule_set() {
    for rules in Rules::ALL {
        for (distances, depth, proof) in [
            (false, Depth::Quick, Proof::File),
            (false, Depth::Moves, Proof::BestMoves),
            (false, Depth::Deep, Proof::Recomputed),
            (true, Depth::Quick, Proof::File),
            (true, Depth::Moves, Proof::Ranks),
            (true, Depth::Deep, Proof::Ranks),
        ] {
            let folder = built(rules, distances);
            let report = check(folder.path(), rules, depth, None);
            assert!(report.is_clean(), "{rules} {depth:?}: {}", report.findings[0]);
            assert_eq!(report.levels.len(), usize::from(SEEDS) + 1);
            assert!(report.levels.iter().all(|level| level.bounds == Some(proof)), "{report:?}");
            let one = check(folder.path(), rules, depth, Some(5));
            assert!(one.is_clean() && one.levels[0].bounds == Some(proof), "{one:?}");
        }
    }
}

fn header(folder: &Path, rules: Rules, seeds: u8) -> TableHeader {
    let status = RulesStatus::of(folder, rules).expect("a folder");
    match &status.level(Seeds::of(seeds)).values.state {
        TableState::Whole(header) => header.clone(),
        other => panic!("{other:?}"),
    }
}

/// At two seeds the values, with endless play even, satisfy the equations of both bounds.
fn put_values_for_bounds(folder: &Path, rules: Rules) {
    let values = solve_in_memory(rules, Seeds::of(2)).expect("memory").pop().expect("a level");
    let pair = |(_, value): (_, oware::rules::Value)| [value.get().cast_unsigned(); 2];
    let pairs: Vec<u8> = values.iter().flat_map(pair).collect();
    let bounds = LevelBounds::new(Seeds::of(2), pairs.into()).expect("even numbers");
    let header = header(folder, rules, 2);
    write_bounds(folder, &header, &values, &bounds, &WriteOptions::default()).expect("written");
}

#[test]
fn wrong_bounds_that_fit_the_moves_of_every_board_are_found_by_ranks_and_anew() {
    for rules in Rules::ALL {
        let folder = built(rules, true);
        put_values_for_bounds(folder.path(), rules);
        for depth in [Depth::Moves, Depth::Deep] {
            let report = check(folder.path(), rules, depth, Some(2));
            let unproved = |finding: &oware::verify::Finding| {
                matches!(finding.problem, Problem::UnprovedBound { .. } | Problem::More { .. })
            };
            assert!(!report.is_clean() && report.findings.iter().all(unproved), "{report:?}");
        }
        let ranks = TableId { rules, seeds: Seeds::of(2), contents: Contents::Ranks };
        fs::remove_file(folder.path().join(ranks.file_name())).expect("removed");
        let local = check(folder.path(), rules, Depth::Moves, Some(2));
        assert!(local.is_clean(), "a local check proves nothing: {local:?}");
        let deep = check(folder.path(), rules, Depth::Deep, Some(2));
        let wrong = |finding: &oware::verify::Finding| {
            matches!(finding.problem, Problem::WrongBound { .. } | Problem::More { .. })
        };
        assert!(!deep.is_clean() && deep.findings.iter().all(wrong), "{deep:?}");
    }
}

/// Every bound of one level, moved by two either way where that is a bound.
#[test]
fn a_single_wrong_bound_is_found() {
    let rules = Rules::Awari;
    let folder = built(rules, true);
    let seeds = Seeds::of(4);
    let values = solve_in_memory(rules, seeds).expect("memory").pop().expect("a level");
    let header = header(folder.path(), rules, 4);
    let sound = oware::solve::bounds_in_memory(rules, seeds).expect("memory").pop().expect("one");
    let mut tried = 0;
    for at in (0..sound.bytes().len()).step_by(2 * 7) {
        for change in [-2i8, 2] {
            let mut bytes = sound.bytes().to_vec();
            let low = bytes[at].cast_signed() + change;
            bytes[at] = low.cast_unsigned();
            let value = values.value_at(at as u64 / 2).expect("a board").get();
            let Some(wrong) = LevelBounds::new(seeds, bytes.into()).filter(|_| low <= value) else {
                continue;
            };
            write_bounds(folder.path(), &header, &values, &wrong, &WriteOptions::default())
                .expect("written");
            tried += 1;
            let report = check(folder.path(), rules, Depth::Moves, Some(4));
            assert!(!report.is_clean(), "board {} by {change}", at / 2);
        }
    }
    assert!(tried > 100, "only {tried} bounds could be changed");
}
