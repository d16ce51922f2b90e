//! Building tables: solving every missing level of a folder, and writing one level while the next
//! is solved.
//!
//! Read in this order: `options` (the request), `kept_levels` (the levels that are kept and those
//! that are made), `plan` (an estimate of the resources, by `budget`), `mod` (the way up the levels),
//! `level_store` (the smaller levels, in memory or parked on disk), `checkpoint` (a level under way
//! on disk), `all_values` (the count of all boards) and `publish` (a solved level becomes tables).
//!
//! ```
//! use oware::build::{BuildOptions, build};
//! use oware::progress::NoProgress;
//! use oware::rules::{Rules, Seeds};
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//!
//! let largest = Seeds::of(6);
//! let summary = build(&BuildOptions::new(Rules::Awari, largest, folder), &NoProgress)?;
//! assert!(summary.built.into_iter().eq(largest.up_to()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Invariants: a file under a table's name is whole, whatever happens to the build. The bytes of a
//! table depend on the rule set, the level and the codec alone.

mod all_values;
mod budget;
mod checkpoint;
mod error;
mod kept_levels;
mod level_store;
mod options;
mod plan;
mod publish;

pub use error::BuildError;
pub use options::{ALL_VALUES_SEEDS, BuildOptions, Force};
pub use plan::{LevelPlan, Plan, plan};

use crate::folder::{FolderLock, RulesStatus};
use crate::index::reachable_boards;
use crate::kernels::SmallerLevelsByGroup;
use crate::level::{Digest, LevelBounds, LevelDistances, LevelValues};
use crate::progress::{Phase, Progress, Watch};
use crate::rules::Seeds;
use crate::solve::{BoundLabels, Labels, LevelSolver, MoveTables, ValueLabels};
use crate::table::{Backend, Contents, Table, TableHeader, TableId, expand_bounds, expand_from};
use all_values::count_all;
use checkpoint::Binding;
use kept_levels::{KeptLevel, kept_levels, missing_levels};
use level_store::LevelStore;
use plan::plan_levels;
use publish::{SolvedBounds, SolvedLevel, write_level, write_level_bounds};
use std::sync::Arc;
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// The result of a build.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BuildSummary {
    /// Levels that were there and were kept.
    pub kept: Vec<Seeds>,
    /// Levels that were solved and written.
    pub built: Vec<Seeds>,
    /// Boards of the levels that were built.
    pub boards: u64,
    /// Time from beginning to end.
    pub elapsed: Duration,
}

/// Makes every missing level up to the one asked for.
///
/// # Errors
/// When a level does not fit memory or disk (before work starts), a file under a table's name is
/// not whole and is not to be replaced, the system refuses an operation, or the build is stopped.
/// Every file under a table's name is whole in any case.
pub fn build(options: &BuildOptions, progress: &dyn Progress) -> Result<BuildSummary, BuildError> {
    let start = Instant::now();
    let folder = FolderLock::acquire(&options.folder)?;
    folder.sweep()?;
    let kept = kept_levels(options, RulesStatus::of(&options.folder, options.rules)?)?;
    let missing = missing_levels(&kept);
    let mut summary = BuildSummary {
        kept: options.seeds.up_to().filter(|seeds| !missing.contains(seeds)).collect(),
        ..BuildSummary::default()
    };
    if let Some(&most) = missing.last() {
        let memory_bytes = budget::allowed_bytes(options)?;
        let least = budget::Made::of(options).least_bytes(most, most);
        budget::expect_room(options.rules, most, least)?;
        let plan = plan_levels(options, &missing, memory_bytes)?;
        announce(&plan, progress);
        let work = Work { options, progress, folder: &folder, memory_bytes, most };
        work.run(&kept)?;
        summary.boards = missing.iter().map(|&seeds| reachable_boards(seeds)).sum();
        summary.built = missing;
    }
    summary.elapsed = start.elapsed();
    Ok(summary)
}

/// Reports what is coming when it takes over a minute.
fn announce(plan: &Plan, progress: &dyn Progress) {
    if plan.seconds >= 60.0 {
        for line in plan.to_string().lines() {
            progress.note(line);
        }
    }
}

/// A build under way.
struct Work<'build> {
    options: &'build BuildOptions,
    progress: &'build dyn Progress,
    folder: &'build FolderLock,
    memory_bytes: u64,
    /// The largest level of which a table is made.
    most: Seeds,
}

