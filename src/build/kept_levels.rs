//! The levels that a build keeps and those that it makes, decided from the status of the folder.
//!
//! A build that repairs (see [`Force`]) takes no header at its word: a table is kept if every byte
//! of its file is as it was written, and if it can be read back where that is needed. It also makes
//! the levels again that were computed from others than those beside them.

use super::budget::Made;
use super::options::{BuildOptions, Force};
use crate::folder::{LevelStatus, RulesStatus, TableState, TableStatus};
use crate::level::Digest;
use crate::rules::{Rules, Seeds};
use crate::table::{Backend, Contents, Table, TableError, TableHeader, TableId};
use std::collections::BTreeSet;
use std::path::Path;

/// What a build does with a level.
#[derive(Debug)]
pub(super) struct LevelTask {
    pub(super) seeds: Seeds,
    /// The header of the values if they are kept; `None` if the level is solved, because its values
    /// or its distances are made.
    pub(super) values: Option<TableHeader>,
    /// Whether distances belong to the values.
    pub(super) distances: bool,
    /// The bounds of the level; `None` if the level needs none.
    pub(super) bounds: Option<BoundsTask>,
}

/// What a build does with the bounds of a level.
#[derive(Debug)]
pub(super) struct BoundsTask {
    /// The header of the bounds if they are kept; `None` if they or their ranks are made.
    pub(super) kept: Option<TableHeader>,
    /// Whether ranks belong to the bounds.
    pub(super) ranks: bool,
    /// The digest of the bounds that are there.
    pub(super) old: Option<Digest>,
}

impl LevelTask {
    /// Whether nothing is made.
    pub(super) fn is_whole(&self) -> bool {
        self.values.is_some() && self.bounds.iter().all(|bounds| bounds.kept.is_some())
    }

    /// The table of the values.
    pub(super) const fn id(&self, rules: Rules) -> TableId {
        TableId::values(rules, self.seeds)
    }

    /// The tables of the level.
    pub(super) fn made(&self) -> Made {
        let ranks = self.bounds.as_ref().is_some_and(|bounds| bounds.ranks);
        Made { distances: self.distances || ranks, bounds: self.bounds.is_some() }
    }

    /// Whether distances belong to the values, or ranks to the bounds.
    pub(super) fn has_plies(&self, contents: Contents) -> bool {
        match contents {
            Contents::Values | Contents::Distances => self.distances,
            Contents::Bounds | Contents::Ranks => {
                self.bounds.as_ref().is_some_and(|bounds| bounds.ranks)
            }
        }
    }
}

/// The judge of the tables of a folder, over the passes of a build.
#[derive(Debug)]
pub(super) struct Judge<'build> {
    options: &'build BuildOptions,
    /// The values and bounds made so far.
    made: BTreeSet<(Seeds, Contents)>,
    /// Tables of which every byte was checked.
    checked: BTreeSet<TableId>,
    /// Values and bounds that could not be read back, or follow from others that were wrong.
    unsound: BTreeSet<(Seeds, Contents)>,
}

impl<'build> Judge<'build> {
    pub(super) fn new(options: &'build BuildOptions) -> Self {
        let (made, checked, unsound) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Self { options, made, checked, unsound }
    }

    /// The tasks of the levels up to the largest asked for.
    ///
    /// # Errors
    /// The reason why a table is neither kept nor replaced.
    pub(super) fn tasks(&mut self, status: RulesStatus) -> Result<Vec<LevelTask>, TableError> {
        // Bounds need those of all smaller levels.
        let has_bounds = |level: &&LevelStatus| is_there(&level.bounds) || is_there(&level.ranks);
        let largest = status.levels.iter().rfind(has_bounds).map(LevelStatus::seeds);
        let levels = status.levels.into_iter().take(self.options.seeds.index() + 1);
        levels.map(|level| self.task(level, largest)).collect()
    }

    /// Takes note that values or bounds that were kept cannot be read back. Returns whether they
    /// are made again.
    pub(super) fn replaces(
        &mut self,
        seeds: Seeds,
        contents: Contents,
        error: &TableError,
    ) -> bool {
        self.repairs() && !error.is_refusal() && self.unsound.insert((seeds, contents))
    }

