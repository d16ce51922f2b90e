//! A solved level goes to disk: compressed, written, published, and read back.

use super::build::BuildOptions;
use super::error::BuildError;
use super::progress::{BuildProgress, LevelReport};
use crate::table::{
    Backend, BlockScratch, Digest, DistanceLevel, Folder, Histogram, PlainLevel, Table,
    TableContents, TableHeader, WriteOptions, plain_is_free, plain_value, write_distances,
    write_table,
};
use rayon::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A solved level and what is known of it.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) level: Arc<PlainLevel>,
    pub(super) distances: Option<DistanceLevel>,
    pub(super) all_values: Option<Histogram>,
    pub(super) solving: Duration,
}

/// Writes a level's tables, reads them back, and returns the digest of the values.
pub(super) fn write_level(
    options: &BuildOptions,
    folder: &Folder,
    progress: &dyn BuildProgress,
    finished: &Finished,
    smaller: &[Digest],
) -> Result<Digest, BuildError> {
    let start = Instant::now();
    let level = &*finished.level;
    let all_values = finished.all_values.as_ref();
    let contents = TableContents { rules: options.rules, level, all_values, smaller };
    let how = write_options(options);
    let header = write_table(folder, &contents, &how)?;
    let table = open_written(folder, &header)?;
    read_back(&table, |from, stored| {
        let bytes = &level.bytes()[from..from + stored.len()];
        // Without a way out in the middle, many boards are compared at once.
        bytes.iter().zip(stored).fold(true, |all, (&byte, &stored)| {
            let value = plain_value(byte);
            all & ((stored == value) | (plain_is_free(byte) & (stored < value)))
        })
    })?;
    if let Some(distances) = &finished.distances {
        let header = write_distances(folder, &header, distances, &how)?;
        read_distances_back(&open_written(folder, &header)?, distances)?;
    }
    let writing = start.elapsed();
    let digest = header.values_digest;
    progress.level_written(&LevelReport { header, solving: finished.solving, writing });
    Ok(digest)
}

fn write_options(options: &BuildOptions) -> WriteOptions<'static> {
    if options.compact { WriteOptions::compact() } else { WriteOptions::default() }
}

/// Opens a table that was just written, every byte of it checked.
fn open_written(folder: &Folder, header: &TableHeader) -> Result<Table, BuildError> {
    let table = Table::open_in(folder.path(), header.subject, Backend::Read)?;
    table.check_file()?;
    Ok(table)
}

/// Decodes every block and asks whether it is `as_written(first board, stored numbers)`.
fn read_back(
    table: &Table,
    as_written: impl Fn(usize, &[i8]) -> bool + Sync,
) -> Result<(), BuildError> {
    (0..table.groups()).into_par_iter().try_for_each_init(
        || (BlockScratch::default(), Vec::new()),
        |(scratch, stored), group| {
            table.decode_group(group, scratch, stored)?;
            expect_same(table, as_written(group as usize * table.group_boards(), stored))
        },
    )
}

/// Decodes every block of a table of distances and compares it.
fn read_distances_back(table: &Table, written: &DistanceLevel) -> Result<(), BuildError> {
    let block_boards = table.header().block_boards as usize;
    let blocks = written.numbers().par_chunks(block_boards).zip(0..table.header().blocks());
    blocks.try_for_each_init(
        || (BlockScratch::default(), Vec::new()),
        |(scratch, plies), (written, block)| {
            table.decode_distances(block, scratch, plies)?;
            let written = written.iter().map(|number| number.checked_sub(1));
            expect_same(table, plies.iter().copied().eq(written))
        },
    )
}

fn expect_same(table: &Table, is_same: bool) -> Result<(), BuildError> {
    is_same.then_some(()).ok_or_else(|| BuildError::BadReadBack { path: table.path().to_owned() })
}
