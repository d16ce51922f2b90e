//! Why a database cannot answer.

use crate::rules::Rules;
use std::path::{Path, PathBuf};

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
        command += &format!(" --tables {}", folder.display());
    }
    if distances {
        command += " --distances";
    }
    command
}
