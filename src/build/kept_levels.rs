//! The levels that a build keeps and those that it makes, decided from the status of the folder.

use super::options::{BuildOptions, Force};
use crate::folder::{LevelStatus, RulesStatus, TableState, TableStatus};
use crate::rules::Seeds;
use crate::table::{TableError, TableHeader};

/// What a build keeps of a level.
#[derive(Clone, Debug)]
pub(super) struct KeptLevel {
    /// Seeds on each board.
    pub(super) seeds: Seeds,
    /// The header of the table of values; `None` if the level is solved, because its values or its
    /// distances are to be made.
    pub(super) values: Option<TableHeader>,
    /// Whether no bounds are to be made.
    pub(super) has_bounds: bool,
}

impl KeptLevel {
    /// Whether nothing is to be made.
    pub(super) const fn is_whole(&self) -> bool {
        self.values.is_some() && self.has_bounds
    }
}

/// What a build keeps of the levels up to the largest asked for.
///
/// # Errors
/// The reason why a table is neither kept nor replaced.
pub(super) fn kept_levels(
    options: &BuildOptions,
    status: RulesStatus,
) -> Result<Vec<KeptLevel>, TableError> {
    let levels = status.levels.into_iter().take(options.seeds.index() + 1);
    levels
        .map(|level| {
            let seeds = level.seeds();
            let LevelStatus { values, distances, bounds, ranks } = level;
            let keeps = |table| Ok(kept_table(options, table)?.is_some());
            let mut values = kept_table(options, values)?;
            if options.distances && !keeps(distances)? {
                values = None;
            }
            let has_bounds =
                !options.bounds || keeps(bounds)? && (!options.distances || keeps(ranks)?);
            Ok(KeptLevel { seeds, values, has_bounds })
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

/// The levels of which a build makes a table.
pub(super) fn missing_levels(kept: &[KeptLevel]) -> Vec<Seeds> {
    kept.iter().filter(|level| !level.is_whole()).map(|level| level.seeds).collect()
}
