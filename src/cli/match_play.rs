//! `oware match`: two engines play pairs of games with sides swapped.

use super::engines::{EngineOptions, LimitedEntrant, failures_in_words, warn_of_untold};
use super::failure::{AlreadyReported, Interrupted, WrongUsage};
use super::files::{Log, is_standard_output};
use super::names;
use super::options::Options;
use super::output::Output;
use super::progress::Progress;
use super::signals::end_on_signal;
use oware::game::{GameSetup, Repetition};
use oware::grade::{Interval, MatchGame, MatchPlan, MatchReport, play_match};
use oware::rules::Rules;
use oware::uci::{Identity, RunningEngines};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The number of failures shown, with their transcripts.
const FAILURES: usize = 3;

/// The arguments of `match`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    engines: EngineOptions,

    /// Number of pairs of games; both games of a pair have the same opening
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,

    /// Number of random moves at the beginning of a game
    #[arg(long, value_name = "N", default_value_t = 6)]
    opening_plies: u16,

    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Meaning of a repeated position: split or own-side [default: that of the rule set]
    #[arg(long, value_name = "HOW", value_parser = names::repetitions(), hide_possible_values = true)]
    repetition: Option<Repetition>,

    /// Continue games after one side has more than half of the seeds
    #[arg(long)]
    play_on: bool,

    /// Write the games to a file in Open Game Notation, each as it ends; - is standard output
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Replace a file of --save that is there already
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  oware match --engine 'my-engine --uci' --engine 'oware uci' --movetime 100 --save games.ogn
  oware match --engine 'oware uci' --engine 'oware uci' --depth 4,8 --pairs 100

Give --engine twice; a single engine plays itself. One limit applies to both engines, two limits
apply in the order of the engines. An engine that fails loses the game, and the exit status is 1
unless --max-failures allows it. An engine that offers the options Rules, Repetition and PlayOn is
set to the rules of the match. The score is the first
engine's points per game: 1 for a win, 0.5 for a draw. Its 95 % interval counts pairs. Ctrl-C ends the
match with a report of the games that have ended.";

/// Plays the match, prints the report and saves the games.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    let sides = two_entrants(arguments)?;
    let custom = GameSetup::new(options.rules);
    let setup = GameSetup {
        repetition: arguments.repetition.unwrap_or(custom.repetition),
        plays_on: arguments.play_on,
        ..custom
    };
    let limits = [sides[0].limit, sides[1].limit];
    let engines = RunningEngines::new();
    end_on_signal(&engines)?;
    let plan = MatchPlan::new(setup, arguments.pairs as usize, limits)
        .opening_plies(arguments.opening_plies.into())
        .seed(arguments.seed)
        .jobs(arguments.engines.jobs())
        .timeouts(arguments.engines.timeouts())
        .engines(engines.clone());
    let saved = Saved::open(arguments, options)?;
    let progress = Progress::new(options);
    progress.begin("match", u64::from(arguments.pairs) * 2, "games");
    let entrants = [&sides[0].entrant, &sides[1].entrant];
    // The first game that could not be written stops the match.
    let unwritten = OnceLock::new();
    let each = |game: &MatchGame, identities: &[Identity; 2]| {
        progress.advance(1);
        if let Err(error) = saved.add(game, &names(identities, &sides)) {
            let _ = unwritten.set(error);
            engines.end();
        }
    };
    let played = play_match(entrants, &plan, &each)?;
    progress.clear();
    if let Some(error) = unwritten.into_inner() {
        return Err(error);
    }
    let names = names(&played.identities, &sides);
    let report = played.report(&plan, entrants, &names);
    for (name, untold) in names.iter().zip(&report.rules_not_set) {
        warn_of_untold(name, untold);
    }
    if options.json && !saved.is_silent {
        output.json(&report)?;
    } else if !saved.is_silent {
        show(&report, output)?;
    }
    if engines.have_ended() {
        let (games, planned) = (report.games, u64::from(arguments.pairs) * 2);
        let held = if saved.file.is_some() { "report and file hold" } else { "the report holds" };
        return Err(Interrupted(format!(
            "the engines were ended: {held} the whole games, {games} of {planned}"
        ))
        .into());
    }
    let failures = report.engines.iter().map(String::as_str).zip(report.forfeits);
    if arguments.engines.tolerates(failures) { Ok(()) } else { Err(AlreadyReported.into()) }
}

