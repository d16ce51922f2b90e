//! Values in the formats of other programs: score files of the Vrije Universiteit Amsterdam and
//! NumPy arrays.
//!
//! Invariant: exports are written in one pass to a [`Write`](std::io::Write).

mod npy;
mod vu;

#[cfg(feature = "sample")]
pub use npy::sample;
pub use npy::write_npy;
pub use vu::write_vu;

use crate::database::DatabaseError;
use std::io;

/// The reason why an export failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A board has no value in the database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The export cannot be written.
    #[error("cannot write the export: {0}")]
    Write(#[from] io::Error),
}
