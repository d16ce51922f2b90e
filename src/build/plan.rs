//! Plans: the boards, memory, disk and time of a build, level by level, without building.

use super::budget::{self, Made};
use super::error::BuildError;
use super::kept_levels::{Judge, LevelTask};
use super::options::BuildOptions;
use crate::folder::RulesStatus;
use crate::index::reachable_boards;
use crate::progress::in_words;
use crate::rules::{Rules, Seeds};
use crate::solve::solve_in_memory;
use crate::table::TableErrorKind;
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::time::Instant;

/// Levels up to this are solved to see how fast this machine is: under 10 million boards.
const TRIAL_SEEDS: Seeds = Seeds::of(13);

/// The resources of one level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LevelPlan {
    /// Seeds on each board.
    pub seeds: Seeds,
    /// Reachable boards.
    pub boards: u64,
    /// Bytes of memory with all smaller levels in memory.
    pub memory_bytes: u64,
    /// Bytes of memory at the least, with smaller levels brought from disk one by one.
    pub least_memory_bytes: u64,
    /// Bytes of the finished tables, estimated.
    pub disk_bytes: u64,
    /// Time to solve and write, in seconds, estimated.
    pub seconds: f64,
    /// Whether the table is there already.
    pub exists: bool,
}

/// The resources of a build on this machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// The rule set.
    pub rules: Rules,
    /// The levels from 0 to the largest asked for.
    pub levels: Vec<LevelPlan>,
    /// Bytes of memory that the build may take.
    pub memory_bytes: u64,
    /// Bytes free on the disk of the folder; `None` where the system does not say.
    pub disk_free_bytes: Option<u64>,
    /// Bytes that the missing tables will take, estimated.
    pub disk_bytes: u64,
    /// Bytes of working copies and checkpoints beside them at the worst moment, estimated.
    pub working_bytes: u64,
    /// Time for the missing levels, in seconds, estimated.
    pub seconds: f64,
    /// The largest level that fits memory and disk.
    pub largest_seeds: Seeds,
}

/// The plan of a build: memory, disk and time of each level. Nothing is built.
///
/// # Errors
/// When the folder cannot be read, the build would refuse a file in it, or memory for the trial is
/// short.
pub fn plan(options: &BuildOptions) -> Result<Plan, BuildError> {
    let status = match RulesStatus::of(&options.folder, options.rules) {
        Err(error) if matches!(error.kind, TableErrorKind::NoFolder) => {
            RulesStatus::empty(&options.folder, options.rules)
        }
        status => status?,
    };
    let tasks = Judge::new(options).tasks(status)?;
    estimate(options, &tasks, budget::allowed_bytes(options)?)
}

/// The plan of the build of some tasks, which fits.
///
/// # Errors
/// When a level does not fit the memory, or the tables the disk.
pub(super) fn plan_levels(
    options: &BuildOptions,
    tasks: &[LevelTask],
    memory_bytes: u64,
) -> Result<Plan, BuildError> {
    let plan = estimate(options, tasks, memory_bytes)?;
    for level in plan.levels.iter().filter(|level| !level.exists) {
        let needed = level.least_memory_bytes;
        if needed > memory_bytes {
            let (rules, seeds) = (options.rules, level.seeds);
            return Err(BuildError::NoMemory { rules, seeds, needed, given: memory_bytes });
        }
    }
    let needed = plan.disk_bytes + plan.working_bytes;
    match plan.disk_free_bytes {
        Some(free) if free < needed => {
            Err(BuildError::NoDisk { folder: options.folder.clone(), needed, free })
        }
        _ => Ok(plan),
    }
}

fn estimate(
    options: &BuildOptions,
    tasks: &[LevelTask],
    memory_bytes: u64,
) -> Result<Plan, BuildError> {
    let last = tasks.iter().rfind(|task| !task.is_whole());
    let most = last.map_or(options.seeds, |task| task.seeds);
    let speed = if most > TRIAL_SEEDS { Speed::measured(options)? } else { Speed::default() };
    let planned = |task: &LevelTask| LevelPlan {
        exists: task.is_whole(),
        ..level_plan(task.seeds, task.made(), speed)
    };
    let levels: Vec<LevelPlan> = tasks.iter().map(planned).collect();
    let made = tasks.iter().fold(Made::of(options), |made, task| made.and(task.made()));
    let wanted = || levels.iter().filter(|level| !level.exists);
    let disk_free_bytes = free_disk(&options.folder);
    Ok(Plan {
        rules: options.rules,
        memory_bytes,
        disk_free_bytes,
        disk_bytes: wanted().map(|level| level.disk_bytes).sum(),
        working_bytes: wanted()
            .map(|level| {
                working_bytes(level, made, memory_bytes) + checkpoint_bytes(level, options)
            })
            .max()
            .unwrap_or(0),
        // The sum of no floating-point numbers is -0.
        seconds: wanted().fold(0.0, |sum, level| sum + level.seconds),
        largest_seeds: largest_that_fits(made, memory_bytes, disk_free_bytes),
        levels,
    })
}

/// The largest level that a build can make here, by the memory and the disk that are free. Unlike
/// [`plan`] this takes no noticeable time.
///
/// # Errors
/// When the options give no memory and the system does not report how much is free.
pub fn largest_seeds(options: &BuildOptions) -> Result<Seeds, BuildError> {
    let memory_bytes = budget::allowed_bytes(options)?;
    Ok(largest_that_fits(Made::of(options), memory_bytes, free_disk(&options.folder)))
}

