//! Opening the database that the options name.

use super::options::Options;
use super::size::Size;
use anyhow::anyhow;
use oware::database::{Backend, Database, DatabaseError};
use oware::folder::FolderStatus;
use oware::rules::Seeds;
use oware::table::{TableError, TableErrorKind};
use std::path::Path;

/// The status of the folder of the options.
pub(crate) fn status(options: &Options) -> anyhow::Result<FolderStatus> {
    FolderStatus::of(&options.tables).map_err(|error| match error {
        TableError { path, kind: TableErrorKind::NoFolder } => no_folder(&path, options),
        other => other.into(),
    })
}

fn no_folder(path: &Path, options: &Options) -> anyhow::Error {
    anyhow!(
        "there is no folder {}: make tables with `{}`, or name another folder with --tables",
        path.display(),
        options.build_command(Seeds::of(12), "")
    )
}

/// The options of every command that probes a database.
#[derive(Debug, clap::Args)]
pub(crate) struct Reading {
    /// Memory for decoded blocks of tables, with K, M or G
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    cache: Size,

    /// How files are read: mapped, read (survives files that shrink) or memory (whole levels)
    #[arg(long, value_name = "HOW", default_value = "mapped", hide_possible_values = true)]
    backend: BackendName,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum BackendName {
    /// Files are mapped.
    Mapped,
    /// Files are read on demand.
    Read,
    /// Whole files are kept in memory.
    Memory,
}

impl Reading {
    /// Opens the tables of the chosen rule set.
    pub(crate) fn open(&self, options: &Options) -> anyhow::Result<Database> {
        let backend = match self.backend {
            BackendName::Mapped => Backend::Mapped,
            BackendName::Read => Backend::Read,
            BackendName::Memory => Backend::Memory,
        };
        let database = Database::options()
            .backend(backend)
            .cache_bytes(self.cache.bytes)
            .open(&options.tables, options.rules)
            .map_err(|error| match &error {
                DatabaseError::Table(table) if matches!(table.kind, TableErrorKind::NoFolder) => {
                    no_folder(&table.path, options)
                }
                _ => error.into(),
            })?;
        Ok(database)
    }
}
