//! Matches: two entrants play pairs of games with sides swapped and random openings.
//!
//! Both games of a pair begin with the same opening of random legal moves from the start position.
//! The openings of a match are distinct as long as there are enough of them. A player that fails
//! loses the game. The score is in points per game: 1 for a win, ½ for a draw.
//!
//! The games of a pair are not independent, because they share an opening. The interval of the score
//! is therefore Wilson's interval over pairs. It is valid, if wide, for any score between 0 and 1.
//!
//! Invariant: a match depends on its plan and the entrants only, not on the number of jobs.

use super::player::{Entrant, MoveRequest, Player};
use super::report::FailureReport;
use super::statistics::{Interval, Mean, real, wilson};
use crate::game::{Game, GameSetup, Record, moves_text};
use crate::rules::{GameString, Pit, Side};
use crate::uci::{Failure, FailureKind, Identity, Limit, RunningEngines, Timeouts};
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;
use serde::Serialize;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Plies after which a game counts as drawn. Real games are much shorter.
const MAX_PLIES: usize = 2000;

/// The number of draws before a repeated opening is accepted.
const MAX_DRAWS: usize = 100;

/// The plan of a match.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MatchPlan {
    /// The rules of every game.
    pub setup: GameSetup,
    /// The number of pairs of games.
    pub pairs: usize,
    /// The number of random moves at the beginning of a game.
    pub opening_plies: usize,
    /// The seed of the openings and of the random choices of built-in players.
    pub seed: u64,
    /// The limit of each entrant's searches.
    pub limits: [Limit; 2],
    /// The number of pairs played in parallel.
    pub jobs: usize,
    /// The times after which an external engine counts as hanging.
    pub timeouts: Timeouts,
    /// The list that the engines are entered in. Ending them ends the match after the last whole
    /// game.
    pub engines: RunningEngines,
}

impl MatchPlan {
    /// A match with openings of 6 moves from the seed 1, one pair at a time.
    #[must_use]
    pub fn new(setup: GameSetup, pairs: usize, limits: [Limit; 2]) -> Self {
        let (opening_plies, seed, jobs, timeouts) = (6, 1, 1, Timeouts::default());
        let engines = RunningEngines::new();
        Self { setup, pairs, opening_plies, seed, limits, jobs, timeouts, engines }
    }

    /// Sets the number of random moves at the beginning of a game.
    #[must_use]
    pub const fn opening_plies(mut self, opening_plies: usize) -> Self {
        self.opening_plies = opening_plies;
        self
    }

    /// Sets the seed of the openings and of the random choices of built-in players.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the number of pairs played in parallel.
    #[must_use]
    pub const fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs;
        self
    }

    /// Sets the times after which an external engine counts as hanging.
    #[must_use]
    pub const fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Sets the list that the engines are entered in. Ending them ends the match after the last
    /// whole game.
    #[must_use]
    pub fn engines(mut self, engines: RunningEngines) -> Self {
        self.engines = engines;
        self
    }
}

/// One game of a match.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MatchGame {
    /// The number of the game, from 1.
    pub number: usize,
    /// The game, up to its end or to a failure.
    pub game: Game,
    /// The entrant that played South: 0 for the first, 1 for the second.
    pub south: usize,
    /// The number of moves of the opening.
    pub opening_plies: usize,
    /// The failure that ended the game, and the entrant that failed.
    pub failure: Option<(usize, Failure)>,
}

