//! The writer of tables. Blocks are encoded in parallel and written in order; the file is published
//! when it is whole.

use super::codec::{Effort, Model, ModelWriter, WriterScratch, ZstdEncoder, seal, train};
use super::error::{TableError, TableErrorKind};
use super::header::{GROUP_BLOCKS, MOST_BLOCK_BOARDS, TableHeader};
use super::publish::{Disk, Draft, SystemDisk};
use super::{Codec, Contents, TableId};
use crate::index::{LevelIndex, reachable_boards};
use crate::level::{
    BoundsHistogram, Bytes, Digest, Histogram, LevelBounds, LevelDistances, LevelValues,
    plain_byte, plain_is_free, plain_value, stored_bound,
};
use crate::rules::{Rules, Seeds};
use rayon::prelude::*;
use std::io;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Groups of blocks that are encoded before they are written. Bounds the memory.
const BATCH_GROUPS: u32 = 128;

/// The contents of a table of values.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TableContents<'a> {
    /// The rule set.
    pub rules: Rules,
    /// The values of the level.
    pub level: &'a LevelValues,
    /// All boards of the level by value, if they were counted.
    pub all_values: Option<&'a Histogram>,
    /// The digests of the levels of 0, 1, 2, … seeds that the level was computed from.
    pub smaller: &'a [Digest],
}

impl<'a> TableContents<'a> {
    /// The contents of a level that was computed from the levels of 0, 1, 2, … seeds with the
    /// digests `smaller`.
    #[must_use]
    pub const fn new(rules: Rules, level: &'a LevelValues, smaller: &'a [Digest]) -> Self {
        Self { rules, level, all_values: None, smaller }
    }

    /// Adds the number of boards per value over all boards of the level, reachable or not.
    #[must_use]
    pub const fn all_values(mut self, all_values: &'a Histogram) -> Self {
        self.all_values = Some(all_values);
        self
    }
}

/// The options of writing a table. By default blocks have 512 boards and are encoded with a model.
///
/// ```
/// use oware::table::{Codec, WriteOptions};
///
/// let options = WriteOptions::default().codec(Codec::Zstd).block_boards(4096);
/// # assert_eq!((options.codec, options.block_boards), (Codec::Zstd, 4096));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WriteOptions<'a> {
    /// The compression of blocks.
    pub codec: Codec,
    /// Boards per block: 1 to [`MOST_BLOCK_BOARDS`].
    pub block_boards: u32,
    /// Whether to spend more time on the model, for a smaller file. Reading takes the same time.
    pub thorough: bool,
    /// The file system.
    pub disk: &'a dyn Disk,
}

impl Default for WriteOptions<'_> {
    fn default() -> Self {
        Self { codec: Codec::Model, block_boards: 512, thorough: false, disk: &SystemDisk }
    }
}

impl<'a> WriteOptions<'a> {
    /// Options for smaller files: larger blocks, which take longer to decode, and more work on the
    /// model.
    #[must_use]
    pub fn compact() -> Self {
        Self::default().block_boards(2048).thorough(true)
    }

    /// Sets the compression of blocks.
    #[must_use]
    pub const fn codec(mut self, codec: Codec) -> Self {
        self.codec = codec;
        self
    }

    /// Sets the number of boards per block, 1 to [`MOST_BLOCK_BOARDS`].
    #[must_use]
    pub const fn block_boards(mut self, boards: u32) -> Self {
        self.block_boards = boards;
        self
    }

    /// Sets whether to spend more time on the model, for a smaller file.
    #[must_use]
    pub const fn thorough(mut self, thorough: bool) -> Self {
        self.thorough = thorough;
        self
    }

    /// Sets the file system.
    #[must_use]
    pub const fn disk(mut self, disk: &'a dyn Disk) -> Self {
        self.disk = disk;
        self
    }
}

