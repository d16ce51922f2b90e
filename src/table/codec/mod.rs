//! How a block's boards become bytes.
//!
//! A codec turns the stored numbers of one block into bytes and back, on its own: any block can be
//! decoded without the others. In the file the bytes are [sealed](seal) by a 32-bit check, bound to the
//! table's identity and the block's number; codecs see [opened](unseal) bytes only. Invariant: the bytes
//! depend on the level, the rule set and the block size alone, not on threads or history.

mod decode;
mod distribution;
mod encode;
mod features;
mod lanes;
mod model;
mod pack;
mod rans;
mod train;
mod zstd;

pub(super) use decode::{BlockBoards, ModelScratch};
pub(super) use encode::{ModelWriter, WriterScratch};
pub(super) use lanes::LANES;
pub(super) use model::Model;
pub(super) use train::{Effort, train};
pub(super) use zstd::{ZstdDecoder, ZstdEncoder};

use std::fmt;
use std::str::FromStr;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How blocks are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// Zstandard frames.
    Zstd,
    /// A model of the level and an entropy coder.
    Model,
}

impl Codec {
    /// All codecs.
    pub const ALL: [Self; 2] = [Self::Zstd, Self::Model];

    /// The codec's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Model => "model",
        }
    }

    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Zstd => 1,
            Self::Model => 2,
        }
    }

    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|codec| codec.code() == code)
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A codec's name that is none.
#[derive(Debug, thiserror::Error)]
#[error("unknown codec '{0}'")]
pub struct UnknownCodec(String);

impl FromStr for Codec {
    type Err = UnknownCodec;
    fn from_str(name: &str) -> Result<Self, UnknownCodec> {
        let found = Self::ALL.into_iter().find(|codec| codec.name() == name);
        found.ok_or_else(|| UnknownCodec(name.to_owned()))
    }
}

/// Appends a block to `out`: its check, then the bytes that a codec made.
pub(in crate::table) fn seal(identity: u64, block: u32, coded: &[u8], out: &mut Vec<u8>) {
    out.extend(block_check(identity, block, coded).to_le_bytes());
    out.extend(coded);
}

/// The bytes that a codec made of a sealed block; `None` when it is damaged, of another place or of another
/// table.
pub(in crate::table) fn unseal(identity: u64, block: u32, sealed: &[u8]) -> Option<&[u8]> {
    let (check, coded) = sealed.split_first_chunk()?;
    (block_check(identity, block, coded) == u32::from_le_bytes(*check)).then_some(coded)
}

/// The check of a block: a hash of its coded bytes seeded by the table and the block's number.
#[expect(clippy::cast_possible_truncation, reason = "the low half of a hash")]
fn block_check(identity: u64, block: u32, coded: &[u8]) -> u32 {
    xxh3_64_with_seed(coded, identity.wrapping_add(u64::from(block))) as u32
}
