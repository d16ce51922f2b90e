//! Why a database cannot answer.

use crate::rules::Rules;
use crate::table::{Contents, Subject, TableError, shell_word};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a database cannot be opened or cannot answer. One line: what, where, what to do.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The level of the board (or of a board that the answer depends on) has no table.
    #[error("no {rules} table of {seeds} seeds{}: build it with `{}`",
        in_folder(folder), build_command(*rules, *seeds, folder, false))]
    MissingLevel {
        /// Rule set asked for.
        rules: Rules,
        /// Seeds of the level.
        seeds: u8,
        /// Folder looked in; empty for a database in memory.
        folder: PathBuf,
    },
    /// The level has no distance table.
    #[error("no {rules} distance table of {seeds} seeds{}: build it with `{}`",
        in_folder(folder), build_command(*rules, *seeds, folder, true))]
    MissingDistances {
        /// Rule set asked for.
        rules: Rules,
        /// Seeds of the level.
        seeds: u8,
        /// Folder looked in; empty for a database in memory.
        folder: PathBuf,
    },
    /// A table cannot be read, is damaged or does not belong to the others.
    #[error(transparent)]
    Table(Arc<TableError>),
    /// Another table came under the name of one that the database had looked at.
    #[error("{} was replaced while the database was open: open it again", path.display())]
    Replaced {
        /// The table's file.
        path: PathBuf,
    },
}

impl From<TableError> for DatabaseError {
    fn from(error: TableError) -> Self {
        Self::Table(Arc::new(error))
    }
}

impl DatabaseError {
    pub(super) fn missing(subject: Subject, folder: &Path) -> Self {
        let Subject { rules, seeds, contents } = subject;
        let folder = folder.to_owned();
        match contents {
            Contents::Values => Self::MissingLevel { rules, seeds, folder },
            Contents::Distances => Self::MissingDistances { rules, seeds, folder },
        }
    }
}

fn in_folder(folder: &Path) -> String {
    if folder.as_os_str().is_empty() { String::new() } else { format!(" in {}", folder.display()) }
}

/// The command that makes a missing table.
fn build_command(rules: Rules, seeds: u8, folder: &Path, distances: bool) -> String {
    let mut command = format!("oware build --seeds {seeds}");
    if rules != Rules::default() {
        command += &format!(" --rules {rules}");
    }
    if !folder.as_os_str().is_empty() && folder != Path::new("tables") {
        command += &format!(" --tables {}", shell_word(folder));
    }
    if distances {
        command += " --distances";
    }
    command
}
