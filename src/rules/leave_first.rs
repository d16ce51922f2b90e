//! Regional: a slam leaves the captured pit that comes first in sowing order.

use super::{Path, Policy, Rules, Slam};

/// The `leave-first` rule set.
#[derive(Clone, Copy, Debug)]
pub struct LeaveFirst;

impl Policy for LeaveFirst {
    const RULES: Rules = Rules::LeaveFirst;
    const PATH: Path = Path::Circle;
    const SLAM: Slam = Slam::LeavesFirst;
}