/// Writes the table of the values of a level to a folder, and replaces the one that may be there.
/// The bytes depend on the contents and the options alone. Returns the header.
///
/// # Errors
/// When the contents are inconsistent or the disk fails. The file that may be there is then
/// unchanged.
pub fn write_table(
    folder: &Path,
    contents: &TableContents<'_>,
    options: &WriteOptions<'_>,
) -> Result<TableHeader, TableError> {
    let level = contents.level;
    let values_digest = Digest::of_values(level);
    let header = TableHeader {
        id: TableId::values(contents.rules, level.seeds()),
        free_filled: true,
        values: Histogram::of_level(level),
        all_values: contents.all_values.cloned(),
        smaller: contents.smaller.to_vec(),
        ..empty_header(level.seeds(), values_digest, options)
    };
    write(folder, header, options, &BlockSource::Seeds(level))
}

/// Writes the table of the distances of a level, as [`write_table`] does for its values. `values`
/// is the header of the table of its values.
///
/// # Errors
/// As [`write_table`].
pub fn write_distances(
    folder: &Path,
    values: &TableHeader,
    level: &LevelDistances,
    options: &WriteOptions<'_>,
) -> Result<TableHeader, TableError> {
    write_plies(folder, values, Contents::Distances, level, options)
}

/// Writes the table of the ranks of a level's lower bounds, as [`write_distances`] does for its
/// distances.
///
/// # Errors
/// As [`write_table`].
pub fn write_ranks(
    folder: &Path,
    values: &TableHeader,
    level: &LevelDistances,
    options: &WriteOptions<'_>,
) -> Result<TableHeader, TableError> {
    write_plies(folder, values, Contents::Ranks, level, options)
}

fn write_plies(
    folder: &Path,
    values: &TableHeader,
    contents: Contents,
    level: &LevelDistances,
    options: &WriteOptions<'_>,
) -> Result<TableHeader, TableError> {
    let options = &WriteOptions { codec: Codec::Zstd, ..*options };
    let header = TableHeader {
        contents_digest: level.digest(),
        most_plies: level.most_plies(),
        ..header_beside(values, contents, options)
    };
    write(folder, header, options, &BlockSource::Distances(level))
}

/// Writes the table of the bounds of a level, as [`write_table`] does for its values. `values` is
/// the header of the table of its values, which `level` holds: a reader needs both tables.
///
/// # Errors
/// As [`write_table`], and when memory is short.
pub fn write_bounds(
    folder: &Path,
    values: &TableHeader,
    level: &LevelValues,
    bounds: &LevelBounds,
    options: &WriteOptions<'_>,
) -> Result<TableHeader, TableError> {
    let header = TableHeader {
        contents_digest: bounds.digest(),
        bounds: Some(BoundsHistogram::of_level(bounds)),
        ..header_beside(values, Contents::Bounds, options)
    };
    let no_memory = TableError::io("hold", folder);
    let mut numbers = Bytes::zeroed(level.bytes().len()).map_err(no_memory)?;
    let boards = numbers.par_iter_mut().zip(level.bytes()).zip(bounds.pairs());
    boards.with_min_len(1 << 14).for_each(|((number, &byte), &[low, _])| {
        *number = plain_byte(stored_bound(plain_value(byte), low.cast_signed()), false);
    });
    let numbers = LevelValues::from_solved(bounds.index().clone(), numbers);
    write(folder, header, options, &BlockSource::Seeds(&numbers))
}

/// The header of another table of the level whose values have a header.
fn header_beside(
    values: &TableHeader,
    contents: Contents,
    options: &WriteOptions<'_>,
) -> TableHeader {
    let seeds = values.id.seeds;
    TableHeader {
        id: TableId { contents, ..values.id },
        values: values.values.clone(),
        all_values: values.all_values.clone(),
        smaller: values.smaller.clone(),
        ..empty_header(seeds, values.values_digest, options)
    }
}

fn empty_header(seeds: Seeds, values_digest: Digest, options: &WriteOptions<'_>) -> TableHeader {
    TableHeader {
        id: TableId::values(Rules::default(), seeds),
        codec: options.codec,
        boards: reachable_boards(seeds),
        block_boards: options.block_boards,
        free_filled: false,
        values_digest,
        contents_digest: Digest::default(),
        most_plies: 0,
        values: Histogram::new(seeds),
        all_values: None,
        bounds: None,
        smaller: Vec::new(),
        model_bytes: 0,
        blocks_bytes: 0,
        model_checksum: xxh3_64(&[]),
        index_checksum: 0,
    }
}

