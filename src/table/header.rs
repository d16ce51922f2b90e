//! A table's header: bytes → raw header → checked header.
//!
//! All numbers are little-endian. `docs/format.md` draws the layout; the offsets below are its
//! source. The first 64 bytes are the table's identity: every block's check is bound to their hash.

use super::error::{Part, TableError, TableErrorKind};
use super::{Codec, Contents, TableId};
use crate::index::reachable_boards;
use crate::level::{Digest, Histogram};
use crate::rules::{MAX_SEEDS, Rules};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes of a table: a byte that is no text, a name, and a line end that a copy as text
/// would change.
pub(super) const MAGIC: [u8; 8] = *b"\x89OWARE\r\n";

/// The format version written and read here.
pub const FORMAT_VERSION: u16 = 2;

/// The order of boards (see [`crate::index`]).
const INDEX_SCHEME: u8 = 1;

const IDENTITY_BYTES: usize = 64;
const FIXED_BYTES: usize = 128;
const CHECKSUM_BYTES: usize = 8;
/// The digest at the end of the file.
pub(super) const FILE_DIGEST_BYTES: u64 = 16;
/// No header is longer: 48 seeds with both histograms.
pub(super) const MOST_HEADER_BYTES: usize =
    FIXED_BYTES + 2 * 8 * (2 * MAX_SEEDS as usize + 1) + 16 * MAX_SEEDS as usize + CHECKSUM_BYTES;

const FLAG_FREE_FILLED: u8 = 1;
const FLAG_ALL_VALUES: u8 = 2;

/// Most boards in a block: their bytes, compressed or not, stay below 65,536.
pub const MOST_BLOCK_BOARDS: u32 = 32_768;

/// Blocks that share an offset in the block index.
pub(super) const GROUP_BLOCKS: u32 = 64;
/// Bytes of an offset and of a length in the block index.
pub(super) const OFFSET_BYTES: u64 = 8;
pub(super) const LENGTH_BYTES: u64 = 2;

/// A checked header: every number in it fits the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableHeader {
    /// The identity of the table.
    pub id: TableId,
    /// How blocks are compressed.
    pub codec: Codec,
    /// Boards in the level.
    pub boards: u64,
    /// Boards in each block but perhaps the last.
    pub block_boards: u32,
    /// Whether a board's value is the greater of the stored number and its best capture or
    /// ending; otherwise it is the stored number.
    pub free_filled: bool,
    /// The digest of the level's values.
    pub values_digest: Digest,
    /// The digest of the distances; 0 in a table of values.
    pub distances_digest: Digest,
    /// The largest distance; 0 in a table of values.
    pub most_plies: u32,
    /// Reachable boards by value.
    pub values: Histogram,
    /// All boards by value, when they were counted.
    pub all_values: Option<Histogram>,
    /// `values_digest` of each smaller level, from 0 seeds up, that the values were computed from.
    pub smaller: Vec<Digest>,
    /// Bytes of the codec's model.
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
        let entries = histograms * Histogram::entries(self.id.seeds);
        (FIXED_BYTES + 8 * entries + 16 * usize::from(self.id.seeds) + CHECKSUM_BYTES) as u64
    }

    /// Bytes of the whole file; `None` when no file can be that long.
    #[must_use]
    pub fn file_bytes(&self) -> Option<u64> {
        self.header_bytes()
            .checked_add(u64::from(self.model_bytes))?
            .checked_add(self.blocks_bytes)?
            .checked_add(self.index_bytes())?
            .checked_add(FILE_DIGEST_BYTES)
    }

    /// Where the blocks begin.
    pub(super) fn blocks_start(&self) -> u64 {
        self.header_bytes() + u64::from(self.model_bytes)
    }

    /// The hash that every block's check is bound to.
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
        bytes[12] = self.id.seeds;
        bytes[13] = INDEX_SCHEME;
        bytes[14] = self.codec.code();
        bytes[15] = flags;
        bytes[16..24].copy_from_slice(&self.boards.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.block_boards.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.most_plies.to_le_bytes());
        bytes[32..48].copy_from_slice(&self.values_digest.0.to_le_bytes());
        bytes[48..64].copy_from_slice(&self.distances_digest.0.to_le_bytes());
        bytes
    }

    /// The header's bytes.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.identity_bytes().to_vec();
        // No file has the length that stands for one beyond 64 bits, so that such a header is
        // refused when it is read.
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
        bytes.extend(histograms.flat_map(Histogram::counts).flat_map(|count| count.to_le_bytes()));
        bytes.extend(self.smaller.iter().flat_map(|digest| digest.0.to_le_bytes()));
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        debug_assert_eq!(bytes.len() as u64, self.header_bytes());
        bytes
    }

    /// Reads and checks a header. `bytes` are the file's first, at least a header's worth where
    /// the file is long enough; `file_bytes` is the file's length.
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
        // A checksum that fits does not make numbers that fit: rebuild the bytes and compare.
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
        let id = TableId {
            rules: Rules::from_code(rules)?,
            seeds: Some(seeds).filter(|&seeds| seeds <= MAX_SEEDS)?,
            contents: Contents::from_code(contents)?,
        };
        let boards = fields.u64(16).filter(|&boards| boards == reachable_boards(seeds))?;
        let block_boards = fields.u32(24)?;
        if !(1..=MOST_BLOCK_BOARDS).contains(&block_boards)
            || boards.div_ceil(u64::from(block_boards)) > u64::from(u32::MAX)
        {
            return None;
        }
        let entries = Histogram::entries(seeds);
        let has_all_values = flags & FLAG_ALL_VALUES != 0;
        let second = FIXED_BYTES + 8 * entries;
        let digests = second + if has_all_values { 8 * entries } else { 0 };
        Some(Self {
            id,
            codec: Codec::from_code(codec)?,
            boards,
            block_boards,
            free_filled: flags & FLAG_FREE_FILLED != 0,
            values_digest: fields.digest(32)?,
            distances_digest: fields.digest(48)?,
            most_plies: fields.u32(28)?,
            values: fields.histogram(FIXED_BYTES, entries)?,
            all_values: if has_all_values {
                Some(fields.histogram(second, entries)?)
            } else {
                None
            },
            smaller: (0..usize::from(seeds))
                .map(|level| fields.digest(digests + 16 * level))
                .collect::<Option<_>>()?,
            model_bytes: fields.u32(76)?,
            blocks_bytes: fields.u64(80)?,
            model_checksum: fields.u64(96)?,
            index_checksum: fields.u64(104)?,
        })
    }
}

/// Numbers at offsets; `None` past the end.
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

    fn histogram(self, at: usize, entries: usize) -> Option<Histogram> {
        let counts = (0..entries).map(|entry| self.u64(at + 8 * entry)).collect::<Option<_>>()?;
        Histogram::from_counts(counts)
    }
}