/// The result of a match, from the first entrant's side.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MatchReport {
    /// The rule set.
    pub rules: String,
    /// The names of the entrants.
    pub engines: [String; 2],
    /// The limits of the entrants, as arguments of `go`.
    pub limits: [Option<String>; 2],
    /// The meaning of a repeated position.
    pub repetition: String,
    /// The number of random moves at the beginning of a game.
    pub opening_plies: usize,
    /// The seed of the openings.
    pub seed: u64,
    /// Games played.
    pub games: u64,
    /// Games that the first entrant won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that the first entrant lost.
    pub losses: u64,
    /// Points per game, 0 to 1.
    pub score: Option<f64>,
    /// 95 % interval of the score.
    pub score_interval: Option<Interval>,
    /// The mean lead in seeds, over the games without a failure.
    pub margin_mean: Option<f64>,
    /// 95 % interval of the mean lead.
    pub margin_interval: Option<Interval>,
    /// Games lost by failure, per entrant.
    pub forfeits: [u64; 2],
    /// The rules of the game that each entrant has no option for, as option and value.
    pub rules_not_set: [Vec<String>; 2],
    /// The failures.
    pub failures: Vec<MatchFailure>,
    /// Whether the match was stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_stopped: Option<bool>,
}

/// A failure in a game.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MatchFailure {
    /// The name of the entrant that failed.
    pub engine: String,
    /// The number of the game, from 1.
    pub game: usize,
    /// The failure.
    #[serde(flatten)]
    pub failure: FailureReport,
}

/// A played match.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Match {
    /// The identities that the entrants sent in the handshake.
    pub identities: [Identity; 2],
    /// The games in order. The first entrant plays South in the first game of each pair.
    pub games: Vec<MatchGame>,
}

impl MatchGame {
    /// The entrant that won, 0 or 1; `None` for a draw.
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        match &self.failure {
            Some((loser, _)) => Some(1 - loser),
            // The game reached MAX_PLIES: drawn.
            None if self.game.end().is_none() => None,
            None => self.game.score().winner().map(|side| self.entrant(side)),
        }
    }

    /// Whether the game has ended, or has reached [`MAX_PLIES`].
    fn is_over(&self) -> bool {
        self.game.end().is_some() || self.game.moves().len() >= MAX_PLIES
    }

    /// The lead of the first entrant in seeds; `None` after a failure.
    #[must_use]
    pub fn margin(&self) -> Option<f64> {
        let score = self.game.score();
        let ahead = score.south.seeds() - score.north.seeds();
        self.failure.is_none().then_some(if self.south == 0 { ahead } else { -ahead })
    }

    /// The entrant that plays a side.
    #[must_use]
    pub fn entrant(&self, side: Side) -> usize {
        if side == Side::South { self.south } else { 1 - self.south }
    }

    /// The record of the game, with the names of the players and the round.
    #[must_use]
    pub fn record(&self, names: &[String; 2]) -> Record {
        let mut record = Record::of_game(&self.game);
        record.set_tag("Event", &format!("Match of {} and {}", names[0], names[1]));
        record.set_tag("Round", &self.number.to_string());
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
    /// Counts the games. `names` are the names of the entrants in the report.
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
        for game in &self.games {
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
                    game: game.number,
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
            rules_not_set: [0, 1].map(|at: usize| self.identities[at].untold.clone()),
            failures,
            is_stopped: (self.games.len() < 2 * plan.pairs).then_some(true),
        }
    }
}

