//! `oware grade`: measures the moves of engines, or of recorded games, by exact values.
//!
//! The command draws or reads positions, looks them up in the tables and asks each engine with each
//! limit for a move. All engines answer the same positions. `positions` finds the positions,
//! `games` looks up recorded games, `left_out` counts what of a file cannot be used, `outputs` are the
//! files that are written, `show` prints a report as text, `html` as a page, `chart` as SVG.

mod chart;
mod games;
mod html;
mod left_out;
mod outputs;
mod positions;
mod show;

use super::engines::{EngineOptions, LimitedEntrant, warn_of_untold};
use super::failure::{AlreadyReported, Interrupted, warn};
use super::names;
use super::options::Options;
use super::output::Output;
use super::progress::Progress;
use super::signals::end_on_signal;
use super::tables::{self, SOLVED_AT_ONCE};
use outputs::{OutputOptions, Outputs};
use oware::game::Repetition;
use oware::grade::{
    AnswerReport, GradeCounts, GradeHeader, GradeReport, GradedMove, Response, RunSettings,
    collect_responses,
};
use oware::search::{Aim, UnknownAim};
use oware::uci::{Identity, RunningEngines};
use positions::{PositionOptions, Positions};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The arguments of `grade`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    engines: EngineOptions,

    /// Grade the moves of the games in a file (Open Game Notation) instead of an engine
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engine", "seeds", "positions", "sample", "boards"])]
    games: Option<PathBuf>,

    #[command(flatten)]
    positions: PositionOptions,

    /// Aim that defines a perfect move: margin (seeds) or result (won, drawn, lost)
    #[arg(long, value_name = "AIM", default_value_t, value_parser = names::offering(["margin", "result"], measured_aim), hide_possible_values = true)]
    aim: Aim,

    /// Fail (exit status 1) if the share of perfect answers is below this, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_accuracy: Option<f64>,

    /// Fail (exit status 1) if a game or a board of a file could not be used; all others are graded
    /// in any case
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    outputs: OutputOptions,

    #[command(flatten)]
    reading: tables::Reading,
}

/// An aim that defines a perfect move.
fn measured_aim(name: &str) -> Result<Aim, String> {
    match name.parse().map_err(|error: UnknownAim| error.to_string())? {
        Aim::Secure => Err("a perfect move is one for the margin or the result".to_owned()),
        aim => Ok(aim),
    }
}

const EXAMPLES: &str = "\
Examples:
  oware grade --engine 'my-engine --uci' --seeds 6..16 --positions 2000 --movetime 100
  oware grade --engine random --engine 'oware uci' --depth 2,4,6 --report report.html
  oware grade --games games.ogn --json

Engines use the UCI dialect of Aualé; `random` and `greedy` are built in. Accuracy is the number of
perfect answers per position, over positions whose moves are not all equal. A crash, a timeout or
an illegal move is a failed answer; the run continues, the report has the lines exchanged, and the
exit status is 1 unless --max-failures allows it. An engine that offers the options Rules and
Repetition is set to the rules of the tables.
With --json one object is printed per engine and limit, one per line. A file may be `-` for standard
output, and then nothing else is printed there. A game or board that cannot be used is reported and
left out. Ctrl-C ends the run with a report of the answers so far.";

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err(format!("{text} is not a share: give a number from 0 to 1, such as 0.95"))
    }
}

/// Grades, prints and writes the reports. Fails if an engine kept failing or its accuracy is too low.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    let engines = RunningEngines::new();
    end_on_signal(&engines)?;
    let read = [arguments.games.as_ref(), arguments.positions.file()];
    let outputs = Outputs::open(&arguments.outputs, read)?;
    let reports = match &arguments.games {
        Some(file) => {
            let database = arguments.reading.open_or_solve(options, Some(SOLVED_AT_ONCE))?;
            vec![games::grade(file, &database, arguments.aim, &outputs, &engines)?]
        }
        None => grade_engines(arguments, options, &outputs, &engines)?,
    };
    let is_silent = outputs.is_silent;
    for (number, report) in reports.iter().enumerate().filter(|_| !is_silent) {
        if options.json {
            output.json(report)?;
        } else {
            show::show(report, number > 0, options, output)?;
        }
    }
    outputs.write_pages(&reports, output)?;
    if engines.have_ended() {
        let answers: u64 = reports.iter().map(|report| report.metrics.positions).sum();
        let kept =
            format!("the engines were ended: the reports hold the answers so far, {answers}");
        return Err(Interrupted(kept).into());
    }
    check(arguments, &reports)
}

