//! `oware build`: solves levels and writes their tables.

use super::options::Options;
use super::output::Output;
use super::progress::{Progress, per_second, scaled};
use super::shell::shell_word;
use super::signals::stop_flag;
use super::size::Size;
use super::table_folder::make_parents;
use oware::build::{BuildOptions, BuildSummary, Force, build};
use oware::database::Database;
use oware::index::LevelIndex;
use oware::progress::{LevelBuilt, Phase};
use oware::rules::{Board, Seeds};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The arguments of `build`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Largest level to build: all boards of up to this many seeds
    #[arg(long, value_name = "N")]
    seeds: Seeds,

    /// Memory to use at most, with K, M or G [default: the free memory, less a reserve]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,

    /// Replace damaged tables and those that do not fit; with =5,7 these levels as well, with =all
    /// every table
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true,
          default_missing_value = "damaged")]
    force: Option<Replace>,

    /// Make tables of distances to conversion too: plies to the next capture or the end
    #[arg(long)]
    distances: bool,

    /// Make tables of bounds too: the seeds that either side secures whatever settles endless play;
    /// with --distances also tables of ranks, by which play collects them
    #[arg(long)]
    bounds: bool,

    /// Make the tables as small as possible, which takes longer
    #[arg(long)]
    compact: bool,

    /// Count all boards by value, not just reachable ones, above 24 seeds too
    #[arg(long)]
    all_values: bool,

    /// Least time between two checkpoints of a level, from which a build resumes after a kill
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    checkpoint_every: u64,
}

const EXAMPLES: &str = "\
Examples:
  oware build --seeds 12                          some seconds
  oware build --seeds 20 --distances --rules abapa
  oware build --seeds 30 --memory 14G             see `oware plan --seeds 30` first

Existing levels are kept, so a build that was stopped resumes: Ctrl-C, a kill and a power cut leave
whole tables only (exit status 130 after a signal). A build needs write access to one folder and nothing else.";

/// The tables that are replaced.
#[derive(Clone, Debug)]
enum Replace {
    /// Damaged ones and those of other formats.
    Damaged,
    /// These levels, and damaged ones.
    Levels(Vec<Seeds>),
    /// All.
    All,
}

impl FromStr for Replace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "damaged" => Ok(Self::Damaged),
            "all" => Ok(Self::All),
            levels => levels.split(',').map(str::parse).collect::<Result<_, _>>().map_or_else(
                |_| Err(format!("'{text}' is neither damaged, all, nor levels as in 5,7")),
                |levels| Ok(Self::Levels(levels)),
            ),
        }
    }
}

/// Builds the missing levels.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    make_parents(&options.tables, options.tables_chosen)?;
    let build_options = arguments.to_build(options).stop(stop_flag()?);
    let watched = Watched { progress: Progress::new(options), seeds: arguments.seeds };
    let summary = build(&build_options, &watched)?;
    watched.progress.clear();
    if options.json {
        return output.json(&Summary::of(options, &summary));
    }
    show(&summary, arguments, options, output)
}

impl Arguments {
    /// The options of the build.
    fn to_build(&self, options: &Options) -> BuildOptions {
        let (force, again) = match &self.force {
            None => (Force::None, Vec::new()),
            Some(Replace::Damaged) => (Force::Damaged, Vec::new()),
            Some(Replace::Levels(levels)) => (Force::Damaged, levels.clone()),
            Some(Replace::All) => (Force::All, Vec::new()),
        };
        BuildOptions::new(options.rules, self.seeds, &options.tables)
            .memory_bytes(self.memory.map(|size| size.bytes))
            .force(force)
            .again(again)
            .distances(self.distances)
            .bounds(self.bounds)
            .compact(self.compact)
            .all_values(self.all_values)
            .checkpoint_every(Duration::from_secs(self.checkpoint_every))
    }
}

/// The result of a build, as `build --json` prints it.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    rules: &'static str,
    kept: &'a [Seeds],
    built: &'a [Seeds],
    boards: u64,
    seconds: f64,
}

