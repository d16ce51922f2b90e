//! Building tables: which levels are there, which to solve, and writing one while the next is
//! solved.

use super::all_values::count_all;
use super::checkpoint::{self, Binding};
use super::error::BuildError;
use super::geometry::Geometry;
use super::level::Level;
use super::memory;
use super::plan::{Plan, plan_levels};
use super::progress::{BuildProgress, Phase, Watch};
use super::store::Store;
use super::writing::{Finished, write_level};
use crate::index::reachable_boards;
use crate::rules::{Policy, Rules, with_rules};
use crate::table::{
    Backend, Contents, Digest, DistanceLevel, Folder, Listing, PlainLevel, SmallerLevels, Subject,
    Table, TableError, TableHeader, expand_from,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// Levels above this have all boards counted only when asked.
pub const ALL_VALUES_SEEDS: u8 = 24;

/// What to do about files that stand under a level's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Force {
    /// Keep whole ones, stop at damaged ones.
    #[default]
    None,
    /// Keep whole ones, replace damaged ones.
    Damaged,
    /// Replace every level.
    All,
}

/// What to build, where and how.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The rule set.
    pub rules: Rules,
    /// The largest level.
    pub seeds: u8,
    /// Where the tables go; created if its parent exists.
    pub folder: PathBuf,
    /// Bytes of memory that the build may take; what is free if `None`.
    pub memory_bytes: Option<u64>,
    /// What to do about files that are there.
    pub force: Force,
    /// Whether to make distance tables too.
    pub distances: bool,
    /// Whether to make the tables as small as they go, however long that takes.
    pub compact: bool,
    /// Whether to count all boards by value above [`ALL_VALUES_SEEDS`] too.
    pub all_values: bool,
    /// Least time between two checkpoints of a level.
    pub checkpoint_every: Duration,
    /// Set by others to stop the build.
    pub stop: Arc<AtomicBool>,
}

impl BuildOptions {
    /// A build of the levels up to `seeds` in `folder` with everything else as usual.
    #[must_use]
    pub fn new(rules: Rules, seeds: u8, folder: impl Into<PathBuf>) -> Self {
        Self {
            rules,
            seeds,
            folder: folder.into(),
            memory_bytes: None,
            force: Force::None,
            distances: false,
            compact: false,
            all_values: false,
            checkpoint_every: Duration::from_secs(600),
            stop: Arc::default(),
        }
    }
}

/// What a build did.
#[derive(Clone, Debug, Default)]
pub struct BuildSummary {
    /// Levels that were there and were kept.
    pub kept: Vec<u8>,
    /// Levels that were solved and written.
    pub built: Vec<u8>,
    /// Boards of the levels that were built.
    pub boards: u64,
    /// Time from beginning to end.
    pub elapsed: Duration,
}

/// Makes every missing level up to the one asked for.
///
/// # Errors
/// When a level does not fit memory or disk (before work starts), a file under a level's name is
/// damaged and not to be replaced, the system refuses something, or the build is stopped. What
/// bears a table's name is whole in any case.
pub fn build(
    options: &BuildOptions,
    progress: &dyn BuildProgress,
) -> Result<BuildSummary, BuildError> {
    let start = Instant::now();
    let folder = Folder::open(&options.folder)?;
    folder.sweep()?;
    let there = existing(options)?;
    let missing: Vec<u8> =
        (0..=options.seeds).filter(|&seeds| there[usize::from(seeds)].is_none()).collect();
    let mut summary = BuildSummary {
        kept: (0..=options.seeds).filter(|seeds| !missing.contains(seeds)).collect(),
        ..BuildSummary::default()
    };
    if let Some(&most) = missing.last() {
        let memory_bytes = options.memory_bytes.or_else(memory::free_bytes).unwrap_or(u64::MAX);
        let plan = plan_levels(options, &missing, memory_bytes)?;
        tell(&plan, progress);
        let work = Work { options, progress, folder: &folder, memory_bytes, most };
        with_rules!(options.rules, P => work.run::<P>(&there))?;
        summary.boards = missing.iter().map(|&seeds| reachable_boards(seeds)).sum();
        summary.built = missing;
    }
    summary.elapsed = start.elapsed();
    Ok(summary)
}

/// Says what is coming when it takes over a minute.
fn tell(plan: &Plan, progress: &dyn BuildProgress) {
    if plan.seconds >= 60.0 {
        for line in plan.to_string().lines() {
            progress.say(line);
        }
    }
}

