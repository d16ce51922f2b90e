//! `oware grade`: measures the moves of engines, or of recorded games, by exact values.
//!
//! The command draws or reads positions, looks them up in the tables and asks each engine with each
//! limit for a move. All engines answer the same positions. `positions` finds the positions, `show`
//! prints a report as text, `html` as a page, `chart` as SVG.

mod chart;
mod html;
mod left_out;
mod positions;
mod show;

use super::engines::{EngineOptions, LimitedEntrant};
use super::failure::{AlreadyReported, Interrupted, warn};
use super::files::{Log, WholeFile, distinct, is_standard_output};
use super::options::Options;
use super::output::Output;
use super::progress::Progress;
use super::signals::stop_flag;
use super::tables;
use anyhow::Context;
use chart::accuracy_by_level;
use left_out::LeftOut;
use oware::game::Repetition;
use oware::grade::{
    AnswerReport, GradeCounts, GradeHeader, GradeReport, GradedMove, RecordedMoves, Response,
    RunSettings, collect_responses, look_up_games,
};
use oware::progress::StopFlag;
use oware::search::Aim;
use positions::{PositionOptions, Positions};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

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
    #[arg(long, value_name = "AIM", default_value_t)]
    aim: Aim,

    /// Fail (exit status 1) if the share of perfect answers is below this, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_accuracy: Option<f64>,

    /// Fail (exit status 1) if a game or a board of a file could not be used; all others are graded
    /// in any case
    #[arg(long)]
    strict: bool,

    /// Write a report with charts as one self-contained HTML page
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Write the chart of accuracy by level as SVG
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,

    /// Write every answer with its grade as a line of JSON, as the answers come
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,

    /// Replace files of --report, --chart and --answers that are there already
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    reading: tables::Reading,
}

const EXAMPLES: &str = "\
Examples:
  oware grade --engine 'my-engine --uci' --seeds 6..16 --positions 2000 --movetime 100
  oware grade --engine random --engine 'oware uci' --depth 2,4,6 --report report.html
  oware grade --games games.ogn --json

Engines use the UCI dialect of Aualé; `random` and `greedy` are built in. Accuracy is the number of
perfect answers per position, over positions whose moves are not all equal. A crash, a timeout or
an illegal move is a failed answer; the run continues, and the report has the lines exchanged.
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
    let mut outputs = Outputs::open(arguments)?;
    let stop = stop_flag()?;
    let reports = match &arguments.games {
        Some(file) => vec![grade_games(file, arguments, options, &mut outputs, &stop)?],
        None => grade_engines(arguments, options, &outputs, &stop)?,
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
    if stop.is_set() {
        let answers: u64 = reports.iter().map(|report| report.metrics.positions).sum();
        warn(format!("stopped: the report is of the {answers} answers so far"));
        return Err(Interrupted.into());
    }
    check(arguments, &reports)
}

/// The files that a grading writes, open before it starts.
struct Outputs {
    report: Option<WholeFile>,
    chart: Option<WholeFile>,
    answers: Option<Mutex<Log>>,
    /// Whether standard output is one of the files, and nothing else is to be printed there.
    is_silent: bool,
}

impl Outputs {
    fn open(arguments: &Arguments) -> anyhow::Result<Self> {
        let Arguments { report, chart, answers, games, force, .. } = arguments;
        let written = [report.as_ref(), chart.as_ref(), answers.as_ref()];
        let read = [games.as_ref(), arguments.positions.file()];
        distinct(&[&written[..], &read].concat())?;
        let whole = |path: &Option<PathBuf>| {
            path.as_ref().map(|path| WholeFile::prepare(path, *force)).transpose()
        };
        let log = answers.as_ref().map(|path| Log::open(path, *force)).transpose()?;
        Ok(Self {
            report: whole(report)?,
            chart: whole(chart)?,
            answers: log.map(Mutex::new),
            is_silent: written.iter().flatten().any(|path| is_standard_output(path)),
        })
    }

    /// Adds an answer to the log of answers.
    fn log(&self, answer: impl FnOnce() -> Option<AnswerReport>) -> anyhow::Result<()> {
        let Some(log) = &self.answers else { return Ok(()) };
        let Some(answer) = answer() else { return Ok(()) };
        let line = serde_json::to_string(&answer).context("cannot put the answer as JSON")? + "\n";
        log.lock().unwrap_or_else(PoisonError::into_inner).add(&line)
    }

    fn write_pages(self, reports: &[GradeReport], output: &mut Output) -> anyhow::Result<()> {
        if let Some(file) = self.report {
            let page = html::html_report(reports).context("cannot make the report")?;
            file.write(output, |out| Ok(out.write_all(page.as_bytes())?))?;
        }
        if let Some(file) = self.chart {
            let chart = accuracy_by_level(reports);
            file.write(output, |out| Ok(out.write_all(chart.as_bytes())?))?;
        }
        Ok(())
    }
}

