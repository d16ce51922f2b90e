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
mod control_groups;
mod error;
mod kept_levels;
mod level_store;
mod options;
mod plan;
mod publish;

pub use error::BuildError;
pub use options::{ALL_VALUES_SEEDS, BuildOptions, Force};
pub use plan::{LevelPlan, Plan, largest_seeds, plan};

use crate::folder::{FolderLock, RulesStatus, expect_file};
use crate::index::reachable_boards;
use crate::kernels::SmallerLevelsByGroup;
use crate::level::{Digest, LevelBounds, LevelDistances, LevelValues};
use crate::progress::{Phase, Progress, Watch};
use crate::rules::Seeds;
use crate::solve::{BoundLabels, Labels, LevelSolver, MoveTables, ValueLabels};
use crate::table::{
    Backend, Contents, Table, TableError, TableErrorKind, TableHeader, TableId, expand_bounds,
    expand_from,
};
use all_values::count_all;
use checkpoint::Binding;
use kept_levels::{BoundsTask, Judge, LevelTask, missing_levels};
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
    let mut judge = Judge::new(options);
    match FolderLock::acquire(&options.folder) {
        Ok(folder) => make_all(options, progress, &folder, &mut judge)?,
        // A folder that cannot be written to needs nothing if it is complete.
        Err(error) if matches!(error.kind, TableErrorKind::Io { .. }) => {
            let tasks = RulesStatus::of(&options.folder, options.rules)
                .and_then(|status| judge.tasks(status));
            if tasks.map_or(true, |tasks| !missing_levels(&tasks).is_empty()) {
                return Err(error.into());
            }
        }
        Err(error) => return Err(error.into()),
    }
    let built = judge.levels_made();
    Ok(BuildSummary {
        kept: options.seeds.up_to().filter(|seeds| !built.contains(seeds)).collect(),
        boards: built.iter().map(|&seeds| reachable_boards(seeds)).sum(),
        built,
        elapsed: start.elapsed(),
    })
}

/// Makes levels in passes up the levels, until none is to be made. One pass does, unless a level
/// that is made again differs from what larger ones were computed from, or a level that is kept
/// cannot be read back: then the folder is judged anew.
fn make_all(
    options: &BuildOptions,
    progress: &dyn Progress,
    folder: &FolderLock,
    judge: &mut Judge<'_>,
) -> Result<(), BuildError> {
    folder.sweep()?;
    loop {
        let tasks = judge.tasks(RulesStatus::of(&options.folder, options.rules)?)?;
        let Some(&most) = missing_levels(&tasks).last() else {
            return remove_old_checkpoints(options, folder, &tasks);
        };
        let memory_bytes = budget::allowed_bytes(options)?;
        let least = tasks[most.index()].made().least_bytes(most, most);
        budget::expect_room(options.rules, most, least)?;
        announce(&plan_levels(options, &tasks, memory_bytes)?, progress);
        Work { options, progress, folder, memory_bytes, most }.run(&tasks, judge)?;
    }
}

/// Removes checkpoints of levels that are there, which a build that ended after their publication
/// left behind.
fn remove_old_checkpoints(
    options: &BuildOptions,
    folder: &FolderLock,
    tasks: &[LevelTask],
) -> Result<(), BuildError> {
    for task in tasks {
        for contents in [Contents::Values, Contents::Bounds] {
            let path = folder.resume_path(TableId { contents, ..task.id(options.rules) });
            let is_old = contents == Contents::Values || task.bounds.is_some();
            let saved = checkpoint::is_with_distances(&path).filter(|_| is_old);
            if saved.is_some_and(|with_plies| task.has_plies(contents) || !with_plies) {
                std::fs::remove_file(&path).map_err(TableError::io("remove", &path))?;
            }
        }
    }
    Ok(())
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

/// Tables that are being written: values with their distances, or bounds with their ranks.
struct Writing<'scope> {
    seeds: Seeds,
    contents: Contents,
    /// The header of the table of the contents.
    result: Pending<'scope>,
}

enum Pending<'scope> {
    Thread(ScopedJoinHandle<'scope, Result<TableHeader, BuildError>>),
    Done(Result<TableHeader, BuildError>),
}

/// The levels that are there, from 0 up.
struct Levels<'scope, 'build> {
    values: LevelStore<ValueLabels>,
    bounds: LevelStore<BoundLabels>,
    /// The headers of the values that are on disk.
    headers: Vec<TableHeader>,
    writing: Option<Writing<'scope>>,
    judge: &'scope mut Judge<'build>,
    /// The digests of the bounds that were there.
    old_bounds: Vec<Option<Digest>>,
}

