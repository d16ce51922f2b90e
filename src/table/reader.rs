//! Reading a table: open it, decode a block, check it whole.
//!
//! Opening checks the header, the file's length, the model and the block index; a block is checked
//! when it is decoded; [`Table::check_file`] checks every byte. Nothing read from a file is
//! used as an offset, a length or a value before it was compared with what it must fit.

use super::backend::{Backend, FileBytes, read_exact_at};
use super::codec::{BlockBoards, LANES, Model, ModelScratch, ZstdDecoder, unseal};
use super::error::{Part, TableError, TableErrorKind};
use super::header::{
    FILE_DIGEST_BYTES, GROUP_BLOCKS, LENGTH_BYTES, MOST_HEADER_BYTES, OFFSET_BYTES, TableHeader,
};
use super::{Codec, Contents, TableId};
use crate::index::LevelIndex;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Bytes that a whole-file check reads at a time.
const CHECK_BYTES: usize = 1 << 20;

/// An open table. Threads share it; each decodes with a [`BlockScratch`] of its own.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    header: TableHeader,
    identity: u64,
    source: FileBytes,
    level: LevelIndex,
    /// The codec's model, when it has one.
    model: Option<Model>,
    /// The block index, unless the source has it at hand.
    index: Vec<u8>,
}

/// What decoding a block needs beside the table: buffers and a decompressor, kept from block to
/// block.
#[derive(Debug, Default)]
pub struct BlockScratch {
    /// Blocks as read, several at a time.
    read: [Vec<u8>; LANES],
    bytes: Vec<u8>,
    numbers: Vec<i8>,
    zstd: Option<ZstdDecoder>,
    model: ModelScratch,
}

/// Reads and checks a table's header, and that it is the table its name says.
pub(crate) fn read_header(path: &Path, expected: TableId) -> Result<TableHeader, TableError> {
    let (_, header) = open_header(path)?;
    expect_id(path, &header, expected)?;
    Ok(header)
}