/// Tables that are being written; the result is the header of the level's values.
type Writing<'scope> = ScopedJoinHandle<'scope, Result<TableHeader, BuildError>>;

/// The levels that are there, from 0 up.
struct Levels<'scope> {
    values: LevelStore<ValueLabels>,
    bounds: LevelStore<BoundLabels>,
    /// The headers of the values that are on disk.
    headers: Vec<TableHeader>,
    writing: Option<Writing<'scope>>,
}

impl Levels<'_> {
    /// Waits until no table is being written.
    fn wait(&mut self) -> Result<(), BuildError> {
        let written = match self.writing.take().map(ScopedJoinHandle::join) {
            None => return Ok(()),
            Some(Ok(result)) => result?,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        };
        if written.id.seeds.index() == self.headers.len() {
            self.headers.push(written);
        }
        Ok(())
    }

    /// Makes room for a level whose captures lead to the levels below `below` seeds: the levels in
    /// memory, and the largest of the others, take at most `room` bytes.
    fn make_room(&mut self, below: u8, room: u64) -> Result<(), BuildError> {
        if !self.values.fits(below, room) {
            // A level that is being written cannot be parked.
            self.wait()?;
        }
        // Bounds take twice the memory of values.
        let for_values = if self.bounds.is_empty() { room } else { room / 3 };
        let parked = self.values.make_room(below, for_values);
        let left = room.saturating_sub(self.values.held_bytes());
        let parked = parked.and_then(|()| self.bounds.make_room(below, left));
        parked.map_err(BuildError::io("write a working copy"))
    }

    /// The digests of the values of the levels below `below` seeds.
    fn digests(&self, below: usize) -> Vec<Digest> {
        self.headers.iter().take(below).map(|header| header.values_digest).collect()
    }
}

