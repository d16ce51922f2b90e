//! Regional: a slam leaves the pit where the last seed fell.

use super::{Path, Policy, Rules, Slam};

/// The `leave-last` rule set.
#[derive(Clone, Copy, Debug)]
pub struct LeaveLast;

impl Policy for LeaveLast {
    const RULES: Rules = Rules::LeaveLast;
    const PATH: Path = Path::Circle;
    const SLAM: Slam = Slam::LeavesLast;
}