/// The headers of the levels that are there and may stay, by seeds: whole, and computed from the
/// smaller levels beside them.
fn existing(options: &BuildOptions) -> Result<Vec<Option<TableHeader>>, BuildError> {
    let mut there = vec![None; usize::from(options.seeds) + 1];
    if options.force == Force::All {
        return Ok(there);
    }
    let listing = Listing::of(&options.folder)?;
    let mut distances = vec![false; there.len()];
    for found in listing.tables {
        let Subject { rules, seeds, contents } = found.subject;
        let place = usize::from(seeds);
        if rules != options.rules || place >= there.len() {
            continue;
        }
        match found.header {
            Ok(header) if contents == Contents::Values => there[place] = Some(header),
            Ok(_) => distances[place] = true,
            Err(_) if options.force == Force::Damaged => {}
            Err(_) if contents == Contents::Distances && !options.distances => {}
            Err(error) => return Err(error.into()),
        }
    }
    for place in 0..there.len() {
        let Some(foreign) = foreign_level(&there, place) else { continue };
        if options.force == Force::None {
            let seeds = u8::try_from(place).unwrap_or(u8::MAX);
            let path = options.folder.join(Subject::values(options.rules, seeds).file_name());
            return Err(TableError::ForeignLevel { path, seeds: foreign }.into());
        }
        there[place] = None;
    }
    if options.distances {
        for (header, has_distances) in there.iter_mut().zip(distances) {
            if !has_distances {
                *header = None;
            }
        }
    }
    Ok(there)
}

/// The first smaller level that is there and is not the one that this level was computed from.
fn foreign_level(there: &[Option<TableHeader>], place: usize) -> Option<u8> {
    let header = there[place].as_ref()?;
    let differs = |(smaller, digest): (&Option<TableHeader>, &Digest)| {
        smaller.as_ref().is_some_and(|smaller| smaller.values_digest != *digest)
    };
    let foreign = there.iter().zip(&header.smaller).position(differs)?;
    u8::try_from(foreign).ok()
}

/// A build under way.
struct Work<'build> {
    options: &'build BuildOptions,
    progress: &'build dyn BuildProgress,
    folder: &'build Folder,
    memory_bytes: u64,
    /// The largest level to solve.
    most: u8,
}

/// A level being written; what comes of it is the digest of its values.
type Writing<'scope> = ScopedJoinHandle<'scope, Result<Digest, BuildError>>;

