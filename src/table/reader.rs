//! The reader of tables.
//!
//! Opening a table checks the header, the length of the file, the model and the block index.
//! Decoding a block checks the block. [`Table::check_file`] checks every byte.
//!
//! Invariant: no number of a file is used as an offset, a length or a value before its range is
//! checked.

use super::backend::{Backend, FileBytes, read_exact_at};
use super::codec::{BlockBoards, LANES, Model, ModelScratch, ZstdDecoder, unseal};
use super::error::{Part, TableError, TableErrorKind};
use super::header::{
    FILE_DIGEST_BYTES, GROUP_BLOCKS, LENGTH_BYTES, MOST_HEADER_BYTES, OFFSET_BYTES, TableHeader,
};
use super::{Codec, Contents, TableId};
use crate::index::LevelIndex;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Bytes per read of [`Table::check_file`].
const CHECK_BYTES: u64 = 1 << 20;

/// An open table. Threads can share it; each decodes with a [`BlockScratch`] of its own.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    header: TableHeader,
    identity: u64,
    source: FileBytes,
    level: LevelIndex,
    /// The model of the codec, if it has one.
    model: Option<Model>,
    /// The block index; empty if the source has it in memory.
    index: Vec<u8>,
}

/// The buffers and the decompressor of a thread that decodes blocks.
#[derive(Debug, Default)]
pub struct BlockScratch {
    /// The sealed bytes of blocks, several at a time.
    read: [Vec<u8>; LANES],
    bytes: Vec<u8>,
    numbers: Vec<i8>,
    zstd: Option<ZstdDecoder>,
    model: ModelScratch,
}

/// Reads and checks the header of the table `expected`.
pub(crate) fn read_header(path: &Path, expected: TableId) -> Result<TableHeader, TableError> {
    let (_, header) = open_header(path)?;
    expect_id(path, &header, expected)?;
    Ok(header)
}

fn open_header(path: &Path) -> Result<(File, TableHeader), TableError> {
    // Opening a pipe would block until its other end is open.
    if !fs::metadata(path).map_err(TableError::io("open", path))?.is_file() {
        return Err(TableError::new(path, TableErrorKind::NotAFile));
    }
    let file = File::open(path).map_err(TableError::io("open", path))?;
    let file_bytes = file.metadata().map_err(TableError::io("read", path))?.len();
    let first = file_bytes.min(MOST_HEADER_BYTES as u64);
    let mut bytes = vec![0; usize::try_from(first).expect("a few kilobytes")];
    read_exact_at(&file, &mut bytes, 0).map_err(TableError::io("read", path))?;
    let header = TableHeader::parse(path, &bytes, file_bytes)?;
    Ok((file, header))
}

fn expect_id(path: &Path, header: &TableHeader, expected: TableId) -> Result<(), TableError> {
    if header.id == expected {
        return Ok(());
    }
    Err(TableError::new(path, TableErrorKind::OtherTable { found: header.id, expected }))
}

impl Table {
    /// Opens the table with an id in a folder.
    ///
    /// # Errors
    /// When the file cannot be read, is not a table, has another format version, another length, or
    /// a damaged header, model or block index, or is another table than its name.
    pub fn open_in(
        folder: impl AsRef<Path>,
        id: TableId,
        backend: Backend,
    ) -> Result<Self, TableError> {
        let path = folder.as_ref().join(id.file_name());
        let table = Self::open(&path, backend)?;
        expect_id(&path, &table.header, id)?;
        Ok(table)
    }

    /// Opens the file of any table.
    ///
    /// # Errors
    /// As [`open_in`](Self::open_in), except for the id.
    pub fn open(path: impl AsRef<Path>, backend: Backend) -> Result<Self, TableError> {
        let path = path.as_ref();
        let (file, header) = open_header(path)?;
        let source = FileBytes::open(file, Self::file_bytes(&header), backend)
            .map_err(TableError::io("read", path))?;
        let identity = header.identity();
        let level = LevelIndex::new(header.id.seeds);
        let path = path.to_owned();
        let mut table =
            Self { path, header, identity, source, level, model: None, index: Vec::new() };
        table.load_model()?;
        table.load_index()?;
        table.expect_block_boards()?;
        Ok(table)
    }

