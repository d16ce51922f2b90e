//! Advice: what a user can do about an error of the library.
//!
//! Errors of the library name the file or level and the fault. Which command or option helps is
//! known here and nowhere else.

use super::shell::shell_word;
use oware::build::BuildError;
use oware::database::DatabaseError;
use oware::export::ExportError;
use oware::grade::RecordedError;
use oware::rules::{Rules, Seeds};
use oware::table::{TableError, TableErrorKind};
use oware::verify::VerifyError;
use std::error::Error;
use std::path::Path;

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
    let build = |command: String| Some(format!("build it with `{command}`"));
    match error {
        DatabaseError::MissingLevel { rules, seeds, folder } => {
            build(build_command(*rules, *seeds, folder, ""))
        }
        DatabaseError::MissingDistances { rules, seeds, folder } => {
            build(build_command(*rules, *seeds, folder, " --distances"))
        }
        DatabaseError::MissingBounds { rules, seeds, folder } => {
            build(build_command(*rules, *seeds, folder, " --bounds"))
        }
        DatabaseError::MissingRanks { rules, seeds, folder } => {
            build(build_command(*rules, *seeds, folder, " --distances --bounds"))
        }
        DatabaseError::Table(error) => of_table(&error.kind).map(ToOwned::to_owned),
        DatabaseError::Replaced { .. } => Some("run the command again".to_owned()),
        _ => None,
    }
}

fn of_build(error: &BuildError) -> Option<String> {
    let advice = match error {
        BuildError::Table(error) => of_table(&error.kind)?,
        BuildError::NoMemory { .. } => "give more with --memory, or build fewer seeds",
        BuildError::MemoryRefused { .. } => {
            "build fewer seeds, or raise the limit on the memory of a process (ulimit -v)"
        }
        BuildError::UnknownMemory => "say how much the build may take with --memory",
        BuildError::NoDisk { .. } => "make room, or build fewer seeds",
        BuildError::BadReadBack { .. } => "check the disk, then build again with --force",
        _ => return None,
    };
    Some(advice.to_owned())
}

fn of_verify(error: &VerifyError) -> Option<String> {
    let advice = match error {
        VerifyError::Table(error) => of_table(&error.kind)?,
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

/// The command that builds the levels up to `seeds` into a folder, ready to be pasted. `more` holds
/// further options, each with a space before it.
pub(crate) fn build_command(rules: Rules, seeds: Seeds, folder: &Path, more: &str) -> String {
    format!("oware build --seeds {seeds}{more}{}", same_tables(rules, folder))
}

/// The options that name the same tables to another command, each with a space before it; empty for
/// the defaults.
pub(crate) fn same_tables(rules: Rules, folder: &Path) -> String {
    let mut text = String::new();
    if rules != Rules::default() {
        text += &format!(" --rules {rules}");
    }
    if !folder.as_os_str().is_empty() && folder != Path::new("tables") {
        text += &format!(" --tables {}", shell_word(folder));
    }
    text
}
