//! The header of a table: bytes → raw fields → checked header.
//!
//! All numbers are little-endian. `docs/format.md` describes the layout. The first 64 bytes are the
//! identity of the table; the checksums of its blocks are bound to their hash.

use super::error::{Part, TableError, TableErrorKind};
use super::{Codec, Contents, TableId};
use crate::index::{all_boards, reachable_boards};
use crate::level::{BoundsHistogram, Digest, Histogram};
use crate::rules::{Rules, Seeds};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes of a table: a byte that is not text, a name, and a line ending that a copy in
/// text mode would change.
pub(super) const MAGIC: [u8; 8] = *b"\x89OWARE\r\n";

/// The format version written and read here.
pub const FORMAT_VERSION: u16 = 2;

/// The order of boards (see [`crate::index`]).
const INDEX_SCHEME: u8 = 1;

const IDENTITY_BYTES: usize = 64;
const FIXED_BYTES: usize = 128;
const CHECKSUM_BYTES: usize = 8;
/// Bytes of the digest at the end of the file.
pub(super) const FILE_DIGEST_BYTES: u64 = 16;
/// The most bytes of a header: 48 seeds with all histograms.
pub(super) const MOST_HEADER_BYTES: usize = FIXED_BYTES
    + 2 * 8 * Histogram::entries(Seeds::MAX)
    + 8 * BoundsHistogram::entries(Seeds::MAX)
    + 16 * Seeds::MAX.index()
    + CHECKSUM_BYTES;

const FLAG_FREE_FILLED: u8 = 1;
const FLAG_ALL_VALUES: u8 = 2;

/// The most bytes of a model: those of half a million contexts.
const MOST_MODEL_BYTES: u32 = 1 << 20;

/// The most boards per block. Their bytes, compressed or not, stay below 65,536.
pub const MOST_BLOCK_BOARDS: u32 = 32_768;

/// Blocks per group. The blocks of a group share an offset in the block index.
pub(super) const GROUP_BLOCKS: u32 = 64;
/// Bytes per offset in the block index.
pub(super) const OFFSET_BYTES: u64 = 8;
/// Bytes per length in the block index.
pub(super) const LENGTH_BYTES: u64 = 2;

/// The header of a table. It is checked: its numbers are consistent with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableHeader {
    /// The identity of the table.
    pub id: TableId,
    /// The compression of blocks.
    pub codec: Codec,
    /// Boards of the level.
    pub boards: u64,
    /// Boards per block. The last block may have fewer.
    pub block_boards: u32,
    /// Whether the value of a board is the greater of its stored number and its best capture or
    /// ending. It is in every table of values, and in no other: a header that says otherwise is
    /// refused.
    pub free_filled: bool,
    /// The digest of the values of the level.
    pub values_digest: Digest,
    /// The digest of the distances, bounds or ranks; 0 in a table of values.
    pub contents_digest: Digest,
    /// The largest distance or rank; 0 in a table of values or bounds.
    pub most_plies: u32,
    /// Reachable boards by value.
    pub values: Histogram,
    /// All boards by value, if they were counted.
    pub all_values: Option<Histogram>,
    /// Reachable boards by their bounds, in a table of bounds.
    pub bounds: Option<BoundsHistogram>,
    /// By number of seeds: the `values_digest` of the smaller levels that the values were computed
    /// from.
    pub smaller: Vec<Digest>,
    /// Bytes of the model of the codec.
    pub model_bytes: u32,
    /// Bytes of all blocks.
    pub blocks_bytes: u64,
    /// Hash of the model.
    pub(super) model_checksum: u64,
    /// Hash of the block index.
    pub(super) index_checksum: u64,
}

impl TableHeader {
    /// Blocks in the table.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "every header is checked when it is made")]
    pub fn blocks(&self) -> u32 {
        u32::try_from(self.boards.div_ceil(u64::from(self.block_boards)))
            .expect("checked when the header is made: below 2^32")
    }

    /// Bytes of the block index.
    #[must_use]
    pub fn index_bytes(&self) -> u64 {
        let blocks = self.blocks();
        u64::from(blocks.div_ceil(GROUP_BLOCKS)) * OFFSET_BYTES + u64::from(blocks) * LENGTH_BYTES
    }

    /// Bytes of the header itself.
    #[must_use]
    pub fn header_bytes(&self) -> u64 {
        let histograms = 1 + usize::from(self.all_values.is_some());
        let pairs = self.bounds.as_ref().map_or(0, |bounds| bounds.counts().len());
        let entries = histograms * Histogram::entries(self.id.seeds) + pairs;
        (FIXED_BYTES + 8 * entries + 16 * self.id.seeds.index() + CHECKSUM_BYTES) as u64
    }

