//! The options of opening a database.

use crate::table::Backend;

/// The options of opening a database. [`Database::options`](super::Database::options) has the
/// default ones.
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
    pub(super) backend: Backend,
    pub(super) cache_bytes: u64,
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
}