impl Levels<'_, '_> {
    /// Waits until no table is being written.
    fn wait(&mut self) -> Result<(), BuildError> {
        let Some(Writing { seeds, contents, result }) = self.writing.take() else { return Ok(()) };
        let header = match result {
            Pending::Done(result) => result,
            Pending::Thread(thread) => match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }?;
        self.judge.add_made(seeds, contents);
        if contents == Contents::Values {
            self.headers.push(header);
        } else if self.old_bounds[seeds.index()].is_some_and(|old| old != header.contents_digest) {
            self.judge.distrust_bounds_above(seeds);
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

impl Work<'_> {
    fn watch(&self) -> Watch<'_> {
        Watch { progress: self.progress, stop: &self.options.stop }
    }

    /// Goes up the levels. A kept level is read back; a missing one is solved, and written while
    /// the next work is done. Ends before a level whose tables, which were to be kept, cannot be
    /// read back or were computed from other levels.
    fn run(&self, tasks: &[LevelTask], judge: &mut Judge<'_>) -> Result<(), BuildError> {
        let tables = MoveTables::new(self.options.rules, self.most);
        let (folder, rules) = (self.folder.path(), self.options.rules);
        let old = |task: &LevelTask| task.bounds.as_ref().and_then(|bounds| bounds.old);
        thread::scope(|scope| {
            let mut levels = Levels {
                values: LevelStore::new(folder, rules, Contents::Values),
                bounds: LevelStore::new(folder, rules, Contents::Bounds),
                headers: Vec::new(),
                writing: None,
                judge,
                old_bounds: tasks.iter().map(old).collect(),
            };
            for task in tasks.iter().take_while(|task| task.seeds <= self.most) {
                if self.watch().is_stopped() {
                    break;
                }
                let Some(level) = self.level(scope, &tables, task, &mut levels)? else { break };
                if let Some(bounds) = &task.bounds
                    && !self.watch().is_stopped()
                    && !self.bounds(scope, &tables, (task, bounds), &level, &mut levels)?
                {
                    break;
                }
            }
            levels.wait()?;
            Ok(self.watch().check()?)
        })
    }

    /// Reads the values of a level back, or solves it and begins to write them. `None` if they were
    /// to be kept and cannot be.
    fn level<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        tables: &MoveTables,
        task: &LevelTask,
        levels: &mut Levels<'scope, '_>,
    ) -> Result<Option<Arc<LevelValues>>, BuildError> {
        let seeds = task.seeds;
        let level = if let Some(header) = &task.values {
            levels.wait()?;
            if header.smaller != levels.digests(seeds.index()) {
                return Ok(None);
            }
            let level = match self.read_back(seeds, levels) {
                Err(BuildError::Table(error))
                    if levels.judge.replaces(seeds, Contents::Values, &error) =>
                {
                    return Ok(None);
                }
                level => level?,
            };
            levels.headers.push(header.clone());
            level
        } else {
            let solved = self.solve(tables, task, levels)?;
            levels.wait()?;
            let level = Arc::clone(&solved.level);
            let digests = levels.digests(seeds.index());
            levels.writing = Some(self.start(scope, task, Contents::Values, move || {
                write_level(self.options, self.folder, self.progress, &solved, &digests)
            }));
            level
        };
        levels.values.push(Arc::clone(&level));
        Ok(Some(level))
    }

