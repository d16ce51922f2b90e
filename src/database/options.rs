//! The options of opening a database.

use super::cache::BlockCache;
use super::file::LevelFile;
use super::{Backend, Database, DatabaseError, LevelSource};
use crate::folder::{RulesStatus, TableStatus};
use crate::rules::Rules;
use std::path::Path;

/// The options of opening a database. [`Database::options`] has the default ones.
///
/// ```no_run
/// use oware::{database::{Backend, Database}, rules::Rules};
///
/// let database = Database::options()
///     .backend(Backend::Read)
///     .cache_bytes(512 << 20)
///     .open("tables", Rules::Abapa)?;
/// # Ok::<(), oware::database::DatabaseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DatabaseOptions {
    backend: Backend,
    cache_bytes: u64,
}

impl Default for DatabaseOptions {
    fn default() -> Self {
        Self { backend: Backend::Mapped, cache_bytes: 64 << 20 }
    }
}

impl DatabaseOptions {
    /// How files are read; [`Backend::Mapped`] by default.
    #[must_use]
    pub const fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// The most memory that the cache of decoded blocks takes, in bytes; 64 MiB by default. With 0,
    /// every probe decodes its block.
    #[must_use]
    pub const fn cache_bytes(mut self, cache_bytes: u64) -> Self {
        self.cache_bytes = cache_bytes;
        self
    }

    /// Opens the tables of a rule set in a folder. This reads their headers; a table is opened by
    /// the first probe that needs it.
    ///
    /// # Errors
    /// When the folder does not exist or cannot be read. A missing or damaged table is an error of
    /// the probes that need it.
    pub fn open(self, folder: impl AsRef<Path>, rules: Rules) -> Result<Database, DatabaseError> {
        let folder = folder.as_ref();
        let status = RulesStatus::of(folder, rules)?;
        let cache = BlockCache::new(self.cache_bytes);
        let mut database = Database::empty(rules, folder.to_owned(), cache);
        let file = |TableStatus { id, state, .. }| match state.into_header() {
            Ok(None) => None,
            Ok(Some(header)) => Some(LevelFile::new(folder, id, Ok(header), self.backend)),
            Err(error) => Some(LevelFile::new(folder, id, Err(error.into()), self.backend)),
        };
        for level in status.levels {
            let place = usize::from(level.seeds());
            database.levels[place] =
                file(level.values).map(|file| LevelSource::File(Box::new(file)));
            database.distances[place] = file(level.distances);
        }
        Ok(database)
    }
}
