//! Blocks as Zstandard frames.
//!
//! A block is a frame without content size or checksum. It holds one byte per board (values), or
//! the low bytes of all boards, then the high bytes (distances).

use std::fmt;
use std::io;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

/// Of the levels 1, 3 and 6, level 1 gives the smallest files on these data, and is the fastest.
const LEVEL: i32 = 1;

/// Compresses blocks; one per thread.
pub(in crate::table) struct ZstdEncoder {
    compressor: Compressor<'static>,
    frame: Vec<u8>,
}

impl ZstdEncoder {
    pub(in crate::table) fn new() -> io::Result<Self> {
        let mut compressor = Compressor::new(LEVEL)?;
        compressor.set_parameter(CParameter::ContentSizeFlag(false))?;
        compressor.set_parameter(CParameter::ChecksumFlag(false))?;
        Ok(Self { compressor, frame: Vec::new() })
    }

    /// Compresses bytes to a frame.
    pub(in crate::table) fn encode(&mut self, bytes: &[u8]) -> io::Result<&[u8]> {
        self.frame.clear();
        self.frame.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        self.compressor.compress_to_buffer(bytes, &mut self.frame)?;
        Ok(&self.frame)
    }
}

/// Decompresses blocks; one per thread.
pub(in crate::table) struct ZstdDecoder(Decompressor<'static>);

impl ZstdDecoder {
    pub(in crate::table) fn new() -> io::Result<Self> {
        Decompressor::new().map(Self)
    }

    /// Decompresses a frame to `bytes`; `None` if it is damaged or holds another number of bytes.
    pub(in crate::table) fn decode(&mut self, frame: &[u8], bytes: &mut [u8]) -> Option<()> {
        let len = self.0.decompress_to_buffer(frame, bytes).ok()?;
        (len == bytes.len()).then_some(())
    }
}

impl fmt::Debug for ZstdDecoder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ZstdDecoder")
    }
}
