//! Tournaments and most servers: a slam is legal and captures nothing.

use super::{Path, Policy, Rules, Slam};

/// The `abapa` rule set.
#[derive(Clone, Copy, Debug)]
pub struct Abapa;

impl Policy for Abapa {
    const RULES: Rules = Rules::Abapa;
    const PATH: Path = Path::Circle;
    const SLAM: Slam = Slam::CapturesNothing;
}
