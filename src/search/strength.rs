//! Levels of play, down to random moves.

use super::control::{Control, Limits};
use super::engine::{Choice, ChoiceSource, Engine, SearchInfo};
use super::score::{Certainty, Estimate, SEED};
use super::simple_players::{greedy_move, immediate_gain, random_move};
use crate::game::Game;
use crate::rules::{Outcome, Pit};
use rand::Rng;
use std::fmt;
use std::str::FromStr;

/// A level of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strength {
    /// A random legal move; all are equally likely.
    Random,
    /// The move with the greatest immediate capture; a random one of equals.
    Greedy,
    /// A search of this many plies, without the database.
    Depth(u8),
    /// The best play: the database, and above it a search up to the given limits.
    #[default]
    Perfect,
}

impl Strength {
    /// The names that [`from_str`](FromStr::from_str) accepts, as a list for messages.
    pub const NAMES: &'static str =
        "random, greedy, easy, medium, hard, depth-N (N from 1 to 60) or perfect";
}

impl fmt::Display for Strength {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => out.pad("random"),
            Self::Greedy => out.pad("greedy"),
            Self::Depth(plies) => write!(out, "depth-{plies}"),
            Self::Perfect => out.pad("perfect"),
        }
    }
}

/// A name that is not a level of play.
#[derive(Debug, thiserror::Error)]
#[error("unknown level of play '{0}': choose {names}", names = Strength::NAMES)]
pub struct UnknownStrength(String);

impl FromStr for Strength {
    type Err = UnknownStrength;
    fn from_str(name: &str) -> Result<Self, UnknownStrength> {
        let unknown = || UnknownStrength(name.to_owned());
        Ok(match name {
            "random" => Self::Random,
            "greedy" => Self::Greedy,
            "easy" => Self::Depth(2),
            "medium" => Self::Depth(6),
            "hard" => Self::Depth(12),
            "perfect" => Self::Perfect,
            other => {
                let plies = other.strip_prefix("depth-").ok_or_else(unknown)?;
                let plies = plies.parse().map_err(|_| unknown())?;
                if !(1..=60).contains(&plies) {
                    return Err(unknown());
                }
                Self::Depth(plies)
            }
        })
    }
}

impl Strength {
    /// The move that a player of this strength chooses; `None` if the game is over.
    ///
    /// For [`Depth`](Self::Depth) the caller gives an engine without a database.
    pub fn choose(
        self,
        engine: &mut Engine,
        random: &mut impl Rng,
        game: &Game,
        limits: Limits,
        control: &Control,
        info: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> Option<Choice> {
        match self {
            Self::Random => random_move(&game.legal_moves(), random).map(without_search),
            Self::Greedy => greedy_move(&game.legal_moves(), random).map(without_search),
            Self::Depth(plies) => {
                let plies = u32::from(plies);
                let depth = Some(limits.depth.map_or(plies, |depth| depth.min(plies)));
                engine.choose(game, Limits { depth, ..limits }, control, info)
            }
            Self::Perfect => engine.choose(game, limits, control, info),
        }
    }
}

/// The choice of a player that does not search.
fn without_search((pit, outcome): (Pit, Outcome)) -> Choice {
    let gain = i32::from(immediate_gain(outcome).get());
    let value = Estimate { hundredths: gain * SEED, certainty: Certainty::Estimate };
    let source = ChoiceSource::Search;
    let (depth, nodes, table_hits, problem) = (0, 1, 0, None);
    Choice { pit, value, line: vec![pit], source, depth, nodes, table_hits, problem }
}
