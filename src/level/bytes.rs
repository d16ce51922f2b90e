//! Byte arrays of fixed length, on huge pages if they are large and the system grants them.
//!
//! With pages of 4 KiB, random access to gigabytes misses the translation look-aside buffer as
//! often as the caches; with pages of 2 MiB it does not. Small arrays are plain vectors.

use super::memory;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Arrays of at least this size are anonymous mappings.
const MAPPED_BYTES: usize = 4 << 20;

/// A fixed number of bytes, which dereferences to a slice. Large arrays are on huge pages where the
/// system grants them.
pub struct Bytes(Memory);

enum Memory {
    Small(Vec<u8>),
    Mapped(memmap2::MmapMut),
}

impl Bytes {
    /// `len` zero bytes.
    ///
    /// # Errors
    /// When the system has no memory for the bytes; the error names how many.
    pub fn zeroed(len: usize) -> std::io::Result<Self> {
        if len < MAPPED_BYTES {
            return Ok(Self(Memory::Small(memory::defaults(len)?)));
        }
        let map = memmap2::MmapMut::map_anon(len).map_err(|_| memory::no_memory(len as u64))?;
        // The advice may be refused: without huge pages, the mapping has small ones.
        #[cfg(target_os = "linux")]
        let _refused = map.advise(memmap2::Advice::HugePage);
        Ok(Self(Memory::Mapped(map)))
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Memory::Small(bytes))
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Memory::Small(bytes) => bytes,
            Memory::Mapped(map) => map,
        }
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            Memory::Small(bytes) => bytes,
            Memory::Mapped(map) => map,
        }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Bytes({} bytes)", self.len())
    }
}
