//! A West African form: as `awari`, but a sowing past the last pit turns back along the own row.

use super::{Path, Policy, Rules, Slam};

/// The `two-lap` rule set.
#[derive(Clone, Copy, Debug)]
pub struct TwoLap;

impl Policy for TwoLap {
    const RULES: Rules = Rules::TwoLap;
    const PATH: Path = Path::Turning;
    const SLAM: Slam = Slam::Illegal;
}
