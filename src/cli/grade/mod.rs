//! `oware grade`: measures the moves of engines, or of recorded games, by exact values.
//!
//! The command draws or reads positions, looks them up in the tables and asks each engine with each
//! limit for a move. All engines answer the same positions. `positions` finds the positions, `show`
//! prints a report as text, `html` as a page, `chart` as SVG.

mod chart;
mod html;
mod positions;
mod show;

use super::engines::{EngineOptions, LimitedEntrant, warn_of_untold};
use super::failure::{AlreadyReported, Interrupted, warn};
use super::options::Options;
use super::output::Output;
use super::progress::Progress;
use super::signals::end_on_signal;
use super::tables;
use anyhow::Context;
use chart::accuracy_by_level;
use oware::game::{Repetition, read_records};
use oware::grade::{
    ExactMoves, GradeHeader, GradeReport, GradedMove, RunSettings, collect_responses, look_up_games,
};
use oware::search::{Aim, UnknownAim};
use oware::uci::{Identity, RunningEngines};
use positions::PositionOptions;
use std::fs;
use std::path::PathBuf;

/// The arguments of `grade`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    engines: EngineOptions,

    /// Grade the moves of the games in a file (Open Game Notation) instead of an engine
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engine", "seeds", "positions", "boards"])]
    games: Option<PathBuf>,

    #[command(flatten)]
    positions: PositionOptions,

    /// Aim that defines a perfect move: margin (seeds) or result (won, drawn, lost)
    #[arg(long, value_name = "AIM", default_value_t, value_parser = measured_aim)]
    aim: Aim,

    /// Fail (exit status 1) if the share of perfect answers is below this, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_accuracy: Option<f64>,

    /// Write a report with charts as one self-contained HTML page
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Write the chart of accuracy by level as SVG
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,

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
With --json one object is printed per engine and limit, one per line.";

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
    let (reports, is_stopped) = match &arguments.games {
        Some(file) => (vec![grade_games(file, arguments, options)?], false),
        None => grade_engines(arguments, options)?,
    };
    for (number, report) in reports.iter().enumerate() {
        if options.json {
            output.json(report)?;
        } else {
            show::show(report, number > 0, options, output)?;
        }
    }
    write_pages(arguments, &reports)?;
    if is_stopped {
        return Err(
            Interrupted("the engines were ended: the reports hold the answers so far").into()
        );
    }
    check(arguments, &reports)
}

/// The reports, and whether a signal ended the work early.
fn grade_engines(
    arguments: &Arguments,
    options: &Options,
) -> anyhow::Result<(Vec<GradeReport>, bool)> {
    let entrants = arguments.engines.limited_entrants()?;
    let database = arguments.reading.open(options)?;
    let positions = arguments.positions.look_up(&database)?;
    if Repetition::of_rules(options.rules) != Repetition::Split && !options.json {
        warn(format!(
            "{} games usually give each side the seeds of its own row when play repeats; \
             the tables assume that they are shared evenly",
            options.rules
        ));
    }
    let progress = Progress::new(options);
    let engines = RunningEngines::new();
    end_on_signal(&engines)?;
    let mut reports = Vec::new();
    for entrant in &entrants {
        if engines.have_ended() {
            break;
        }
        let settings = RunSettings::new(options.rules, entrant.limit).engines(engines.clone());
        reports.push(grade_engine(entrant, settings, &positions, arguments, &progress)?);
    }
    Ok((reports, engines.have_ended()))
}

fn grade_engine(
    entrant: &LimitedEntrant,
    settings: RunSettings,
    exact: &[ExactMoves],
    arguments: &Arguments,
    progress: &Progress,
) -> anyhow::Result<GradeReport> {
    let positions: Vec<_> = exact.iter().map(|exact| *exact.position()).collect();
    let settings = settings
        .jobs(arguments.engines.jobs())
        .seed(arguments.positions.seed())
        .timeouts(arguments.engines.timeouts());
    progress.begin(&entrant.label(), positions.len() as u64, "positions");
    let answers =
        collect_responses(&entrant.entrant, &positions, &settings, &|| progress.advance(1))?;
    progress.clear();
    let graded: Vec<GradedMove> = exact
        .iter()
        .zip(answers.responses)
        .map(|(exact, response)| GradedMove::new(exact.clone(), response))
        .collect();
    let label = entrant.entrant.label();
    let has_limit = entrant.entrant.has_limit();
    let Identity { name, author, untold, .. } = answers.identity;
    let engine = name.unwrap_or_else(|| label.clone());
    warn_of_untold(&engine, &untold);
    let source = arguments.positions.source_name();
    let header = GradeHeader::new(settings.rules, arguments.aim, engine, source)
        .author(author)
        .rules_not_set(untold)
        .command(has_limit.then_some(label))
        .limit(has_limit.then(|| entrant.limit.to_string()))
        .seed(Some(arguments.positions.seed()));
    Ok(GradeReport::new(header, &graded))
}

fn grade_games(
    file: &PathBuf,
    arguments: &Arguments,
    options: &Options,
) -> anyhow::Result<GradeReport> {
    let place = || format!("cannot grade the games of {}", file.display());
    let text = fs::read_to_string(file).with_context(place)?;
    let records = read_records(&text).with_context(place)?;
    let database = arguments.reading.open(options)?;
    let moves = look_up_games(&database, &records).with_context(place)?;
    if moves.above_tables > 0 {
        warn(format!("moves on boards above the tables, left out: {}", moves.above_tables));
    }
    let source = file.display().to_string();
    let header = GradeHeader::new(options.rules, arguments.aim, "recorded games", source);
    Ok(GradeReport::new(header, &moves.graded))
}

fn write_pages(arguments: &Arguments, reports: &[GradeReport]) -> anyhow::Result<()> {
    if let Some(file) = &arguments.report {
        let page = html::html_report(reports).context("cannot make the report")?;
        fs::write(file, page).with_context(|| format!("cannot write {}", file.display()))?;
    }
    if let Some(file) = &arguments.chart {
        fs::write(file, accuracy_by_level(reports))
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Warns about every engine that kept failing or whose accuracy is too low, and fails then.
fn check(arguments: &Arguments, reports: &[GradeReport]) -> anyhow::Result<()> {
    let failures = |report: &GradeReport| (report.header.label(), report.failures.len() as u64);
    let failures: Vec<_> = reports.iter().map(failures).collect();
    let failures = failures.iter().map(|(name, count)| (name.as_str(), *count));
    let mut good = arguments.engines.tolerates(failures);
    for report in reports {
        let name = report.header.label();
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
