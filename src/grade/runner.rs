//! Asking one entrant about many positions, several copies of it in parallel.
//!
//! Each worker runs a copy of its own and takes the next question that nobody has taken. A copy that
//! fails is recorded with its conversation; it is replaced unless it is still in step with us. The
//! run goes on until copies had to be replaced [`MAX_FAILURES`] times, or could not be started
//! [`MAX_FAILED_STARTS`] times, without an answer in between; the rest is then not asked.
//!
//! Invariants: responses stand in the order of the questions; every question is asked at most once.

use super::player::{Entrant, MoveRequest, Player};
use crate::rules::{GameString, Rules};
use crate::uci::{Answer, Failure, FailureKind, Identity, Limit, Timeouts};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Copies of an engine that may die or hang one after the other.
pub const MAX_FAILURES: usize = 20;
/// Copies that may fail to start one after the other.
pub const MAX_FAILED_STARTS: usize = 3;

/// How to ask.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings {
    /// The rule set that answers are held against.
    pub rules: Rules,
    /// How long the entrant may think.
    pub limit: Limit,
    /// Copies that run at the same time, at least 1.
    pub jobs: usize,
    /// What the dice of built-in players depend on.
    pub seed: u64,
    /// When a silent engine counts as hanging.
    pub timeouts: Timeouts,
}

/// What became of a request.
#[derive(Clone, Debug)]
pub enum Response {
    /// A legal move.
    Move(Answer),
    /// The entrant failed.
    Failed(Failure),
    /// The run was stopped before.
    NotAsked,
}

/// What became of all questions.
#[derive(Clone, Debug)]
pub struct Responses {
    /// How the entrant introduced itself.
    pub identity: Identity,
    /// One a request, in the same order.
    pub responses: Vec<Response>,
}

/// Asks an entrant about positions; `answered` is called after each.
///
/// # Errors
/// [`FailureKind::NoStart`] when the program cannot be started at all.
pub fn collect_responses(
    entrant: &Entrant,
    positions: &[GameString],
    settings: &RunSettings,
    answered: &(dyn Fn() + Sync),
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
        Err(failure) if failure.kind == FailureKind::NoStart => return Err(failure),
        started => started,
    };
    let jobs = settings.jobs.clamp(1, positions.len().max(1));
    let mut heard = BTreeMap::new();
    thread::scope(|scope| {
        let run = &run;
        let others: Vec<_> = (1..jobs).map(|_| scope.spawn(move || run.work(None))).collect();
        heard.extend(run.work(Some(first)));
        for other in others {
            match other.join() {
                Ok(responses) => heard.extend(responses),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    let responses =
        (0..positions.len()).map(|at| heard.remove(&at).unwrap_or(Response::NotAsked)).collect();
    let identity = run.identity.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Responses { identity, responses })
}

/// What the workers share.
struct Run<'run> {
    entrant: &'run Entrant,
    positions: &'run [GameString],
    settings: &'run RunSettings,
    answered: &'run (dyn Fn() + Sync),
    next: AtomicUsize,
    failures: AtomicUsize,
    failed_starts: AtomicUsize,
    stopped: AtomicBool,
    identity: Mutex<Identity>,
}

impl Run<'_> {
    fn start(&self) -> Result<Player, Failure> {
        let player = Player::start(self.entrant, self.settings.rules, self.settings.timeouts)?;
        *self.identity.lock().unwrap_or_else(PoisonError::into_inner) = player.identity();
        Ok(player)
    }

    /// Asks until no question is left. `first` is a copy started before, if there is one.
    fn work(&self, first: Option<Result<Player, Failure>>) -> Vec<(usize, Response)> {
        let mut started = first;
        let mut responses = Vec::new();
        while !self.stopped.load(Ordering::Relaxed) {
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
            responses.push((at, response.map_or_else(Response::Failed, Response::Move)));
            (self.answered)();
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
        let dice = (self.settings.seed, at as u64);
        let request = MoveRequest { start: position, moves: "", now: position, dice };
        player.choose(request, self.settings.limit)
    }

    /// Stops the run after too many copies were lost in a row.
    fn note(&self, asked: &Result<Answer, Failure>, lost: &AtomicUsize, most: usize) {
        match asked {
            Err(failure) if !failure.kind.is_recoverable() => {
                if lost.fetch_add(1, Ordering::Relaxed) + 1 >= most {
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