    /// Bytes of the whole file; `None` if they are more than 2^64.
    #[must_use]
    pub fn file_bytes(&self) -> Option<u64> {
        self.header_bytes()
            .checked_add(u64::from(self.model_bytes))?
            .checked_add(self.blocks_bytes)?
            .checked_add(self.index_bytes())?
            .checked_add(FILE_DIGEST_BYTES)
    }

    /// The offset of the first block in the file.
    pub(super) fn blocks_start(&self) -> u64 {
        self.header_bytes() + u64::from(self.model_bytes)
    }

    /// The hash that the checksums of blocks are bound to.
    pub(super) fn identity(&self) -> u64 {
        xxh3_64(&self.identity_bytes())
    }

    fn identity_bytes(&self) -> [u8; IDENTITY_BYTES] {
        let flags = if self.free_filled { FLAG_FREE_FILLED } else { 0 }
            | if self.all_values.is_some() { FLAG_ALL_VALUES } else { 0 };
        let mut bytes = [0; IDENTITY_BYTES];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        bytes[10] = self.id.contents.code();
        bytes[11] = self.id.rules.code();
        bytes[12] = self.id.seeds.get();
        bytes[13] = INDEX_SCHEME;
        bytes[14] = self.codec.code();
        bytes[15] = flags;
        bytes[16..24].copy_from_slice(&self.boards.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.block_boards.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.most_plies.to_le_bytes());
        bytes[32..48].copy_from_slice(&self.values_digest.0.to_le_bytes());
        bytes[48..64].copy_from_slice(&self.contents_digest.0.to_le_bytes());
        bytes
    }