fn grade_engines(
    arguments: &Arguments,
    options: &Options,
    outputs: &Outputs,
    engines: &RunningEngines,
) -> anyhow::Result<Vec<GradeReport>> {
    let entrants = arguments.engines.limited_entrants()?;
    let database = arguments.reading.open_or_solve(options, Some(SOLVED_AT_ONCE))?;
    let positions = arguments.positions.look_up(&database)?;
    if Repetition::of_rules(options.rules) != Repetition::Split && !options.json {
        warn(format!(
            "{} games usually give each side the seeds of its own row when play repeats; \
             the tables assume that they are shared evenly",
            options.rules
        ));
    }
    let progress = Progress::new(options);
    let grading = Grading { positions: &positions, arguments, options, outputs, engines };
    let mut reports = Vec::new();
    for entrant in &entrants {
        if engines.have_ended() {
            break;
        }
        reports.push(grading.grade(entrant, &progress)?);
    }
    Ok(reports)
}

/// The work that is the same for every engine.
struct Grading<'run> {
    positions: &'run Positions,
    arguments: &'run Arguments,
    options: &'run Options,
    outputs: &'run Outputs,
    engines: &'run RunningEngines,
}

impl Grading<'_> {
    fn grade(&self, entrant: &LimitedEntrant, progress: &Progress) -> anyhow::Result<GradeReport> {
        let (arguments, exact) = (self.arguments, &self.positions.exact);
        let positions: Vec<_> = exact.iter().map(|exact| *exact.position()).collect();
        let settings = RunSettings::new(self.options.rules, entrant.limit)
            .jobs(arguments.engines.jobs())
            .seed(arguments.positions.seed())
            .timeouts(arguments.engines.timeouts())
            .engines(self.engines.clone());
        let label = entrant.entrant.label();
        let limit = entrant.entrant.has_limit().then(|| entrant.limit.to_string());
        // The first answer that could not be written stops the run.
        let unwritten = OnceLock::new();
        progress.begin(&entrant.label(), positions.len() as u64, "positions");
        let answered = |at: usize, response: &Response| {
            progress.advance(1);
            let written = self.outputs.log(|| {
                let graded = GradedMove::new(exact[at].clone(), response.clone());
                AnswerReport::of(&graded, arguments.aim, &label, limit.as_deref(), at + 1)
            });
            if let Err(error) = written {
                let _ = unwritten.set(error);
                self.engines.end();
            }
        };
        let answers = collect_responses(&entrant.entrant, &positions, &settings, &answered)?;
        progress.clear();
        if let Some(error) = unwritten.into_inner() {
            return Err(error);
        }
        let mut counts = GradeCounts::new(arguments.aim);
        for (exact, response) in exact.iter().zip(answers.responses) {
            counts.add(&GradedMove::new(exact.clone(), response));
        }
        let Identity { name, author, untold, .. } = answers.identity;
        let engine = name.unwrap_or_else(|| label.clone());
        warn_of_untold(&engine, &untold);
        let source = arguments.positions.source_name();
        let header = GradeHeader::new(self.options.rules, arguments.aim, engine, source)
            .author(author)
            .rules_not_set(untold)
            .command(limit.is_some().then_some(label))
            .limit(limit)
            .seed(Some(arguments.positions.seed()))
            .left_out(self.positions.left_out)
            .stopped(self.engines.have_ended());
        Ok(counts.report(header))
    }
}

/// Warns about every engine that kept failing or whose accuracy is too low, and fails then.
fn check(arguments: &Arguments, reports: &[GradeReport]) -> anyhow::Result<()> {
    let failures = |report: &GradeReport| (report.header.label(), report.failures.len() as u64);
    let failures: Vec<_> = reports.iter().map(failures).collect();
    let failures = failures.iter().map(|(name, count)| (name.as_str(), *count));
    let mut good = arguments.engines.tolerates(failures);
    for report in reports {
        let name = report.header.label();
        if arguments.strict && report.header.left_out.is_some_and(|left_out| left_out > 0) {
            good = false;
            warn("--strict: the file has items that could not be used");
        }
        if report.not_asked > 0 {
            good = false;
            warn(format!(
                "{name} kept failing: positions that were not asked: {}",
                report.not_asked
            ));
        }
        let Some(least) = arguments.min_accuracy else { continue };
        match report.metrics.accuracy {
            Some(accuracy) if accuracy >= least => {}
            Some(accuracy) => {
                good = false;
                warn(format!("{name}: accuracy {accuracy:.4} is below {least}"));
            }
            None => {
                good = false;
                warn(format!("{name}: no position to tell accuracy by"));
            }
        }
    }
    if good { Ok(()) } else { Err(AlreadyReported.into()) }
}
