//! Collecting the moves of one entrant in many positions, with several instances in parallel.
//!
//! Each worker runs one instance and takes the next position of a shared counter. A failure is
//! recorded with its transcript, and an instance that cannot be used again is replaced. The run stops
//! after [`MAX_FAILURES`] replacements or [`MAX_FAILED_STARTS`] failed starts without an answer in
//! between, or when the engines are [ended](RunningEngines::end); the remaining positions are not
//! asked.
//!
//! Invariants: the responses are in the order of the positions. Every position is asked at most once.

use super::player::{Entrant, MoveRequest, Player};
use crate::game::{GameSetup, Repetition};
use crate::rules::{GameString, Rules};
use crate::uci::{Answer, Failure, FailureKind, Identity, Limit, RunningEngines, Timeouts};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Failures without an answer in between after which a run stops.
pub const MAX_FAILURES: usize = 20;
/// Failed starts without an answer in between after which a run stops.
pub const MAX_FAILED_STARTS: usize = 3;

/// The settings of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunSettings {
    /// The rule set.
    pub rules: Rules,
    /// The limit of a search.
    pub limit: Limit,
    /// The number of parallel instances, at least 1.
    pub jobs: usize,
    /// The seed of the random choices of built-in players.
    pub seed: u64,
    /// The times after which an external engine counts as hanging.
    pub timeouts: Timeouts,
    /// The list that the engines are entered in. Ending them ends the run.
    pub engines: RunningEngines,
}

impl RunSettings {
    /// A run with one instance at a time and the seed 1.
    #[must_use]
    pub fn new(rules: Rules, limit: Limit) -> Self {
        let (timeouts, engines) = (Timeouts::default(), RunningEngines::new());
        Self { rules, limit, jobs: 1, seed: 1, timeouts, engines }
    }

    /// Sets the number of parallel instances, at least 1.
    #[must_use]
    pub const fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs;
        self
    }

    /// Sets the seed of the random choices of built-in players.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the times after which an external engine counts as hanging.
    #[must_use]
    pub const fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Sets the list that the engines are entered in. Ending them ends the run.
    #[must_use]
    pub fn engines(mut self, engines: RunningEngines) -> Self {
        self.engines = engines;
        self
    }

    /// The game that the positions are of. Exact values share endless play evenly.
    fn setup(&self) -> GameSetup {
        GameSetup { repetition: Repetition::Split, ..GameSetup::new(self.rules) }
    }
}

/// The response to one position.
#[derive(Clone, Debug)]
pub enum Response {
    /// A legal move.
    Move(Answer),
    /// A failure.
    Failed(Failure),
    /// The run stopped before this position.
    NotAsked,
}

/// The responses of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Responses {
    /// The identity that the entrant sent in the handshake.
    pub identity: Identity,
    /// One response per position, in the same order.
    pub responses: Vec<Response>,
}

/// Collects the moves of an entrant in some positions. Calls `answered` with the index of each position
/// and its response.
///
/// # Errors
/// [`FailureKind::NoStart`] if the program cannot be started.
pub fn collect_responses(
    entrant: &Entrant,
    positions: &[GameString],
    settings: &RunSettings,
    answered: &(dyn Fn(usize, &Response) + Sync),
) -> Result<Responses, Failure> {
    let run = Run {
        entrant,
        positions,
        settings,
        answered,
        next: AtomicUsize::new(0),
        failures: AtomicUsize::new(0),
        failed_starts: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
        identity: Mutex::new(Identity::default()),
    };
    let first = match run.start() {
        Err(failure) if failure.kind == FailureKind::NoStart && !run.is_stopped() => {
            return Err(failure);
        }
        started => started,
    };
    let jobs = settings.jobs.clamp(1, positions.len().max(1));
    let mut collected = BTreeMap::new();
    thread::scope(|scope| {
        let run = &run;
        // Where the system grants fewer threads, fewer do the same work.
        let start = |_| thread::Builder::new().spawn_scoped(scope, move || run.work(None)).ok();
        let others: Vec<_> = (1..jobs).filter_map(start).collect();
        collected.extend(run.work(Some(first)));
        for other in others {
            match other.join() {
                Ok(responses) => collected.extend(responses),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    let responses = (0..positions.len())
        .map(|at| collected.remove(&at).unwrap_or(Response::NotAsked))
        .collect();
    let identity = run.identity.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Responses { identity, responses })
}

/// The state that the workers share.
struct Run<'run> {
    entrant: &'run Entrant,
    positions: &'run [GameString],
    settings: &'run RunSettings,
    answered: &'run (dyn Fn(usize, &Response) + Sync),
    next: AtomicUsize,
    failures: AtomicUsize,
    failed_starts: AtomicUsize,
    stopped: AtomicBool,
    identity: Mutex<Identity>,
}

impl Run<'_> {
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.settings.engines.have_ended()
    }

    fn start(&self) -> Result<Player, Failure> {
        let RunSettings { timeouts, engines, .. } = self.settings;
        let player = Player::start(self.entrant, self.settings.setup(), *timeouts, engines)?;
        *self.identity.lock().unwrap_or_else(PoisonError::into_inner) = player.identity();
        Ok(player)
    }

    /// Asks until no position is left. `first` is an instance that was started before, if there is one.
    fn work(&self, first: Option<Result<Player, Failure>>) -> Vec<(usize, Response)> {
        let mut started = first;
        let mut responses = Vec::new();
        while !self.is_stopped() {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(position) = self.positions.get(at) else { break };
            let player = started.take().unwrap_or_else(|| self.start());
            let response = match player {
                Ok(mut player) => {
                    let asked = self.ask(&mut player, at, position);
                    if asked.as_ref().err().is_none_or(|of| of.kind.is_recoverable()) {
                        started = Some(Ok(player));
                    }
                    self.note(&asked, &self.failures, MAX_FAILURES);
                    asked
                }
                Err(failure) => {
                    let asked = Err(failure);
                    self.note(&asked, &self.failed_starts, MAX_FAILED_STARTS);
                    asked
                }
            };
            // An engine that was ended has not failed.
            if response.is_err() && self.settings.engines.have_ended() {
                break;
            }
            let response = response.map_or_else(Response::Failed, Response::Move);
            (self.answered)(at, &response);
            responses.push((at, response));
        }
        responses
    }

    fn ask(
        &self,
        player: &mut Player,
        at: usize,
        position: &GameString,
    ) -> Result<Answer, Failure> {
        player.new_game();
        let random = (self.settings.seed, at as u64);
        let request = MoveRequest { start: position, moves: "", now: position, random };
        player.choose(request, self.settings.limit)
    }

    /// Counts a failure or resets the counts, and stops the run at the limit.
    fn note(&self, asked: &Result<Answer, Failure>, failures: &AtomicUsize, limit: usize) {
        match asked {
            Err(failure) if !failure.kind.is_recoverable() => {
                if failures.fetch_add(1, Ordering::Relaxed) + 1 >= limit {
                    self.stopped.store(true, Ordering::Relaxed);
                }
            }
            _ => {
                self.failures.store(0, Ordering::Relaxed);
                self.failed_starts.store(0, Ordering::Relaxed);
            }
        }
    }
}
