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
use crate::level::{Digest, LevelValues};
use crate::progress::{Phase, Progress, Watch};
use crate::rules::Seeds;
use crate::solve::{LevelSolver, MoveTables};
use crate::table::{Backend, Table, TableHeader, TableId, expand_from};
use all_values::count_all;
use checkpoint::Binding;
use kept_levels::{kept_levels, missing_levels};
use level_store::LevelStore;
use plan::plan_levels;
use publish::{SolvedLevel, write_level};
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};
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
        let least = budget::least_bytes(most, most, options.distances);
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
    /// The largest level to solve.
    most: Seeds,
}

/// A level that is being written; the result is the digest of its values.
type Writing<'scope> = ScopedJoinHandle<'scope, Result<Digest, BuildError>>;

impl Work<'_> {
    fn watch(&self) -> Watch<'_> {
        Watch { progress: self.progress, stop: &self.options.stop }
    }

    /// Goes up the levels. A kept level is read back; a missing one is solved, and written while
    /// the next is solved.
    fn run(&self, kept: &[Option<TableHeader>]) -> Result<(), BuildError> {
        let tables = MoveTables::new(self.options.rules, self.most);
        let mut store = LevelStore::new(self.folder.path(), self.options.rules);
        // Of the levels that are on disk.
        let mut digests: Vec<Digest> = Vec::new();
        thread::scope(|scope| {
            let mut writing: Option<Writing<'_>> = None;
            for seeds in self.most.up_to() {
                if self.watch().is_stopped() {
                    break;
                }
                if let Some(header) = &kept[seeds.index()] {
                    digests.extend(join(writing.take())?);
                    let level = self.read_back(seeds, &mut store)?;
                    store.push(level);
                    digests.push(header.values_digest);
                    continue;
                }
                let room = self.room(seeds);
                if !store.fits(seeds.get().saturating_sub(1), room) {
                    // A level that is being written cannot be parked.
                    digests.extend(join(writing.take())?);
                }
                let solved = self.solve(&tables, seeds, room, &mut store, &digests)?;
                digests.extend(join(writing.take())?);
                store.push(Arc::clone(&solved.level));
                let smaller = digests.clone();
                writing = Some(scope.spawn(move || {
                    write_level(self.options, self.folder, self.progress, &solved, &smaller)
                }));
            }
            join(writing)?;
            Ok(self.watch().check()?)
        })
    }

    /// Bytes for smaller levels while a level is solved.
    fn room(&self, seeds: Seeds) -> u64 {
        let own = budget::level_bytes(seeds, self.most, self.options.distances);
        self.memory_bytes.saturating_sub(own)
    }

    /// Expands the table of a level that is there.
    fn read_back(
        &self,
        seeds: Seeds,
        store: &mut LevelStore,
    ) -> Result<Arc<LevelValues>, BuildError> {
        let boards = reachable_boards(seeds);
        self.progress.begin(seeds, Phase::Reading, boards);
        // The level, and its boards' best captures while it is expanded.
        let own = budget::fixed_bytes(self.most) + 2 * boards;
        budget::expect_room(self.options.rules, seeds, own)?;
        store
            .make_room(seeds.get().saturating_sub(1), self.memory_bytes.saturating_sub(own))
            .map_err(BuildError::io("write a working copy"))?;
        let id = TableId::values(self.options.rules, seeds);
        let table = Table::open_in(self.folder.path(), id, Backend::Read)?;
        let level = expand_from(&table, store)?;
        self.progress.advance(boards);
        Ok(Arc::new(level))
    }

    /// Solves a level with the smaller ones in `room` bytes; `digests` are at least those of the
    /// levels that captures lead to.
    fn solve(
        &self,
        tables: &MoveTables,
        seeds: Seeds,
        room: u64,
        store: &mut LevelStore,
        digests: &[Digest],
    ) -> Result<SolvedLevel, BuildError> {
        let start = Instant::now();
        let options = self.options;
        let own = budget::level_bytes(seeds, self.most, options.distances);
        budget::expect_room(options.rules, seeds, own)?;
        // A move captures nothing or two seeds and more.
        let below = seeds.get().saturating_sub(1);
        store.make_room(below, room).map_err(BuildError::io("write a working copy"))?;
        let needed = digests.iter().take(usize::from(below));
        let smaller = needed.fold(Digest::default(), |sum, &digest| sum.plus(digest));
        let binding =
            Binding { rules: options.rules, seeds, with_distances: options.distances, smaller };
        let mut level = self.begin(tables, binding, store)?;
        self.solve_steps(&mut level, binding)?;
        let (level, distances) = level.finish();
        let solving = start.elapsed();
        let all_values = if seeds.get() <= ALL_VALUES_SEEDS || options.all_values {
            self.progress.begin(seeds, Phase::Counting, level.index().boards());
            let counted = count_all(tables, &level, store, self.watch());
            Some(counted.map_err(BuildError::io("count all boards"))?)
        } else {
            None
        };
        // A checkpoint is useless once the level is solved, and ignored if it stays.
        let _ = std::fs::remove_file(self.folder.resume_path(options.rules, seeds));
        Ok(SolvedLevel { level: Arc::new(level), distances, all_values, solving })
    }

    /// A level after its capture pass, or further on if there is a checkpoint.
    fn begin<'tables>(
        &self,
        tables: &'tables MoveTables,
        binding: Binding,
        store: &LevelStore,
    ) -> Result<LevelSolver<'tables>, BuildError> {
        let Binding { rules, seeds, with_distances, .. } = binding;
        let boards = reachable_boards(seeds);
        let index = &tables.levels[seeds.index()];
        let saved = checkpoint::load(&self.folder.resume_path(rules, seeds), binding, index);
        if let Some(level) = saved.and_then(|saved| LevelSolver::resumed(tables, seeds, saved)) {
            self.progress.note(&format!("level {seeds}: going on from the checkpoint"));
            return Ok(level);
        }
        let no_memory = BuildError::io("get memory for a level");
        let mut level = LevelSolver::new(tables, seeds, with_distances).map_err(no_memory)?;
        self.progress.begin(seeds, Phase::Capturing, boards);
        store
            .for_each_group(seeds.get().saturating_sub(1), &mut |group, is_last| {
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
    fn solve_steps(&self, level: &mut LevelSolver<'_>, binding: Binding) -> Result<(), BuildError> {
        let seeds = binding.seeds;
        let path = self.folder.resume_path(binding.rules, seeds);
        self.progress.begin(seeds, Phase::Solving, reachable_boards(seeds));
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

/// Waits until a level is written, and returns its digest, if there was one.
fn join(writing: Option<Writing<'_>>) -> Result<Option<Digest>, BuildError> {
    match writing.map(ScopedJoinHandle::join) {
        None => Ok(None),
        Some(Ok(result)) => result.map(Some),
        Some(Err(panic)) => std::panic::resume_unwind(panic),
    }
}
