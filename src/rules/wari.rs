//! Old rule sheets and family play: a slam is legal and captures.

use super::{Path, Policy, Rules, Slam};

/// The `wari` rule set.
#[derive(Clone, Copy, Debug)]
pub struct Wari;

impl Policy for Wari {
    const RULES: Rules = Rules::Wari;
    const PATH: Path = Path::Circle;
    const SLAM: Slam = Slam::Captures;
}