/// Plays a match. Calls `played` with each game as it ends, and with the identities that the entrants
/// have sent. Ending the engines of the plan gives up the games under way; those that have ended are the
/// match.
///
/// # Errors
/// [`FailureKind::NoStart`] if an entrant cannot be started.
pub fn play_match(
    entrants: [&Entrant; 2],
    plan: &MatchPlan,
    played: &(dyn Fn(&MatchGame, &[Identity; 2]) + Sync),
) -> Result<Match, Failure> {
    let openings = openings(plan.setup, plan.pairs, plan.opening_plies, plan.seed);
    let next = AtomicUsize::new(0);
    let mut first = Seats::new(entrants, plan);
    for at in 0..2 {
        match first.seat(at) {
            Err(failure) if failure.kind == FailureKind::NoStart && !plan.engines.have_ended() => {
                return Err(failure);
            }
            // Any other failure recurs in the first game, which it forfeits.
            Ok(()) | Err(_) => {}
        }
    }
    let work = |mut seats: Seats<'_>| {
        let mut games = Vec::new();
        'pairs: loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = openings.get(pair) else { break };
            for south in 0..2 {
                let game = seats.play(opening, south, 2 * pair + south);
                // An engine that was ended has not failed.
                if plan.engines.have_ended() && (game.failure.is_some() || !game.is_over()) {
                    break 'pairs;
                }
                played(&game, &seats.identities);
                games.push(game);
            }
        }
        (games, seats.identities)
    };
    let (mut games, identities) = thread::scope(|scope| {
        let jobs = plan.jobs.clamp(1, plan.pairs.max(1));
        // Where the system grants fewer threads, fewer do the same work.
        let start = |_| {
            let work = || work(Seats::new(entrants, plan));
            thread::Builder::new().spawn_scoped(scope, work).ok()
        };
        let others: Vec<_> = (1..jobs).filter_map(start).collect();
        let (mut games, identities) = work(first);
        for other in others {
            match other.join() {
                Ok((more, _)) => games.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        (games, identities)
    });
    games.sort_by_key(|game| game.number);
    Ok(Match { identities, games })
}

/// The two players of one worker. A failed player is replaced before the next game.
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

    /// Starts an entrant unless it is running.
    fn seat(&mut self, at: usize) -> Result<(), Failure> {
        if self.players[at].is_none() {
            let MatchPlan { setup, timeouts, engines, .. } = self.plan;
            let player = Player::start(self.entrants[at], *setup, *timeouts, engines)?;
            self.identities[at] = player.identity();
            self.players[at] = Some(player);
        }
        Ok(())
    }

    fn play(&mut self, opening: &[Pit], south: usize, number: usize) -> MatchGame {
        let mut game = Game::new(self.plan.setup);
        game.play_all(opening).expect("openings are made of legal moves");
        let opening_plies = opening.len();
        let mut played =
            MatchGame { number: number + 1, game, south, opening_plies, failure: None };
        for at in 0..2 {
            if let Err(failure) = self.begin(at) {
                played.failure = Some((at, failure));
                return played;
            }
        }
        while !played.is_over() && !self.plan.engines.have_ended() {
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
        self.players[at].as_mut().expect("seated above").new_game();
        Ok(())
    }

    fn play_move(&mut self, at: usize, game: &mut Game, number: usize) -> Result<(), Failure> {
        let player = self.players[at].as_mut().expect("seated before the game");
        let start = game.positions().next().expect("a game has a first position");
        let now: GameString = game.position();
        let moves = moves_text(start.turn, game.moves());
        let ply = game.moves().len() as u64;
        let random = (self.plan.seed, ((number as u64) << 32) | ply);
        let request = MoveRequest { start: &start, moves: &moves, now: &now, random };
        let answer = player.choose(request, self.plan.limits[at])?;
        game.play(answer.pit).map(drop).map_err(|error| Failure {
            kind: FailureKind::IllegalMove,
            message: error.to_string(),
            transcript: Vec::new(),
        })
    }
}

/// Draws `count` openings of `plies` moves, distinct as long as there are enough. The same seed gives
/// the same openings. An opening stops before a move that would end the game.
fn openings(setup: GameSetup, count: usize, plies: usize, seed: u64) -> Vec<Vec<Pit>> {
    let mut rng = Pcg64::new(seed.into(), 0);
    let mut seen = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    for _ in 0..count {
        let mut opening = Vec::new();
        for _ in 0..MAX_DRAWS {
            opening = draw_opening(setup, plies, &mut rng);
            if seen.insert(opening.clone()) {
                break;
            }
        }
        openings.push(opening);
    }
    openings
}

fn draw_opening(setup: GameSetup, plies: usize, rng: &mut Pcg64) -> Vec<Pit> {
    let mut game = Game::new(setup);
    for _ in 0..plies {
        let moves: Vec<Pit> = game.legal_moves().into_iter().map(|(pit, _)| pit).collect();
        let Some(&pit) = moves.choose(rng) else { break };
        game.play(pit).expect("a legal move");
        if game.end().is_some() {
            game.undo();
            break;
        }
    }
    game.moves().to_vec()
}
