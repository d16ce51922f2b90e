//! Opening the database that the options name, or solving small levels where there is none.

use super::failure::warn;
use super::options::Options;
use super::size::Size;
use anyhow::{Context, anyhow};
use oware::database::{Backend, Database, DatabaseError};
use oware::folder::{FolderFiles, FolderStatus};
use oware::rules::Seeds;
use oware::solve::solve_in_memory;
use oware::table::{TableError, TableErrorKind};
use std::path::Path;

/// The status of the folder of the options.
pub(crate) fn status(options: &Options) -> anyhow::Result<FolderStatus> {
    FolderStatus::of(&options.tables).map_err(|error| match error {
        TableError { path, kind: TableErrorKind::NoFolder } => no_folder(&path, options),
        other => other.into(),
    })
}

/// The levels that are solved in memory where there are no tables: in under a second.
pub(crate) const SOLVED_AT_ONCE: Seeds = Seeds::of(12);

/// Whether there are tables of the chosen rule set, in whatever state.
fn has_tables(options: &Options) -> anyhow::Result<bool> {
    match FolderFiles::list(&options.tables) {
        Ok(files) => Ok(files.tables.iter().any(|id| id.rules == options.rules)),
        Err(TableError { kind: TableErrorKind::NoFolder, .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
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
    /// Opens the tables of the chosen rule set. Where no folder was named and the one by default has
    /// no such tables, the levels of 0 to `wanted` seeds are solved in memory, and a message says
    /// so; none if `wanted` is `None`.
    pub(crate) fn open_or_solve(
        &self,
        options: &Options,
        wanted: Option<Seeds>,
    ) -> anyhow::Result<Database> {
        if options.tables_chosen.is_named() || has_tables(options)? {
            return self.open(options);
        }
        let rules = options.rules;
        let Some(seeds) = wanted else { return Ok(Database::from_levels(rules, Vec::new())) };
        let levels = solve_in_memory(rules, seeds)
            .with_context(|| format!("no memory for the {rules} levels of up to {seeds} seeds"))?;
        warn(format!(
            "there are no {rules} tables in {}: the levels of 0 to {seeds} seeds are solved in memory; keep them with `{}`",
            options.tables.display(),
            options.build_command(SOLVED_AT_ONCE, "")
        ));
        Ok(Database::from_levels(rules, levels))
    }

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
