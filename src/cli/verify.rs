//! `oware verify`: tables against their digests, the rules, and a second solver.

use super::advice::Mending;
use super::options::Options;
use super::output::Output;
use super::progress::Progress;
use super::signals::stop_flag;
use super::size::Size;
use super::tables;
use anyhow::anyhow;
use oware::progress::Phase;
use oware::rules::Seeds;
use oware::verify::{
    Depth, Finding, LevelChecked, Problem, Proof, VerifyError, VerifyOptions, VerifyReport, verify,
    verify_against,
};
use std::io::{self, Write};
use std::path::PathBuf;

/// The arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Only this level; the smaller ones are not verified
    #[arg(long, value_name = "N")]
    level: Option<Seeds>,

    /// Only digests and blocks, that is, every byte of every file
    #[arg(long, conflicts_with = "deep")]
    quick: bool,

    /// Also prove that every win takes finitely many plies
    #[arg(long)]
    deep: bool,

    /// Compare a level with a `scores.N` file of the Vrije Universiteit, board by board
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "deep"])]
    against: Option<PathBuf>,

    /// Memory to use at most, with K, M or G
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
}

const EXAMPLES: &str = "\
Examples:
  oware verify                      digests, and every board against its moves
  oware verify --quick              digests and blocks only
  oware verify --deep --level 12    also that wins are finite: by the distance table, or anew
  oware verify --against scores.12  against the published database

Values that fit the moves of every board may still be wrong where play can go round in circles;
--deep rules that out. The exit status is 1 when something is wrong.";

/// Verifies and reports.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    tables::status(options)?;
    let report = arguments.report(options)?;
    if options.json {
        output.json(&report)?;
    } else {
        show(&report, arguments, output)?;
    }
    let found = report.findings.len();
    if found == 0 {
        return Ok(());
    }
    let problems = if found == 1 { "problem" } else { "problems" };
    let commands = mending(&report).commands(options.rules, &options.tables, "");
    Err(match commands.as_slice() {
        [] => anyhow!("verification found {found} {problems}"),
        commands => {
            anyhow!("verification found {found} {problems}: run `{}`", commands.join(" && "))
        }
    })
}

/// What mends the tables that a report is about.
fn mending(report: &VerifyReport) -> Mending {
    let mut mending = Mending::default();
    for Finding { seeds, problem, .. } in &report.findings {
        match problem {
            Problem::Table(error) => mending.add(error),
            Problem::Missing => mending.add_missing(),
            _ => mending.add_level(*seeds),
        }
    }
    mending
}

impl Arguments {
    fn report(&self, options: &Options) -> anyhow::Result<VerifyReport> {
        if let Some(file) = &self.against {
            let report = verify_against(&options.tables, options.rules, self.level, file);
            return report.map_err(|error| match error {
                VerifyError::UnknownLevel { .. } => anyhow!("{error}: give the level by --level"),
                error => error.into(),
            });
        }
        let depth = match (self.quick, self.deep) {
            (true, _) => Depth::Quick,
            (_, true) => Depth::Deep,
            _ => Depth::Moves,
        };
        let memory_bytes = self.memory.map(|size| size.bytes);
        let mut how = VerifyOptions::new().depth(depth);
        how.level = self.level;
        how.memory_bytes = memory_bytes;
        let stop = stop_flag()?;
        let watched = Watched(Progress::new(options));
        Ok(verify(&options.tables, options.rules, &how, &watched, &stop)?)
    }
}

fn show(report: &VerifyReport, arguments: &Arguments, out: &mut impl Write) -> io::Result<()> {
    let same = |a: &LevelChecked, b: &LevelChecked| {
        let is_next = b.seeds.checked_sub(1) == Some(a.seeds);
        is_next && (a.proof, a.distances, a.bounds) == (b.proof, b.distances, b.bounds)
    };
    for levels in report.levels.chunk_by(same) {
        let ([first, ..], [.., last]) = (levels, levels) else { continue };
        let boards: u64 = levels.iter().map(|level| level.boards).sum();
        let which = match first.seeds == last.seeds {
            true => format!("level {}", first.seeds),
            false => format!("levels {} to {}", first.seeds, last.seeds),
        };
        let what = match &arguments.against {
            Some(file) => format!("every value compared with {}", file.display()),
            None => format!("{}{}", what_was_checked(*first), what_was_checked_of_bounds(*first)),
        };
        writeln!(out, "{} {which}, {boards} boards: {what}", report.rules)?;
    }
    for assumption in &report.assumptions {
        writeln!(out, "note: {assumption}")?;
    }
    for finding in &report.findings {
        writeln!(out, "wrong: {finding}")?;
    }
    if report.is_clean() { writeln!(out, "nothing is wrong") } else { Ok(()) }
}

fn what_was_checked(level: LevelChecked) -> &'static str {
    match (level.proof, level.distances) {
        (Proof::File, false) => "every byte of the values",
        (Proof::File, true) => "every byte of values and distances",
        (Proof::BestMoves, _) => "every byte, every value against the board's moves",
        (Proof::Distances | Proof::Ranks, _) => {
            "every byte, every value and distance against the board's moves; all wins are finite"
        }
        (Proof::Recomputed, _) => "every byte, every value against its moves and computed anew",
    }
}

fn what_was_checked_of_bounds(level: LevelChecked) -> &'static str {
    match level.bounds {
        None => "",
        Some(Proof::File) => "; every byte of the bounds",
        Some(Proof::BestMoves | Proof::Distances) => "; every bound against the board's moves",
        Some(Proof::Ranks) => "; every bound proved by ranks",
        Some(Proof::Recomputed) => "; every bound against its moves and computed anew",
    }
}

/// The progress of a verification on standard error.
struct Watched(Progress);

impl oware::progress::Progress for Watched {
    fn begin(&self, seeds: Seeds, phase: Phase, boards: u64) {
        let doing = match phase {
            Phase::CheckingFile => "file",
            Phase::CheckingBoards => "boards",
            Phase::Recomputing => "anew",
            other => return self.0.begin(&format!("level {seeds}, {other}"), boards, "boards"),
        };
        self.0.begin(&format!("level {seeds}, {doing}"), boards, "boards");
    }

    fn advance(&self, boards: u64) {
        self.0.advance(boards);
    }

    fn note(&self, text: &str) {
        self.0.note(text);
    }
}
