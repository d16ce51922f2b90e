//! Codecs: the numbers of a block as bytes.
//!
//! A codec encodes the numbers of one block to bytes and decodes them. Any block can be decoded
//! without the others. In the file, a 32-bit checksum bound to the table and the number of the
//! block [precedes](seal) the bytes of each block. It is [checked](unseal) before a codec decodes
//! them.
//!
//! Read `zstd` first. The model codec is `features` (side information from the rules), `lanes` (the
//! boards of blocks side by side), `model` (contexts and their distributions), `distribution`,
//! `rans` (the entropy coder), `decode` and `encode` (blocks), `train` (the model of a level) and
//! `pack` (the model as bytes).
//!
//! Invariant: the bytes depend on the level, the rule set and the block size alone, not on threads
//! or earlier blocks.

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

/// The compression of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// Zstandard frames.
    Zstd,
    /// An entropy coder with a statistical model of the level.
    Model,
}

impl Codec {
    /// All codecs.
    pub const ALL: [Self; 2] = [Self::Zstd, Self::Model];

    /// The name.
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

/// The text is not the name of a codec.
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

/// Appends a block to `out`: its checksum, then its encoded bytes.
pub(in crate::table) fn seal(identity: u64, block: u32, coded: &[u8], out: &mut Vec<u8>) {
    out.extend(block_checksum(identity, block, coded).to_le_bytes());
    out.extend(coded);
}

/// The encoded bytes of a sealed block; `None` if the block is damaged or belongs to another place
/// or another table.
pub(in crate::table) fn unseal(identity: u64, block: u32, sealed: &[u8]) -> Option<&[u8]> {
    let (checksum, coded) = sealed.split_first_chunk()?;
    (block_checksum(identity, block, coded) == u32::from_le_bytes(*checksum)).then_some(coded)
}

/// The checksum of a block: a hash of its encoded bytes, seeded with the table and the number of
/// the block.
#[expect(clippy::cast_possible_truncation, reason = "the low half of a hash")]
fn block_checksum(identity: u64, block: u32, coded: &[u8]) -> u32 {
    xxh3_64_with_seed(coded, identity.wrapping_add(u64::from(block))) as u32
}
