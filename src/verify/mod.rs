//! Verification: whether the tables of a folder are correct.
//!
//! - [`Depth::Quick`] checks every byte of every file against its digest, every block, and whether
//!   each table was computed from the smaller ones beside it (`files`).
//! - [`Depth::Moves`] also checks every value against the board's moves (`boards`), and what the
//!   headers say of their levels against them: digests, histograms, the longest distance
//!   (`headers`).
//! - [`Depth::Deep`] also checks that every win takes finitely many plies: by the distance table in
//!   one pass (`boards`), or, for a level without one, by computing all values anew (`recompute`);
//!   and that bounds are secured, by the ranks or anew (`bounds`).
//!
//! Levels are expanded in memory from 0 seeds up, with one byte per board, and stay there for the
//! larger ones. `report` is the result.
//!
//! Invariant: verification does not use the solver. Both share the rules, the order of boards and
//! the kernels that list the moves of a row of boards.

mod against;
mod boards;
mod bounds;
mod files;
mod headers;
mod recompute;
mod report;
mod rows;

pub use against::verify_against;
pub use report::{Depth, Finding, LevelChecked, Problem, Proof, VerifyReport};

use crate::folder::{LevelStatus, RulesStatus, TableState, TableStatus};
use crate::index::{LevelIndex, reachable_boards};
use crate::level::{Digest, Histogram, LevelBounds, LevelValues, memory};
use crate::progress::{Phase, Progress, StopFlag, Stopped, Watch};
use crate::rules::{Rules, Seeds};
use crate::table::{
    Backend, Contents, Part, Table, TableError, TableErrorKind, expand_bounds, expand_unchecked,
};
use boards::LevelCheck;
use bounds::BoundsCheck;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most bytes per board of the level that is being verified: its values, and its distances and
/// the best captures of its boards, or two more values of each board.
const MOST_BYTES_PER_BOARD: u64 = 4;

/// The threads, with their tables of moves and the blocks that they decode.
const OVERHEAD_BYTES: u64 = 48 << 20;

/// The options of a verification. By default it covers all levels, at [`Depth::Moves`], without a
/// bound on memory.
///
/// ```
/// use oware::{rules::Seeds, verify::{Depth, VerifyOptions}};
///
/// let level = Seeds::of(12);
/// let options = VerifyOptions::new().depth(Depth::Deep).level(level).memory_bytes(4 << 30);
/// # assert_eq!(options.level, Some(level));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// The depth.
    pub depth: Depth,
    /// The only level to verify, or `None` for all. The smaller levels are assumed to be correct.
    pub level: Option<Seeds>,
    /// The memory that may be used, in bytes, or `None` for no bound.
    pub memory_bytes: Option<u64>,
}

impl VerifyOptions {
    /// The default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the depth.
    #[must_use]
    pub const fn depth(mut self, depth: Depth) -> Self {
        self.depth = depth;
        self
    }

    /// Verifies the level of `seeds` seeds only. The smaller levels are assumed to be correct.
    #[must_use]
    pub const fn level(mut self, seeds: Seeds) -> Self {
        self.level = Some(seeds);
        self
    }

    /// Sets the memory that may be used, in bytes.
    #[must_use]
    pub const fn memory_bytes(mut self, bytes: u64) -> Self {
        self.memory_bytes = Some(bytes);
        self
    }
}

/// The reason why a verification could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The folder cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The folder has no tables of the rule set.
    #[error("no {rules} tables in {}", folder.display())]
    NoTables {
        /// The rule set.
        rules: Rules,
        /// The folder.
        folder: PathBuf,
    },
    /// The levels do not fit into memory.
    #[error("level {seeds} needs {need} bytes of memory to be verified, {have} are allowed")]
    TooLittleMemory {
        /// The level.
        seeds: Seeds,
        /// Bytes needed.
        need: u64,
        /// Bytes allowed.
        have: u64,
    },
    /// The system does not give the memory for the levels.
    #[error(
        "level {seeds} needs {need} bytes of memory to be verified, which the system does not give"
    )]
    MemoryRefused {
        /// The level.
        seeds: Seeds,
        /// Bytes needed.
        need: u64,
    },
    /// The name of the other file does not end in a level.
    #[error("cannot tell the level of {}: its name does not end in one, as scores.16 does", path.display())]
    UnknownLevel {
        /// The file.
        path: PathBuf,
    },
    /// The other file cannot be read, or is not a file of the level.
    #[error("cannot read {}: {reason}", path.display())]
    OtherFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The stop flag was set.
    #[error("verification was stopped before its end")]
    Stopped,
}

