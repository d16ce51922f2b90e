//! Blocks as Zstandard frames.
//!
//! ```text
//! [ check, 4 bytes ][ a frame without content size or checksum ]
//! ```
//!
//! The check covers the frame: nothing unchecked reaches the decompressor. The frame holds a byte
//! for each board (values), or the low bytes of all boards, then the high bytes (distances).

use super::block_check;
use std::fmt;
use std::io;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

/// Level 1 is the smallest on these data among 1, 3, 6, and the quickest.
const LEVEL: i32 = 1;

/// Compresses blocks; one a thread.
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

    /// Appends the block of `bytes` to `out`.
    pub(in crate::table) fn encode(
        &mut self,
        identity: u64,
        block: u32,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        self.frame.clear();
        self.frame.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        self.compressor.compress_to_buffer(bytes, &mut self.frame)?;
        out.extend(block_check(identity, block, &self.frame).to_le_bytes());
        out.extend(&self.frame);
        Ok(())
    }
}

/// Decompresses blocks; one a thread.
pub(in crate::table) struct ZstdDecoder(Decompressor<'static>);

impl ZstdDecoder {
    pub(in crate::table) fn new() -> io::Result<Self> {
        Decompressor::new().map(Self)
    }

    /// Fills `bytes` from a block; `None` when the block is damaged.
    pub(in crate::table) fn decode(
        &mut self,
        identity: u64,
        block: u32,
        coded: &[u8],
        bytes: &mut [u8],
    ) -> Option<()> {
        let (check, frame) = coded.split_first_chunk()?;
        if block_check(identity, block, frame) != u32::from_le_bytes(*check) {
            return None;
        }
        let len = self.0.decompress_to_buffer(frame, bytes).ok()?;
        (len == bytes.len()).then_some(())
    }
}

impl fmt::Debug for ZstdDecoder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ZstdDecoder")
    }
}