    /// The bytes of the header.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.identity_bytes().to_vec();
        // A length beyond 64 bits is written as one that no file has, so that `parse` refuses it.
        bytes.extend(self.file_bytes().unwrap_or(u64::MAX).to_le_bytes());
        let header_bytes = u32::try_from(self.header_bytes()).expect("a few kilobytes");
        bytes.extend(header_bytes.to_le_bytes());
        bytes.extend(self.model_bytes.to_le_bytes());
        bytes.extend(self.blocks_bytes.to_le_bytes());
        bytes.extend(self.index_bytes().to_le_bytes());
        bytes.extend(self.model_checksum.to_le_bytes());
        bytes.extend(self.index_checksum.to_le_bytes());
        bytes.resize(FIXED_BYTES, 0);
        let histograms = std::iter::once(&self.values).chain(&self.all_values);
        let counts = histograms.flat_map(Histogram::counts);
        let pairs = self.bounds.iter().flat_map(BoundsHistogram::counts);
        bytes.extend(counts.chain(pairs).flat_map(|count| count.to_le_bytes()));
        bytes.extend(self.smaller.iter().flat_map(|digest| digest.0.to_le_bytes()));
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        debug_assert_eq!(bytes.len() as u64, self.header_bytes());
        bytes
    }

    /// Parses and checks a header. `bytes` are the first bytes of the file, as many as the longest
    /// header has or the whole file; `file_bytes` is the length of the file.
    pub(super) fn parse(path: &Path, bytes: &[u8], file_bytes: u64) -> Result<Self, TableError> {
        let fields = Fields(bytes);
        if fields.array(0) != Some(MAGIC) {
            return Err(TableError::new(path, TableErrorKind::NotATable));
        }
        let damaged = || TableError::damaged(path, Part::Header);
        let wrong_length = |expected| {
            TableError::new(path, TableErrorKind::WrongLength { expected, found: file_bytes })
        };
        let found = fields.u16(8).ok_or_else(damaged)?;
        if found != FORMAT_VERSION {
            let kind = TableErrorKind::OtherVersion { found, known: FORMAT_VERSION };
            return Err(TableError::new(path, kind));
        }
        let header_bytes = fields.u32(72).ok_or_else(damaged)? as usize;
        let whole = bytes.get(..header_bytes).ok_or_else(|| {
            let is_cut = fields.u64(64).filter(|&expected| expected > file_bytes);
            match is_cut.filter(|_| header_bytes <= MOST_HEADER_BYTES) {
                Some(expected) => wrong_length(expected),
                None => damaged(),
            }
        })?;
        let (body, checksum) = whole.split_last_chunk().ok_or_else(damaged)?;
        if header_bytes < FIXED_BYTES + CHECKSUM_BYTES
            || xxh3_64(body) != u64::from_le_bytes(*checksum)
        {
            return Err(damaged());
        }
        let header = Self::from_fields(Fields(body)).ok_or_else(damaged)?;
        // The checksum may be right and the numbers still inconsistent: compare with the bytes of
        // the parsed header.
        if header.to_bytes() != whole {
            return Err(damaged());
        }
        let expected = header.file_bytes().ok_or_else(damaged)?;
        if expected != file_bytes {
            return Err(wrong_length(expected));
        }
        Ok(header)
    }

    fn from_fields(fields: Fields<'_>) -> Option<Self> {
        let [contents, rules, seeds, _scheme, codec, flags] = fields.array(10)?;
        let seeds = Seeds::new(seeds)?;
        let id = TableId {
            rules: Rules::from_code(rules)?,
            seeds,
            contents: Contents::from_code(contents)?,
        };
        let boards = fields.u64(16).filter(|&boards| boards == reachable_boards(seeds))?;
        let block_boards = fields.u32(24)?;
        if !(1..=MOST_BLOCK_BOARDS).contains(&block_boards)
            || boards.div_ceil(u64::from(block_boards)) > u64::from(u32::MAX)
        {
            return None;
        }
        let codec = Codec::from_code(codec)?;
        let most_model_bytes = if codec == Codec::Model { MOST_MODEL_BYTES } else { 0 };
        let model_bytes = fields.u32(76).filter(|&bytes| bytes <= most_model_bytes)?;
        let entries = Histogram::entries(seeds);
        let has_all_values = flags & FLAG_ALL_VALUES != 0;
        let second = FIXED_BYTES + 8 * entries;
        let pairs = second + if has_all_values { 8 * entries } else { 0 };
        let bounds = match id.contents {
            Contents::Bounds => Some(fields.bounds(pairs, seeds)?),
            _ => None,
        };
        let digests = pairs + bounds.as_ref().map_or(0, |bounds| 8 * bounds.counts().len());
        let header = Self {
            id,
            codec,
            boards,
            block_boards,
            free_filled: flags & FLAG_FREE_FILLED != 0,
            values_digest: fields.digest(32)?,
            contents_digest: fields.digest(48)?,
            most_plies: fields.u32(28)?,
            values: fields.histogram(FIXED_BYTES, entries)?,
            all_values: if has_all_values {
                Some(fields.histogram(second, entries)?)
            } else {
                None
            },
            bounds,
            smaller: (0..seeds.index())
                .map(|level| fields.digest(digests + 16 * level))
                .collect::<Option<_>>()?,
            model_bytes,
            blocks_bytes: fields.u64(80)?,
            model_checksum: fields.u64(96)?,
            index_checksum: fields.u64(104)?,
        };
        header.is_consistent().then_some(header)
    }

    /// Whether the fields that follow from others are what they must be. What a table of some
    /// contents means is decided here, for all readers: they need no flags.
    fn is_consistent(&self) -> bool {
        let is_free = |free| self.free_filled == free;
        let has_no_plies = self.most_plies == 0;
        let of_contents = match self.id.contents {
            Contents::Values => {
                is_free(true) && has_no_plies && self.contents_digest == Digest::default()
            }
            Contents::Bounds => is_free(false) && has_no_plies,
            Contents::Distances | Contents::Ranks => is_free(false) && self.codec == Codec::Zstd,
        };
        of_contents
            && self.bounds.iter().all(|bounds| bounds.boards() == self.boards)
            && self.values.boards() == self.boards
            && self.all_values.iter().all(|all| all.boards() == all_boards(self.id.seeds))
    }
}

/// Fields by offset; `None` past the end.
#[derive(Clone, Copy)]
struct Fields<'b>(&'b [u8]);

impl Fields<'_> {
    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..)?.first_chunk().copied()
    }

    fn u16(self, at: usize) -> Option<u16> {
        self.array(at).map(u16::from_le_bytes)
    }

    fn u32(self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    fn u64(self, at: usize) -> Option<u64> {
        self.array(at).map(u64::from_le_bytes)
    }

    fn digest(self, at: usize) -> Option<Digest> {
        self.array(at).map(|bytes| Digest(u128::from_le_bytes(bytes)))
    }

    fn counts(self, at: usize, entries: usize) -> Option<Vec<u64>> {
        (0..entries).map(|entry| self.u64(at + 8 * entry)).collect()
    }

    fn histogram(self, at: usize, entries: usize) -> Option<Histogram> {
        Histogram::from_counts(self.counts(at, entries)?)
    }

    fn bounds(self, at: usize, seeds: Seeds) -> Option<BoundsHistogram> {
        let counts = self.counts(at, BoundsHistogram::entries(seeds))?;
        BoundsHistogram::from_counts(seeds, counts)
    }
}