/// Writes a table. `header` is complete but for lengths and checksums.
fn write(
    folder: &Path,
    mut header: TableHeader,
    options: &WriteOptions<'_>,
    source: &BlockSource<'_>,
) -> Result<TableHeader, TableError> {
    let path = folder.join(header.id.file_name());
    if let Some(reason) = inconsistency(&header) {
        return Err(TableError::new(&path, TableErrorKind::BadContents { reason }));
    }
    let index = LevelIndex::new(header.id.seeds);
    let trained = match source {
        BlockSource::Seeds(level) if header.codec == Codec::Model => {
            let effort = if options.thorough { Effort::THOROUGH } else { Effort::QUICK };
            Some(train(&index, level.bytes(), header.block_boards, effort))
        }
        _ => None,
    };
    let model_writer =
        trained.as_ref().map(|model| ModelWriter::new(model, &index, source.plain()));
    let model_bytes = trained.as_ref().map(Model::to_bytes).unwrap_or_default();
    header.model_bytes =
        u32::try_from(model_bytes.len()).expect("a model has at most half a million contexts");
    header.model_checksum = xxh3_64(&model_bytes);
    let coder =
        Coder { header: &header.clone(), identity: header.identity(), source, model_writer };

    let header_bytes = usize::try_from(header.header_bytes()).expect("a few kilobytes");
    let mut draft = Draft::create(options.disk, &path, header_bytes)?;
    draft.append(&model_bytes)?;
    let groups = header.blocks().div_ceil(GROUP_BLOCKS);
    let mut block_index = Vec::new();
    for first in (0..groups).step_by(BATCH_GROUPS as usize) {
        let batch = first..groups.min(first + BATCH_GROUPS);
        let coded: Vec<io::Result<Group>> = batch
            .into_par_iter()
            .map_init(Scratch::default, |scratch, group| coder.group(group, scratch))
            .collect();
        for group in coded {
            let group = group.map_err(TableError::io("compress", &path))?;
            draft.append(&group.bytes)?;
            block_index.extend(header.blocks_bytes.to_le_bytes());
            block_index.extend(group.lengths.iter().flat_map(|length| length.to_le_bytes()));
            header.blocks_bytes += group.bytes.len() as u64;
        }
    }
    draft.append(&block_index)?;
    header.index_checksum = xxh3_64(&block_index);
    draft.publish(&header.to_bytes())?;
    Ok(header)
}

/// The reason why a header is inconsistent, if it is.
fn inconsistency(header: &TableHeader) -> Option<&'static str> {
    let seeds = header.id.seeds;
    let fits = |histogram: &Histogram| histogram.counts().len() == Histogram::entries(seeds);
    if !(1..=MOST_BLOCK_BOARDS).contains(&header.block_boards) {
        Some("a block has 1 to 32768 boards")
    } else if header.boards.div_ceil(u64::from(header.block_boards)) > u64::from(u32::MAX) {
        Some("the level has too many blocks of this size: choose larger ones")
    } else if !fits(&header.values) || !header.all_values.iter().all(fits) {
        Some("a histogram is of another level")
    } else if header.smaller.len() != seeds.index() {
        Some("a digest of each smaller level is needed")
    } else {
        None
    }
}

