//! A level in memory: the values, distances or bounds of all its reachable boards, in index order.
//!
//! Read `values` (one byte per board) first, then `distances` and `bounds`. `histogram` and `digest`
//! summarise a level, `bytes` is the memory that levels are kept in, and `memory` asks the system for
//! it.
//!
//! ```
//! use oware::{rules::{Rules, Seeds}, solve::solve_in_memory};
//!
//! // All boards of 5 seeds on which the mover gets every seed.
//! let levels = solve_in_memory(Rules::Awari, Seeds::of(5))?;
//! let all_seeds = levels[5].iter().filter(|(_, value)| value.get() == 5);
//! assert!(all_seeds.map(|(board, _)| board.seeds()).all(|seeds| seeds == 5));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Invariants: this module depends on no files. A level has exactly one entry per reachable board.

mod bounds;
mod bounds_histogram;
mod bytes;
mod digest;
mod distances;
mod histogram;
#[cfg(test)]
pub(crate) mod meaningless;
pub(crate) mod memory;
mod values;

pub(crate) use bounds::stored_bound;
pub use bounds::{LevelBounds, lower_bound};
pub use bounds_histogram::BoundsHistogram;
pub use bytes::Bytes;
pub use digest::Digest;
pub use distances::LevelDistances;
pub use histogram::Histogram;
pub use values::LevelValues;
pub(crate) use values::{plain_byte, plain_is_free, plain_value};
