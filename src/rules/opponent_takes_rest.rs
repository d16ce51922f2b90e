//! Regional: a slam captures and ends the game; the opponent takes what is left.

use super::{Path, Policy, Rules, Slam};

/// The `opponent-takes-rest` rule set.
#[derive(Clone, Copy, Debug)]
pub struct OpponentTakesRest;

impl Policy for OpponentTakesRest {
    const RULES: Rules = Rules::OpponentTakesRest;
    const PATH: Path = Path::Circle;
    const SLAM: Slam = Slam::EndsGame;
}