impl<'build> Work<'build> {
    fn watch(&self) -> Watch<'_> {
        Watch { progress: self.progress, stop: &self.options.stop }
    }

    /// Goes up the levels. A kept level is read back; a missing one is solved, and written while
    /// the next work is done.
    fn run(&self, kept: &[KeptLevel]) -> Result<(), BuildError> {
        let tables = MoveTables::new(self.options.rules, self.most);
        let (folder, rules) = (self.folder.path(), self.options.rules);
        thread::scope(|scope| {
            let mut levels = Levels {
                values: LevelStore::new(folder, rules, Contents::Values),
                bounds: LevelStore::new(folder, rules, Contents::Bounds),
                headers: Vec::new(),
                writing: None,
            };
            for kept in kept.iter().take_while(|level| level.seeds <= self.most) {
                if self.watch().is_stopped() {
                    break;
                }
                let level = self.level(scope, &tables, kept, &mut levels)?;
                if self.options.bounds && !self.watch().is_stopped() {
                    self.bounds(scope, &tables, kept, &level, &mut levels)?;
                }
            }
            levels.wait()?;
            Ok(self.watch().check()?)
        })
    }

    /// Reads the values of a level back, or solves it and begins to write them.
    fn level<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        tables: &MoveTables,
        kept: &KeptLevel,
        levels: &mut Levels<'scope>,
    ) -> Result<Arc<LevelValues>, BuildError> {
        let level = if let Some(header) = &kept.values {
            levels.wait()?;
            levels.headers.push(header.clone());
            self.read_back(kept.seeds, levels)?
        } else {
            let solved = self.solve(tables, kept.seeds, levels)?;
            levels.wait()?;
            let level = Arc::clone(&solved.level);
            let digests = levels.digests(kept.seeds.index());
            levels.writing = Some(scope.spawn(move || {
                write_level(self.options, self.folder, self.progress, &solved, &digests)
            }));
            level
        };
        levels.values.push(Arc::clone(&level));
        Ok(level)
    }

    /// Reads the bounds of a level back, or finds them and begins to write them.
    fn bounds<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        tables: &MoveTables,
        kept: &KeptLevel,
        level: &Arc<LevelValues>,
        levels: &mut Levels<'scope>,
    ) -> Result<(), BuildError> {
        let bounds = if kept.has_bounds {
            self.read_bounds_back(level, levels)?
        } else {
            let solved = self.solve_bounds(tables, level, levels)?;
            levels.wait()?;
            let bounds = Arc::clone(&solved.bounds);
            let values = levels.headers[kept.seeds.index()].clone();
            levels.writing = Some(scope.spawn(move || {
                write_level_bounds(self.options, self.folder, self.progress, &solved, &values)?;
                Ok(values)
            }));
            bounds
        };
        levels.bounds.push(bounds);
        Ok(())
    }

    /// Bytes for smaller levels while the values or bounds of a level are found.
    fn room(&self, seeds: Seeds, contents: Contents) -> u64 {
        let own = budget::level_bytes(contents, seeds, self.most, self.options.distances);
        self.memory_bytes.saturating_sub(own)
    }

    /// Checks that the system has the memory to find the values or bounds of a level.
    fn expect_room(&self, seeds: Seeds, contents: Contents) -> Result<(), BuildError> {
        let BuildOptions { rules, distances, .. } = *self.options;
        let own = budget::level_bytes(contents, seeds, self.most, distances);
        budget::expect_room(rules, seeds, own)
    }

    /// Expands the table of values of a level that is there.
    fn read_back(
        &self,
        seeds: Seeds,
        levels: &mut Levels<'_>,
    ) -> Result<Arc<LevelValues>, BuildError> {
        let boards = reachable_boards(seeds);
        self.progress.begin(seeds, Phase::Reading, boards);
        // The level, and its boards' best captures while it is expanded.
        let own = budget::fixed_bytes(self.most) + 2 * boards;
        budget::expect_room(self.options.rules, seeds, own)?;
        levels.make_room(below_captures(seeds), self.memory_bytes.saturating_sub(own))?;
        let id = TableId::values(self.options.rules, seeds);
        let table = Table::open_in(self.folder.path(), id, Backend::Read)?;
        let level = expand_from(&table, &levels.values)?;
        self.progress.advance(boards);
        Ok(Arc::new(level))
    }

    /// Expands the table of bounds of a level that is there.
    fn read_bounds_back(
        &self,
        level: &LevelValues,
        levels: &mut Levels<'_>,
    ) -> Result<Arc<LevelBounds>, BuildError> {
        let (seeds, boards) = (level.seeds(), level.index().boards());
        self.progress.begin(seeds, Phase::Reading, boards);
        // Lower and upper bounds, and the best of the moves of each board for either.
        let own = budget::fixed_bytes(self.most) + 5 * boards;
        budget::expect_room(self.options.rules, seeds, own)?;
        levels.make_room(below_captures(seeds), self.memory_bytes.saturating_sub(own))?;
        let id =
            TableId { contents: Contents::Bounds, ..TableId::values(self.options.rules, seeds) };
        let table = Table::open_in(self.folder.path(), id, Backend::Read)?;
        let bounds = expand_bounds(&table, level, &levels.bounds)?;
        self.progress.advance(boards);
        Ok(Arc::new(bounds))
    }

    /// Solves a level with the smaller ones, of which the values of those that captures lead to are
    /// on disk.
    fn solve(
        &self,
        tables: &MoveTables,
        seeds: Seeds,
        levels: &mut Levels<'_>,
    ) -> Result<SolvedLevel, BuildError> {
        let start = Instant::now();
        let options = self.options;
        self.expect_room(seeds, Contents::Values)?;
        levels.make_room(below_captures(seeds), self.room(seeds, Contents::Values))?;
        let binding = self.binding(seeds, Contents::Values, levels);
        let (level, distances) = self.label(tables, binding, &levels.values)?;
        let solving = start.elapsed();
        let all_values = if seeds.get() <= ALL_VALUES_SEEDS || options.all_values {
            self.progress.begin(seeds, Phase::Counting, level.index().boards());
            let counted = count_all(tables, &level, &levels.values, self.watch());
            Some(counted.map_err(BuildError::io("count all boards"))?)
        } else {
            None
        };
        self.remove_checkpoint(binding);
        Ok(SolvedLevel { level: Arc::new(level), distances, all_values, solving })
    }

    /// Finds the bounds of a level, as [`solve`](Self::solve) does for its values.
    fn solve_bounds(
        &self,
        tables: &MoveTables,
        level: &Arc<LevelValues>,
        levels: &mut Levels<'_>,
    ) -> Result<SolvedBounds, BuildError> {
        let start = Instant::now();
        let seeds = level.seeds();
        self.expect_room(seeds, Contents::Bounds)?;
        levels.make_room(below_captures(seeds), self.room(seeds, Contents::Bounds))?;
        let binding = self.binding(seeds, Contents::Bounds, levels);
        let (bounds, ranks) = self.label(tables, binding, &levels.bounds)?;
        self.remove_checkpoint(binding);
        let (level, bounds) = (Arc::clone(level), Arc::new(bounds));
        Ok(SolvedBounds { level, bounds, ranks, solving: start.elapsed() })
    }

    fn binding(&self, seeds: Seeds, contents: Contents, levels: &Levels<'_>) -> Binding {
        let needed = levels.digests(usize::from(below_captures(seeds)));
        let smaller = needed.into_iter().fold(Digest::default(), Digest::plus);
        let Self { options: BuildOptions { rules, distances, .. }, .. } = *self;
        Binding { rules: *rules, seeds, contents, with_distances: *distances, smaller }
    }

    /// A checkpoint is useless once the level is solved, and ignored if it stays.
    fn remove_checkpoint(&self, binding: Binding) {
        let _ = std::fs::remove_file(self.folder.resume_path(binding.id()));
    }

    /// Finds the labels of a level, from its capture pass to its last step.
    fn label<L: Labels>(
        &self,
        tables: &MoveTables,
        binding: Binding,
        store: &LevelStore<L>,
    ) -> Result<(L::Level, Option<LevelDistances>), BuildError> {
        let mut level = self.begin(tables, binding, store)?;
        self.solve_steps(&mut level, binding)?;
        Ok(level.finish())
    }

    /// A level after its capture pass, or further on if there is a checkpoint.
    fn begin<'tables, L: Labels>(
        &self,
        tables: &'tables MoveTables,
        binding: Binding,
        store: &LevelStore<L>,
    ) -> Result<LevelSolver<'tables, L>, BuildError> {
        let Binding { seeds, with_distances, .. } = binding;
        let boards = reachable_boards(seeds);
        let index = &tables.levels[seeds.index()];
        let saved = checkpoint::load(&self.folder.resume_path(binding.id()), binding, index);
        if let Some(level) = saved.and_then(|saved| LevelSolver::resumed(tables, seeds, saved)) {
            self.progress.note(&format!("level {seeds}: going on from the checkpoint"));
            return Ok(level);
        }
        let no_memory = BuildError::io("get memory for a level");
        let mut level = LevelSolver::new(tables, seeds, with_distances).map_err(no_memory)?;
        self.progress.begin(seeds, Phase::Capturing, boards);
        store
            .for_each_group(below_captures(seeds), &mut |group, is_last| {
                if is_last {
                    level.finish_captures(group, self.watch());
                } else {
                    level.raise_captures(group, self.watch());
                }
            })
            .map_err(BuildError::io("read a working copy"))?;
        // An interrupted capture pass is incomplete, and not worth saving.
        self.watch().check()?;
        Ok(level)
    }

    /// Does the steps of a level, with checkpoints.
    fn solve_steps<L: Labels>(
        &self,
        level: &mut LevelSolver<'_, L>,
        binding: Binding,
    ) -> Result<(), BuildError> {
        let seeds = binding.seeds;
        let path = self.folder.resume_path(binding.id());
        let (phase, labels) = match binding.contents {
            Contents::Bounds => (Phase::Bounding, 2),
            _ => (Phase::Solving, 1),
        };
        self.progress.begin(seeds, phase, labels * reachable_boards(seeds));
        let mut saved = Instant::now();
        while !level.is_solved() {
            let every = self.options.checkpoint_every;
            // A stopped level is saved too if it took a while.
            let worth =
                if self.watch().is_stopped() { every.min(Duration::from_secs(20)) } else { every };
            if saved.elapsed() >= worth {
                if let Err(error) = checkpoint::save(&path, binding, level.snapshot()) {
                    self.progress.note(&format!(
                        "level {seeds}: no checkpoint could be written ({error}); going on without"
                    ));
                }
                saved = Instant::now();
            }
            self.watch().check()?;
            level.advance(self.watch());
        }
        Ok(())
    }
}

/// Captures lead to the levels below this many seeds: a move captures nothing or two seeds and more.
const fn below_captures(seeds: Seeds) -> u8 {
    seeds.get().saturating_sub(1)
}