    /// The length of the file of a table.
    fn file_bytes(header: &TableHeader) -> u64 {
        header.file_bytes().expect("the header was compared with the length of the file")
    }

    fn load_model(&mut self) -> Result<(), TableError> {
        let header = &self.header;
        let mut read = Vec::new();
        let bytes = self
            .source
            .bytes(header.header_bytes(), header.model_bytes as usize, &mut read)
            .map_err(TableError::io("read", &self.path))?;
        let damaged = || TableError::damaged(&self.path, Part::Model);
        if xxh3_64(bytes) != header.model_checksum {
            return Err(damaged());
        }
        if header.codec == Codec::Model {
            self.model = Some(Model::parse(header.id.seeds.get(), bytes).ok_or_else(damaged)?);
        }
        Ok(())
    }

    fn load_index(&mut self) -> Result<(), TableError> {
        if let FileBytes::Read(_) = self.source {
            let (at, len) = self.index_place()?;
            let mut read = Vec::new();
            let bytes = self.source.bytes(at, len, &mut read);
            bytes.map_err(TableError::io("read", &self.path))?;
            self.index = read;
        }
        let is_sound = |bytes: &[u8]| xxh3_64(bytes) == self.header.index_checksum;
        if self.loaded_index().is_some_and(is_sound) {
            Ok(())
        } else {
            Err(self.damaged(Part::Index))
        }
    }

    /// The offset and the length of the block index.
    fn index_place(&self) -> Result<(u64, usize), TableError> {
        let header = &self.header;
        let no_memory = |_| TableError::io("read", &self.path)(io::ErrorKind::OutOfMemory.into());
        let len = usize::try_from(header.index_bytes()).map_err(no_memory)?;
        Ok((header.blocks_start() + header.blocks_bytes, len))
    }

    /// Refuses a header with another number of boards per block than the blocks were made with. A
    /// block that is decoded to its end shows it, the first boards of a block do not. From block 1
    /// on the boards would be others, and the last block would have another number of them, so these
    /// two are decoded whole; a block that is damaged shows nothing.
    fn expect_block_boards(&self) -> Result<(), TableError> {
        if self.model.is_none() {
            return Ok(());
        }
        let (mut scratch, mut numbers) = (BlockScratch::default(), Vec::new());
        let last = self.header.blocks().saturating_sub(1);
        let fits = [1, last].into_iter().filter(|block| (1..=last).contains(block)).all(|block| {
            self.coded(block, &mut scratch.read[0]).is_err()
                || self.decode(block, &mut scratch, &mut numbers).is_ok()
        });
        if fits { Ok(()) } else { Err(self.damaged(Part::Header)) }
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &TableHeader {
        &self.header
    }

    /// The block of the board with an index, and the place of the board in the block; `None` past
    /// the last board of the level.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the header bounds both numbers")]
    pub fn place(&self, index: u64) -> Option<(u32, usize)> {
        let boards = u64::from(self.header.block_boards);
        if index >= self.header.boards {
            return None;
        }
        let block = u32::try_from(index / boards).expect("a table has fewer than 2^32 blocks");
        let place = usize::try_from(index % boards).expect("a block has at most 32,768 boards");
        Some((block, place))
    }

    /// The number of boards of a block; 0 past the last block.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the header bounds the boards of a block")]
    pub fn boards_in(&self, block: u32) -> usize {
        let boards = u64::from(self.header.block_boards);
        let before = u64::from(block).saturating_mul(boards);
        let boards = self.header.boards.saturating_sub(before).min(boards);
        usize::try_from(boards).expect("a block has at most 32,768 boards")
    }

    /// Decodes a block of values or bounds to `stored`, one number per board.
    ///
    /// In a table of bounds, the number says how far the value exceeds the lower bound (see
    /// [`lower_bound`](crate::level::lower_bound)). Otherwise the value of a board is the greater of
    /// its number and its best capture or move that ends the game. For a board without such a move,
    /// the number is the value.
    ///
    /// # Errors
    /// When the block is damaged or past the last, when the file cannot be read, and when the table
    /// holds neither values nor bounds.
    pub fn decode(
        &self,
        block: u32,
        scratch: &mut BlockScratch,
        stored: &mut Vec<i8>,
    ) -> Result<(), TableError> {
        self.decode_first(block, usize::MAX, scratch, stored)
    }

    /// Decodes the first `boards` boards of a block, or all if it has fewer, as
    /// [`decode`](Self::decode) does. The fewer they are, the less time it takes.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_first(
        &self,
        block: u32,
        boards: usize,
        scratch: &mut BlockScratch,
        stored: &mut Vec<i8>,
    ) -> Result<(), TableError> {
        stored.clear();
        let mut result = Ok(());
        self.decode_several(&[(block, boards)], scratch, |_, numbers| match numbers {
            Ok(numbers) => stored.extend_from_slice(numbers),
            Err(error) => result = Err(error),
        });
        result
    }

