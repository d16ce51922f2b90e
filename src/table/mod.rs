//! Tables: the files that levels are stored in.
//!
//! Read in this order: `id` (the name of a table), `header` (the description of a table in its
//! file), `writer` and `reader` (blocks, compressed by `codec`), `publish` (drafts that become
//! tables), `expand` and `expand_bounds` (from files to a level in
//! memory). `docs/format.md` describes every byte.
//!
//! Invariants: a file with the name of a table is whole; the same level gives the same bytes;
//! nothing that is read from a file is used before it is checked; only `map` maps files.

mod backend;
mod codec;
mod error;
mod expand;
mod expand_bounds;
mod header;
mod id;
mod map;
mod publish;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use backend::Backend;
pub use codec::{Codec, UnknownCodec};
pub use error::{Part, TableError, TableErrorKind};
pub(crate) use expand::expand_from;
pub use expand::{expand, expand_unchecked};
pub(crate) use expand_bounds::expand_bounds;
pub use header::{FORMAT_VERSION, MOST_BLOCK_BOARDS, TableHeader};
pub use id::{Contents, TableId};
pub use publish::{Disk, DiskFile, SystemDisk};
pub(crate) use reader::read_header;
pub use reader::{BlockScratch, Table};
pub use writer::{
    TableContents, WriteOptions, write_bounds, write_distances, write_ranks, write_table,
};