    /// Reads the bounds of a level back, or finds them and begins to write them. `false` if they
    /// were to be kept and cannot be.
    fn bounds<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        tables: &MoveTables,
        (task, bounds): (&LevelTask, &BoundsTask),
        level: &Arc<LevelValues>,
        levels: &mut Levels<'scope, '_>,
    ) -> Result<bool, BuildError> {
        let seeds = task.seeds;
        let bounds = if let Some(header) = &bounds.kept {
            levels.wait()?;
            let is_of_values = header.values_digest == levels.headers[seeds.index()].values_digest
                && header.smaller == levels.digests(seeds.index());
            if !is_of_values || levels.judge.distrusts(seeds, Contents::Bounds) {
                return Ok(false);
            }
            match self.read_bounds_back(level, levels) {
                Err(BuildError::Table(error))
                    if levels.judge.replaces(seeds, Contents::Bounds, &error) =>
                {
                    return Ok(false);
                }
                bounds => bounds?,
            }
        } else {
            let solved = self.solve_bounds(tables, task, level, levels)?;
            levels.wait()?;
            let bounds = Arc::clone(&solved.bounds);
            let values = levels.headers[seeds.index()].clone();
            levels.writing = Some(self.start(scope, task, Contents::Bounds, move || {
                write_level_bounds(self.options, self.folder, self.progress, &solved, &values)
            }));
            bounds
        };
        levels.bounds.push(bounds);
        Ok(true)
    }

    /// Writes tables of a level on a thread of its own, or at once if the system grants none, and
    /// then removes the checkpoint, which is useless once they are published.
    fn start<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        task: &LevelTask,
        contents: Contents,
        write: impl Fn() -> Result<TableHeader, BuildError> + Send + Sync + 'scope,
    ) -> Writing<'scope> {
        let seeds = task.seeds;
        let checkpoint =
            self.folder.resume_path(TableId { contents, ..task.id(self.options.rules) });
        let write = Arc::new(move || {
            let header = write()?;
            // If it stays, the next build removes it.
            let _ = std::fs::remove_file(&checkpoint);
            Ok(header)
        });
        let on_thread = Arc::clone(&write);
        let result = match thread::Builder::new().spawn_scoped(scope, move || on_thread()) {
            Ok(thread) => Pending::Thread(thread),
            Err(_) => Pending::Done(write()),
        };
        Writing { seeds, contents, result }
    }

    /// Bytes for smaller levels while the values or bounds of a level are found.
    fn room(&self, task: &LevelTask, contents: Contents) -> u64 {
        self.memory_bytes.saturating_sub(self.own_bytes(task, contents))
    }

    fn own_bytes(&self, task: &LevelTask, contents: Contents) -> u64 {
        budget::level_bytes(contents, task.seeds, self.most, task.has_plies(contents))
    }

    /// Checks that the system has the memory to find the values or bounds of a level.
    fn expect_room(&self, task: &LevelTask, contents: Contents) -> Result<(), BuildError> {
        budget::expect_room(self.options.rules, task.seeds, self.own_bytes(task, contents))
    }

    /// Expands the table of values of a level that is there.
    fn read_back(
        &self,
        seeds: Seeds,
        levels: &mut Levels<'_, '_>,
    ) -> Result<Arc<LevelValues>, BuildError> {
        let boards = reachable_boards(seeds);
        self.progress.begin(seeds, Phase::Reading, boards);
        // The level, and its boards' best captures while it is expanded.
        let own = budget::fixed_bytes(seeds, self.most) + 2 * boards;
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
        levels: &mut Levels<'_, '_>,
    ) -> Result<Arc<LevelBounds>, BuildError> {
        let (seeds, boards) = (level.seeds(), level.index().boards());
        self.progress.begin(seeds, Phase::Reading, boards);
        // Lower and upper bounds, and the best of the moves of each board for either.
        let own = budget::fixed_bytes(seeds, self.most) + 5 * boards;
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
        task: &LevelTask,
        levels: &mut Levels<'_, '_>,
    ) -> Result<SolvedLevel, BuildError> {
        let start = Instant::now();
        let (options, seeds) = (self.options, task.seeds);
        self.expect_room(task, Contents::Values)?;
        levels.make_room(below_captures(seeds), self.room(task, Contents::Values))?;
        let binding = self.binding(task, Contents::Values, levels);
        let (level, distances) = self.label(tables, binding, &levels.values)?;
        let solving = start.elapsed();
        let all_values = if seeds.get() <= ALL_VALUES_SEEDS || options.all_values {
            self.progress.begin(seeds, Phase::Counting, level.index().boards());
            let counted = count_all(tables, &level, &levels.values, self.watch());
            Some(counted.map_err(BuildError::io("count all boards"))?)
        } else {
            None
        };
        Ok(SolvedLevel { level: Arc::new(level), distances, all_values, solving })
    }

    /// Finds the bounds of a level, as [`solve`](Self::solve) does for its values.
    fn solve_bounds(
        &self,
        tables: &MoveTables,
        task: &LevelTask,
        level: &Arc<LevelValues>,
        levels: &mut Levels<'_, '_>,
    ) -> Result<SolvedBounds, BuildError> {
        let start = Instant::now();
        self.expect_room(task, Contents::Bounds)?;
        levels.make_room(below_captures(task.seeds), self.room(task, Contents::Bounds))?;
        let binding = self.binding(task, Contents::Bounds, levels);
        let (bounds, ranks) = self.label(tables, binding, &levels.bounds)?;
        let (level, bounds) = (Arc::clone(level), Arc::new(bounds));
        Ok(SolvedBounds { level, bounds, ranks, solving: start.elapsed() })
    }

    fn binding(&self, task: &LevelTask, contents: Contents, levels: &Levels<'_, '_>) -> Binding {
        let needed = levels.digests(usize::from(below_captures(task.seeds)));
        let smaller = needed.into_iter().fold(Digest::default(), Digest::plus);
        let with_distances = task.has_plies(contents);
        Binding { rules: self.options.rules, seeds: task.seeds, contents, with_distances, smaller }
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
        let path = self.folder.resume_path(binding.id());
        expect_file(&path)?;
        let saved = checkpoint::load(&path, binding, index);
        let saved = saved.map_err(BuildError::io("read the checkpoint"))?;
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