fn grade_engines(
    arguments: &Arguments,
    options: &Options,
    outputs: &Outputs,
    stop: &StopFlag,
) -> anyhow::Result<Vec<GradeReport>> {
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
    let grading = Grading { positions: &positions, arguments, options, outputs, stop };
    let mut reports = Vec::new();
    for entrant in &entrants {
        reports.push(grading.grade(entrant, &progress)?);
        if stop.is_set() {
            break;
        }
    }
    Ok(reports)
}

/// The work that is the same for every engine.
struct Grading<'run> {
    positions: &'run Positions,
    arguments: &'run Arguments,
    options: &'run Options,
    outputs: &'run Outputs,
    stop: &'run StopFlag,
}

impl Grading<'_> {
    fn grade(&self, entrant: &LimitedEntrant, progress: &Progress) -> anyhow::Result<GradeReport> {
        let (arguments, exact) = (self.arguments, &self.positions.exact);
        let positions: Vec<_> = exact.iter().map(|exact| *exact.position()).collect();
        let settings = RunSettings::new(self.options.rules, entrant.limit)
            .jobs(arguments.engines.jobs())
            .seed(arguments.positions.seed())
            .timeouts(arguments.engines.timeouts());
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
                self.stop.stop();
            }
        };
        let answers =
            collect_responses(&entrant.entrant, &positions, &settings, self.stop, &answered)?;
        progress.clear();
        if let Some(error) = unwritten.into_inner() {
            return Err(error);
        }
        let mut counts = GradeCounts::new(arguments.aim);
        for (exact, response) in exact.iter().zip(answers.responses) {
            counts.add(&GradedMove::new(exact.clone(), response));
        }
        let engine = answers.identity.name.unwrap_or_else(|| label.clone());
        let source = arguments.positions.source_name();
        let header = GradeHeader::new(self.options.rules, arguments.aim, engine, source)
            .author(answers.identity.author)
            .command(limit.is_some().then_some(label))
            .limit(limit)
            .seed(Some(arguments.positions.seed()))
            .left_out(self.positions.left_out)
            .stopped(self.stop.is_set());
        Ok(counts.report(header))
    }
}

fn grade_games(
    file: &Path,
    arguments: &Arguments,
    options: &Options,
    outputs: &mut Outputs,
    stop: &StopFlag,
) -> anyhow::Result<GradeReport> {
    let cannot = || format!("cannot grade the games of {}", file.display());
    let input = BufReader::with_capacity(1 << 16, File::open(file).with_context(cannot)?);
    let database = arguments.reading.open(options)?;
    let mut counts = GradeCounts::new(arguments.aim);
    let mut left_out = LeftOut::new(file, "games");
    let mut notes = GameNotes::default();
    for game in look_up_games(&database, input) {
        let game = game.with_context(cannot)?;
        let place = format!("line {}, game {}", game.line, game.number);
        match game.moves {
            Err(error) => left_out.add(&place, error),
            Ok(moves) => {
                notes.add(game.number, &moves);
                for graded in &moves.graded {
                    counts.add(graded);
                    outputs.log(|| AnswerReport::of(graded, arguments.aim, "", None, 0))?;
                }
            }
        }
        if stop.is_set() {
            break;
        }
    }
    notes.report();
    let left_out = left_out.finish(notes.games)?;
    let source = file.display().to_string();
    let header = GradeHeader::new(options.rules, arguments.aim, "recorded games", source)
        .left_out(Some(left_out))
        .stopped(stop.is_set());
    Ok(counts.report(header))
}

/// What there is to say about games that were graded.
#[derive(Default)]
struct GameNotes {
    games: u64,
    above_tables: usize,
    /// Games that went on after their end, and the first of them.
    went_on: u64,
    first: Option<String>,
}

impl GameNotes {
    fn add(&mut self, number: usize, moves: &RecordedMoves) {
        self.games += 1;
        self.above_tables += moves.above_tables;
        if let Some((plies, end)) = moves.went_on {
            self.went_on += 1;
            let first = || format!("game {number} after move {plies}, {}", end.name());
            self.first.get_or_insert_with(first);
        }
    }

    fn report(&self) {
        if let Some(first) = &self.first {
            let went_on = self.went_on;
            warn(format!(
                "games that went on after a repetition or past half of the seeds, \
                 read to their last move: {went_on} (the first: {first})"
            ));
        }
        if self.above_tables > 0 {
            warn(format!("moves on boards above the tables, left out: {}", self.above_tables));
        }
    }
}

/// Warns about every engine that kept failing or whose accuracy is too low, and fails then.
fn check(arguments: &Arguments, reports: &[GradeReport]) -> anyhow::Result<()> {
    let mut good = true;
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
