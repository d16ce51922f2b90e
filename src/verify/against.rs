//! The comparison of a level with a score file of the Vrije Universiteit Amsterdam, or one in its
//! format.

use super::VerifyError;
use super::report::{Depth, Finding, LevelChecked, Problem, Proof, VerifyReport, WrongBoards};
use crate::index::{reachable_boards, vu_boards};
use crate::level::LevelValues;
use crate::rules::{Rules, Seeds};
use crate::table::{Backend, Table, TableId, expand};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Compares the values of a level with a `scores.N` file, board by board. `seeds` is the level; if
/// it is `None`, the level is the N of the file's name.
///
/// # Errors
/// When the table of the level or of a smaller one cannot be read, or the file is not one of that
/// level. Boards that differ are findings of the report.
#[expect(clippy::missing_panics_doc, reason = "a level has every board of the other order")]
pub fn verify_against(
    folder: &Path,
    rules: Rules,
    seeds: Option<Seeds>,
    file: &Path,
) -> Result<VerifyReport, VerifyError> {
    let other = |reason: String| VerifyError::OtherFile { path: file.to_owned(), reason };
    let unknown = || VerifyError::UnknownLevel { path: file.to_owned() };
    let seeds = seeds.or_else(|| level_of_name(file)).ok_or_else(unknown)?;
    if std::fs::metadata(file).is_ok_and(|there| !there.is_file()) {
        return Err(other("it is not a file".to_owned()));
    }
    let opened = File::open(file).map_err(|error| other(error.to_string()))?;
    let bytes = opened.metadata().map_err(|error| other(error.to_string()))?.len();
    let boards = reachable_boards(seeds);
    if bytes != boards {
        return Err(other(format!("{bytes} bytes, a file of level {seeds} has {boards}")));
    }
    let level = expand_with_smaller(folder, rules, seeds)?;
    let wrong = WrongBoards::default();
    let mut reader = BufReader::with_capacity(1 << 16, opened).bytes();
    for (place, board) in vu_boards(seeds).enumerate() {
        let byte = reader.next().unwrap_or_else(|| Err(std::io::ErrorKind::UnexpectedEof.into()));
        let number = byte.map_err(|error| other(error.to_string()))?.cast_signed();
        let stored = level.value(board).expect("both orders have the same boards");
        if stored.get() != number {
            wrong.add(place, Problem::Differs { board, stored, other: number });
        }
    }
    let path = folder.join(TableId::values(rules, seeds).file_name());
    let finding = |problem| Finding { path: path.clone(), seeds, problem };
    let mut report = VerifyReport::new(rules, Depth::Quick);
    let proof = Proof::File;
    report.levels.push(LevelChecked { seeds, boards, bounds: None, distances: false, proof });
    report.findings.extend(wrong.into_problems().into_iter().map(finding));
    Ok(report)
}

/// The N of `scores.N`.
fn level_of_name(file: &Path) -> Option<Seeds> {
    file.extension()?.to_str()?.parse().ok()
}

/// The values of a level, from its table and all smaller ones.
fn expand_with_smaller(
    folder: &Path,
    rules: Rules,
    seeds: Seeds,
) -> Result<LevelValues, VerifyError> {
    let expand_one = |seeds, smaller: &[LevelValues]| {
        let table = Table::open_in(folder, TableId::values(rules, seeds), Backend::Read)?;
        expand(&table, smaller)
    };
    let mut smaller = Vec::new();
    for seeds in seeds.below() {
        smaller.push(expand_one(seeds, &smaller)?);
    }
    Ok(expand_one(seeds, &smaller)?)
}
