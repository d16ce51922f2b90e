//! Two players that need no search: a random one and a greedy one.
//!
//! Both choose from a list of legal moves, and both draw exactly one number from the generator, or
//! none if there is no move. The same generator and the same list therefore give the same move.

use crate::rules::{Outcome, Pit, Value};
use rand::Rng;
use rand::seq::IndexedRandom;
use std::convert::Infallible;

/// Chooses one of the moves, all of them equally likely; `None` without moves.
pub fn random_move(legal: &[(Pit, Outcome)], rng: &mut impl Rng) -> Option<(Pit, Outcome)> {
    legal.choose(rng).copied()
}

/// Chooses one of the moves with the largest [`immediate_gain`], all of them equally likely; `None`
/// without moves.
///
/// # Panics
/// If one of the moves is illegal.
pub fn greedy_move(legal: &[(Pit, Outcome)], rng: &mut impl Rng) -> Option<(Pit, Outcome)> {
    let most = legal.iter().map(|&(_, outcome)| immediate_gain(outcome)).max()?;
    let greediest: Vec<_> =
        legal.iter().filter(|&&(_, outcome)| immediate_gain(outcome) == most).copied().collect();
    random_move(&greediest, rng)
}

/// The seeds that the mover captures with one move, minus the seeds that the opponent keeps if the
/// move ends the game.
///
/// # Panics
/// If the move is illegal.
#[must_use]
pub fn immediate_gain(outcome: Outcome) -> Value {
    let Ok(gain) = outcome.gain(|_next| Ok::<_, Infallible>(Value::default()));
    gain
}
