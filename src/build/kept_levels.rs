//! The levels that a build keeps and those that it makes, decided from the status of the folder.

use super::options::{BuildOptions, Force};
use crate::folder::{RulesStatus, TableState, TableStatus};
use crate::rules::Seeds;
use crate::table::{TableError, TableHeader};

/// The levels up to the largest asked for, each with the header of its table of values if a build
/// keeps the level, or `None` if it builds it.
///
/// # Errors
/// The reason why a table is neither kept nor replaced.
pub(super) fn kept_levels(
    options: &BuildOptions,
    status: RulesStatus,
) -> Result<Vec<Option<TableHeader>>, TableError> {
    let levels = status.levels.into_iter().take(options.seeds.index() + 1);
    levels
        .map(|level| {
            let values = kept_table(options, level.values)?;
            if options.distances && kept_table(options, level.distances)?.is_none() {
                return Ok(None);
            }
            Ok(values)
        })
        .collect()
}

fn kept_table(
    options: &BuildOptions,
    table: TableStatus,
) -> Result<Option<TableHeader>, TableError> {
    match (table.state, options.force) {
        // A file that cannot be read may be whole, and one that is no file cannot be replaced.
        (TableState::Unreadable(error), _) => Err(error),
        (_, Force::All) => Ok(None),
        (state, Force::None) => state.into_header(),
        (state, Force::Damaged) => Ok(state.into_header().ok().flatten()),
    }
}

/// The levels that a build makes.
pub(super) fn missing_levels(kept: &[Option<TableHeader>]) -> Vec<Seeds> {
    Seeds::MAX
        .up_to()
        .zip(kept)
        .filter(|(_, header)| header.is_none())
        .map(|(seeds, _)| seeds)
        .collect()
}
