//! The positions of a grading: drawn from levels, or read from a file.

use super::left_out::LeftOut;
use crate::cli::boards::BoardReader;
use crate::cli::failure::{WrongUsage, warn};
use anyhow::Context;
use oware::database::{Database, DatabaseError};
use oware::grade::{ExactMoves, SampleMethod, SamplePlan, fill_stores, sample};
use oware::rules::{BoardText, GameString, MAX_SEEDS};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::fs::File;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Positions with the values of their moves.
pub(super) struct Positions {
    pub(super) exact: Vec<ExactMoves>,
    /// Lines of a file that could not be used; `None` without a file.
    pub(super) left_out: Option<u64>,
}

/// The levels that are sampled by default.
const DEFAULT_LEVELS: RangeInclusive<u8> = 6..=16;

/// The options that choose positions.
#[derive(Debug, clap::Args)]
pub(super) struct PositionOptions {
    /// Levels to draw boards from, both ends included: 6..16, or one level
    /// [default: 6 to 16 or the largest table]
    #[arg(long, value_name = "LEVELS")]
    seeds: Option<Levels>,

    /// Number of positions, divided evenly between the levels: at most a million, half a gigabyte
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,

    /// Seed of the sample: the same seed gives the same positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Sampling method: uniform (all boards of a level equally likely) or self-play (from games)
    #[arg(long, value_name = "HOW", default_value = "uniform", hide_possible_values = true)]
    sample: SampleName,

    /// Use the boards of a file: one per line, in any form that is printed here, or drawn
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seeds", "positions", "sample"])]
    boards: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SampleName {
    /// All boards of a level are equally likely.
    Uniform,
    /// Boards of games between partly greedy, partly random players.
    SelfPlay,
}

/// `6..16`, both ends included, or `8`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Levels(RangeInclusive<u8>);

impl FromStr for Levels {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (first, last.strip_prefix('=').unwrap_or(last)),
            None => (text, text),
        };
        let level = |text: &str| match text.parse::<u8>() {
            Ok(seeds) if (1..=MAX_SEEDS).contains(&seeds) => Ok(seeds),
            _ => Err(format!("'{text}' is not a level: give 1 to {MAX_SEEDS} seeds, as in 6..16")),
        };
        let (first, last) = (level(first)?, level(last)?);
        if first > last {
            return Err(format!("{first}..{last} is empty: the smaller level comes first"));
        }
        Ok(Self(first..=last))
    }
}

impl PositionOptions {
    pub(super) const fn seed(&self) -> u64 {
        self.seed
    }

    /// The source of the positions, for the report.
    pub(super) fn source_name(&self) -> String {
        match &self.boards {
            Some(file) => file.display().to_string(),
            None => self.method().name().to_owned(),
        }
    }

    const fn method(&self) -> SampleMethod {
        match self.sample {
            SampleName::Uniform => SampleMethod::Uniform,
            SampleName::SelfPlay => SampleMethod::SelfPlay,
        }
    }

    /// The file of boards.
    pub(super) const fn file(&self) -> Option<&PathBuf> {
        self.boards.as_ref()
    }

    /// The positions with the values of their moves.
    pub(super) fn look_up(&self, database: &Database) -> anyhow::Result<Positions> {
        if let Some(file) = &self.boards {
            return positions_of_file(file, self.seed, database);
        }
        let drawn = self.drawn(database);
        // If several levels are missing, the error names the largest: a build makes the others too.
        if let Some(largest) = drawn.iter().max_by_key(|position| position.board.level()) {
            ExactMoves::look_up(database, *largest)?;
        }
        let mut exact = Vec::new();
        for position in drawn {
            exact.extend(ExactMoves::look_up(database, position)?);
        }
        if exact.is_empty() {
            return Err(WrongUsage("there is no position to grade".to_owned()).into());
        }
        Ok(Positions { exact, left_out: None })
    }

