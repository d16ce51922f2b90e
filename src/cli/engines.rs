//! The options of `grade` and `match` that choose, start and limit engines.

use super::failure::{WrongUsage, warn};
use oware::grade::Entrant;
use oware::uci::{CommandLine, FailureKind, Limit, Timeouts};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::thread;
use std::time::Duration;

/// The options of engines.
#[derive(Debug, clap::Args)]
pub(crate) struct EngineOptions {
    /// Engine: a command line in one argument, `random` or `greedy`; may be repeated
    #[arg(long, value_name = "COMMAND")]
    engine: Vec<String>,

    /// Option to set in the engines (`setoption`); may be repeated
    #[arg(long = "engine-option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    engine_options: Vec<(String, String)>,

    #[command(flatten)]
    limits: LimitOptions,

    /// Parallel instances of each engine [default: half of the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Seconds without an answer, in addition to the search time, after which an engine counts as
    /// hanging
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    timeout: f64,

    /// Failures of an engine (crashes, missing answers, illegal moves) that are no reason to fail;
    /// more of them are exit status 1
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_failures: u64,
}

/// The limits of a search.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct LimitOptions {
    /// Milliseconds per move [default: 100]; several are separated by commas
    #[arg(long, value_name = "MS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    movetime: Vec<u32>,

    /// Plies of search; several are separated by commas
    #[arg(long, value_name = "PLIES", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    depth: Vec<u32>,
}

/// An entrant and a limit.
#[derive(Clone, Debug)]
pub(crate) struct LimitedEntrant {
    pub(crate) entrant: Entrant,
    pub(crate) limit: Limit,
}

impl LimitedEntrant {
    /// The name of the entrant, with the limit if it applies.
    pub(crate) fn label(&self) -> String {
        let name = self.entrant.label();
        if self.entrant.has_limit() { format!("{name}, {}", self.limit) } else { name }
    }
}

impl EngineOptions {
    /// Every engine with every limit, and every built-in player once.
    pub(crate) fn limited_entrants(&self) -> anyhow::Result<Vec<LimitedEntrant>> {
        let (entrants, limits) = self.entrants_and_limits()?;
        let mut found = Vec::new();
        for entrant in entrants {
            let limits = if entrant.has_limit() { &limits[..] } else { &limits[..1] };
            found.extend(
                limits.iter().map(|&limit| LimitedEntrant { entrant: entrant.clone(), limit }),
            );
        }
        Ok(found)
    }

    /// The engines and the limits of the options, at least one of each.
    pub(crate) fn entrants_and_limits(&self) -> anyhow::Result<(Vec<Entrant>, Vec<Limit>)> {
        if self.engine.is_empty() {
            let why = "no engine to ask: give --engine COMMAND (or, to grade, --games FILE)";
            return Err(WrongUsage(why.to_owned()).into());
        }
        let entrants: anyhow::Result<Vec<Entrant>> =
            self.engine.iter().map(|text| self.entrant(text)).collect();
        Ok((entrants?, self.limits.limits()))
    }

    fn entrant(&self, text: &str) -> anyhow::Result<Entrant> {
        if let Some(builtin) = Entrant::builtin(text) {
            return Ok(builtin);
        }
        let mut words = shlex::split(text).unwrap_or_default().into_iter();
        let Some(program) = words.next() else {
            let why = format!("--engine '{text}' is not a command line: check its quotes");
            return Err(WrongUsage(why).into());
        };
        Ok(Entrant::Program {
            command: CommandLine { program, arguments: words.collect() },
            options: self.engine_options.clone(),
        })
    }

    /// The number of parallel instances of each engine.
    pub(crate) fn jobs(&self) -> usize {
        // Engines search while this program waits. Half of the cores are left to their other threads.
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.jobs.map_or_else(|| cores().div_ceil(2), usize::from)
    }

    /// Warns about every engine of `failures` that failed more often than is tolerated. Returns
    /// whether there is none.
    pub(crate) fn tolerates<'name>(
        &self,
        failures: impl IntoIterator<Item = (&'name str, u64)>,
    ) -> bool {
        let mut good = true;
        for (name, count) in failures {
            if count > self.max_failures {
                good = false;
                let most = self.max_failures;
                warn(format!("{name} failed {}, more than --max-failures {most}", times(count)));
            }
        }
        good
    }

    /// The times after which an engine counts as hanging.
    pub(crate) fn timeouts(&self) -> Timeouts {
        let timeout = Duration::from_secs_f64(self.timeout);
        Timeouts::new().handshake(timeout).ready(timeout).answer(timeout)
    }
}

impl LimitOptions {
    /// The limits of the options, at least one.
    fn limits(&self) -> Vec<Limit> {
        let time = |ms: &u32| Limit::MoveTime(Duration::from_millis((*ms).into()));
        let mut limits: Vec<Limit> = self.movetime.iter().map(time).collect();
        limits.extend(self.depth.iter().copied().map(Limit::Depth));
        if limits.is_empty() {
            limits.push(Limit::MoveTime(Duration::from_millis(100)));
        }
        limits
    }
}

/// Says which rules of the game an engine could not be told.
pub(crate) fn warn_of_untold(name: &str, untold: &[String]) {
    if !untold.is_empty() {
        let rules = untold.join(", ");
        warn(format!("{name} has no option for {rules}: it must play so of its own accord"));
    }
}

/// Failures as part of a headline: `3 failures (2 illegal-move, 1 crash)`; `None` without any.
pub(crate) fn failures_in_words(kinds: impl Iterator<Item = FailureKind>) -> Option<String> {
    let mut counts: BTreeMap<FailureKind, u64> = BTreeMap::new();
    kinds.for_each(|kind| *counts.entry(kind).or_default() += 1);
    let all: u64 = counts.values().sum();
    let list: Vec<_> =
        counts.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
    let noun = if all == 1 { "failure" } else { "failures" };
    (all > 0).then(|| format!("{all} {noun} ({})", list.join(", ")))
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("'{text}' is not NAME=VALUE, as in Hash=64")),
    }
}

/// Seconds above 0 and at most a day.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err(format!("'{text}' is not a number of seconds above 0 and up to 86400")),
    }
}