/// The file of the games: each is added as it ends.
struct Saved {
    file: Option<Mutex<Log>>,
    rules: Rules,
    /// Whether the games go to standard output, and nothing else is to be printed there.
    is_silent: bool,
}

impl Saved {
    fn open(arguments: &Arguments, options: &Options) -> anyhow::Result<Self> {
        let path = arguments.save.as_ref();
        let file = path.map(|path| Log::open(path, arguments.force)).transpose()?;
        let is_silent = path.is_some_and(|path| is_standard_output(path));
        Ok(Self { file: file.map(Mutex::new), rules: options.rules, is_silent })
    }

    fn add(&self, game: &MatchGame, names: &[String; 2]) -> anyhow::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let text = game.record(names).to_text(self.rules) + "\n";
        file.lock().unwrap_or_else(PoisonError::into_inner).add(&text)
    }
}

/// The two entrants with their limits.
fn two_entrants(arguments: &Arguments) -> anyhow::Result<[LimitedEntrant; 2]> {
    let (entrants, limits) = arguments.engines.entrants_and_limits()?;
    let (first, second) = match &entrants[..] {
        [only] => (only, only),
        [first, second] => (first, second),
        _ => {
            let why = "a match is between two engines: give --engine twice";
            return Err(WrongUsage(why.to_owned()).into());
        }
    };
    let (first_limit, second_limit) = match limits[..] {
        [both] => (both, both),
        [first, second] => (first, second),
        _ => {
            let why = "a match takes one limit for both engines or two, one for each";
            return Err(WrongUsage(why.to_owned()).into());
        }
    };
    Ok([
        LimitedEntrant { entrant: first.clone(), limit: first_limit },
        LimitedEntrant { entrant: second.clone(), limit: second_limit },
    ])
}

/// The names of the entrants: their own, with the limit or a number if they are the same.
fn names(identities: &[Identity; 2], sides: &[LimitedEntrant; 2]) -> [String; 2] {
    let own = |at: usize| {
        let name = &identities[at].name;
        name.clone().unwrap_or_else(|| sides[at].entrant.label())
    };
    let names = [own(0), own(1)];
    if names[0] != names[1] {
        return names;
    }
    if sides[0].limit != sides[1].limit {
        return [0, 1].map(|at| format!("{}, {}", names[at], sides[at].limit));
    }
    [0, 1].map(|at| format!("{} ({})", names[at], at + 1))
}

/// The failures of the engines, for the first line: `: greedy 2 failures (2 crash)`.
fn forfeits(report: &MatchReport) -> String {
    let of_engine = |engine: &String| {
        let failures = report.failures.iter().filter(|failed| failed.engine == *engine);
        let words = failures_in_words(failures.map(|failed| failed.failure.kind));
        words.map(|words| format!("{engine} {words}"))
    };
    let list: Vec<_> = report.engines.iter().filter_map(of_engine).collect();
    if list.is_empty() { String::new() } else { format!(": {}", list.join(", ")) }
}

fn show(report: &MatchReport, output: &mut Output) -> anyhow::Result<()> {
    let [first, second] = &report.engines;
    writeln!(
        output,
        "{first} against {second} ({}, {} repetition, openings of {} moves, seed {}){}",
        report.rules,
        report.repetition,
        report.opening_plies,
        report.seed,
        forfeits(report)
    )?;
    writeln!(
        output,
        "  {} games: {} won, {} drawn, {} lost",
        report.games, report.wins, report.draws, report.losses
    )?;
    if let (Some(score), Some(Interval(low, high))) = (report.score, report.score_interval) {
        writeln!(output, "  score   {score:.3} a game (95 %: {low:.3} to {high:.3})")?;
    }
    if let (Some(mean), Some(Interval(low, high))) = (report.margin_mean, report.margin_interval) {
        writeln!(output, "  margin  {mean:+.2} seeds a game (95 %: {low:+.2} to {high:+.2})")?;
    }
    for failed in report.failures.iter().take(FAILURES) {
        let failure = &failed.failure;
        let kind = failure.kind.name();
        writeln!(output, "  game {}, {}: {kind}, {}", failed.game, failed.engine, failure.message)?;
        for line in failure.transcript.iter().flatten() {
            writeln!(output, "    {line}")?;
        }
    }
    Ok(())
}
