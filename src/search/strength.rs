//! Playing worse on purpose.

use super::control::{Control, Limits};
use super::engine::{Choice, ChoiceSource, Engine, SearchInfo};
use super::score::{Certainty, Estimate};
use crate::game::Game;
use crate::rules::{Outcome, Pit};
use rand::{Rng, RngExt};
use std::fmt;
use std::str::FromStr;

/// How well to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strength {
    /// Any legal move, all equally likely.
    Random,
    /// The move that captures most now; of several one at random.
    Greedy,
    /// So many plies of search, without the database.
    Depth(u8),
    /// As well as can be: the database, and search with all the time allowed.
    #[default]
    Perfect,
}

impl Strength {
    /// What to write on a command line.
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

/// A name that is no strength.
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
    /// The move that a player of this strength chooses; `None` when the game is over. An engine
    /// for [`Depth`](Self::Depth) should have no database, which is the caller's to see to.
    pub fn choose(
        self,
        engine: &mut Engine,
        random: &mut impl Rng,
        game: &Game,
        limits: Limits,
        control: &Control,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> Option<Choice> {
        let legal = game.legal_moves();
        match self {
            Self::Random => one_of(&legal, random),
            Self::Greedy => {
                let most = legal.iter().map(|(_, outcome)| gain(*outcome)).max()?;
                let greedy: Vec<_> =
                    legal.into_iter().filter(|(_, outcome)| gain(*outcome) == most).collect();
                one_of(&greedy, random)
            }
            Self::Depth(plies) => {
                let plies = u32::from(plies);
                let depth = Some(limits.depth.map_or(plies, |depth| depth.min(plies)));
                engine.choose(game, Limits { depth, ..limits }, control, report)
            }
            Self::Perfect => engine.choose(game, limits, control, report),
        }
    }
}

fn gain(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Illegal => 0,
        Outcome::Moved { captured, .. } => i32::from(captured),
        Outcome::Ended { captured, left } => i32::from(captured) - i32::from(left),
    }
}

fn one_of(moves: &[(Pit, Outcome)], random: &mut impl Rng) -> Option<Choice> {
    if moves.is_empty() {
        return None;
    }
    let (pit, outcome) = moves[random.random_range(0..moves.len())];
    let value = Estimate { hundredths: gain(outcome) * 100, certainty: Certainty::Estimate };
    let source = ChoiceSource::Search;
    let (depth, nodes, table_hits, problem) = (0, 1, 0, None);
    Some(Choice { pit, value, line: vec![pit], source, depth, nodes, table_hits, problem })
}