    /// Decodes the first boards of several blocks, as [`decode_first`](Self::decode_first) does.
    /// `wanted` has the number of each block and its number of boards. Calls `decoded` once per
    /// block in order, with the place in `wanted` and the numbers. Blocks with about the same
    /// number of boards take much less time than one after the other.
    #[expect(clippy::missing_panics_doc, reason = "the codec gives one result per block")]
    pub fn decode_several(
        &self,
        wanted: &[(u32, usize)],
        scratch: &mut BlockScratch,
        mut decoded: impl FnMut(usize, Result<&[i8], TableError>),
    ) {
        for (chunk, wanted) in wanted.chunks(LANES).enumerate() {
            let places = chunk * LANES..;
            let Some(model) = self.model.as_ref().filter(|_| self.holds_seeds()) else {
                for (place, &(block, boards)) in places.zip(wanted) {
                    decoded(place, self.decompress_first(block, boards, scratch));
                }
                continue;
            };
            let BlockScratch { read, model: buffers, .. } = scratch;
            let coded =
                read.iter_mut().zip(wanted).map(|(read, &(block, _))| self.coded(block, read));
            let coded: Vec<_> = coded.collect();
            // A block that cannot be read is decoded from no bytes, and its own error is reported.
            let bytes: Vec<_> =
                coded.iter().map(|coded| *coded.as_ref().unwrap_or(&&[][..])).collect();
            let most = wanted.iter().map(|&(_, boards)| boards).max();
            let most = most.expect("a chunk is not empty");
            let blocks: Vec<_> =
                wanted.iter().map(|&(block, _)| self.first_boards(block, most)).collect();
            let mut results = places.zip(coded).zip(wanted);
            model.decode(&self.level, &blocks, &bytes, buffers, |numbers| {
                let result = results.next().expect("one result per block");
                let ((place, coded), &(block, boards)) = result;
                let numbers = numbers.ok_or_else(|| self.damaged(Part::Block(block)));
                let numbers = coded.and(numbers);
                decoded(place, numbers.map(|numbers| &numbers[..boards.min(numbers.len())]));
            });
        }
    }

    /// The number of groups of blocks. The blocks of a group can be decoded together.
    #[must_use]
    pub fn groups(&self) -> u32 {
        self.header.blocks().div_ceil(GROUP_BLOCKS)
    }

    /// The number of boards per group. The last group may have fewer.
    #[must_use]
    pub const fn group_boards(&self) -> usize {
        (self.header.block_boards * GROUP_BLOCKS) as usize
    }

    /// Decodes the blocks of a group to `stored`, as [`decode`](Self::decode) does for one block,
    /// but several times faster. Past the last group there are none.
    ///
    /// # Errors
    /// As [`decode`](Self::decode), if one of the blocks is damaged.
    #[expect(clippy::missing_panics_doc, reason = "the codec gives one result per block")]
    pub fn decode_group(
        &self,
        group: u32,
        scratch: &mut BlockScratch,
        stored: &mut Vec<i8>,
    ) -> Result<(), TableError> {
        stored.clear();
        let Some(model) = self.model.as_ref().filter(|_| self.holds_seeds()) else {
            for block in self.group_blocks(group) {
                stored.extend_from_slice(self.decompress_first(block, usize::MAX, scratch)?);
            }
            return Ok(());
        };
        let BlockScratch { read, model: buffers, .. } = scratch;
        let coded = self.coded_group(group, &mut read[0])?;
        let blocks: Vec<_> =
            self.group_blocks(group).map(|block| self.first_boards(block, usize::MAX)).collect();
        let mut result = Ok(());
        let mut numbers_of_blocks = self.group_blocks(group);
        model.decode(&self.level, &blocks, &coded, buffers, |numbers| {
            let block = numbers_of_blocks.next().expect("one result per block");
            match numbers {
                Some(numbers) => stored.extend_from_slice(numbers),
                None => result = Err(self.damaged(Part::Block(block))),
            }
        });
        result
    }