/// The numbers that blocks are made from.
enum BlockSource<'a> {
    /// Values, or the numbers of bounds in their place.
    Seeds(&'a LevelValues),
    Distances(&'a LevelDistances),
}

impl BlockSource<'_> {
    fn plain(&self) -> &[u8] {
        match self {
            Self::Seeds(level) => level.bytes(),
            Self::Distances(_) => &[],
        }
    }

    /// Appends the bytes that a general compressor compresses for `boards` boards from index `from`
    /// on.
    fn fill(&self, from: usize, boards: usize, bytes: &mut Vec<u8>) {
        match self {
            Self::Seeds(level) => {
                fill_free(&level.bytes()[from..from + boards], level.seeds().get(), bytes);
            }
            Self::Distances(level) => {
                let numbers = &level.numbers()[from..from + boards];
                bytes.extend(numbers.iter().map(|number| number.to_le_bytes()[0]));
                bytes.extend(numbers.iter().map(|number| number.to_le_bytes()[1]));
            }
        }
    }
}

/// The sealed blocks of a group.
#[derive(Default)]
struct Group {
    bytes: Vec<u8>,
    lengths: Vec<u16>,
    /// The number of the next block.
    block: u32,
}

impl Group {
    fn push(&mut self, identity: u64, coded: &[u8]) {
        let before = self.bytes.len();
        seal(identity, self.block, coded, &mut self.bytes);
        let bytes = self.bytes.len() - before;
        let length =
            u16::try_from(bytes).expect("MOST_BLOCK_BOARDS keeps blocks below 65,536 bytes");
        self.lengths.push(length);
        self.block += 1;
    }
}

/// Buffers of one thread.
#[derive(Default)]
struct Scratch {
    plain: Vec<u8>,
    zstd: Option<ZstdEncoder>,
    model: WriterScratch,
}

/// The encoder of the blocks of a table.
struct Coder<'a> {
    header: &'a TableHeader,
    identity: u64,
    source: &'a BlockSource<'a>,
    model_writer: Option<ModelWriter<'a>>,
}

impl Coder<'_> {
    fn group(&self, group: u32, scratch: &mut Scratch) -> io::Result<Group> {
        let block_boards = u64::from(self.header.block_boards);
        let first = group * GROUP_BLOCKS;
        let last = self.header.blocks().min(first.saturating_add(GROUP_BLOCKS));
        let from: Vec<u64> = (first..last).map(|block| u64::from(block) * block_boards).collect();
        let mut coded = Group { block: first, ..Group::default() };
        // Only the last block of the level may have fewer boards.
        let boards_left = |from: u64| self.header.boards - from;
        let whole = from.partition_point(|&from| boards_left(from) >= block_boards);
        let (whole, rest) = from.split_at(whole);
        self.blocks(whole, block_boards, scratch, &mut coded)?;
        for &from in rest {
            self.blocks(&[from], boards_left(from), scratch, &mut coded)?;
        }
        Ok(coded)
    }

    /// Encodes blocks of `boards` boards, each from an index in `from` on.
    fn blocks(
        &self,
        from: &[u64],
        boards: u64,
        scratch: &mut Scratch,
        coded: &mut Group,
    ) -> io::Result<()> {
        let boards = usize::try_from(boards).map_err(io::Error::other)?;
        if let Some(model_writer) = &self.model_writer {
            model_writer.encode(from, boards, &mut scratch.model, |block| {
                coded.push(self.identity, block);
            });
            return Ok(());
        }
        for &from in from {
            scratch.plain.clear();
            let from = usize::try_from(from).map_err(io::Error::other)?;
            self.source.fill(from, boards, &mut scratch.plain);
            let encoder = match &mut scratch.zstd {
                Some(encoder) => encoder,
                empty => empty.insert(ZstdEncoder::new()?),
            };
            coded.push(self.identity, encoder.encode(&scratch.plain)?);
        }
        Ok(())
    }
}

/// Appends the numbers to store for plain bytes. A free board repeats the number before it if that
/// is at most its value, since runs compress best. If the value is all seeds of the level, for
/// either side, the number is the value: boards on which the game has ended are stored as they are.
fn fill_free(plain: &[u8], seeds: u8, stored: &mut Vec<u8>) {
    let mut before = 0i8;
    stored.extend(plain.iter().map(|&byte| {
        let value = plain_value(byte);
        if !plain_is_free(byte) || value.unsigned_abs() == seeds || before > value {
            before = value;
        }
        before.cast_unsigned()
    }));
}
