//! How a database is opened.

use super::cache::BlockCache;
use super::file::LevelFile;
use super::{Backend, Database, DatabaseError, LevelSource};
use crate::folder::{RulesStatus, TableStatus};
use crate::rules::Rules;
use std::path::Path;

/// Ways of opening a database; [`Database::options`] starts one.
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
    /// How files are read; mapped unless told otherwise.
    #[must_use]
    pub const fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// The most memory that decoded blocks take, in bytes; 64 MiB unless told otherwise. With 0
    /// every probe decodes its block anew.
    #[must_use]
    pub const fn cache_bytes(mut self, cache_bytes: u64) -> Self {
        self.cache_bytes = cache_bytes;
        self
    }

    /// Opens the tables of a rule set in a folder. Headers are read now, the rest of a table when
    /// it is first asked for.
    ///
    /// # Errors
    /// When there is no such folder or it cannot be read. A level that is missing or damaged is an
    /// error when it is asked for.
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
