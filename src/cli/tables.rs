//! Opening the database that the options name.

use super::options::Options;
use super::size::Size;
use oware::database::Database;

/// How tables are read: options of every command that asks a database.
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
    /// Files are read as they are needed.
    Read,
    /// Levels are expanded in memory: a byte a board.
    Memory,
}

impl Reading {
    /// Opens the tables of the chosen rule set.
    pub(crate) fn open(&self, options: &Options) -> anyhow::Result<Database> {
        let database = Database::from_levels(options.rules, Vec::new());
        Ok(database)
    }
}