fn largest_that_fits(made: Made, memory_bytes: u64, disk_free_bytes: Option<u64>) -> Seeds {
    let mut disk_bytes = 0;
    let fits = |&seeds: &Seeds| {
        disk_bytes += tables_bytes(seeds, made);
        made.least_bytes(seeds, seeds) <= memory_bytes
            && disk_free_bytes.is_none_or(|free| disk_bytes <= free)
    };
    Seeds::MAX.up_to().take_while(fits).last().unwrap_or_default()
}

fn level_plan(seeds: Seeds, made: Made, speed: Speed) -> LevelPlan {
    let boards = reachable_boards(seeds);
    // Bounds take twice the time of values.
    let works = if made.bounds { 3.0 } else { 1.0 };
    LevelPlan {
        seeds,
        boards,
        memory_bytes: made.level_bytes(seeds, seeds) + smaller_bytes(seeds, made),
        least_memory_bytes: made.least_bytes(seeds, seeds),
        disk_bytes: tables_bytes(seeds, made),
        seconds: boards as f64 * speed.nanoseconds(seeds) * works * 1e-9,
        exists: false,
    }
}

/// Bytes of all smaller levels in memory.
fn smaller_bytes(seeds: Seeds, made: Made) -> u64 {
    made.smaller_cell_bytes() * seeds.below().map(reachable_boards).sum::<u64>()
}

/// Bytes of working copies while a level is solved: of the smaller levels that do not fit memory.
fn working_bytes(level: &LevelPlan, made: Made, memory_bytes: u64) -> u64 {
    let short = level.memory_bytes.saturating_sub(memory_bytes);
    // Levels are parked whole, and some room is kept to load them.
    smaller_bytes(level.seeds, made).min(2 * short)
}

/// Bytes of a level's checkpoint and of the one that replaces it, if solving takes long enough.
fn checkpoint_bytes(level: &LevelPlan, options: &BuildOptions) -> u64 {
    let is_saved = level.seconds > options.checkpoint_every.as_secs_f64();
    if is_saved { 2 * Made::of(options).state_bytes(level.seeds) } else { 0 }
}

/// Bytes of all tables of a level.
fn tables_bytes(seeds: Seeds, made: Made) -> u64 {
    let boards = reachable_boards(seeds);
    let plies = if made.distances { boards } else { 0 };
    // Measured: 1.6 bits per board, and 4 of ranks as of distances.
    let bounds = if made.bounds { boards * 17 / 80 + 4096 + plies } else { 0 };
    table_bytes(seeds) + plies + bounds
}

/// Bytes of a table of values, a little over the bits per board of tables of 12 to 24 seeds.
fn table_bytes(seeds: Seeds) -> u64 {
    let tenths_of_a_bit = 22 + u64::from(seeds.get()) / 10;
    reachable_boards(seeds) * tenths_of_a_bit / 80 + 2048
}

/// The time per board on this machine.
#[derive(Clone, Copy, Debug)]
struct Speed {
    trial_nanoseconds: f64,
}

impl Default for Speed {
    fn default() -> Self {
        Self { trial_nanoseconds: 40.0 }
    }
}

impl Speed {
    /// Solves the small levels twice, once to warm up, and takes the shorter time.
    fn measured(options: &BuildOptions) -> Result<Self, BuildError> {
        let mut least = f64::INFINITY;
        for _ in 0..2 {
            let start = Instant::now();
            solve_in_memory(options.rules, TRIAL_SEEDS).map_err(BuildError::io("get memory"))?;
            least = least.min(start.elapsed().as_nanos() as f64);
        }
        let boards: u64 = TRIAL_SEEDS.up_to().map(reachable_boards).sum();
        Ok(Self { trial_nanoseconds: least / boards as f64 })
    }

    /// The time to solve and write a board of a level. Writing and reading back take as long again
    /// as solving, and boards of larger levels have more moves and miss the caches more often.
    /// Fitted to builds of 20 and 24 seeds.
    fn nanoseconds(self, seeds: Seeds) -> f64 {
        let growth = 1.7 + 0.03 * f64::from(seeds.get().saturating_sub(TRIAL_SEEDS.get()));
        self.trial_nanoseconds * growth
    }
}

/// Bytes free on the disk that a folder is on, or will be.
fn free_disk(folder: &Path) -> Option<u64> {
    // The last ancestor of a relative path is empty.
    let here = |path| if path == Path::new("") { Path::new(".") } else { path };
    let there = folder.ancestors().map(here).find(|path| path.exists())?;
    fs4::available_space(there).ok()
}

impl fmt::Display for Plan {
    /// Two lines for people.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missing = self.levels.iter().filter(|level| !level.exists);
        let (levels, boards) =
            missing.fold((0, 0), |(levels, boards), level| (levels + 1, boards + level.boards));
        writeln!(
            out,
            "{levels} levels of {} to build: {boards} boards, about {} of tables",
            self.rules,
            Mebibytes(self.disk_bytes)
        )?;
        write!(
            out,
            "about {} within {} of memory",
            in_words(self.seconds),
            Mebibytes(self.memory_bytes)
        )
    }
}

struct Mebibytes(u64);

impl fmt::Display for Mebibytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} MiB", self.0.div_ceil(1 << 20))
    }
}
