//! Errors of builds.

use crate::progress::Stopped;
use crate::rules::{Rules, Seeds};
use crate::table::TableError;
use std::io;
use std::path::PathBuf;

/// A build did not finish. The message is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A table or its folder cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A level does not fit the memory that the build may take.
    #[error(
        "{rules} level {seeds} needs {} MiB of memory and has {} MiB",
        mebibytes(*needed), mebibytes(*given)
    )]
    NoMemory {
        /// The rule set.
        rules: Rules,
        /// The level.
        seeds: Seeds,
        /// Bytes that it needs at the least.
        needed: u64,
        /// Bytes that it may take.
        given: u64,
    },
    /// The system does not give the memory that a level needs.
    #[error(
        "{rules} level {seeds} needs {} MiB of memory more, which the system does not give",
        mebibytes(*needed)
    )]
    MemoryRefused {
        /// The rule set.
        rules: Rules,
        /// The level.
        seeds: Seeds,
        /// Bytes that it needs besides what is in use.
        needed: u64,
    },
    /// The system does not report how much memory is free.
    #[error("the system does not report how much memory is free")]
    UnknownMemory,
    /// The tables do not fit the disk.
    #[error(
        "the tables need about {} MiB and {} has {} MiB free",
        mebibytes(*needed), folder.display(), mebibytes(*free)
    )]
    NoDisk {
        /// The folder.
        folder: PathBuf,
        /// Bytes that the tables need, estimated.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// A working copy cannot be read or written, or the system has no memory.
    #[error("cannot {action}: {source}")]
    Io {
        /// The operation, as a verb.
        action: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// A table differs from what was written when it is read back.
    #[error("{} does not read back as it was written", path.display())]
    BadReadBack {
        /// The table.
        path: PathBuf,
    },
    /// The stop flag was set.
    #[error("stopped: whole tables are kept, the next build goes on from there")]
    Stopped,
}

impl From<Stopped> for BuildError {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

impl BuildError {
    pub(super) fn io(action: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { action, source }
    }
}

const fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}
