//! A table's file: every byte, every block.

use super::report::Problem;
use super::{Cancelled, Watch};
use crate::table::{BlockScratch, Contents, Part, Table, TableError};
use rayon::prelude::*;

/// Blocks reported as damaged, at most; the file's digest is wrong besides.
const MOST_BLOCKS: usize = 20;

/// Checks the file's digest and decodes every block.
pub(super) fn check_file(table: &Table, watch: &Watch<'_>) -> Result<Vec<Problem>, Cancelled> {
    let mut problems: Vec<Problem> =
        table.check_file().err().map(Problem::Table).into_iter().collect();
    let damaged: Vec<TableError> = (0..table.header().blocks())
        .into_par_iter()
        .map_init(
            || (BlockScratch::default(), Vec::new(), Vec::new()),
            |(scratch, numbers, plies), block| {
                if watch.is_cancelled() {
                    return Ok(());
                }
                watch.progress.advance(table.boards_in(block) as u64);
                match table.header().subject.contents {
                    Contents::Values => table.decode(block, scratch, numbers),
                    Contents::Distances => table.decode_distances(block, scratch, plies),
                }
            },
        )
        .filter_map(Result::err)
        .collect();
    watch.check()?;
    problems.extend(damaged.into_iter().take(MOST_BLOCKS).map(Problem::Table));
    Ok(problems)
}

/// The distances of a level in index order: plies + 1, 0 for none.
pub(super) fn read_distances(table: &Table) -> Result<Vec<u16>, TableError> {
    let boards = usize::try_from(table.header().boards).unwrap_or(usize::MAX);
    let mut numbers = vec![0; boards];
    let block_boards = table.header().block_boards as usize;
    numbers.par_chunks_mut(block_boards).enumerate().try_for_each_init(
        || (BlockScratch::default(), Vec::new()),
        |(scratch, plies), (block, numbers)| {
            table.decode_distances(u32::try_from(block).unwrap_or(u32::MAX), scratch, plies)?;
            for (number, plies) in numbers.iter_mut().zip(plies) {
                *number = plies.map_or(0, |plies| plies.saturating_add(1));
            }
            Ok(())
        },
    )?;
    Ok(numbers)
}

/// The error of a table whose values are not those of its header.
pub(super) fn not_as_headed(table: &Table, part: Part) -> Problem {
    Problem::Table(TableError::Damaged { path: table.path().to_owned(), part })
}
