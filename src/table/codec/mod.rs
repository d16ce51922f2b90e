//! How a block's boards become bytes.
//!
//! A codec turns the stored numbers of one block into bytes and back, on its own: any block can be
//! decoded without the others. Every codec carries a 32-bit check of the block, bound to the table's
//! identity and the block's number. Invariant: the bytes depend on the level, the rule set and the
//! block size alone, not on threads or history.

mod cluster;
mod decode;
mod encode;
mod facts;
mod model;
mod pack;
mod rans;
mod sheet;
mod train;
mod zstd;

pub(super) use decode::{BlockPlace, ModelScratch};
pub(super) use encode::{ModelWriter, WriterScratch};
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

/// The check of a block: a hash of `bytes` seeded by the table and the block's number.
#[expect(clippy::cast_possible_truncation, reason = "the low half of a hash")]
pub(super) fn block_check(identity: u64, block: u32, bytes: &[u8]) -> u32 {
    xxh3_64_with_seed(bytes, identity.wrapping_add(u64::from(block))) as u32
}
