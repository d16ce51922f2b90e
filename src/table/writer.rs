//! Writing a table: blocks compressed in parallel, written in order, published when whole.

use super::codec::{Effort, Model, ModelWriter, WriterScratch, ZstdEncoder, seal, train};
use super::error::{TableError, TableErrorKind};
use super::header::{GROUP_BLOCKS, MOST_BLOCK_BOARDS, TableHeader};
use super::publish::{Disk, Draft, SystemDisk};
use super::{Codec, TableId};
use crate::index::{LevelIndex, reachable_boards};
use crate::level::{Digest, Histogram, LevelDistances, LevelValues, plain_is_free, plain_value};
use crate::rules::Rules;
use rayon::prelude::*;
use std::io;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Groups of blocks that are compressed before they are written: bounds the memory.
const GROUPS_A_BATCH: u32 = 128;

/// What goes into a table of values.
#[derive(Clone, Copy, Debug)]
pub struct TableContents<'a> {
    /// The rule set.
    pub rules: Rules,
    /// The solved level.
    pub level: &'a LevelValues,
    /// All boards of the level by value, when they were counted.
    pub all_values: Option<&'a Histogram>,
    /// The values' digests of the levels of 0, 1, … seeds that the level was computed from.
    pub smaller: &'a [Digest],
}

/// How a table is written.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions<'a> {
    /// How blocks are compressed.
    pub codec: Codec,
    /// Boards in a block: 1 to [`MOST_BLOCK_BOARDS`].
    pub block_boards: u32,
    /// Whether to spend more time on a smaller file: on the model, not on the reading.
    pub thorough: bool,
    /// Where to write.
    pub disk: &'a dyn Disk,
}

impl Default for WriteOptions<'_> {
    fn default() -> Self {
        Self { codec: Codec::Model, block_boards: 512, thorough: false, disk: &SystemDisk }
    }
}

impl WriteOptions<'_> {
    /// Smaller files: larger blocks, which take longer to decode, and more work on the model.
    #[must_use]
    pub fn compact() -> Self {
        Self { block_boards: 2048, thorough: true, ..Self::default() }
    }
}

/// Writes the table of a level to a folder, in place of the one that may be there. The bytes
/// depend on the contents, codec and block size alone.
///
/// # Errors
/// When the contents do not fit each other or the disk fails; the folder then has under the table's
/// name what it had before.
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
    write(folder, header, options, &BlockSource::Values(level))
}

/// Writes the table of a level's distances; `values` is the header of its values' table.
///
/// # Errors
/// As [`write_table`].
pub fn write_distances(
    folder: &Path,
    values: &TableHeader,
    level: &LevelDistances,
    options: &WriteOptions<'_>,
) -> Result<TableHeader, TableError> {
    let options = &WriteOptions { codec: Codec::Zstd, ..*options };
    let header = TableHeader {
        id: TableId::distances(values.id.rules, level.seeds()),
        distances_digest: level.digest(),
        most_plies: level.most_plies(),
        values: values.values.clone(),
        all_values: values.all_values.clone(),
        smaller: values.smaller.clone(),
        ..empty_header(level.seeds(), values.values_digest, options)
    };
    write(folder, header, options, &BlockSource::Distances(level))
}

fn empty_header(seeds: u8, values_digest: Digest, options: &WriteOptions<'_>) -> TableHeader {
    TableHeader {
        id: TableId::values(Rules::default(), seeds),
        codec: options.codec,
        boards: reachable_boards(seeds),
        block_boards: options.block_boards,
        free_filled: false,
        values_digest,
        distances_digest: Digest::default(),
        most_plies: 0,
        values: Histogram::new(seeds),
        all_values: None,
        smaller: Vec::new(),
        model_bytes: 0,
        blocks_bytes: 0,
        model_checksum: xxh3_64(&[]),
        index_checksum: 0,
    }
}