impl<'a> Summary<'a> {
    fn of(options: &Options, summary: &'a BuildSummary) -> Self {
        Self {
            rules: options.rules.name(),
            kept: &summary.kept,
            built: &summary.built,
            boards: summary.boards,
            seconds: summary.elapsed.as_secs_f64(),
        }
    }
}

fn show(
    summary: &BuildSummary,
    arguments: &Arguments,
    options: &Options,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let rules = options.rules;
    let folder = options.tables.display();
    if summary.built.is_empty() {
        writeln!(out, "all {rules} tables of 0 to {} seeds are in {folder}", arguments.seeds)?;
    } else {
        let seconds = summary.elapsed.as_secs_f64();
        let rate = scaled(per_second(summary.boards, seconds));
        writeln!(
            out,
            "built {} {rules} tables of up to {} seeds in {folder}: {} boards in {seconds:.1} s, {rate} boards/s",
            summary.built.len(),
            arguments.seeds,
            summary.boards,
        )?;
    }
    let board = board_to_try(options, arguments.seeds);
    let program = program_as_called();
    let pits = board.pits().map(|seeds| seeds.to_string()).join(" ");
    writeln!(out, "try: {program} query {pits}{}", options.to_same_tables())?;
    Ok(())
}

/// Candidates for the board to try.
const CANDIDATES: usize = 300;

/// A board of the level where the choice of move matters: of some random boards, the one whose best
/// move leads the next by most. It is the same on every machine.
fn board_to_try(options: &Options, seeds: Seeds) -> Board {
    let level = LevelIndex::new(seeds);
    let mut random = Pcg64Mcg::seed_from_u64(u64::from(seeds.get()));
    let mut draw = || level.board(random.random_range(0..level.boards())).unwrap_or_default();
    let candidates: Vec<_> = (0..CANDIDATES).map(|_| draw()).collect();
    let first = candidates.first().copied().unwrap_or_default();
    Database::open(&options.tables, options.rules).map_or(first, |database| {
        let lead = |board: &Board| {
            let moves = database.moves(*board).unwrap_or_default();
            match moves.as_slice() {
                [best, next, _, _, ..] => i16::from(best.value.get()) - i16::from(next.value.get()),
                _ => 0,
            }
        };
        candidates.into_iter().max_by_key(lead).unwrap_or(first)
    })
}

/// The name under which the program was called, so that a printed command can be pasted.
fn program_as_called() -> String {
    let called = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let is_path = called.components().nth(1).is_some();
    if is_path { shell_word(&called) } else { "oware".to_owned() }
}

/// Smaller levels take no noticeable time, and get no line.
const WORTH_A_LINE_BOARDS: u64 = 1_000_000;

/// The progress of a build on standard error.
struct Watched {
    progress: Progress,
    seeds: Seeds,
}

impl oware::progress::Progress for Watched {
    fn begin(&self, seeds: Seeds, phase: Phase, boards: u64) {
        self.progress.begin(&format!("level {seeds} of {}, {phase}", self.seeds), boards, "boards");
    }

    fn advance(&self, boards: u64) {
        self.progress.advance(boards);
    }

    fn level_built(&self, level: &LevelBuilt) {
        if level.boards < WORTH_A_LINE_BOARDS {
            return;
        }
        let bits = level.bytes as f64 * 8.0 / level.boards as f64;
        let solving = level.solving.as_secs_f64();
        let bounds = if level.bounds { "  bounds" } else { "" };
        self.progress.line(&format!(
            "level {:>2}: {:>13} boards  {bits:>7.3} bits per board{bounds}  solved in {solving:.1} s ({} boards/s), written in {:.1} s",
            level.seeds,
            level.boards,
            scaled(per_second(level.boards, solving)),
            level.writing.as_secs_f64(),
        ));
    }

    fn note(&self, line: &str) {
        self.progress.note(line);
    }
}
