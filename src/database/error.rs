//! Why a database cannot answer.

use crate::rules::Rules;
use crate::table::{Contents, TableError, TableId};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a database cannot be opened or cannot answer. One line: what, where, what to do.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The level of the board (or of a board that the answer depends on) has no table.
    #[error("no {rules} table of {seeds} seeds{}", in_folder(folder))]
    MissingLevel {
        /// Rule set asked for.
        rules: Rules,
        /// Seeds of the level.
        seeds: u8,
        /// Folder looked in; empty for a database in memory.
        folder: PathBuf,
    },
    /// The level has no distance table.
    #[error("no {rules} distance table of {seeds} seeds{}", in_folder(folder))]
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
    #[error("{} was replaced while the database was open", path.display())]
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
    pub(super) fn missing(id: TableId, folder: &Path) -> Self {
        let TableId { rules, seeds, contents } = id;
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
