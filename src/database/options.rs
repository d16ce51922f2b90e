//! How a database is opened.

use super::cache::BlockCache;
use super::file::LevelFile;
use super::{Backend, Database, DatabaseError, Level};
use crate::rules::Rules;
use crate::table::{Contents, Digest, FoundTable, Listing, TableError, TableHeader};
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
        let listing = Listing::of(folder)?;
        let cache = BlockCache::new(self.cache_bytes);
        let mut database = Database::empty(rules, folder.to_owned(), cache);
        let mut digests: Vec<(u8, Digest)> = Vec::new();
        // Sorted by seeds, values before distances.
        for found in listing.tables.into_iter().filter(|found| found.subject.rules == rules) {
            let subject = found.subject;
            let header = belonging(found, &digests);
            if let (Contents::Values, Ok(header)) = (subject.contents, &header) {
                digests.push((subject.seeds, header.values_digest));
            }
            let file = LevelFile::new(folder, subject, header, self.backend);
            let place = usize::from(subject.seeds);
            match subject.contents {
                Contents::Values => database.levels[place] = Some(Level::File(Box::new(file))),
                Contents::Distances => database.distances[place] = Some(file),
            }
        }
        Ok(database)
    }
}

/// The header of a table that was found, unless the table was computed from other values than
/// those beside it.
fn belonging(found: FoundTable, digests: &[(u8, Digest)]) -> Result<TableHeader, DatabaseError> {
    let header = found.header?;
    let own = (header.subject.contents == Contents::Distances)
        .then_some((header.subject.seeds, header.values_digest));
    let computed_from = (0..).zip(header.smaller.iter().copied()).chain(own);
    for (seeds, digest) in computed_from {
        let beside = digests.iter().find(|&&(level, _)| level == seeds);
        if beside.is_some_and(|&(_, beside)| beside != digest) {
            return Err(TableError::ForeignLevel { path: found.path, seeds }.into());
        }
    }
    Ok(header)
}
