//! What can be wrong with a table, a folder or a write: what, where, what to do.

use super::Contents;
use crate::rules::Rules;
use std::io;
use std::path::{Path, PathBuf};

/// Why a table could not be read or written. Each message is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The system refused something.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The folder is not there.
    #[error("there is no folder {}: create it, or name another with --tables", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// Another process builds in the folder.
    #[error("another build is at work in {}: wait for it, or use another folder", path.display())]
    FolderInUse {
        /// The folder.
        path: PathBuf,
    },
    /// The file does not begin as a table does.
    #[error("{} is not a table: move it away, or build again with --force", path.display())]
    NotATable {
        /// The file.
        path: PathBuf,
    },
    /// The file is of a format that this version does not read.
    #[error(
        "{} has format version {found}, this program reads version {known}: use the program that wrote it, or build again with --force",
        path.display()
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
        /// The version read here.
        known: u16,
    },
    /// The file's length is not what its header says.
    #[error(
        "{} has {found} bytes where {expected} belong: copy it again, or build again with --force",
        path.display()
    )]
    WrongLength {
        /// The file.
        path: PathBuf,
        /// Bytes that a whole file has.
        expected: u64,
        /// Bytes found.
        found: u64,
    },
    /// Some bytes are not those that were written.
    #[error(
        "{} is damaged ({part}): copy it again, or build again with --force",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damage shows.
        part: Part,
    },
    /// The table is sound, and another one than its name or its reader says.
    #[error(
        "{} holds {} of {} at {} seeds, not {} of {} at {} seeds: give it its own name back, or build again with --force",
        path.display(), found.contents, found.rules, found.seeds,
        expected.contents, expected.rules, expected.seeds
    )]
    OtherTable {
        /// The file.
        path: PathBuf,
        /// What it holds.
        found: Subject,
        /// What was asked for.
        expected: Subject,
    },
    /// The table's numbers belong to other smaller levels than those given.
    #[error(
        "{} was computed from another level of {seeds} seeds than the one beside it: build again with --force=all",
        path.display()
    )]
    ForeignLevel {
        /// The file.
        path: PathBuf,
        /// The smaller level that differs.
        seeds: u8,
    },
    /// The writer was given something that makes no table.
    #[error("cannot write {}: {reason}", path.display())]
    BadContents {
        /// The file that was to be.
        path: PathBuf,
        /// What does not fit.
        reason: &'static str,
    },
}

/// What a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// The rule set.
    pub rules: Rules,
    /// Seeds on each board.
    pub seeds: u8,
    /// Values or distances.
    pub contents: Contents,
}

/// A part of a table's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The header.
    Header,
    /// The codec's model.
    Model,
    /// The block index.
    Index,
    /// The block with this number.
    Block(u32),
    /// The digest of the whole file.
    FileDigest,
    /// The digest of the values: the file is as written, the values are not those of its header.
    ValuesDigest,
    /// The histogram: the file is as written, the values are not those of its header.
    Histogram,
}

impl std::fmt::Display for Part {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Header => out.write_str("its header"),
            Self::Model => out.write_str("its model"),
            Self::Index => out.write_str("its block index"),
            Self::Block(number) => write!(out, "block {number}"),
            Self::FileDigest => out.write_str("the digest of the file"),
            Self::ValuesDigest => out.write_str("the digest of its values"),
            Self::Histogram => out.write_str("the histogram of its values"),
        }
    }
}

impl TableError {
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    pub(super) fn damaged(path: &Path, part: Part) -> Self {
        Self::Damaged { path: path.to_owned(), part }
    }
}
