//! Verification: whether tables are what they should be.
//!
//! - [`Depth::Quick`]: every byte of every file against its digest, every block, and whether each
//!   table was computed from the smaller ones beside it.
//! - [`Depth::Moves`]: also every board's value against its moves (`boards`), and a level's
//!   digest and histogram against its header.
//! - [`Depth::Deep`]: also that every win takes finitely many plies: by the distance tables in one
//!   pass (`boards`), or, for levels without one, by computing all values anew, forward only
//!   (`recompute`).
//!
//! Levels are expanded in memory, from 0 up, a byte a board; those that larger ones need stay.
//! Nothing of the solver is used: what both share is the rules, the order of boards, and the
//! kernels that list the moves of a row of boards.

mod against;
mod boards;
mod files;
mod recompute;
mod report;
mod rows;

pub use against::verify_against;
pub use report::{Depth, Finding, LevelChecked, Problem, Proof, VerifyReport};

use crate::folder::{RulesStatus, TableState, TableStatus};
use crate::index::{LevelIndex, reachable_boards};
use crate::level::{Digest, Histogram, LevelValues};
use crate::progress::{Phase, Progress, StopFlag, Stopped, Watch};
use crate::rules::{MAX_SEEDS, Rules};
use crate::table::{Backend, Contents, Part, Table, TableError, expand_unchecked};
use boards::LevelAtHand;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to verify.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifyOptions {
    /// How far to go.
    pub depth: Depth,
    /// One level only; smaller ones are then read and taken as they are.
    pub level: Option<u8>,
    /// The memory that may be used, in bytes; no bound when `None`.
    pub memory_bytes: Option<u64>,
}

/// Why a verification could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The folder cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is nothing to verify.
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
        seeds: u8,
        /// Bytes needed.
        need: u64,
        /// Bytes allowed.
        have: u64,
    },
    /// The other file cannot be read or is no file of a level's values.
    #[error("cannot read {}: {reason}", path.display())]
    OtherFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
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
/// When the folder cannot be read, has no tables of the rule set, memory is short, or the stop flag
/// is set. Faults of tables are in the report.
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
        tables: status.levels.into_iter().map(|level| (level.values, level.distances)).collect(),
        levels: (0..=MAX_SEEDS).map(LevelIndex::new).collect(),
        plain: Vec::new(),
        report: VerifyReport::new(rules, options.depth),
    };
    run.announce(up_to)?;
    let first = match (options.depth, options.level) {
        (Depth::Quick, Some(level)) => level,
        _ => 0,
    };
    for seeds in first..=up_to {
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
    /// Whether a file is named after the distance table of each level.
    has_distances: Vec<bool>,
    /// The tables of values and of distances of each level.
    tables: Vec<(TableStatus, TableStatus)>,
    levels: Vec<LevelIndex>,
    /// The levels expanded so far, from 0 up.
    plain: Vec<LevelValues>,
    report: VerifyReport,
}

