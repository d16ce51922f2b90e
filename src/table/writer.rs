//! Writing a table: blocks compressed in parallel, written in order, published when whole.

use super::codec::ZstdEncoder;
use super::disk::{Disk, Draft, SystemDisk};
use super::error::{Subject, TableError};
use super::header::{GROUP_BLOCKS, MOST_BLOCK_BOARDS, TableHeader};
use super::plain::{plain_is_free, plain_value};
use super::{Codec, Digest, DistanceLevel, Folder, Histogram, PlainLevel};
use crate::index::reachable_boards;
use crate::rules::Rules;
use rayon::prelude::*;
use std::io;
use xxhash_rust::xxh3::xxh3_64;

/// Groups of blocks that are compressed before they are written: bounds the memory.
const GROUPS_A_BATCH: u32 = 128;

/// What goes into a table of values.
#[derive(Clone, Copy, Debug)]
pub struct TableContents<'a> {
    /// The rule set.
    pub rules: Rules,
    /// The solved level.
    pub level: &'a PlainLevel,
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
    /// Where to write.
    pub disk: &'a dyn Disk,
}

impl Default for WriteOptions<'_> {
    fn default() -> Self {
        Self { codec: Codec::Zstd, block_boards: 4096, disk: &SystemDisk }
    }
}

/// Writes the table of a level to a folder, in place of the one that may be there. The bytes
/// depend on the contents, codec and block size alone.
///
/// # Errors
/// When the contents do not fit each other or the disk fails; the folder then has under the table's
/// name what it had before.
pub fn write_table(
    folder: &Folder,
    contents: &TableContents<'_>,
    options: &WriteOptions<'_>,
) -> Result<TableHeader, TableError> {
    let level = contents.level;
    let values_digest = Digest::of_values(level);
    let header = TableHeader {
        subject: Subject::values(contents.rules, level.seeds()),
        free_filled: true,
        values: Histogram::of_level(level),
        all_values: contents.all_values.cloned(),
        smaller: contents.smaller.to_vec(),
        ..empty_header(level.seeds(), values_digest, options)
    };
    write(folder, header, options, |from, boards, bytes| {
        fill_free(&level.bytes()[from..from + boards], level.seeds(), bytes);
    })
}

/// Writes the table of a level's distances; `values` is the header of its values' table.
///
/// # Errors
/// As [`write_table`].
pub fn write_distances(
    folder: &Folder,
    values: &TableHeader,
    level: &DistanceLevel,
    options: &WriteOptions<'_>,
) -> Result<TableHeader, TableError> {
    let options = &WriteOptions { codec: Codec::Zstd, ..*options };
    let header = TableHeader {
        subject: Subject::distances(values.subject.rules, level.seeds()),
        distances_digest: level.digest(),
        most_plies: level.most_plies(),
        values: values.values.clone(),
        all_values: values.all_values.clone(),
        smaller: values.smaller.clone(),
        ..empty_header(level.seeds(), values.values_digest, options)
    };
    write(folder, header, options, |from, boards, bytes| {
        let numbers = &level.numbers()[from..from + boards];
        bytes.extend(numbers.iter().map(|number| number.to_le_bytes()[0]));
        bytes.extend(numbers.iter().map(|number| number.to_le_bytes()[1]));
    })
}

fn empty_header(seeds: u8, values_digest: Digest, options: &WriteOptions<'_>) -> TableHeader {
    TableHeader {
        subject: Subject::values(Rules::default(), seeds),
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

/// Writes a file whose header wants only lengths and checksums; `fill(from, boards, bytes)` appends
/// what is to be compressed for `boards` boards from index `from` on.
fn write(
    folder: &Folder,
    mut header: TableHeader,
    options: &WriteOptions<'_>,
    fill: impl Fn(usize, usize, &mut Vec<u8>) + Sync,
) -> Result<TableHeader, TableError> {
    let path = folder.table_path(header.subject);
    if let Some(reason) = misfit(&header) {
        return Err(TableError::BadContents { path, reason });
    }
    let header_bytes = usize::try_from(header.header_bytes()).unwrap_or(0);
    let mut draft = Draft::create(options.disk, &path, header_bytes)?;
    let identity = header.identity();
    let blocks = header.blocks();
    let groups = blocks.div_ceil(GROUP_BLOCKS);
    let mut index = Vec::with_capacity(usize::try_from(header.index_bytes()).unwrap_or(0));
    for first in (0..groups).step_by(GROUPS_A_BATCH as usize) {
        let batch = first..groups.min(first + GROUPS_A_BATCH);
        let coded: Vec<io::Result<Group>> = batch
            .into_par_iter()
            .map_init(ZstdEncoder::new, |encoder, group| {
                let encoder = match encoder {
                    Ok(encoder) => encoder,
                    Err(error) => return Err(io::Error::new(error.kind(), error.to_string())),
                };
                encode_group(&header, identity, group, encoder, &fill)
            })
            .collect();
        for group in coded {
            let group = group.map_err(TableError::io("compress", &path))?;
            draft.append(&group.bytes)?;
            index.extend(header.blocks_bytes.to_le_bytes());
            index.extend(group.lengths.iter().flat_map(|length| length.to_le_bytes()));
            header.blocks_bytes += group.bytes.len() as u64;
        }
    }
    draft.append(&index)?;
    header.index_checksum = xxh3_64(&index);
    draft.publish(&header.to_bytes())?;
    Ok(header)
}

fn misfit(header: &TableHeader) -> Option<&'static str> {
    let seeds = header.subject.seeds;
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

/// The blocks of a group, one after the other.
struct Group {
    bytes: Vec<u8>,
    lengths: Vec<u16>,
}

fn encode_group(
    header: &TableHeader,
    identity: u64,
    group: u32,
    encoder: &mut ZstdEncoder,
    fill: &(impl Fn(usize, usize, &mut Vec<u8>) + Sync),
) -> io::Result<Group> {
    let block_boards = header.block_boards as usize;
    let boards = usize::try_from(header.boards).map_err(io::Error::other)?;
    let mut coded = Group { bytes: Vec::new(), lengths: Vec::new() };
    let mut plain = Vec::with_capacity(2 * block_boards);
    let first = group * GROUP_BLOCKS;
    for block in first..header.blocks().min(first.saturating_add(GROUP_BLOCKS)) {
        let from = block as usize * block_boards;
        plain.clear();
        fill(from, block_boards.min(boards - from), &mut plain);
        let before = coded.bytes.len();
        encoder.encode(identity, block, &plain, &mut coded.bytes)?;
        let length = coded.bytes.len() - before;
        coded.lengths.push(u16::try_from(length).map_err(io::Error::other)?);
    }
    Ok(coded)
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