    /// The encoded bytes of the blocks of a group, each checked. The blocks are consecutive in the
    /// file.
    fn coded_group<'a>(
        &'a self,
        group: u32,
        read: &'a mut Vec<u8>,
    ) -> Result<Vec<&'a [u8]>, TableError> {
        let places = self.group_blocks(group).map(|block| self.locate(block));
        let places: Vec<_> =
            places.collect::<Option<_>>().ok_or_else(|| self.damaged(Part::Index))?;
        let start = places.first().map_or(0, |&(offset, _)| offset);
        let len = places.iter().map(|&(_, len)| len).sum();
        let mut rest =
            self.source.bytes(start, len, read).map_err(TableError::io("read", &self.path))?;
        let blocks = self.group_blocks(group).zip(places);
        let open = |(block, (_, len)): (u32, (u64, usize))| {
            let (sealed, after) = rest.split_at_checked(len)?;
            rest = after;
            Some((block, unseal(self.identity, block, sealed)))
        };
        let opened: Vec<_> =
            blocks.map(open).collect::<Option<_>>().ok_or_else(|| self.damaged(Part::Index))?;
        let checked = |(block, coded): (u32, Option<&'a [u8]>)| {
            coded.ok_or_else(|| self.damaged(Part::Block(block)))
        };
        opened.into_iter().map(checked).collect()
    }

    /// The numbers of the blocks of a group.
    #[must_use]
    pub fn group_blocks(&self, group: u32) -> std::ops::Range<u32> {
        let first = group.saturating_mul(GROUP_BLOCKS).min(self.header.blocks());
        first..self.header.blocks().min(first.saturating_add(GROUP_BLOCKS))
    }

    /// Whether the numbers of the table are seeds, and not plies.
    pub(crate) const fn holds_seeds(&self) -> bool {
        matches!(self.header.id.contents, Contents::Values | Contents::Bounds)
    }

    /// The first `boards` boards of a block, or all if it has fewer.
    fn first_boards(&self, block: u32, boards: usize) -> BlockBoards {
        let from = u64::from(block) * u64::from(self.header.block_boards);
        let all = self.boards_in(block);
        BlockBoards { from, boards: boards.min(all), is_whole: boards >= all }
    }

    /// The first numbers of a block in a table without a model.
    fn decompress_first<'s>(
        &self,
        block: u32,
        boards: usize,
        scratch: &'s mut BlockScratch,
    ) -> Result<&'s [i8], TableError> {
        let damaged = || self.damaged(Part::Block(block));
        if !self.holds_seeds() {
            return Err(damaged());
        }
        self.decode_bytes(block, self.boards_in(block), scratch)?;
        let BlockScratch { bytes, numbers, .. } = scratch;
        numbers.clear();
        numbers.extend(bytes.iter().map(|byte| byte.cast_signed()));
        let most = self.header.id.seeds.get();
        if numbers.iter().any(|number| number.unsigned_abs() > most) {
            return Err(damaged());
        }
        Ok(&numbers[..boards.min(numbers.len())])
    }

    /// Decodes a block of distances or ranks to `plies`, one per board; `None` for a board without a
    /// distance (see [`LevelDistances`](crate::level::LevelDistances)).
    ///
    /// # Errors
    /// As [`decode`](Self::decode), except that the table must hold distances or ranks.
    pub fn decode_distances(
        &self,
        block: u32,
        scratch: &mut BlockScratch,
        plies: &mut Vec<Option<u16>>,
    ) -> Result<(), TableError> {
        plies.clear();
        if self.holds_seeds() {
            return Err(self.damaged(Part::Block(block)));
        }
        let boards = self.boards_in(block);
        self.decode_bytes(block, 2 * boards, scratch)?;
        let (low, high) = scratch.bytes.split_at(boards);
        let numbers = low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high]));
        plies.extend(numbers.map(|number| number.checked_sub(1)));
        if plies.iter().flatten().any(|&plies| u32::from(plies) > self.header.most_plies) {
            return Err(self.damaged(Part::Block(block)));
        }
        Ok(())
    }

    /// Decompresses a block of `len` bytes to `scratch.bytes`.
    fn decode_bytes(
        &self,
        block: u32,
        len: usize,
        scratch: &mut BlockScratch,
    ) -> Result<(), TableError> {
        let BlockScratch { read, bytes, zstd, .. } = scratch;
        bytes.resize(len, 0);
        let coded = self.coded(block, &mut read[0])?;
        let done = match self.header.codec {
            Codec::Zstd => {
                let decoder = match zstd {
                    Some(decoder) => decoder,
                    None => zstd.insert(
                        ZstdDecoder::new().map_err(TableError::io("decompress", &self.path))?,
                    ),
                };
                decoder.decode(coded, bytes)
            }
            Codec::Model => None,
        };
        done.ok_or_else(|| self.damaged(Part::Block(block)))
    }

    /// The encoded bytes of a block, checked.
    fn coded<'a>(&'a self, block: u32, read: &'a mut Vec<u8>) -> Result<&'a [u8], TableError> {
        let (offset, len) = self.locate(block).ok_or_else(|| self.damaged(Part::Index))?;
        let sealed = self.source.bytes(offset, len, read);
        let sealed = sealed.map_err(TableError::io("read", &self.path))?;
        unseal(self.identity, block, sealed).ok_or_else(|| self.damaged(Part::Block(block)))
    }

    /// The offset and the length of a sealed block in the file; `None` if the block is past the
    /// last, or if its place by the index is not within the blocks.
    fn locate(&self, block: u32) -> Option<(u64, usize)> {
        let header = &self.header;
        let blocks = header.blocks();
        if block >= blocks {
            return None;
        }
        let group = u64::from(block / GROUP_BLOCKS);
        let group_bytes = OFFSET_BYTES + u64::from(GROUP_BLOCKS) * LENGTH_BYTES;
        let at = usize::try_from(group * group_bytes).ok()?;
        let entry = self.loaded_index()?.get(at..)?;
        let (offset, lengths) = entry.split_first_chunk()?;
        let mut lengths = lengths.as_chunks().0.iter().map(|&length| u16::from_le_bytes(length));
        let before = (block % GROUP_BLOCKS) as usize;
        let skipped: u64 = lengths.by_ref().take(before).map(u64::from).sum();
        let len = lengths.next()?;
        let offset = u64::from_le_bytes(*offset).checked_add(skipped)?;
        let end = offset.checked_add(u64::from(len))?;
        (end <= header.blocks_bytes).then(|| (header.blocks_start() + offset, usize::from(len)))
    }

    /// The bytes of the block index.
    fn loaded_index(&self) -> Option<&[u8]> {
        match &self.source {
            FileBytes::Read(_) => Some(&self.index),
            FileBytes::Mapped(_) | FileBytes::Memory(_) => {
                let (at, len) = self.index_place().ok()?;
                self.source.slice(at, len)
            }
        }
    }

    /// Checks every byte of the file by the digest at its end.
    ///
    /// # Errors
    /// When a byte was changed, or the file cannot be read.
    #[expect(clippy::missing_panics_doc, reason = "the header bounds its own length")]
    pub fn check_file(&self) -> Result<(), TableError> {
        let header_bytes = self.header.header_bytes();
        let end = Self::file_bytes(&self.header) - FILE_DIGEST_BYTES;
        let mut hasher = Xxh3Default::new();
        let mut read = Vec::new();
        let mut at = header_bytes;
        let io = |error| TableError::io("read", &self.path)(error);
        while at < end {
            let len = usize::try_from((end - at).min(CHECK_BYTES)).expect("at most 1 MiB");
            hasher.update(self.source.bytes(at, len, &mut read).map_err(io)?);
            at += len as u64;
        }
        let header = usize::try_from(header_bytes).expect("a few kilobytes");
        hasher.update(self.source.bytes(0, header, &mut read).map_err(io)?);
        let digest = self.source.bytes(end, 16, &mut read).map_err(io)?;
        if digest == hasher.digest128().to_le_bytes() {
            Ok(())
        } else {
            Err(self.damaged(Part::FileDigest))
        }
    }

    pub(crate) fn damaged(&self, part: Part) -> TableError {
        TableError::damaged(&self.path, part)
    }
}