impl Verification<'_> {
    /// Says what is taken for granted and what takes long, and refuses what does not fit.
    fn announce(&mut self, up_to: u8) -> Result<(), VerifyError> {
        let depth = self.options.depth;
        if depth == Depth::Quick {
            return Ok(());
        }
        if let Some(level) = self.options.level.filter(|&level| level > 0) {
            self.report.assumptions.push(format!(
                "levels 0 to {} were taken as they are: they fit their digests, their values were not verified",
                level - 1
            ));
        }
        let first = self.options.level.unwrap_or(0);
        let anew: Vec<u8> = (first..=up_to)
            .filter(|&seeds| depth == Depth::Deep && !self.has_distances(seeds))
            .collect();
        if let Some(have) = self.options.memory_bytes {
            let smaller: u64 = (0..up_to).map(reachable_boards).sum();
            let own = match depth {
                Depth::Deep => 3,
                Depth::Quick | Depth::Moves => 1,
            };
            let need = smaller + own * reachable_boards(up_to);
            if need > have {
                return Err(VerifyError::TooLittleMemory { seeds: up_to, need, have });
            }
        }
        if let (Some(first), Some(last)) = (anew.first(), anew.last()) {
            let time = anew.iter().map(|&seeds| recompute::expected_time(seeds)).sum();
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

    fn has_distances(&self, seeds: u8) -> bool {
        self.has_distances[usize::from(seeds)]
    }

    /// Verifies a level; `false` when larger ones cannot be.
    fn level(&mut self, seeds: u8) -> Result<bool, VerifyError> {
        let is_asked = self.options.level.is_none_or(|level| level == seeds);
        let Some(values) = self.open(seeds, Contents::Values) else { return Ok(self.goes_on()) };
        if is_asked {
            self.check_file(&values)?;
        }
        let distances = match self.has_distances(seeds) && is_asked {
            true => self.open(seeds, Contents::Distances),
            false => None,
        };
        if let Some(distances) = &distances {
            self.check_file(distances)?;
        }
        let mut proof = Proof::File;
        if self.options.depth != Depth::Quick {
            let Some(level) = self.expand(&values) else { return Ok(false) };
            if is_asked {
                proof = self.check_boards(&values, &level, distances.as_ref())?;
            }
            self.plain.push(level);
        }
        if is_asked {
            let boards = values.header().boards;
            let distances = distances.is_some();
            self.report.levels.push(LevelChecked { seeds, boards, distances, proof });
        }
        Ok(true)
    }

    /// Whether a level that cannot be read leaves something to do.
    fn goes_on(&self) -> bool {
        self.options.depth == Depth::Quick
    }

    /// Opens a table. If that fails, the reason goes to the report. A foreign table is opened all the
    /// same, since its own bytes can be checked.
    fn open(&mut self, seeds: u8, contents: Contents) -> Option<Table> {
        let (values, distances) = &mut self.tables[usize::from(seeds)];
        let TableStatus { id, path, state } = match contents {
            Contents::Values => values,
            Contents::Distances => distances,
        };
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
                return None;
            }
        }
        let opened = Table::open_in(self.folder, id, Backend::Read);
        opened.map_err(|error| self.find(&path, seeds, Problem::Table(error))).ok()
    }

    fn find(&mut self, path: &Path, seeds: u8, problem: Problem) {
        self.report.findings.push(Finding { path: path.to_owned(), seeds, problem });
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

    /// A level in memory, if it can be had; digest and histogram are compared with the header.
    fn expand(&mut self, table: &Table) -> Option<LevelValues> {
        let seeds = table.header().id.seeds;
        match expand_unchecked(table, &self.plain) {
            Ok(level) => {
                if Histogram::of_level(&level) != table.header().values {
                    let problem = files::not_as_headed(table, Part::Histogram);
                    self.find(table.path(), seeds, problem);
                }
                if Digest::of_values(&level) != table.header().values_digest {
                    let problem = files::not_as_headed(table, Part::ValuesDigest);
                    self.find(table.path(), seeds, problem);
                }
                Some(level)
            }
            Err(error) => {
                self.find(table.path(), seeds, Problem::Table(error));
                None
            }
        }
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
            // Its blocks are in the report already.
            Some(Err(_)) => return Ok(Proof::File),
        };
        let smaller: Vec<_> = self.plain.iter().map(|level| Some(level.bytes())).collect();
        let at_hand = LevelAtHand {
            rules: self.report.rules,
            levels: &self.levels[..=usize::from(seeds)],
            seeds,
            bytes: level.bytes(),
            smaller: &smaller,
            distances: distances.as_deref(),
        };
        let watch = self.watch;
        watch.progress.begin(seeds, Phase::CheckingBoards, table.header().boards);
        let mut problems = at_hand.check(watch)?;
        let mut proof = if distances.is_some() { Proof::Distances } else { Proof::BestMoves };
        if self.options.depth == Depth::Deep && distances.is_none() {
            watch.progress.begin(seeds, Phase::Recomputing, 0);
            problems.extend(at_hand.recompute(watch)?);
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

/// A time as one would say it.
fn in_words(time: Duration) -> String {
    match time.as_secs() {
        0..=89 => format!("{} s", time.as_secs().max(1)),
        90..=5399 => format!("{} min", (time.as_secs() + 30) / 60),
        seconds => format!("{} h", (seconds + 1800) / 3600),
    }
}
