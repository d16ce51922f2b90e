//! Errors of databases.

use crate::rules::{Board, BoardError, Rules, Seeds};
use crate::table::{Contents, TableError, TableId};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The reason why a database cannot be opened or has no answer. The message is one line.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// There is no table of the level of the board, or of a board that the answer depends on.
    #[error("no {rules} table of {seeds} seeds{}", in_folder(folder))]
    MissingLevel {
        /// The rule set.
        rules: Rules,
        /// Seeds of the level.
        seeds: Seeds,
        /// The folder of the tables; empty for a database in memory.
        folder: PathBuf,
    },
    /// There is no distance table of the level.
    #[error("no {rules} distance table of {seeds} seeds{}", in_folder(folder))]
    MissingDistances {
        /// The rule set.
        rules: Rules,
        /// Seeds of the level.
        seeds: Seeds,
        /// The folder of the tables; empty for a database in memory.
        folder: PathBuf,
    },
    /// There is no table of bounds of the level.
    #[error("no {rules} table of bounds of {seeds} seeds{}", in_folder(folder))]
    MissingBounds {
        /// The rule set.
        rules: Rules,
        /// Seeds of the level.
        seeds: Seeds,
        /// The folder of the tables; empty for a database in memory.
        folder: PathBuf,
    },
    /// There is no table of ranks of the level.
    #[error("no {rules} table of ranks of {seeds} seeds{}", in_folder(folder))]
    MissingRanks {
        /// The rule set.
        rules: Rules,
        /// Seeds of the level.
        seeds: Seeds,
        /// The folder of the tables; empty for a database in memory.
        folder: PathBuf,
    },
    /// The distance table has no distance for a board whose value is not 0.
    #[error(
        "the {rules} distance table of {} seeds{} has no distance for board {board}, which has one",
        board.seeds(),
        in_folder(folder)
    )]
    NoDistance {
        /// The rule set.
        rules: Rules,
        /// The board.
        board: Board,
        /// The folder of the tables.
        folder: PathBuf,
    },
    /// A table cannot be read, is damaged, or does not fit the others.
    #[error(transparent)]
    Table(Arc<TableError>),
    /// The file of a table was replaced by another table after the database was opened.
    #[error("{} was replaced while the database was open", path.display())]
    Replaced {
        /// The file.
        path: PathBuf,
    },
}

/// The reason why a batch of boards has no values. The message is one line.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// There is not one place per board for the values.
    #[error("{boards} boards, but {values} places for their values")]
    Length {
        /// Boards given.
        boards: usize,
        /// Places for values.
        values: usize,
    },
    /// An array of pits is not a board.
    #[error("board {at}: {source}")]
    NotABoard {
        /// The position in the batch, from 0.
        at: usize,
        /// The reason.
        source: BoardError,
    },
    /// A board has no value.
    #[error("board {at}: {source}")]
    Database {
        /// The position in the batch, from 0.
        at: usize,
        /// The reason.
        source: DatabaseError,
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
            Contents::Bounds => Self::MissingBounds { rules, seeds, folder },
            Contents::Ranks => Self::MissingRanks { rules, seeds, folder },
        }
    }
}

fn in_folder(folder: &Path) -> String {
    if folder.as_os_str().is_empty() { String::new() } else { format!(" in {}", folder.display()) }
}