    fn drawn(&self, database: &Database) -> Vec<GameString> {
        let wanted = self.positions as usize;
        let plan = SamplePlan::new(database.rules(), self.levels(database), wanted)
            .seed(self.seed)
            .method(self.method());
        let positions = sample(&plan);
        if positions.len() < wanted {
            let found = positions.len();
            warn(format!("only {found} positions instead of {wanted}: these levels have no more"));
        }
        positions
    }

    fn levels(&self, database: &Database) -> RangeInclusive<u8> {
        if let Some(Levels(levels)) = &self.seeds {
            return levels.clone();
        }
        let (first, most) = DEFAULT_LEVELS.into_inner();
        let largest = database.levels().last().map_or(most, |largest| largest.get());
        let last = largest.clamp(1, most);
        first.min(last)..=last
    }
}

/// Reads boards and game strings. Boards get random stores, ended boards are left out; so are lines
/// that cannot be used, which are reported.
fn positions_of_file(file: &Path, seed: u64, database: &Database) -> anyhow::Result<Positions> {
    let cannot_read = || format!("cannot read {}", file.display());
    let mut reader = BoardReader::new(BufReader::new(File::open(file).with_context(cannot_read)?));
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut exact = Vec::new();
    let mut ended = 0;
    let mut left_out = LeftOut::new(file, "boards");
    let mut found = Vec::new();
    while reader.read_line(&mut found).with_context(cannot_read)? || !found.is_empty() {
        for (line, read) in found.drain(..) {
            let looked_up = position_of(read, &mut rng)
                .and_then(|position| look_up(database, position).map_err(Into::into));
            match looked_up {
                Ok(Some(position)) => exact.push(position),
                Ok(None) => ended += 1,
                Err(error) if is_about_the_line(&error) => {
                    left_out.add(&format!("line {line}"), error);
                }
                Err(error) => return Err(error),
            }
        }
    }
    if ended > 0 {
        warn(format!("boards of {} that have ended, left out: {ended}", file.display()));
    }
    let left_out = left_out.finish(exact.len() as u64)?;
    Ok(Positions { exact, left_out: Some(left_out) })
}

fn position_of(read: Result<BoardText, String>, rng: &mut Pcg64) -> anyhow::Result<GameString> {
    match read.map_err(anyhow::Error::msg)? {
        BoardText::Position(position) => checked(position),
        BoardText::Board(board) => Ok(fill_stores(board, rng)),
    }
}

/// The values of the moves of a position; `None` if it has ended.
fn look_up(database: &Database, position: GameString) -> Result<Option<ExactMoves>, DatabaseError> {
    if database.rules().end(position.board).is_some() {
        return Ok(None);
    }
    ExactMoves::look_up(database, position)
}

/// Whether an error is of one line. One of a table that cannot be read is not.
fn is_about_the_line(error: &anyhow::Error) -> bool {
    let of_tables = error.downcast_ref::<DatabaseError>();
    of_tables.is_none_or(|error| matches!(error, DatabaseError::MissingLevel { .. }))
}

/// Checks that a position is of an undecided game of 48 seeds.
fn checked(position: GameString) -> anyhow::Result<GameString> {
    let stores = [position.south_store, position.north_store];
    let seeds = u16::from(position.board.seeds()) + stores.map(u16::from).iter().sum::<u16>();
    anyhow::ensure!(
        seeds == u16::from(MAX_SEEDS),
        "{position} has {seeds} seeds: pits and stores hold {MAX_SEEDS} together in a game"
    );
    anyhow::ensure!(
        stores.iter().all(|&store| store <= MAX_SEEDS / 2),
        "{position} is decided: one side has more than half of the seeds"
    );
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_ranges_include_both_ends() {
        assert_eq!("6..16".parse(), Ok(Levels(6..=16)));
        assert_eq!("6..=16".parse(), Ok(Levels(6..=16)));
        assert_eq!("8".parse(), Ok(Levels(8..=8)));
        for wrong in ["", "0..4", "6..", "..6", "6..49", "9..8", "a..b", "6-8"] {
            assert!(wrong.parse::<Levels>().is_err(), "{wrong}");
        }
    }
}