impl Work<'_> {
    fn watch(&self) -> Watch<'_> {
        Watch { progress: self.progress, stop: &self.options.stop }
    }

    /// Goes up the levels: what is there is read back, what is missing is solved, and written
    /// while the next is solved.
    fn run<P: Policy>(&self, there: &[Option<TableHeader>]) -> Result<(), BuildError> {
        let geometry = Geometry::new::<P>(self.most);
        let mut store = Store::new(self.folder.path(), self.options.rules);
        // Of the levels that are on disk.
        let mut digests: Vec<Digest> = Vec::new();
        thread::scope(|scope| {
            let mut writing: Option<Writing<'_>> = None;
            for seeds in 0..=self.most {
                if self.watch().stopped() {
                    break;
                }
                if let Some(header) = &there[usize::from(seeds)] {
                    digests.extend(join(writing.take())?);
                    let level = self.read_back(seeds, &mut store)?;
                    store.push(level);
                    digests.push(header.values_digest);
                    continue;
                }
                let room = self.room(seeds);
                if !store.fits(seeds.saturating_sub(1), room) {
                    // A level that is being written cannot be parked.
                    digests.extend(join(writing.take())?);
                }
                let solved = self.solve::<P>(&geometry, seeds, room, &mut store, &digests)?;
                digests.extend(join(writing.take())?);
                store.push(Arc::clone(&solved.level));
                let smaller = digests.clone();
                writing = Some(scope.spawn(move || {
                    write_level(self.options, self.folder, self.progress, &solved, &smaller)
                }));
            }
            join(writing)?;
            if self.watch().stopped() { Err(BuildError::Stopped) } else { Ok(()) }
        })
    }

    /// Bytes for smaller levels while a level is solved.
    fn room(&self, seeds: u8) -> u64 {
        let own = memory::level_bytes(seeds, self.most, self.options.distances);
        self.memory_bytes.saturating_sub(own)
    }

    /// Expands the table of a level that is there.
    fn read_back(&self, seeds: u8, store: &mut Store) -> Result<Arc<PlainLevel>, BuildError> {
        let boards = reachable_boards(seeds);
        self.progress.begin(seeds, Phase::Reading, boards);
        // The level, and its boards' best captures while it is expanded.
        let own = memory::fixed_bytes(self.most) + 2 * boards;
        store
            .make_room(seeds.saturating_sub(1), self.memory_bytes.saturating_sub(own))
            .map_err(BuildError::io("write a working copy"))?;
        let subject = Subject::values(self.options.rules, seeds);
        let table = Table::open_in(self.folder.path(), subject, Backend::Read)?;
        let level = expand_from(&table, store)?;
        self.progress.advance(boards);
        Ok(Arc::new(level))
    }

    /// Solves a level with the smaller ones in `room` bytes; `digests` are at least those of the
    /// levels that captures lead to.
    fn solve<P: Policy>(
        &self,
        geometry: &Geometry,
        seeds: u8,
        room: u64,
        store: &mut Store,
        digests: &[Digest],
    ) -> Result<Finished, BuildError> {
        let start = Instant::now();
        let options = self.options;
        // A move captures nothing or two seeds and more.
        let below = seeds.saturating_sub(1);
        store.make_room(below, room).map_err(BuildError::io("write a working copy"))?;
        let needed = digests.iter().take(usize::from(below));
        let smaller = needed.fold(Digest::default(), |sum, &digest| sum.plus(digest));
        let binding =
            Binding { rules: options.rules, seeds, with_distances: options.distances, smaller };
        let mut level = self.begin::<P>(geometry, binding, store)?;
        self.follow::<P>(&mut level, binding)?;
        let (level, distances) = level.finish();
        let solving = start.elapsed();
        let all_values = if seeds <= ALL_VALUES_SEEDS || options.all_values {
            self.progress.begin(seeds, Phase::Counting, level.index().boards());
            let counted = count_all::<P>(geometry, &level, store, self.watch());
            Some(counted.map_err(BuildError::io("count all boards"))?)
        } else {
            None
        };
        // A checkpoint is of no use once the level is solved; a left one is passed over.
        let _ = std::fs::remove_file(self.folder.resume_path(options.rules, seeds));
        let distances = distances.and_then(|numbers| DistanceLevel::new(seeds, numbers));
        Ok(Finished { level: Arc::new(level), distances, all_values, solving })
    }

    /// A level after its capture pass, or further on if there is a checkpoint.
    fn begin<'geometry, P: Policy>(
        &self,
        geometry: &'geometry Geometry,
        binding: Binding,
        store: &Store,
    ) -> Result<Level<'geometry>, BuildError> {
        let Binding { rules, seeds, with_distances, .. } = binding;
        let boards = reachable_boards(seeds);
        let index = &geometry.levels[usize::from(seeds)];
        let saved = checkpoint::load(&self.folder.resume_path(rules, seeds), binding, index);
        if let Some(level) = saved.and_then(|saved| Level::resumed(geometry, seeds, saved)) {
            self.progress.say(&format!("level {seeds}: going on from the checkpoint"));
            return Ok(level);
        }
        let no_memory = BuildError::io("get memory for a level");
        let mut level = Level::new(geometry, seeds, with_distances).map_err(no_memory)?;
        self.progress.begin(seeds, Phase::Capturing, boards);
        store
            .for_each_group(seeds.saturating_sub(1), &mut |group, is_last| {
                if is_last {
                    level.start::<P>(group, self.watch());
                } else {
                    level.raise::<P>(group, self.watch());
                }
            })
            .map_err(BuildError::io("read a working copy"))?;
        // Stopped, the capture pass is not complete, and not worth saving.
        if self.watch().stopped() { Err(BuildError::Stopped) } else { Ok(level) }
    }

    /// Does the level's steps, saving it now and then.
    fn follow<P: Policy>(&self, level: &mut Level<'_>, binding: Binding) -> Result<(), BuildError> {
        let seeds = binding.seeds;
        let path = self.folder.resume_path(binding.rules, seeds);
        self.progress.begin(seeds, Phase::Solving, reachable_boards(seeds));
        let mut saved = Instant::now();
        while !level.is_solved() {
            let every = self.options.checkpoint_every;
            // When stopped, what took a while is worth saving too.
            let worth =
                if self.watch().stopped() { every.min(Duration::from_secs(20)) } else { every };
            if saved.elapsed() >= worth {
                if let Err(error) = checkpoint::save(&path, binding, level) {
                    self.progress.say(&format!(
                        "level {seeds}: no checkpoint could be written ({error}); going on without"
                    ));
                }
                saved = Instant::now();
            }
            if self.watch().stopped() {
                return Err(BuildError::Stopped);
            }
            level.advance::<P>(self.watch());
        }
        Ok(())
    }
}

/// Waits for a level to be written; its digest, if there was one.
fn join(writing: Option<Writing<'_>>) -> Result<Option<Digest>, BuildError> {
    match writing.map(ScopedJoinHandle::join) {
        None => Ok(None),
        Some(Ok(result)) => result.map(Some),
        Some(Err(panic)) => std::panic::resume_unwind(panic),
    }
}