fn open_header(path: &Path) -> Result<(File, TableHeader), TableError> {
    // Opening a pipe would wait for its other end.
    if !fs::metadata(path).map_err(TableError::io("open", path))?.is_file() {
        return Err(TableError::new(path, TableErrorKind::NotAFile));
    }
    let file = File::open(path).map_err(TableError::io("open", path))?;
    let file_bytes = file.metadata().map_err(TableError::io("read", path))?.len();
    let first = usize::try_from(file_bytes).unwrap_or(usize::MAX).min(MOST_HEADER_BYTES);
    let mut bytes = vec![0; first];
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
    /// Opens the table of a id in a folder.
    ///
    /// # Errors
    /// When the file cannot be read, is no table, of another version, damaged in its header or
    /// index, of another length than it should have, or about something else than its name says.
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

    /// Opens a file, whatever table it holds.
    ///
    /// # Errors
    /// As [`open_in`](Self::open_in), but any id will do.
    pub fn open(path: impl AsRef<Path>, backend: Backend) -> Result<Self, TableError> {
        let path = path.as_ref();
        let (file, header) = open_header(path)?;
        let file_bytes = header.file_bytes().unwrap_or(0);
        let source =
            FileBytes::open(file, file_bytes, backend).map_err(TableError::io("read", path))?;
        let identity = header.identity();
        let level = LevelIndex::new(header.id.seeds);
        let path = path.to_owned();
        let mut table =
            Self { path, header, identity, source, level, model: None, index: Vec::new() };
        table.load_model()?;
        table.load_index()?;
        Ok(table)
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
            self.model = Some(Model::parse(header.id.seeds, bytes).ok_or_else(damaged)?);
        }
        Ok(())
    }

    fn load_index(&mut self) -> Result<(), TableError> {
        let mut read = Vec::new();
        let bytes = self.index_bytes(&mut read)?;
        if xxh3_64(bytes) != self.header.index_checksum {
            return Err(TableError::damaged(&self.path, Part::Index));
        }
        // Kept when it had to be read; a mapping or memory has it at hand.
        self.index = read;
        Ok(())
    }

    fn index_bytes<'a>(&'a self, read: &'a mut Vec<u8>) -> Result<&'a [u8], TableError> {
        let header = &self.header;
        let at = header.blocks_start() + header.blocks_bytes;
        let len = usize::try_from(header.index_bytes()).unwrap_or(usize::MAX);
        self.source.bytes(at, len, read).map_err(TableError::io("read", &self.path))
    }

    /// The table's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The table's header.
    #[must_use]
    pub const fn header(&self) -> &TableHeader {
        &self.header
    }

    /// The block that holds the board with an index, and the board's place in it; `None` past the
    /// level's boards.
    #[must_use]
    pub fn place(&self, index: u64) -> Option<(u32, usize)> {
        let boards = u64::from(self.header.block_boards);
        let block = u32::try_from(index / boards).ok()?;
        let place = usize::try_from(index % boards).ok()?;
        (index < self.header.boards).then_some((block, place))
    }

    /// Boards in a block: as many as in every other, but fewer in the last; 0 past the last.
    #[must_use]
    pub fn boards_in(&self, block: u32) -> usize {
        let boards = u64::from(self.header.block_boards);
        let before = u64::from(block).saturating_mul(boards);
        usize::try_from(self.header.boards.saturating_sub(before).min(boards)).unwrap_or(0)
    }

    /// Decodes a block of values into `stored`, a number for each board: the value itself, or, when
    /// the header says [`free_filled`](TableHeader::free_filled) and the board has captures, a
    /// number no greater than the value (which is then the greater of it and the best capture).
    ///
    /// # Errors
    /// When the block is damaged or past the last, the file cannot be read, or the table holds no
    /// values.
    pub fn decode(
        &self,
        block: u32,
        scratch: &mut BlockScratch,
        stored: &mut Vec<i8>,
    ) -> Result<(), TableError> {
        self.decode_first(block, usize::MAX, scratch, stored)
    }

    /// Decodes the first boards of a block into `stored`, at most `boards`, which takes less time the fewer
    /// they are. Each is as of [`decode`](Self::decode).
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

    /// Decodes the first boards of blocks, each at most as many as stand beside its number, and hands them to
    /// `decoded` in order, with the place in `wanted`. Several blocks that want about as many boards take
    /// much less time than one by one. Each is as of [`decode`](Self::decode).
    pub fn decode_several(
        &self,
        wanted: &[(u32, usize)],
        scratch: &mut BlockScratch,
        mut decoded: impl FnMut(usize, Result<&[i8], TableError>),
    ) {
        for (chunk, wanted) in wanted.chunks(LANES).enumerate() {
            let places = chunk * LANES..;
            let Some(model) = self.model.as_ref().filter(|_| self.holds(Contents::Values)) else {
                for (place, &(block, boards)) in places.zip(wanted) {
                    decoded(place, self.decompress_first(block, boards, scratch));
                }
                continue;
            };
            let BlockScratch { read, model: buffers, .. } = scratch;
            let coded =
                read.iter_mut().zip(wanted).map(|(read, &(block, _))| self.coded(block, read));
            let coded: Vec<_> = coded.collect();
            let sound: Vec<_> =
                coded.iter().map(|coded| *coded.as_ref().unwrap_or(&&[][..])).collect();
            let most = wanted.iter().map(|&(_, boards)| boards).max().unwrap_or(0);
            let blocks: Vec<_> =
                wanted.iter().map(|&(block, _)| self.first_boards(block, most)).collect();
            let mut results = places.zip(coded).zip(wanted);
            model.decode(&self.level, &blocks, &sound, buffers, |numbers| {
                let Some(((place, coded), &(block, boards))) = results.next() else { return };
                let numbers = numbers.ok_or_else(|| self.damaged(Part::Block(block)));
                let numbers = coded.and(numbers);
                decoded(place, numbers.map(|numbers| &numbers[..boards.min(numbers.len())]));
            });
        }
    }

    /// How many groups of blocks, which are decoded together, the table has.
    #[must_use]
    pub fn groups(&self) -> u32 {
        self.header.blocks().div_ceil(GROUP_BLOCKS)
    }

    /// Boards in each group of blocks but the last.
    #[must_use]
    pub const fn group_boards(&self) -> usize {
        (self.header.block_boards * GROUP_BLOCKS) as usize
    }

    /// Decodes the blocks of a group into `stored`, one after the other: several times quicker than block by
    /// block. Each is as of [`decode`](Self::decode); past the last group there are none.
    ///
    /// # Errors
    /// As [`decode`](Self::decode), for a block that is damaged.
    pub fn decode_group(
        &self,
        group: u32,
        scratch: &mut BlockScratch,
        stored: &mut Vec<i8>,
    ) -> Result<(), TableError> {
        stored.clear();
        let Some(model) = self.model.as_ref().filter(|_| self.holds(Contents::Values)) else {
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
        let mut numbers_of = self.group_blocks(group);
        model.decode(&self.level, &blocks, &coded, buffers, |numbers| {
            match (numbers, numbers_of.next()) {
                (Some(numbers), _) => stored.extend_from_slice(numbers),
                (None, block) => result = Err(self.damaged(Part::Block(block.unwrap_or(0)))),
            }
        });
        result
    }

    /// The bytes of a group's blocks, which lie one after the other, each checked.
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

    /// The numbers of a group's blocks.
    #[must_use]
    pub fn group_blocks(&self, group: u32) -> std::ops::Range<u32> {
        let first = group.saturating_mul(GROUP_BLOCKS).min(self.header.blocks());
        first..self.header.blocks().min(first.saturating_add(GROUP_BLOCKS))
    }

    fn holds(&self, contents: Contents) -> bool {
        self.header.id.contents == contents
    }

    /// At most `boards` boards of a block.
    fn first_boards(&self, block: u32, boards: usize) -> BlockBoards {
        let from = u64::from(block) * u64::from(self.header.block_boards);
        let all = self.boards_in(block);
        BlockBoards { from, boards: boards.min(all), is_whole: boards >= all }
    }

    /// The first numbers of a block that has no model.
    fn decompress_first<'s>(
        &self,
        block: u32,
        boards: usize,
        scratch: &'s mut BlockScratch,
    ) -> Result<&'s [i8], TableError> {
        let damaged = || self.damaged(Part::Block(block));
        if !self.holds(Contents::Values) {
            return Err(damaged());
        }
        self.decode_bytes(block, self.boards_in(block), scratch)?;
        let BlockScratch { bytes, numbers, .. } = scratch;
        numbers.clear();
        numbers.extend(bytes.iter().map(|byte| byte.cast_signed()));
        let most = self.header.id.seeds;
        if numbers.iter().any(|number| number.unsigned_abs() > most) {
            return Err(damaged());
        }
        Ok(&numbers[..boards.min(numbers.len())])
    }

    /// Decodes a block of distances into `plies`: `None` for a board of value 0.
    ///
    /// # Errors
    /// As [`decode`](Self::decode), and when the table holds no distances.
    pub fn decode_distances(
        &self,
        block: u32,
        scratch: &mut BlockScratch,
        plies: &mut Vec<Option<u16>>,
    ) -> Result<(), TableError> {
        plies.clear();
        if !self.holds(Contents::Distances) {
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

    /// Decompresses a block to `scratch.bytes`, which will be `len` bytes.
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

    /// The bytes of a block that its codec made, checked.
    fn coded<'a>(&'a self, block: u32, read: &'a mut Vec<u8>) -> Result<&'a [u8], TableError> {
        let (offset, len) = self.locate(block).ok_or_else(|| self.damaged(Part::Index))?;
        let sealed = self.source.bytes(offset, len, read);
        let sealed = sealed.map_err(TableError::io("read", &self.path))?;
        unseal(self.identity, block, sealed).ok_or_else(|| self.damaged(Part::Block(block)))
    }

    /// Where a block is in the file, in bytes; `None` when the index does not say, or says a place
    /// outside of the blocks.
    fn locate(&self, block: u32) -> Option<(u64, usize)> {
        let header = &self.header;
        let blocks = header.blocks();
        if block >= blocks {
            return None;
        }
        let group = u64::from(block / GROUP_BLOCKS);
        let group_bytes = OFFSET_BYTES + u64::from(GROUP_BLOCKS) * LENGTH_BYTES;
        let at = usize::try_from(group * group_bytes).ok()?;
        let entry = self.index_at_hand()?.get(at..)?;
        let (offset, lengths) = entry.split_first_chunk()?;
        let mut lengths = lengths.as_chunks().0.iter().map(|&length| u16::from_le_bytes(length));
        let before = (block % GROUP_BLOCKS) as usize;
        let skipped: u64 = lengths.by_ref().take(before).map(u64::from).sum();
        let len = lengths.next()?;
        let offset = u64::from_le_bytes(*offset).checked_add(skipped)?;
        let end = offset.checked_add(u64::from(len))?;
        (end <= header.blocks_bytes).then(|| (header.blocks_start() + offset, usize::from(len)))
    }

    fn index_at_hand(&self) -> Option<&[u8]> {
        match &self.source {
            FileBytes::Read(_) => Some(&self.index),
            FileBytes::Mapped(_) | FileBytes::Memory(_) => {
                let at = self.header.blocks_start() + self.header.blocks_bytes;
                let len = usize::try_from(self.header.index_bytes()).ok()?;
                self.source.slice(at, len)
            }
        }
    }

    /// Checks every byte of the file against the digest at its end.
    ///
    /// # Errors
    /// When a byte is not as it was written, or the file cannot be read.
    pub fn check_file(&self) -> Result<(), TableError> {
        let header_bytes = self.header.header_bytes();
        let file_bytes = self.header.file_bytes().unwrap_or(0);
        let end = file_bytes.saturating_sub(FILE_DIGEST_BYTES);
        let mut hasher = Xxh3Default::new();
        let mut read = Vec::new();
        let mut at = header_bytes;
        let io = |error| TableError::io("read", &self.path)(error);
        while at < end {
            let len = usize::try_from(end - at).unwrap_or(usize::MAX).min(CHECK_BYTES);
            hasher.update(self.source.bytes(at, len, &mut read).map_err(io)?);
            at += len as u64;
        }
        let header = usize::try_from(header_bytes).unwrap_or(0);
        hasher.update(self.source.bytes(0, header, &mut read).map_err(io)?);
        let digest = self.source.bytes(end, 16, &mut read).map_err(io)?;
        if digest == hasher.digest128().to_le_bytes() {
            Ok(())
        } else {
            Err(self.damaged(Part::FileDigest))
        }
    }

    pub(super) fn damaged(&self, part: Part) -> TableError {
        TableError::damaged(&self.path, part)
    }
}
