//! Publication of a solved level: its tables are compressed, written, and read back.

use super::error::BuildError;
use super::options::BuildOptions;
use crate::folder::FolderLock;
use crate::level::{
    Digest, Histogram, LevelBounds, LevelDistances, LevelValues, plain_is_free, plain_value,
    stored_bound,
};
use crate::progress::{LevelBuilt, Progress};
use crate::table::{
    Backend, BlockScratch, Contents, Table, TableContents, TableHeader, WriteOptions, write_bounds,
    write_distances, write_ranks, write_table,
};
use rayon::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A solved level.
#[derive(Debug)]
pub(super) struct SolvedLevel {
    pub(super) level: Arc<LevelValues>,
    pub(super) distances: Option<LevelDistances>,
    pub(super) all_values: Option<Histogram>,
    pub(super) solving: Duration,
}

/// The bounds of a solved level.
#[derive(Debug)]
pub(super) struct SolvedBounds {
    pub(super) level: Arc<LevelValues>,
    pub(super) bounds: Arc<LevelBounds>,
    pub(super) ranks: Option<LevelDistances>,
    pub(super) solving: Duration,
}

/// Writes the tables of a level's values and distances, reads them back, and returns the header of
/// the values.
pub(super) fn write_level(
    options: &BuildOptions,
    folder: &FolderLock,
    progress: &dyn Progress,
    solved: &SolvedLevel,
    smaller: &[Digest],
) -> Result<TableHeader, BuildError> {
    let start = Instant::now();
    let level = &*solved.level;
    let all_values = solved.all_values.as_ref();
    let contents = TableContents { rules: options.rules, level, all_values, smaller };
    let how = write_options(options);
    let header = write_table(folder.path(), &contents, &how)?;
    let table = open_written(folder, &header)?;
    read_back(&table, |from, stored| {
        let bytes = &level.bytes()[from..from + stored.len()];
        // Without an early exit the comparison is vectorised.
        bytes.iter().zip(stored).fold(true, |all, (&byte, &stored)| {
            let value = plain_value(byte);
            all & ((stored == value) | (plain_is_free(byte) & (stored < value)))
        })
    })?;
    if let Some(distances) = &solved.distances {
        let header = write_distances(folder.path(), &header, distances, &how)?;
        read_distances_back(&open_written(folder, &header)?, distances)?;
    }
    report(progress, &header, solved.solving, start.elapsed());
    Ok(header)
}

/// Writes the tables of a level's bounds and ranks, reads them back, and returns the header of the
/// bounds. `values` is the header of the values.
pub(super) fn write_level_bounds(
    options: &BuildOptions,
    folder: &FolderLock,
    progress: &dyn Progress,
    solved: &SolvedBounds,
    values: &TableHeader,
) -> Result<TableHeader, BuildError> {
    let start = Instant::now();
    let SolvedBounds { level, bounds, ranks, solving } = solved;
    let how = write_options(options);
    let header = write_bounds(folder.path(), values, level, bounds, &how)?;
    let table = open_written(folder, &header)?;
    read_back(&table, |from, stored| {
        let bytes = &level.bytes()[from..from + stored.len()];
        let pairs = &bounds.pairs()[from..from + stored.len()];
        bytes.iter().zip(pairs).zip(stored).fold(true, |all, ((&byte, &[low, _]), &stored)| {
            all & (stored == stored_bound(plain_value(byte), low.cast_signed()))
        })
    })?;
    if let Some(ranks) = ranks {
        let of_ranks = write_ranks(folder.path(), values, ranks, &how)?;
        read_distances_back(&open_written(folder, &of_ranks)?, ranks)?;
    }
    report(progress, &header, *solving, start.elapsed());
    Ok(header)
}

/// Reports a table that is published.
fn report(progress: &dyn Progress, header: &TableHeader, solving: Duration, writing: Duration) {
    let bytes = header.file_bytes().expect("the length of a file that was written");
    let TableHeader { id, boards, .. } = *header;
    let bounds = id.contents == Contents::Bounds;
    let built = LevelBuilt { seeds: id.seeds, bounds, boards, bytes, solving, writing };
    progress.level_built(&built);
}

fn write_options(options: &BuildOptions) -> WriteOptions<'static> {
    if options.compact { WriteOptions::compact() } else { WriteOptions::default() }
}

/// Opens a table that was just written, and checks every byte.
fn open_written(folder: &FolderLock, header: &TableHeader) -> Result<Table, BuildError> {
    let table = Table::open_in(folder.path(), header.id, Backend::Read)?;
    table.check_file()?;
    Ok(table)
}

/// Decodes every block and compares it by `as_written(first board, stored numbers)`.
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
fn read_distances_back(table: &Table, written: &LevelDistances) -> Result<(), BuildError> {
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
