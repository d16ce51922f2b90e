//! Why a build stops.

use crate::rules::Rules;
use crate::table::TableError;
use std::io;
use std::path::PathBuf;

/// Why a build stopped. Each message is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A table or its folder could not be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A level does not fit the memory it may take.
    #[error(
        "{rules} level {seeds} needs {} MiB of memory and has {} MiB: give more with --memory, or build fewer seeds",
        mebibytes(*needed), mebibytes(*given)
    )]
    NoMemory {
        /// The rule set.
        rules: Rules,
        /// The level.
        seeds: u8,
        /// Bytes that it needs at the least.
        needed: u64,
        /// Bytes that it may take.
        given: u64,
    },
    /// The result does not fit the disk.
    #[error(
        "the tables need about {} MiB and {} has {} MiB free: make room, or build fewer seeds",
        mebibytes(*needed), folder.display(), mebibytes(*free)
    )]
    NoDisk {
        /// The folder.
        folder: PathBuf,
        /// Bytes that the tables need, estimated.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// Reading or writing a working copy, or getting memory, failed.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// What was read back differs from what was written.
    #[error("{} does not read back as it was written: check the disk, then build again with --force", path.display())]
    BadReadBack {
        /// The table.
        path: PathBuf,
    },
    /// The build was told to stop.
    #[error("stopped: whole tables are kept, the next build goes on from there")]
    Stopped,
}

impl BuildError {
    pub(super) fn io(action: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { action, source }
    }
}

const fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}