/// Writes a file whose header wants only lengths and checksums.
fn write(
    folder: &Path,
    mut header: TableHeader,
    options: &WriteOptions<'_>,
    source: &BlockSource<'_>,
) -> Result<TableHeader, TableError> {
    let path = folder.join(header.id.file_name());
    if let Some(reason) = misfit(&header) {
        return Err(TableError::new(&path, TableErrorKind::BadContents { reason }));
    }
    let index = LevelIndex::new(header.id.seeds);
    let trained = match source {
        BlockSource::Values(level) if header.codec == Codec::Model => {
            let effort = if options.thorough { Effort::THOROUGH } else { Effort::QUICK };
            Some(train(&index, level.bytes(), header.block_boards, effort))
        }
        _ => None,
    };
    let modelled = trained.as_ref().map(|model| ModelWriter::new(model, &index, source.plain()));
    let model_bytes = trained.as_ref().map(Model::to_bytes).unwrap_or_default();
    header.model_bytes =
        u32::try_from(model_bytes.len()).expect("a model of some 500,000 contexts");
    header.model_checksum = xxh3_64(&model_bytes);
    let coder = Coder { header: &header.clone(), identity: header.identity(), source, modelled };

    let header_bytes = usize::try_from(header.header_bytes()).expect("a few kilobytes");
    let mut draft = Draft::create(options.disk, &path, header_bytes)?;
    draft.append(&model_bytes)?;
    let groups = header.blocks().div_ceil(GROUP_BLOCKS);
    let mut block_index = Vec::new();
    for first in (0..groups).step_by(GROUPS_A_BATCH as usize) {
        let batch = first..groups.min(first + GROUPS_A_BATCH);
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

fn misfit(header: &TableHeader) -> Option<&'static str> {
    let seeds = header.id.seeds;
    let fits = |histogram: &Histogram| histogram.counts().len() == Histogram::entries(seeds);
    if !(1..=MOST_BLOCK_BOARDS).contains(&header.block_boards) {
        Some("a block has 1 to 32768 boards")
    } else if header.boards.div_ceil(u64::from(header.block_boards)) > u64::from(u32::MAX) {
        Some("the level has too many blocks of this size: choose larger ones")
    } else if !fits(&header.values) || !header.all_values.iter().all(fits) {
        Some("a histogram is of another level")
    } else if header.smaller.len() != usize::from(seeds) {
        Some("a digest of each smaller level is needed")
    } else {
        None
    }
}

/// What blocks are made from.
enum BlockSource<'a> {
    Values(&'a LevelValues),
    Distances(&'a LevelDistances),
}

impl BlockSource<'_> {
    fn plain(&self) -> &[u8] {
        match self {
            Self::Values(level) => level.bytes(),
            Self::Distances(_) => &[],
        }
    }

    /// Appends what a general compressor is given for `boards` boards from index `from` on.
    fn fill(&self, from: usize, boards: usize, bytes: &mut Vec<u8>) {
        match self {
            Self::Values(level) => {
                fill_free(&level.bytes()[from..from + boards], level.seeds(), bytes);
            }
            Self::Distances(level) => {
                let numbers = &level.numbers()[from..from + boards];
                bytes.extend(numbers.iter().map(|number| number.to_le_bytes()[0]));
                bytes.extend(numbers.iter().map(|number| number.to_le_bytes()[1]));
            }
        }
    }
}

/// The blocks of a group, one after the other.
#[derive(Default)]
struct Group {
    bytes: Vec<u8>,
    lengths: Vec<u16>,
    /// The number of the next.
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

/// Buffers of a thread.
#[derive(Default)]
struct Scratch {
    plain: Vec<u8>,
    zstd: Option<ZstdEncoder>,
    model: WriterScratch,
}

/// Makes blocks of a table.
struct Coder<'a> {
    header: &'a TableHeader,
    identity: u64,
    source: &'a BlockSource<'a>,
    modelled: Option<ModelWriter<'a>>,
}

impl Coder<'_> {
    fn group(&self, group: u32, scratch: &mut Scratch) -> io::Result<Group> {
        let block_boards = u64::from(self.header.block_boards);
        let first = group * GROUP_BLOCKS;
        let last = self.header.blocks().min(first.saturating_add(GROUP_BLOCKS));
        let from: Vec<u64> = (first..last).map(|block| u64::from(block) * block_boards).collect();
        let mut coded = Group { block: first, ..Group::default() };
        // Only the level's last block may have fewer boards than the others.
        let boards_left = |from: u64| self.header.boards - from;
        let whole = from.partition_point(|&from| boards_left(from) >= block_boards);
        let (whole, rest) = from.split_at(whole);
        self.blocks(whole, block_boards, scratch, &mut coded)?;
        for &from in rest {
            self.blocks(&[from], boards_left(from), scratch, &mut coded)?;
        }
        Ok(coded)
    }

    /// Makes blocks of `boards` boards from the indices `from` on.
    fn blocks(
        &self,
        from: &[u64],
        boards: u64,
        scratch: &mut Scratch,
        coded: &mut Group,
    ) -> io::Result<()> {
        let boards = usize::try_from(boards).map_err(io::Error::other)?;
        if let Some(modelled) = &self.modelled {
            modelled.encode(from, boards, &mut scratch.model, |block| {
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

/// Appends the numbers to store for plain bytes: a free board repeats the number before it where
/// that is allowed, since runs compress best. Values of all the level's seeds are kept, so that an
/// ended board's number is its value.
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