impl From<Stopped> for VerifyError {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

/// Verifies the tables of a rule set in a folder.
///
/// # Errors
/// When the folder cannot be read or has no tables of the rule set, when the levels do not fit into
/// memory, and when the stop flag is set. Problems of tables are findings of the report.
pub fn verify(
    folder: &Path,
    rules: Rules,
    options: &VerifyOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<VerifyReport, VerifyError> {
    let status = RulesStatus::of(folder, rules)?;
    let no_tables = || VerifyError::NoTables { rules, folder: folder.to_owned() };
    let largest = status.largest().ok_or_else(no_tables)?;
    let up_to = options.level.unwrap_or(largest);
    let mut run = Verification {
        folder,
        options,
        watch: Watch { progress, stop },
        has_distances: status
            .levels
            .iter()
            .map(|level| !matches!(level.distances.state, TableState::Missing))
            .collect(),
        tables: status.levels,
        levels: Seeds::MAX.up_to().map(LevelIndex::new).collect(),
        plain: Vec::new(),
        bounds: Vec::new(),
        report: VerifyReport::new(rules, options.depth),
    };
    run.announce(up_to)?;
    let first = match (options.depth, options.level) {
        (Depth::Quick, Some(level)) => level,
        _ => Seeds::NONE,
    };
    for seeds in up_to.up_to().filter(|&seeds| seeds >= first) {
        if !run.level(seeds)? {
            break;
        }
    }
    Ok(run.report)
}

struct Verification<'a> {
    folder: &'a Path,
    options: &'a VerifyOptions,
    watch: Watch<'a>,
    /// By level: whether a file has the name of its distance table.
    has_distances: Vec<bool>,
    /// By level: its tables.
    tables: Vec<LevelStatus>,
    levels: Vec<LevelIndex>,
    /// The levels expanded so far, from 0 up.
    plain: Vec<LevelValues>,
    /// Their bounds, if they have tables of them.
    bounds: Vec<Option<LevelBounds>>,
    report: VerifyReport,
}

impl Verification<'_> {
    /// Records the assumptions, announces long work, and checks the bound on memory.
    fn announce(&mut self, up_to: Seeds) -> Result<(), VerifyError> {
        let depth = self.options.depth;
        if depth == Depth::Quick {
            return Ok(());
        }
        if let Some(last) = self.options.level.and_then(|level| level.checked_sub(1)) {
            self.report.assumptions.push(format!(
                "levels 0 to {last} were taken as they are: they fit their digests, their values were not verified"
            ));
        }
        let first = self.options.level.unwrap_or_default();
        let recomputed: Vec<Seeds> = up_to
            .up_to()
            .filter(|&seeds| seeds >= first && depth == Depth::Deep && !self.has_distances(seeds))
            .collect();
        let smaller: u64 = up_to.below().map(reachable_boards).sum();
        let own = match depth {
            Depth::Deep => 3,
            Depth::Quick | Depth::Moves => 1,
        };
        let has_bounds = |level: &LevelStatus| !matches!(level.bounds.state, TableState::Missing);
        // The bounds of all levels, and the best of the moves of each board for either.
        let bounds = match self.tables.iter().any(has_bounds) {
            true => 2 * smaller + 5 * reachable_boards(up_to),
            false => 0,
        };
        let need = smaller + own * reachable_boards(up_to) + bounds;
        if let Some(have) = self.options.memory_bytes
            && need > have
        {
            return Err(VerifyError::TooLittleMemory { seeds: up_to, need, have });
        }
        // Levels are expanded, checked and computed anew by several threads, which cannot be refused.
        let peak =
            smaller + MOST_BYTES_PER_BOARD * reachable_boards(up_to) + bounds + OVERHEAD_BYTES;
        if memory::expect_free(peak).and_then(|()| memory::expect_room(peak)).is_err() {
            return Err(VerifyError::MemoryRefused { seeds: up_to, need: peak });
        }
        if let (Some(first), Some(last)) = (recomputed.first(), recomputed.last()) {
            let time = recomputed.iter().map(|&seeds| recompute::expected_time(seeds)).sum();
            let which = match first == last {
                true => format!("level {first} has no distance table: computing its values anew"),
                false => format!(
                    "levels {first} to {last} have no distance tables: computing their values anew"
                ),
            };
            self.watch.progress.note(&format!("{which} takes about {}", in_words(time)));
        }
        Ok(())
    }

