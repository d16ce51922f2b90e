//! Matches: two entrants, pairs of games with sides swapped, openings by chance.
//!
//! Each pair begins with an opening of random legal moves from the start position, the same for both
//! games; openings differ between pairs as long as there are enough of them. Whoever fails loses the
//! game there and then. The score is in points a game: 1 for a win, ½ for a draw.
//!
//! The interval takes a pair as one observation, since the games of a pair share their opening:
//! Wilson's interval over pairs, which is right if wide for any score between 0 and 1.
//!
//! Invariant: a match depends on its plan and the entrants only, not on the number of jobs.

use super::openings::openings;
use super::player::{Entrant, MoveRequest, Player};
use super::report::FailureReport;
use super::statistics::{Interval, Mean, real, wilson};
use crate::game::{Game, GameSetup, Record, moves_text};
use crate::rules::{GameString, Pit, Side};
use crate::uci::{Failure, FailureKind, Identity, Limit, Timeouts};
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Plies after which a game counts as drawn; no game between real players comes near.
const MAX_PLIES: usize = 2000;

/// How a match is played.
#[derive(Clone, Copy, Debug)]
pub struct MatchPlan {
    /// The rules of every game.
    pub setup: GameSetup,
    /// Pairs of games.
    pub pairs: usize,
    /// Random moves at the beginning of a game.
    pub opening_plies: usize,
    /// What openings and the dice of built-in players depend on.
    pub seed: u64,
    /// How long each side may think, first entrant first.
    pub limits: [Limit; 2],
    /// Pairs played at the same time.
    pub jobs: usize,
    /// When a silent engine counts as hanging.
    pub timeouts: Timeouts,
}

/// One game of a match.
#[derive(Clone, Debug)]
pub struct MatchGame {
    /// The game, as far as it went.
    pub game: Game,
    /// Who played South: 0 for the first entrant, 1 for the second.
    pub south: usize,
    /// Moves of the opening.
    pub opening_plies: usize,
    /// The failure that ended it, and whose it was.
    pub failure: Option<(usize, Failure)>,
}

/// The score of a match, seen from the first entrant.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// The rule set.
    pub rules: String,
    /// The entrants by their own names.
    pub engines: [String; 2],
    /// Their limits, as in `go`.
    pub limits: [Option<String>; 2],
    /// What a repeated position means.
    pub repetition: String,
    /// Random moves at the beginning of a game.
    pub opening_plies: usize,
    /// The seed of the openings.
    pub seed: u64,
    /// Games played.
    pub games: u64,
    /// Games that the first entrant won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// Points a game, 0 to 1.
    pub score: Option<f64>,
    /// 95 % interval of the score.
    pub score_interval: Option<Interval>,
    /// Seeds ahead at the end, a game that nobody forfeited.
    pub margin_mean: Option<f64>,
    /// 95 % interval of the mean margin.
    pub margin_interval: Option<Interval>,
    /// Games lost by failure, first entrant first.
    pub forfeits: [u64; 2],
    /// What went wrong.
    pub failures: Vec<MatchFailure>,
}

/// A failure in a game.
#[derive(Clone, Debug, Serialize)]
pub struct MatchFailure {
    /// Whose it was.
    pub engine: String,
    /// The game, from 1.
    pub game: usize,
    /// What went wrong.
    #[serde(flatten)]
    pub failure: FailureReport,
}

/// A match that was played.
#[derive(Clone, Debug)]
pub struct Match {
    /// How the entrants introduced themselves.
    pub identities: [Identity; 2],
    /// The games, pair by pair; the first entrant plays South first.
    pub games: Vec<MatchGame>,
}

impl MatchGame {
    /// The entrant that won, 0 or 1; `None` when the game is drawn.
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        match &self.failure {
            Some((loser, _)) => Some(1 - loser),
            // Longer than any game between real players: drawn.
            None if self.game.end().is_none() => None,
            None => self.game.score().winner().map(|side| self.entrant(side)),
        }
    }

    /// Seeds that the first entrant is ahead; `None` when the game was forfeited.
    #[must_use]
    pub fn margin(&self) -> Option<f64> {
        let score = self.game.score();
        let ahead = score.south.seeds() - score.north.seeds();
        self.failure.is_none().then_some(if self.south == 0 { ahead } else { -ahead })
    }

    /// Which entrant plays a side.
    #[must_use]
    pub fn entrant(&self, side: Side) -> usize {
        if side == Side::South { self.south } else { 1 - self.south }
    }

    /// The game as a record, with names and round.
    #[must_use]
    pub fn record(&self, names: &[String; 2], number: usize) -> Record {
        let mut record = Record::of_game(&self.game);
        record.set_tag("Event", &format!("Match of {} and {}", names[0], names[1]));
        record.set_tag("Round", &number.to_string());
        record.set_tag("South", &names[self.entrant(Side::South)]);
        record.set_tag("North", &names[self.entrant(Side::North)]);
        if let Some((loser, failure)) = &self.failure {
            let south_lost = self.entrant(Side::South) == *loser;
            record.set_tag("Result", if south_lost { "0-1" } else { "1-0" });
            record.set_tag("Termination", &format!("forfeit, {}", failure.kind.name()));
        }
        record
    }
}

