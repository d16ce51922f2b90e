//! Errors of tables and their folders: the file or folder, and the problem.

use super::TableId;
use crate::rules::Seeds;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A table or a folder of tables cannot be read or written. The message is one line.
#[derive(Debug)]
pub struct TableError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub kind: TableErrorKind,
}

/// What is wrong with a table or a folder of tables.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableErrorKind {
    /// The system refused an operation.
    Io {
        /// The operation, as a verb.
        action: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// The folder does not exist.
    NoFolder,
    /// Another process builds in the folder.
    FolderInUse,
    /// The path is a folder, a pipe or a device, not a file.
    NotAFile,
    /// The file does not begin as a table does.
    NotATable,
    /// The file has a format version that this version of the program does not read.
    OtherVersion {
        /// The version of the file.
        found: u16,
        /// The version that is read.
        known: u16,
    },
    /// The length of the file differs from what its header gives.
    WrongLength {
        /// Bytes of a whole file.
        expected: u64,
        /// Bytes of the file.
        found: u64,
    },
    /// Some bytes are not those that were written.
    Damaged(Part),
    /// The table is sound, but is not the one that its name or its reader expects.
    OtherTable {
        /// The table in the file.
        found: TableId,
        /// The table that was expected.
        expected: TableId,
    },
    /// The table was computed from another level of this many seeds than the one beside it.
    ForeignLevel {
        /// Seeds of the level that differs.
        seeds: Seeds,
    },
    /// The contents to be written do not make a table.
    BadContents {
        /// What does not fit.
        reason: &'static str,
    },
}

/// A part of a table's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The header.
    Header,
    /// The model of the codec.
    Model,
    /// The block index.
    Index,
    /// The block with this number.
    Block(u32),
    /// The digest of the whole file.
    FileDigest,
    /// The digest of the values: the file is as it was written, but its values are not those of its
    /// header.
    ValuesDigest,
    /// The digest of the distances, bounds or ranks: the file is as it was written, but its contents
    /// are not those of its header.
    ContentsDigest,
    /// Numbers of a table of bounds that do not fit the values beside it.
    Numbers,
    /// The histogram: the file is as it was written, but its values are not those of its header.
    Histogram,
    /// The histogram of all boards of the level, reachable or not: it is not that of the values.
    AllValues,
    /// The longest distance or rank: it is not that of the numbers.
    MostPlies,
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => out.write_str("its header"),
            Self::Model => out.write_str("its model"),
            Self::Index => out.write_str("its block index"),
            Self::Block(number) => write!(out, "block {number}"),
            Self::FileDigest => out.write_str("the digest of the file"),
            Self::ValuesDigest => out.write_str("the digest of its values"),
            Self::ContentsDigest => out.write_str("the digest of its contents"),
            Self::Numbers => out.write_str("its numbers, which do not fit the values"),
            Self::Histogram => out.write_str("the histogram of its values"),
            Self::AllValues => out.write_str("the histogram of all boards"),
            Self::MostPlies => out.write_str("its longest distance"),
        }
    }
}

impl TableError {
    pub(crate) fn new(path: &Path, kind: TableErrorKind) -> Self {
        Self { path: path.to_owned(), kind }
    }

    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self { path, kind: TableErrorKind::Io { action, source } }
    }

    /// Whether the system refuses the file, of whose contents nothing is known then.
    pub(crate) const fn is_refusal(&self) -> bool {
        matches!(self.kind, TableErrorKind::Io { .. } | TableErrorKind::NotAFile)
    }

    pub(crate) fn damaged(path: &Path, part: Part) -> Self {
        Self::new(path, TableErrorKind::Damaged(part))
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            TableErrorKind::Io { action, source } => {
                write!(out, "cannot {action} {path}: {source}")
            }
            TableErrorKind::NoFolder => write!(out, "there is no folder {path}"),
            TableErrorKind::FolderInUse => write!(out, "another build is at work in {path}"),
            TableErrorKind::NotAFile => write!(out, "{path} is not a file"),
            TableErrorKind::NotATable => write!(out, "{path} is not a table"),
            TableErrorKind::OtherVersion { found, known } => {
                write!(out, "{path} has format version {found}, this program reads version {known}")
            }
            TableErrorKind::WrongLength { expected, found } => {
                write!(out, "{path} has {found} bytes where {expected} belong")
            }
            TableErrorKind::Damaged(part) => write!(out, "{path} is damaged ({part})"),
            TableErrorKind::OtherTable { found, expected } => {
                write!(out, "{path} holds {found}, not {expected}")
            }
            TableErrorKind::ForeignLevel { seeds } => write!(
                out,
                "{path} was computed from another level of {seeds} seeds than the one beside it"
            ),
            TableErrorKind::BadContents { reason } => write!(out, "cannot write {path}: {reason}"),
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            TableErrorKind::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