    fn has_distances(&self, seeds: Seeds) -> bool {
        self.has_distances[seeds.index()]
    }

    /// Verifies a level. Returns whether larger levels can be verified.
    fn level(&mut self, seeds: Seeds) -> Result<bool, VerifyError> {
        let is_wanted = self.options.level.is_none_or(|level| level == seeds);
        let Some(values) = self.open(seeds, Contents::Values)? else {
            // The quick checks do not need the smaller levels.
            return Ok(self.options.depth == Depth::Quick);
        };
        if is_wanted {
            self.check_file(&values)?;
        }
        let distances = match self.has_distances(seeds) && is_wanted {
            true => self.open(seeds, Contents::Distances)?,
            false => None,
        };
        if let Some(distances) = &distances {
            self.check_file(distances)?;
        }
        let mut proof = Proof::File;
        if self.options.depth != Depth::Quick {
            let Some(level) = self.expand(&values)? else { return Ok(false) };
            if is_wanted {
                proof = self.check_boards(&values, &level, distances.as_ref())?;
            }
            self.plain.push(level);
        }
        let bounds = self.level_bounds(&values, is_wanted)?;
        if is_wanted {
            let boards = values.header().boards;
            let distances = distances.is_some();
            self.report.levels.push(LevelChecked { boards, bounds, distances, proof, seeds });
        }
        Ok(true)
    }

    /// Verifies the bounds and ranks of a level, if it has tables of them, and returns how.
    fn level_bounds(
        &mut self,
        values: &Table,
        is_wanted: bool,
    ) -> Result<Option<Proof>, VerifyError> {
        let seeds = values.header().id.seeds;
        let ranks = match is_wanted {
            true => self.open_if_there(seeds, Contents::Ranks)?,
            false => None,
        };
        // Larger levels need the bounds of those that are not wanted.
        let table = match is_wanted || self.options.depth != Depth::Quick {
            true => self.open_if_there(seeds, Contents::Bounds)?,
            false => None,
        };
        if is_wanted {
            for table in ranks.iter().chain(&table) {
                self.check_file(table)?;
            }
        }
        if self.options.depth == Depth::Quick {
            return Ok(table.map(|_| Proof::File));
        }
        let bounds = match &table {
            Some(table) => self.expand_bounds(table)?,
            None => None,
        };
        let proof = match (&table, &bounds) {
            (Some(table), Some(bounds)) if is_wanted => {
                Some(self.check_bounds(values, table, bounds, ranks.as_ref())?)
            }
            (Some(_), None) => Some(Proof::File),
            _ => None,
        };
        self.bounds.push(bounds);
        Ok(proof)
    }

    /// Opens a table that a level need not have.
    fn open_if_there(
        &mut self,
        seeds: Seeds,
        contents: Contents,
    ) -> Result<Option<Table>, VerifyError> {
        let state = &self.tables[seeds.index()].table(contents).state;
        if matches!(state, TableState::Missing) { Ok(None) } else { self.open(seeds, contents) }
    }

