//! A level against a file of the Vrije Universiteit's score database, or one in its format.

use super::VerifyError;
use super::report::{Depth, Finding, LevelChecked, Problem, Proof, VerifyReport, WrongBoards};
use crate::index::{reachable_boards, vu_boards};
use crate::level::LevelValues;
use crate::rules::{MAX_SEEDS, Rules};
use crate::table::{Backend, Table, TableId, expand};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Compares the values of a level with a `scores.N` file, board by board. `seeds` is the level;
/// when `None` it is the N of the file's name.
///
/// # Errors
/// When a table of the level or a smaller one cannot be read, or the file is not one of that
/// level. Boards that differ are in the report.
pub fn verify_against(
    folder: &Path,
    rules: Rules,
    seeds: Option<u8>,
    file: &Path,
) -> Result<VerifyReport, VerifyError> {
    let other = |reason: String| VerifyError::OtherFile { path: file.to_owned(), reason };
    let seeds = match seeds.or_else(|| level_of_name(file)) {
        Some(seeds) if seeds <= MAX_SEEDS => seeds,
        _ => {
            return Err(other(
                "its name does not end in a level (scores.16): say --level".to_owned(),
            ));
        }
    };
    let opened = File::open(file).map_err(|error| other(error.to_string()))?;
    let bytes = opened.metadata().map_err(|error| other(error.to_string()))?.len();
    let boards = reachable_boards(seeds);
    if bytes != boards {
        return Err(other(format!("{bytes} bytes, a file of level {seeds} has {boards}")));
    }
    let level = expand_from_0(folder, rules, seeds)?;
    let wrong = WrongBoards::default();
    let mut reader = BufReader::with_capacity(1 << 16, opened).bytes();
    for (place, board) in vu_boards(seeds).enumerate() {
        let byte = reader.next().unwrap_or_else(|| Err(std::io::ErrorKind::UnexpectedEof.into()));
        let theirs = byte.map_err(|error| other(error.to_string()))?.cast_signed();
        let Some(stored) = level.value(board) else { continue };
        if stored.get() != theirs {
            wrong.add(place, Problem::Differs { board, stored, other: theirs });
        }
    }
    let path = folder.join(TableId::values(rules, seeds).file_name());
    let finding = |problem| Finding { path: path.clone(), seeds, problem };
    Ok(VerifyReport {
        rules,
        depth: Depth::Quick,
        levels: vec![LevelChecked { seeds, boards, distances: false, proof: Proof::File }],
        findings: wrong.into_problems().into_iter().map(finding).collect(),
        assumptions: Vec::new(),
    })
}

/// The N of `scores.N`.
fn level_of_name(file: &Path) -> Option<u8> {
    file.extension()?.to_str()?.parse().ok()
}

fn expand_from_0(folder: &Path, rules: Rules, seeds: u8) -> Result<LevelValues, VerifyError> {
    let mut smaller = Vec::new();
    for seeds in 0..seeds {
        smaller.push(expand_one(folder, rules, seeds, &smaller)?);
    }
    expand_one(folder, rules, seeds, &smaller)
}

fn expand_one(
    folder: &Path,
    rules: Rules,
    seeds: u8,
    smaller: &[LevelValues],
) -> Result<LevelValues, VerifyError> {
    let table = Table::open_in(folder, TableId::values(rules, seeds), Backend::Read)?;
    Ok(expand(&table, smaller)?)
}
