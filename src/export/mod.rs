//! Values for other programs: the Vrije Universiteit's score files, NumPy arrays.
//!
//! Everything is written forward to any [`Write`](std::io::Write); nothing here names files.

mod npy;
mod vu;

pub use npy::{sample, write_npy};
pub use vu::write_vu;

use crate::database::DatabaseError;
use std::io;

/// Why an export stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The database has no answer.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// What was written could not be.
    #[error("cannot write the export: {0}")]
    Write(#[from] io::Error),
}
