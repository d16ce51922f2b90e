//! Advice: what a user can do about an error of the library.
//!
//! Errors of the library name the file or level and the fault. Which command or option helps is
//! known here and nowhere else.

use super::table_folder;
use oware::build::{BuildError, BuildOptions, largest_seeds};
use oware::database::DatabaseError;
use oware::export::ExportError;
use oware::grade::RecordedError;
use oware::rules::{Rules, Seeds};
use oware::table::{TableError, TableErrorKind};
use oware::verify::VerifyError;
use std::error::Error;
use std::path::Path;
use std::sync::OnceLock;

/// The message of an error, with advice where there is any.
pub(crate) fn explain(error: &(dyn Error + 'static)) -> String {
    match of(error) {
        Some(advice) => format!("{error}: {advice}"),
        None => error.to_string(),
    }
}

/// The advice for an error; `None` if there is none.
pub(crate) fn of(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<TableError>() {
        of_table(&error.kind).map(ToOwned::to_owned)
    } else if let Some(error) = error.downcast_ref::<DatabaseError>() {
        of_database(error)
    } else if let Some(error) = error.downcast_ref::<BuildError>() {
        of_build(error)
    } else if let Some(error) = error.downcast_ref::<VerifyError>() {
        of_verify(error)
    } else if let Some(error) = error.downcast_ref::<RecordedError>() {
        of_recorded(error)
    } else if let Some(ExportError::Database(error)) = error.downcast_ref::<ExportError>() {
        of_database(error)
    } else {
        None
    }
}

const fn of_table(kind: &TableErrorKind) -> Option<&'static str> {
    Some(match kind {
        TableErrorKind::NoFolder => "create it, or name another with --tables",
        TableErrorKind::FolderInUse => "wait for it, or use another folder",
        TableErrorKind::NotAFile => "move it away",
        TableErrorKind::NotATable => "move it away, or build again with --force",
        TableErrorKind::OtherVersion { .. } => {
            "use the program that wrote it, or build again with --force"
        }
        TableErrorKind::WrongLength { .. } | TableErrorKind::Damaged(_) => {
            "copy it again, or build again with --force"
        }
        TableErrorKind::OtherTable { .. } => {
            "give it its own name back, or build again with --force"
        }
        TableErrorKind::ForeignLevel { .. } => "build again with --force=all",
        _ => return None,
    })
}

fn of_database(error: &DatabaseError) -> Option<String> {
    let build = |rules: &Rules, seeds: &Seeds, folder: &Path, extras| {
        Some(way_to(*rules, *seeds, folder, extras))
    };
    match error {
        DatabaseError::MissingLevel { rules, seeds, folder } => {
            build(rules, seeds, folder, Extras::default())
        }
        DatabaseError::MissingDistances { rules, seeds, folder } => {
            build(rules, seeds, folder, Extras { distances: true, ..Extras::default() })
        }
        DatabaseError::MissingBounds { rules, seeds, folder } => {
            build(rules, seeds, folder, Extras { bounds: true, ..Extras::default() })
        }
        DatabaseError::MissingRanks { rules, seeds, folder } => {
            build(rules, seeds, folder, Extras { distances: true, bounds: true })
        }
        DatabaseError::Table(error) => of_table(&error.kind).map(ToOwned::to_owned),
        DatabaseError::Replaced { .. } => Some("run the command again".to_owned()),
        _ => None,
    }
}

fn of_build(error: &BuildError) -> Option<String> {
    let advice = match error {
        BuildError::Table(error) => of_table(&error.kind)?,
        BuildError::NoMemory { .. } => {
            "give more with --memory, or build fewer seeds (`oware plan` says what fits)"
        }
        BuildError::MemoryRefused { .. } => {
            "build fewer seeds, or raise the limit on the memory of a process (ulimit -v)"
        }
        BuildError::UnknownMemory => "say how much the build may take with --memory",
        BuildError::NoDisk { .. } => {
            "make room, or build fewer seeds (`oware plan` says what fits)"
        }
        BuildError::BadReadBack { .. } => "check the disk, then build again with --force",
        _ => return None,
    };
    Some(advice.to_owned())
}

fn of_verify(error: &VerifyError) -> Option<String> {
    let advice = match error {
        VerifyError::Table(error) => of_table(&error.kind)?,
        VerifyError::NoTable { rules, seeds, folder } => {
            return Some(way_to_level(*rules, *seeds, folder));
        }
        VerifyError::NoTables { .. } => "build some, or name another folder with --tables",
        VerifyError::TooLittleMemory { .. } | VerifyError::MemoryRefused { .. } => {
            "use --quick, or --level with a smaller one"
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

fn of_recorded(error: &RecordedError) -> Option<String> {
    match error {
        RecordedError::OtherRules { found, .. } => Some(format!("choose --rules {found}")),
        RecordedError::Database(error) => of_database(error),
        _ => None,
    }
}

/// Tables besides those of values.
#[derive(Clone, Copy, Debug, Default)]
struct Extras {
    distances: bool,
    bounds: bool,
}

/// Levels up to this are built on every machine.
const ALWAYS_FITS: Seeds = Seeds::of(16);

/// How to come by the tables of a level: the command that builds it, or, if it does not fit this
/// machine, the one that says what it takes.
fn way_to(rules: Rules, seeds: Seeds, folder: &Path, extras: Extras) -> String {
    let more = [(extras.distances, " --distances"), (extras.bounds, " --bounds")];
    let more: String = more.into_iter().filter(|(made, _)| *made).map(|(_, text)| text).collect();
    match largest_here(folder, extras) {
        Some(largest) if largest < seeds && seeds > ALWAYS_FITS => {
            let command = format!("oware plan --seeds {seeds}{more}{}", same_tables(rules, folder));
            format!("this machine builds up to {largest} seeds, `{command}` says what more takes")
        }
        _ => format!("build it with `{}`", build_command(rules, seeds, folder, &more)),
    }
}

/// How to come by the values of a level.
pub(crate) fn way_to_level(rules: Rules, seeds: Seeds, folder: &Path) -> String {
    way_to(rules, seeds, folder, Extras::default())
}

/// The largest level that this machine can build with these extras. Asked once, since many boards of
/// a batch may have no table.
fn largest_here(folder: &Path, extras: Extras) -> Option<Seeds> {
    static KNOWN: [OnceLock<Option<Seeds>>; 4] = [const { OnceLock::new() }; 4];
    let known = &KNOWN[usize::from(extras.distances) + 2 * usize::from(extras.bounds)];
    *known.get_or_init(|| {
        let options = BuildOptions::new(Rules::default(), Seeds::MAX, folder)
            .distances(extras.distances)
            .bounds(extras.bounds);
        largest_seeds(&options).ok()
    })
}

/// The command that builds the levels up to `seeds` into a folder, ready to be pasted. `more` holds
/// further options, each with a space before it.
pub(crate) fn build_command(rules: Rules, seeds: Seeds, folder: &Path, more: &str) -> String {
    format!("oware build --seeds {seeds}{more}{}", same_tables(rules, folder))
}

/// The options that name the same tables to another command, each with a space before it; empty if
/// the other command uses them without options.
pub(crate) fn same_tables(rules: Rules, folder: &Path) -> String {
    let mut text = String::new();
    if rules != Rules::default() {
        text += &format!(" --rules {rules}");
    }
    text + &table_folder::option_for(folder)
}
