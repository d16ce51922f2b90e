//! Tables: what a solved level is in memory and on disk.

mod captures;
mod forward;
mod memory;
mod plain;

pub use memory::Bytes;
pub use plain::PlainLevel;