    /// Expands the bounds of the level expanded last. A failure is a finding.
    fn expand_bounds(&mut self, table: &Table) -> Result<Option<LevelBounds>, VerifyError> {
        let Some(level) = self.plain.last() else { return Ok(None) };
        // A move captures nothing or two seeds and more.
        let below = level.seeds().index().saturating_sub(1);
        let smaller: Option<Vec<&LevelBounds>> =
            self.bounds[..below].iter().map(Option::as_ref).collect();
        let seeds = level.seeds();
        let expanded = match smaller {
            Some(smaller) => expand_bounds(table, level, smaller.as_slice()),
            None => Err(table.damaged(Part::Numbers)),
        };
        self.or_find(seeds, table.path(), expanded)
    }

    /// The result of an operation on a table. A failure is a finding, unless memory was refused.
    fn or_find<T>(
        &mut self,
        seeds: Seeds,
        path: &Path,
        result: Result<T, TableError>,
    ) -> Result<Option<T>, VerifyError> {
        match result {
            Ok(result) => Ok(Some(result)),
            Err(TableError { kind: TableErrorKind::Io { source, .. }, .. })
                if source.kind() == io::ErrorKind::OutOfMemory =>
            {
                let need = MOST_BYTES_PER_BOARD * reachable_boards(seeds) + OVERHEAD_BYTES;
                Err(VerifyError::MemoryRefused { seeds, need })
            }
            Err(error) => {
                self.find(path, seeds, Problem::Table(error));
                Ok(None)
            }
        }
    }

    fn check_bounds(
        &mut self,
        values: &Table,
        table: &Table,
        bounds: &LevelBounds,
        table_of_ranks: Option<&Table>,
    ) -> Result<Proof, VerifyError> {
        let seeds = bounds.seeds();
        let smaller: Vec<_> =
            self.bounds.iter().map(|level| level.as_ref().map(LevelBounds::pairs)).collect();
        let check = BoundsCheck {
            rules: self.report.rules,
            levels: &self.levels[..=seeds.index()],
            bounds,
            smaller: &smaller,
        };
        let watch = self.watch;
        watch.progress.begin(seeds, Phase::CheckingBoards, table.header().boards);
        let mut problems = check.check(watch)?;
        let mut proof = Proof::BestMoves;
        // Its damaged blocks are findings already.
        let ranks = table_of_ranks.and_then(|table| files::read_distances(table).ok());
        if let Some(ranks) = &ranks {
            problems.extend(check.prove(ranks, watch)?);
            proof = Proof::Ranks;
        } else if self.options.depth == Depth::Deep {
            watch.progress.begin(seeds, Phase::Recomputing, 0);
            problems.extend(check.recompute(watch)?);
            proof = Proof::Recomputed;
        }
        for problem in problems {
            self.find(table.path(), seeds, problem);
        }
        for part in headers::wrong_parts_beside(table.header(), values.header()) {
            self.find_wrong_part(table, part);
        }
        if let (Some(ranks), Some(table_of_ranks)) = (ranks, table_of_ranks) {
            let (header, values) = (table_of_ranks.header(), values.header());
            for part in headers::wrong_parts_of_distances(header, values, &ranks) {
                self.find_wrong_part(table_of_ranks, part);
            }
        }
        Ok(proof)
    }

    /// Opens a table. A failure is a finding. A foreign table is a finding as well, but is opened,
    /// since its bytes can be checked.
    fn open(&mut self, seeds: Seeds, contents: Contents) -> Result<Option<Table>, VerifyError> {
        let TableStatus { id, path, state } = self.tables[seeds.index()].table_mut(contents);
        let (id, path) = (*id, path.clone());
        let is_foreign = matches!(state, TableState::Foreign(_));
        let problem = match std::mem::replace(state, TableState::Missing).into_header() {
            Ok(Some(_)) => None,
            Ok(None) => Some(Problem::Missing),
            Err(error) => Some(Problem::Table(error)),
        };
        if let Some(problem) = problem {
            self.find(&path, seeds, problem);
            if !is_foreign {
                return Ok(None);
            }
        }
        let opened = Table::open_in(self.folder, id, Backend::Read);
        self.or_find(seeds, &path, opened)
    }

