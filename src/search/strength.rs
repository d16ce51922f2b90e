//! Levels of play, down to random moves.

use super::control::{Control, Limits};
use super::engine::{Choice, ChoiceSource, Engine, SearchInfo};
use super::score::{Certainty, Estimate, SEED, gain};
use crate::game::Game;
use crate::rules::{Outcome, Pit};
use rand::{Rng, RngExt};
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
    pub const NAMES: &'static str = "random, greedy, easy, medium, hard, depth-N or perfect";
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
#[error("unknown level of play '{0}': choose {names} (N from 1 to 60)", names = Strength::NAMES)]
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
        let legal = game.legal_moves();
        match self {
            Self::Random => random_choice(&legal, random),
            Self::Greedy => {
                let most = legal.iter().map(|(_, outcome)| gain(*outcome)).max()?;
                let greedy: Vec<_> =
                    legal.into_iter().filter(|(_, outcome)| gain(*outcome) == most).collect();
                random_choice(&greedy, random)
            }
            Self::Depth(plies) => {
                let plies = u32::from(plies);
                let depth = Some(limits.depth.map_or(plies, |depth| depth.min(plies)));
                engine.choose(game, Limits { depth, ..limits }, control, info)
            }
            Self::Perfect => engine.choose(game, limits, control, info),
        }
    }
}

fn random_choice(moves: &[(Pit, Outcome)], random: &mut impl Rng) -> Option<Choice> {
    if moves.is_empty() {
        return None;
    }
    let (pit, outcome) = moves[random.random_range(0..moves.len())];
    let value = Estimate { hundredths: gain(outcome) * SEED, certainty: Certainty::Estimate };
    let source = ChoiceSource::Search;
    let (depth, nodes, table_hits, problem) = (0, 1, 0, None);
    Some(Choice { pit, value, line: vec![pit], source, depth, nodes, table_hits, problem })
}
