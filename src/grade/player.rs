//! Who is asked for moves: an engine, or one of two built-in players to compare with.
//!
//! Invariant: a built-in player's choice depends on the question's number and the run's seed only, so
//! that a run gives the same answers whatever the number of jobs.

use crate::rules::{GameString, Outcome, Pit, Rules};
use crate::search::simple_players::{greedy_move, random_move};
use crate::uci::{Answer, Client, CommandLine, Failure, FailureKind, Identity, Limit, Timeouts};
use rand_pcg::Pcg64;
use std::time::{Duration, Instant};

/// Who shall be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrant {
    /// Any legal move, each as likely as the others.
    Random,
    /// The move that takes most seeds at once, by chance among equals.
    Greedy,
    /// A program that speaks the dialect, and options to set in it.
    Program {
        /// The command line.
        command: CommandLine,
        /// Names and values for `setoption`.
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

    /// Whether [`Limit`] means anything to it.
    #[must_use]
    pub const fn has_limit(&self) -> bool {
        matches!(self, Self::Program { .. })
    }

    /// The name before it has introduced itself.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Random => "random".to_owned(),
            Self::Greedy => "greedy".to_owned(),
            Self::Program { command, .. } => command.to_string(),
        }
    }
}

/// Someone who can be asked now.
#[derive(Debug)]
pub(super) enum Player {
    Builtin { greedy: bool, rules: Rules },
    Client(Box<Client>),
}

/// A question to a [`Player`]: the game began at `start`, went on with `moves` and stands at `now`.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveRequest<'game> {
    pub(super) start: &'game GameString,
    pub(super) moves: &'game str,
    pub(super) now: &'game GameString,
    /// Seed and number of the request, for players that throw dice.
    pub(super) dice: (u64, u64),
}

impl Player {
    pub(super) fn start(
        entrant: &Entrant,
        rules: Rules,
        timeouts: Timeouts,
    ) -> Result<Self, Failure> {
        match entrant {
            Entrant::Random => Ok(Self::Builtin { greedy: false, rules }),
            Entrant::Greedy => Ok(Self::Builtin { greedy: true, rules }),
            Entrant::Program { command, options } => {
                Client::start(command, rules, options, timeouts).map(Box::new).map(Self::Client)
            }
        }
    }

    pub(super) fn identity(&self) -> Identity {
        match self {
            Self::Builtin { .. } => Identity::default(),
            Self::Client(client) => client.identity().clone(),
        }
    }

    pub(super) fn new_game(&mut self) {
        match self {
            Self::Builtin { .. } => {}
            Self::Client(client) => client.new_game(),
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
            Self::Client(client) => client.ask(request.start, request.moves, request.now, limit),
        }
    }
}

/// The move of a built-in player.
fn builtin_move(rules: Rules, greedy: bool, request: MoveRequest<'_>) -> Option<Pit> {
    let legal: Vec<(Pit, Outcome)> = rules.moves(request.now.board).collect();
    let (seed, number) = request.dice;
    let mut rng = Pcg64::new(seed.into(), number.into());
    let choice = if greedy { greedy_move(&legal, &mut rng) } else { random_move(&legal, &mut rng) };
    choice.map(|(pit, _)| pit)
}

/// The mean and the longest of some times.
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

    /// Milliseconds.
    pub(super) fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.total.as_secs_f64() * 1e3 / f64::from(self.count))
    }

    /// Milliseconds.
    pub(super) fn longest(self) -> Option<f64> {
        (self.count > 0).then_some(self.longest.as_secs_f64() * 1e3)
    }
}
