//! Values in the formats of other programs: score files of the Vrije Universiteit Amsterdam and
//! NumPy arrays.
//!
//! Invariant: exports are written in one pass to a [`Write`](std::io::Write).

mod error;
mod npy;
mod vu;

pub use error::ExportError;
#[cfg(feature = "sample")]
pub use npy::sample;
pub use npy::{Fields, write_npy, write_npy_level};
pub use vu::write_vu;
