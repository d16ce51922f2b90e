//! Tables: what a solved level is in memory and on disk.
//!
//! Read in this order: `plain` (a level in memory), `header` (what a file says of itself), `writer`
//! and `reader` (blocks, by `codec`), `disk` (publication) and `folder` (names, lock, left-overs),
//! `expand` (from a file to memory, with `forward` and `captures`). `docs/format.md` draws the file.
//!
//! Invariants: a file under a table's name is whole; the same level gives the same bytes; nothing
//! read from a file is trusted before its check; memory mapping lives in `map` alone.

mod captures;
mod codec;
mod digest;
mod disk;
mod distances;
mod error;
mod expand;
mod folder;
mod forward;
mod header;
mod histogram;
mod map;
mod memory;
mod plain;
mod reader;
mod shell;
mod source;
#[cfg(test)]
mod tests;
mod writer;

pub use codec::{Codec, UnknownCodec};
pub use digest::Digest;
pub use disk::{Disk, DiskFile, SystemDisk};
pub use distances::DistanceLevel;
pub use error::{Part, Subject, TableError};
pub(crate) use expand::expand_from;
pub use expand::{expand, expand_unchecked};
pub use folder::{Folder, FoundTable, Listing};
pub use header::{Contents, FORMAT_VERSION, MOST_BLOCK_BOARDS, TableHeader};
pub use histogram::Histogram;
pub use memory::Bytes;
pub use plain::PlainLevel;
pub use reader::{BlockScratch, Table};
pub use shell::shell_word;
pub use source::Backend;
pub use writer::{TableContents, WriteOptions, write_distances, write_table};

pub(crate) use captures::{
    NO_CAPTURE, Smaller, SmallerLevels, best_value, count_quiet_moves, raise_to_captures,
    raise_to_moves,
};
pub(crate) use forward::{Crossings, Effect, LapEffect, MoverRows, crossings, lap_effect};
pub(crate) use plain::{plain_byte, plain_is_free, plain_value};
