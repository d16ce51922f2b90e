//! The players that are measured: external engines and two built-in players to compare with.
//!
//! Invariant: the choice of a built-in player depends on the position, the seed of the run and the
//! number of the request only. A run therefore gives the same answers with any number of jobs.

use crate::game::GameSetup;
use crate::rules::{GameString, Outcome, Pit, Rules};
use crate::search::simple_players::{greedy_move, random_move};
use crate::uci::{
    Answer, Client, CommandLine, Failure, FailureKind, Identity, Limit, RunningEngines, Timeouts,
};
use rand_pcg::Pcg64;
use std::time::{Duration, Instant};

/// A player that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrant {
    /// Any legal move, all equally likely.
    Random,
    /// A move with the largest immediate gain, all of them equally likely.
    Greedy,
    /// An external engine.
    Program {
        /// The command line.
        command: CommandLine,
        /// The names and values of `setoption`.
        options: Vec<(String, String)>,
    },
}

impl Entrant {
    /// The built-in player of that name.
    #[must_use]
    pub fn builtin(name: &str) -> Option<Self> {
        match name {
            "random" => Some(Self::Random),
            "greedy" => Some(Self::Greedy),
            _ => None,
        }
    }

    /// Whether a [`Limit`] applies.
    #[must_use]
    pub const fn has_limit(&self) -> bool {
        matches!(self, Self::Program { .. })
    }

    /// The name until the handshake gives one.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Random => "random".to_owned(),
            Self::Greedy => "greedy".to_owned(),
            Self::Program { command, .. } => command.to_string(),
        }
    }
}

/// A started player.
#[derive(Debug)]
pub(super) enum Player {
    Builtin { greedy: bool, rules: Rules },
    External(Box<Client>),
}

/// A request for a move in a game that began at `start` and continued with `moves` to `now`.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveRequest<'game> {
    pub(super) start: &'game GameString,
    pub(super) moves: &'game str,
    pub(super) now: &'game GameString,
    /// The seed of the run and the number of the request, for the random choices of built-in players.
    pub(super) random: (u64, u64),
}

impl Player {
    pub(super) fn start(
        entrant: &Entrant,
        setup: GameSetup,
        timeouts: Timeouts,
        engines: &RunningEngines,
    ) -> Result<Self, Failure> {
        let rules = setup.rules;
        match entrant {
            Entrant::Random => Ok(Self::Builtin { greedy: false, rules }),
            Entrant::Greedy => Ok(Self::Builtin { greedy: true, rules }),
            Entrant::Program { command, options } => {
                let client = Client::start(command, setup, options, timeouts, engines);
                client.map(Box::new).map(Self::External)
            }
        }
    }

    pub(super) fn identity(&self) -> Identity {
        match self {
            Self::Builtin { .. } => Identity::default(),
            Self::External(client) => client.identity().clone(),
        }
    }

    pub(super) fn new_game(&mut self) {
        match self {
            Self::Builtin { .. } => {}
            Self::External(client) => client.new_game(),
        }
    }

    pub(super) fn choose(
        &mut self,
        request: MoveRequest<'_>,
        limit: Limit,
    ) -> Result<Answer, Failure> {
        match self {
            Self::Builtin { greedy, rules } => {
                let began = Instant::now();
                let pit = builtin_move(*rules, *greedy, request).ok_or_else(|| Failure {
                    kind: FailureKind::NoMove,
                    message: format!("no legal move in {}", request.now),
                    transcript: Vec::new(),
                })?;
                Ok(Answer { pit, time: began.elapsed() })
            }
            Self::External(client) => client.ask(request.start, request.moves, request.now, limit),
        }
    }
}

/// The move of a built-in player.
fn builtin_move(rules: Rules, greedy: bool, request: MoveRequest<'_>) -> Option<Pit> {
    let legal: Vec<(Pit, Outcome)> = rules.moves(request.now.board).collect();
    let (seed, number) = request.random;
    let mut rng = Pcg64::new(seed.into(), number.into());
    let choice = if greedy { greedy_move(&legal, &mut rng) } else { random_move(&legal, &mut rng) };
    choice.map(|(pit, _)| pit)
}

/// The mean and the maximum of a set of times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    total: Duration,
    longest: Duration,
    count: u32,
}

impl Times {
    pub(super) fn add(&mut self, time: Duration) {
        self.total += time;
        self.longest = self.longest.max(time);
        self.count += 1;
    }

    /// The mean in milliseconds.
    pub(super) fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.total.as_secs_f64() * 1e3 / f64::from(self.count))
    }

    /// The maximum in milliseconds.
    pub(super) fn longest(self) -> Option<f64> {
        (self.count > 0).then_some(self.longest.as_secs_f64() * 1e3)
    }
}
