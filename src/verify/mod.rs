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
pub use report::{Depth, Finding, LevelChecked, Problem, Proof, Report};

use crate::index::{LevelIndex, reachable_boards};
use crate::rules::{MAX_SEEDS, Rules, with_rules};
use crate::table::{
    Backend, Contents, Digest, FoundTable, Histogram, Listing, Part, PlainLevel, Subject, Table,
    TableError, TableHeader, expand_unchecked,
};
use boards::LevelAtHand;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
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
    #[error("no {rules} tables in {}: build some, or name another folder with --tables", folder.display())]
    NoTables {
        /// The rule set.
        rules: Rules,
        /// The folder.
        folder: PathBuf,
    },
    /// The levels do not fit into memory.
    #[error(
        "level {seeds} needs {need} bytes of memory to be verified, {have} are allowed: use --quick, or --level with a smaller one"
    )]
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
    /// It was told to stop.
    #[error("verification was stopped before its end")]
    Cancelled,
}

/// Told to stop.
#[derive(Clone, Copy, Debug)]
struct Cancelled;

impl From<Cancelled> for VerifyError {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// What a verification does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Reading a file and decoding its blocks.
    File,
    /// Holding boards against their moves.
    Boards,
    /// Computing values anew. How often it goes through the boards is not known beforehand.
    Recompute,
}

/// Is told how a verification goes, from any thread.
pub trait VerifyProgress: Sync {
    /// A phase of a level begins; `boards` will be advanced over (0: unknown).
    fn begin(&self, seeds: u8, phase: Phase, boards: u64);
    /// As many boards more are through.
    fn advance(&self, boards: u64);
    /// Something that the user should know before it goes on.
    fn notice(&self, text: &str);
}

/// No progress is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl VerifyProgress for Silent {
    fn begin(&self, _seeds: u8, _phase: Phase, _boards: u64) {}
    fn advance(&self, _boards: u64) {}
    fn notice(&self, _text: &str) {}
}

/// Progress, and the wish to stop.
struct Watch<'a> {
    progress: &'a dyn VerifyProgress,
    cancel: &'a AtomicBool,
}

impl Watch<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// Verifies the tables of a rule set in a folder.
///
/// # Errors
/// When the folder cannot be read, has no tables of the rule set, memory is short, or `cancel` was
/// set. What is wrong with tables is in the report.
pub fn verify(
    folder: &Path,
    rules: Rules,
    options: &VerifyOptions,
    progress: &dyn VerifyProgress,
    cancel: &AtomicBool,
) -> Result<Report, VerifyError> {
    let tables = tables_of(folder, rules)?;
    let largest = tables.keys().map(|&(seeds, _)| seeds).max().unwrap_or(0);
    let up_to = options.level.unwrap_or(largest);
    let mut run = Verification {
        folder,
        options,
        watch: Watch { progress, cancel },
        tables,
        levels: (0..=MAX_SEEDS).map(LevelIndex::new).collect(),
        plain: Vec::new(),
        report: Report {
            rules,
            depth: options.depth,
            levels: Vec::new(),
            findings: Vec::new(),
            assumptions: Vec::new(),
        },
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

type Tables = BTreeMap<(u8, Contents), FoundTable>;

fn tables_of(folder: &Path, rules: Rules) -> Result<Tables, VerifyError> {
    let found = Listing::of(folder)?.tables.into_iter();
    let tables: Tables = found
        .filter(|found| found.subject.rules == rules)
        .map(|found| ((found.subject.seeds, found.subject.contents), found))
        .collect();
    if tables.is_empty() {
        return Err(VerifyError::NoTables { rules, folder: folder.to_owned() });
    }
    Ok(tables)
}

struct Verification<'a> {
    folder: &'a Path,
    options: &'a VerifyOptions,
    watch: Watch<'a>,
    tables: Tables,
    levels: Vec<LevelIndex>,
    /// The levels expanded so far, from 0 up.
    plain: Vec<PlainLevel>,
    report: Report,
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
            self.watch.progress.notice(&format!("{which} takes about {}", in_words(time)));
        }
        Ok(())
    }

    fn has_distances(&self, seeds: u8) -> bool {
        self.tables.contains_key(&(seeds, Contents::Distances))
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

    /// Opens a table; what is wrong with it goes to the report.
    fn open(&mut self, seeds: u8, contents: Contents) -> Option<Table> {
        let subject = Subject { rules: self.report.rules, seeds, contents };
        let path = self.folder.join(subject.file_name());
        let result = match self.tables.remove(&(seeds, contents)) {
            Some(FoundTable { header: Err(error), .. }) => Err(Problem::Table(error)),
            Some(FoundTable { header: Ok(header), subject, .. }) => {
                let opened = Table::open_in(self.folder, subject, Backend::Read);
                // Kept for the tables that were computed from it.
                let found = FoundTable { path: path.clone(), subject, header: Ok(header) };
                self.tables.insert((seeds, contents), found);
                opened.map_err(Problem::Table)
            }
            None => Err(Problem::Missing),
        };
        result.map_err(|problem| self.find(&path, seeds, problem)).ok()
    }

    fn find(&mut self, path: &Path, seeds: u8, problem: Problem) {
        self.report.findings.push(Finding { path: path.to_owned(), seeds, problem });
    }

    fn check_file(&mut self, table: &Table) -> Result<(), VerifyError> {
        let header = table.header();
        let seeds = header.subject.seeds;
        self.watch.progress.begin(seeds, Phase::File, header.boards);
        let mut problems = files::check_file(table, &self.watch)?;
        problems.extend(self.foreign(header).map(|seeds| {
            Problem::Table(TableError::ForeignLevel { path: table.path().to_owned(), seeds })
        }));
        for problem in problems {
            self.find(table.path(), seeds, problem);
        }
        Ok(())
    }

    /// The first level beside the table that it was not computed from.
    fn foreign(&self, header: &TableHeader) -> Option<u8> {
        let seeds = header.subject.seeds;
        let own = (header.subject.contents == Contents::Distances)
            .then_some((seeds, header.values_digest));
        let computed_from = (0..).zip(header.smaller.iter().copied()).chain(own);
        let differs = |&(seeds, digest): &(u8, Digest)| {
            let beside = self.tables.get(&(seeds, Contents::Values));
            let beside = beside.and_then(|found| found.header.as_ref().ok());
            beside.is_some_and(|beside| beside.values_digest != digest)
        };
        computed_from.into_iter().find(differs).map(|(seeds, _)| seeds)
    }

    /// A level in memory, if it can be had; digest and histogram are compared with the header.
    fn expand(&mut self, table: &Table) -> Option<PlainLevel> {
        let seeds = table.header().subject.seeds;
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
        level: &PlainLevel,
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
            levels: &self.levels[..=usize::from(seeds)],
            seeds,
            bytes: level.bytes(),
            smaller: &smaller,
            distances: distances.as_deref(),
        };
        let watch = &self.watch;
        watch.progress.begin(seeds, Phase::Boards, table.header().boards);
        let mut problems = with_rules!(self.report.rules, P => at_hand.check::<P>(watch))?;
        let mut proof = if distances.is_some() { Proof::Distances } else { Proof::BestMoves };
        if self.options.depth == Depth::Deep && distances.is_none() {
            watch.progress.begin(seeds, Phase::Recompute, 0);
            problems.extend(with_rules!(self.report.rules, P => at_hand.recompute::<P>(watch))?);
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
