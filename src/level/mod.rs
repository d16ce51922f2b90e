//! A level in memory: the values or distances of all its reachable boards, in index order.
//!
//! Read `values` (one byte per board) first, then `distances`. `histogram` and `digest` summarise a
//! level, `bytes` is the memory that levels are kept in.
//!
//! Invariants: this module knows no files. A level has exactly one entry per reachable board.

mod bytes;
mod digest;
mod distances;
mod histogram;
#[cfg(test)]
pub(crate) mod meaningless;
mod values;

pub use bytes::Bytes;
pub use digest::Digest;
pub use distances::LevelDistances;
pub use histogram::Histogram;
pub use values::LevelValues;
pub(crate) use values::{plain_byte, plain_is_free, plain_value};
