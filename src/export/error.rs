//! Errors of exports.

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