    fn find(&mut self, path: &Path, seeds: Seeds, problem: Problem) {
        self.report.findings.push(Finding { path: path.to_owned(), seeds, problem });
    }

    fn find_wrong_part(&mut self, table: &Table, part: Part) {
        let seeds = table.header().id.seeds;
        self.find(table.path(), seeds, Problem::Table(table.damaged(part)));
    }

    fn check_file(&mut self, table: &Table) -> Result<(), VerifyError> {
        let header = table.header();
        let seeds = header.id.seeds;
        self.watch.progress.begin(seeds, Phase::CheckingFile, header.boards);
        for problem in files::check_file(table, self.watch)? {
            self.find(table.path(), seeds, problem);
        }
        Ok(())
    }

    /// Expands a level and compares its digest and histogram with the header. A failure is a
    /// finding.
    fn expand(&mut self, table: &Table) -> Result<Option<LevelValues>, VerifyError> {
        let expanded = expand_unchecked(table, &self.plain);
        let level = self.or_find(table.header().id.seeds, table.path(), expanded)?;
        if let Some(level) = &level {
            if Histogram::of_level(level) != table.header().values {
                self.find_wrong_part(table, Part::Histogram);
            }
            if Digest::of_values(level) != table.header().values_digest {
                self.find_wrong_part(table, Part::ValuesDigest);
            }
        }
        Ok(level)
    }

    /// Compares the histogram of all boards, if the header has one, with the boards.
    fn check_all_values(&mut self, table: &Table, level: &LevelValues) -> Result<(), VerifyError> {
        let Some(all_values) = &table.header().all_values else { return Ok(()) };
        let levels: Vec<_> = self.plain.iter().chain([level]).collect();
        if headers::count_all_boards(self.report.rules, &levels, self.watch)? != *all_values {
            self.find_wrong_part(table, Part::AllValues);
        }
        Ok(())
    }

    fn check_boards(
        &mut self,
        table: &Table,
        level: &LevelValues,
        distance_table: Option<&Table>,
    ) -> Result<Proof, VerifyError> {
        let seeds = level.seeds();
        let distances = match distance_table.map(files::read_distances) {
            None => None,
            Some(Ok(distances)) => Some(distances),
            // Its damaged blocks are findings already.
            Some(Err(_)) => return Ok(Proof::File),
        };
        if let (Some(distances), Some(table_of_distances)) = (&distances, distance_table) {
            let header = table_of_distances.header();
            for part in headers::wrong_parts_of_distances(header, table.header(), distances) {
                self.find_wrong_part(table_of_distances, part);
            }
        }
        self.check_all_values(table, level)?;
        let smaller: Vec<_> = self.plain.iter().map(|level| Some(level.bytes())).collect();
        let check = LevelCheck {
            rules: self.report.rules,
            levels: &self.levels[..=seeds.index()],
            seeds,
            bytes: level.bytes(),
            smaller: &smaller,
            distances: distances.as_deref(),
        };
        let watch = self.watch;
        watch.progress.begin(seeds, Phase::CheckingBoards, table.header().boards);
        let mut problems = check.check(watch)?;
        let mut proof = if distances.is_some() { Proof::Distances } else { Proof::BestMoves };
        if self.options.depth == Depth::Deep && distances.is_none() {
            watch.progress.begin(seeds, Phase::Recomputing, 0);
            problems.extend(check.recompute(watch)?);
            proof = Proof::Recomputed;
        }
        for problem in problems {
            let path = match (&problem, distance_table) {
                (Problem::WrongDistance { .. }, Some(distances)) => distances.path(),
                _ => table.path(),
            };
            self.find(path, seeds, problem);
        }
        Ok(proof)
    }
}

/// A time in seconds, minutes or hours.
fn in_words(time: Duration) -> String {
    match time.as_secs() {
        0..=89 => format!("{} s", time.as_secs().max(1)),
        90..=5399 => format!("{} min", (time.as_secs() + 30) / 60),
        seconds => format!("{} h", (seconds + 1800) / 3600),
    }
}
