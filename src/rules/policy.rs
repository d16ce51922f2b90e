//! What a rule set decides: the path of a sowing and the fate of a slam.

use super::{Path, Rules};

/// A rule set as a type, so that hot code is compiled for each. The seven implementations have a
/// file each; [`with_rules!`](crate::rules) turns a run-time [`Rules`] into the type.
pub trait Policy: Copy + Send + Sync + 'static {
    /// The run-time name.
    const RULES: Rules;
    /// The way a sowing takes.
    const PATH: Path;
    /// What becomes of a slam.
    const SLAM: Slam;
}

/// What becomes of a move that would capture all of the opponent's seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slam {
    /// It may not be played.
    Illegal,
    /// It may be played and captures nothing.
    CapturesNothing,
    /// It captures, unless it answers an empty row.
    Captures,
    /// It captures all but the pit of the run that comes first in sowing order.
    LeavesFirst,
    /// It captures all but the pit of the last seed.
    LeavesLast,
    /// It captures and ends the game: the opponent takes what is left.
    EndsGame,
}
