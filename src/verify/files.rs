//! The check of every byte and every block of a table's file.

use super::report::Problem;
use crate::level::memory;
use crate::progress::{Stopped, Watch};
use crate::table::{BlockScratch, Table, TableError};
use rayon::prelude::*;

/// The most damaged blocks reported per file.
const MOST_BLOCKS: usize = 20;

/// Checks the digest of the file and decodes every block.
pub(super) fn check_file(table: &Table, watch: Watch<'_>) -> Result<Vec<Problem>, Stopped> {
    let mut problems: Vec<Problem> =
        table.check_file().err().map(Problem::Table).into_iter().collect();
    let damaged: Vec<TableError> = (0..table.groups())
        .into_par_iter()
        .map_init(Decoding::default, |decoding, group| {
            if watch.is_stopped() {
                return Vec::new();
            }
            let boards = table.group_blocks(group).map(|block| table.boards_in(block) as u64);
            watch.progress.advance(boards.sum());
            decoding.damaged(table, group)
        })
        .flatten_iter()
        .collect();
    watch.check()?;
    problems.extend(damaged.into_iter().take(MOST_BLOCKS).map(Problem::Table));
    Ok(problems)
}

/// Buffers of one thread.
#[derive(Default)]
struct Decoding {
    scratch: BlockScratch,
    numbers: Vec<i8>,
    plies: Vec<Option<u16>>,
}

impl Decoding {
    /// The errors of the damaged blocks of a group.
    fn damaged(&mut self, table: &Table, group: u32) -> Vec<TableError> {
        let Self { scratch, numbers, plies } = self;
        let holds_seeds = table.holds_seeds();
        if holds_seeds && table.decode_group(group, scratch, numbers).is_ok() {
            return Vec::new();
        }
        let decoded = table.group_blocks(group).map(|block| match holds_seeds {
            true => table.decode(block, scratch, numbers),
            false => table.decode_distances(block, scratch, plies),
        });
        decoded.filter_map(Result::err).collect()
    }
}

/// The distances of a level in index order: 0 for none, otherwise plies plus 1.
pub(super) fn read_distances(table: &Table) -> Result<Vec<u16>, TableError> {
    let boards = usize::try_from(table.header().boards).expect("a level in memory");
    let mut numbers = memory::defaults(boards).map_err(TableError::io("hold", table.path()))?;
    let block_boards = table.header().block_boards as usize;
    numbers.par_chunks_mut(block_boards).enumerate().try_for_each_init(
        || (BlockScratch::default(), Vec::new()),
        |(scratch, plies), (block, numbers)| {
            table.decode_distances(
                u32::try_from(block).expect("fewer than 2^32 blocks"),
                scratch,
                plies,
            )?;
            for (number, plies) in numbers.iter_mut().zip(plies) {
                *number = plies.map_or(0, |plies| plies + 1);
            }
            Ok(())
        },
    )?;
    Ok(numbers)
}