impl Match {
    /// Counts the games; `names` are what the entrants shall be called.
    #[must_use]
    pub fn report(
        &self,
        plan: &MatchPlan,
        entrants: [&Entrant; 2],
        names: &[String; 2],
    ) -> MatchReport {
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        let mut forfeits = [0u64; 2];
        let mut margin = Mean::default();
        let mut failures = Vec::new();
        for (number, game) in (1..).zip(&self.games) {
            match game.winner() {
                Some(0) => wins += 1,
                Some(_) => losses += 1,
                None => draws += 1,
            }
            if let Some(seeds) = game.margin() {
                margin.add(seeds);
            }
            if let Some((loser, failure)) = &game.failure {
                forfeits[*loser] += 1;
                failures.push(MatchFailure {
                    engine: names[*loser].clone(),
                    game: number,
                    failure: FailureReport::new(failure, &game.game.position(), failures.len()),
                });
            }
        }
        let games = wins + draws + losses;
        let score = (games > 0).then(|| (real(wins) + real(draws) / 2.0) / real(games));
        let limit = |at: usize| entrants[at].has_limit().then(|| plan.limits[at].to_string());
        MatchReport {
            rules: plan.setup.rules.to_string(),
            engines: names.clone(),
            limits: [limit(0), limit(1)],
            repetition: plan.setup.repetition.name().to_owned(),
            opening_plies: plan.opening_plies,
            seed: plan.seed,
            games,
            wins,
            draws,
            losses,
            score,
            score_interval: score.and_then(|score| wilson(score, games / 2)),
            margin_mean: margin.value(),
            margin_interval: margin.interval(),
            forfeits,
            failures,
        }
    }
}

/// Plays a match; `played` is called after each game.
///
/// # Errors
/// [`FailureKind::NoStart`] when an entrant cannot be started at all.
pub fn play_match(
    entrants: [&Entrant; 2],
    plan: &MatchPlan,
    played: &(dyn Fn() + Sync),
) -> Result<Match, Failure> {
    let openings = openings(plan.setup, plan.pairs, plan.opening_plies, plan.seed);
    let next = AtomicUsize::new(0);
    let mut first = Seats::new(entrants, plan);
    for at in 0..2 {
        match first.seat(at) {
            Err(failure) if failure.kind == FailureKind::NoStart => return Err(failure),
            // Any other failure to start is met again, and forfeits, in the first game.
            Ok(()) | Err(_) => {}
        }
    }
    let work = |mut seats: Seats<'_>| {
        let mut games = Vec::new();
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = openings.get(pair) else { break };
            for south in 0..2 {
                games.push((2 * pair + south, seats.play(opening, south, 2 * pair + south)));
                played();
            }
        }
        (games, seats.identities)
    };
    let (mut games, identities) = thread::scope(|scope| {
        let jobs = plan.jobs.clamp(1, plan.pairs.max(1));
        let others: Vec<_> =
            (1..jobs).map(|_| scope.spawn(|| work(Seats::new(entrants, plan)))).collect();
        let (mut games, identities) = work(first);
        for other in others {
            match other.join() {
                Ok((more, _)) => games.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        (games, identities)
    });
    games.sort_by_key(|(number, _)| *number);
    Ok(Match { identities, games: games.into_iter().map(|(_, game)| game).collect() })
}

/// Two players at one board, started again when they failed.
struct Seats<'plan> {
    entrants: [&'plan Entrant; 2],
    plan: &'plan MatchPlan,
    players: [Option<Player>; 2],
    identities: [Identity; 2],
}

impl<'plan> Seats<'plan> {
    fn new(entrants: [&'plan Entrant; 2], plan: &'plan MatchPlan) -> Self {
        Self { entrants, plan, players: [None, None], identities: Default::default() }
    }

    /// Starts an entrant that is not running.
    fn seat(&mut self, at: usize) -> Result<(), Failure> {
        if self.players[at].is_none() {
            let rules = self.plan.setup.rules;
            let player = Player::start(self.entrants[at], rules, self.plan.timeouts)?;
            self.identities[at] = player.identity();
            self.players[at] = Some(player);
        }
        Ok(())
    }

    fn play(&mut self, opening: &[Pit], south: usize, number: usize) -> MatchGame {
        let mut game = Game::new(self.plan.setup);
        let opened = game.play_all(opening);
        debug_assert!(opened.is_ok(), "openings are made of legal moves");
        let mut played = MatchGame { game, south, opening_plies: opening.len(), failure: None };
        for at in 0..2 {
            if let Err(failure) = self.begin(at) {
                played.failure = Some((at, failure));
                return played;
            }
        }
        while played.game.end().is_none() && played.game.moves().len() < MAX_PLIES {
            let at = played.entrant(played.game.turn());
            if let Err(failure) = self.play_move(at, &mut played.game, number) {
                if !failure.kind.is_recoverable() {
                    self.players[at] = None;
                }
                played.failure = Some((at, failure));
                break;
            }
        }
        played
    }

    fn begin(&mut self, at: usize) -> Result<(), Failure> {
        self.seat(at)?;
        if let Some(player) = &mut self.players[at] {
            player.new_game();
        }
        Ok(())
    }

    fn play_move(&mut self, at: usize, game: &mut Game, number: usize) -> Result<(), Failure> {
        let Some(player) = self.players[at].as_mut() else { return self.seat(at) };
        let start = game.positions().next().unwrap_or_else(|| game.position());
        let now: GameString = game.position();
        let moves = moves_text(start.turn, game.moves());
        let ply = game.moves().len() as u64;
        let dice = (self.plan.seed, ((number as u64) << 32) | ply);
        let request = MoveRequest { start: &start, moves: &moves, now: &now, dice };
        let answer = player.choose(request, self.plan.limits[at])?;
        game.play(answer.pit).map(drop).map_err(|error| Failure {
            kind: FailureKind::IllegalMove,
            message: error.to_string(),
            transcript: Vec::new(),
        })
    }
}