    /// Takes note of values or bounds that were made.
    pub(super) fn add_made(&mut self, seeds: Seeds, contents: Contents) {
        self.made.insert((seeds, contents));
        self.unsound.remove(&(seeds, contents));
    }

    /// Takes note that the bounds of a level turned out different: those of larger levels, which
    /// do not say what they were computed from, are made again.
    pub(super) fn distrust_bounds_above(&mut self, seeds: Seeds) {
        let larger = Seeds::MAX.up_to().filter(|&larger| larger > seeds);
        self.unsound.extend(larger.map(|larger| (larger, Contents::Bounds)));
    }

    /// Whether what is kept by the tasks is no longer to be kept.
    pub(super) fn distrusts(&self, seeds: Seeds, contents: Contents) -> bool {
        self.unsound.contains(&(seeds, contents))
    }

    /// The levels of which tables were made.
    pub(super) fn levels_made(&self) -> Vec<Seeds> {
        self.options
            .seeds
            .up_to()
            .filter(|&seeds| self.made.iter().any(|&(made, _)| made == seeds))
            .collect()
    }

    /// Whether tables are replaced.
    fn repairs(&self) -> bool {
        self.options.force != Force::None || !self.options.again.is_empty()
    }

    fn task(
        &mut self,
        level: LevelStatus,
        largest: Option<Seeds>,
    ) -> Result<LevelTask, TableError> {
        let (seeds, repairs) = (level.seeds(), self.repairs());
        let LevelStatus { values, distances, bounds, ranks } = level;
        let has_distances = self.options.distances || repairs && is_there(&distances);
        let mut kept = self.kept(values)?;
        if has_distances && self.kept(distances)?.is_none() || self.is_made(seeds, Contents::Values)
        {
            kept = None;
        }
        let needs_bounds = self.options.bounds || repairs && Some(seeds) <= largest;
        let bounds = if needs_bounds { Some(self.bounds_task(bounds, ranks)?) } else { None };
        Ok(LevelTask { seeds, values: kept, distances: has_distances, bounds })
    }

    fn bounds_task(
        &mut self,
        bounds: TableStatus,
        ranks: TableStatus,
    ) -> Result<BoundsTask, TableError> {
        let seeds = bounds.id.seeds;
        let old = bounds.state.header().map(|header| header.contents_digest);
        let has_ranks = self.options.distances || self.repairs() && is_there(&ranks);
        let mut kept = self.kept(bounds)?;
        if has_ranks && self.kept(ranks)?.is_none() || self.is_made(seeds, Contents::Bounds) {
            kept = None;
        }
        Ok(BoundsTask { kept, ranks: has_ranks, old })
    }

    /// Whether values or bounds are made whatever their table holds.
    fn is_made(&self, seeds: Seeds, contents: Contents) -> bool {
        let is_asked_for = self.options.force == Force::All || self.options.again.contains(&seeds);
        is_asked_for && !self.made.contains(&(seeds, contents)) || self.distrusts(seeds, contents)
    }

    /// The header of a table that is kept; `None` if it is made.
    fn kept(&mut self, table: TableStatus) -> Result<Option<TableHeader>, TableError> {
        let TableStatus { id, path, state } = table;
        // A file that cannot be read may be whole, and one that is no file cannot be replaced.
        if !self.repairs() || matches!(state, TableState::Unreadable(_)) {
            return state.into_header();
        }
        let Ok(Some(header)) = state.into_header() else { return Ok(None) };
        if self.options.force == Force::All || self.checked.contains(&id) {
            return Ok(Some(header));
        }
        match check_file(&path) {
            Err(error) if error.is_refusal() => Err(error),
            Err(_) => Ok(None),
            Ok(()) => {
                self.checked.insert(id);
                Ok(Some(header))
            }
        }
    }
}

fn check_file(path: &Path) -> Result<(), TableError> {
    Table::open(path, Backend::Read)?.check_file()
}

fn is_there(table: &TableStatus) -> bool {
    !matches!(table.state, TableState::Missing)
}

/// The levels of which a build makes a table.
pub(super) fn missing_levels(tasks: &[LevelTask]) -> Vec<Seeds> {
    tasks.iter().filter(|task| !task.is_whole()).map(|task| task.seeds).collect()
}
