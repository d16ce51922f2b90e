//! `oware match`: two engines play pairs of games with sides swapped.

use super::engines::{EngineOptions, LimitedEntrant, failures_in_words, warn_of_untold};
use super::failure::{AlreadyReported, Interrupted, WrongUsage};
use super::names;
use super::options::Options;
use super::output::Output;
use super::progress::Progress;
use super::signals::end_on_signal;
use anyhow::Context;
use oware::game::{GameSetup, Repetition};
use oware::grade::{Interval, Match, MatchGame, MatchPlan, MatchReport, play_match};
use oware::uci::RunningEngines;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

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

    /// Write the games to a file in Open Game Notation
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  oware match --engine 'my-engine --uci' --engine 'oware uci' --movetime 100 --save games.ogn
  oware match --engine 'oware uci' --engine 'oware uci' --depth 4,8 --pairs 100

Give --engine twice; a single engine plays itself. One limit applies to both engines, two limits
apply in the order of the engines. An engine that fails loses the game, and the exit status is 1
unless --max-failures allows it. An engine that offers the options Rules, Repetition and PlayOn is
set to the rules of the match. The score is the first
engine's points per game: 1 for a win, 0.5 for a draw. Its 95 % interval counts pairs.";

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
    let progress = Progress::new(options);
    progress.begin("match", u64::from(arguments.pairs) * 2, "games");
    let entrants = [&sides[0].entrant, &sides[1].entrant];
    let played = play_match(entrants, &plan, &|| progress.advance(1))?;
    progress.clear();
    let names = names(&played, &sides);
    let report = played.report(&plan, entrants, &names);
    for (name, untold) in names.iter().zip(&report.rules_not_set) {
        warn_of_untold(name, untold);
    }
    if options.json {
        output.json(&report)?;
    } else {
        show(&report, output)?;
    }
    if let Some(file) = &arguments.save {
        let records = (1..).zip(&played.games);
        let record = |(number, game): (_, &MatchGame)| game.record(&names, number);
        let text: Vec<String> = records.map(|of| record(of).to_text(options.rules)).collect();
        fs::write(file, text.join("\n"))
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    if engines.have_ended() {
        return Err(Interrupted("the engines were ended: the report holds the whole games").into());
    }
    let failures = report.engines.iter().map(String::as_str).zip(report.forfeits);
    if arguments.engines.tolerates(failures) { Ok(()) } else { Err(AlreadyReported.into()) }
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
fn names(played: &Match, sides: &[LimitedEntrant; 2]) -> [String; 2] {
    let own = |at: usize| {
        let name = &played.identities[at].name;
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
