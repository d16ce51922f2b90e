//! Large byte arrays: zeroed, on huge pages where the system grants them.
//!
//! Random access to gigabytes misses the page tables as often as the caches; with 2 MiB pages it
//! does not. Small arrays are plain vectors.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// Arrays from this size on are mapped on their own.
const MAPPED_BYTES: usize = 4 << 20;

/// A fixed number of bytes, zero at first. Dereferences to a slice.
pub struct Bytes(Memory);

enum Memory {
    Small(Vec<u8>),
    Mapped(memmap2::MmapMut),
}

impl Bytes {
    /// `len` zero bytes.
    ///
    /// # Errors
    /// When the system has no memory for them.
    pub fn zeroed(len: usize) -> std::io::Result<Self> {
        if len < MAPPED_BYTES {
            return Ok(Self(Memory::Small(vec![0; len])));
        }
        let map = memmap2::MmapMut::map_anon(len)?;
        // Only a wish: where huge pages are off, small ones serve.
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
