//! Finding moves: from the database where it reaches, by search above it.
//!
//! Read in this order: [`score`](Certainty) (what a number is worth), [`evaluation`](Evaluation)
//! (guessing a board's value), `transposition` and `alphabeta` (searching), `conversion` (how a won
//! ending is won, not shuffled) and `perfect` (exact choice), `engine` ([`Engine`]: one door to
//! all of it), [`strength`](Strength) (playing worse on purpose), [`control`](Control) (limits, and
//! stopping from another thread).
//!
//! Values are for the side to move and count seeds from the present position on, in hundredths of
//! a seed where they may be estimates. Table values assume that endless play is shared evenly;
//! where a game shares by rows (`own-side`), searching follows the game's rule, tables do not.
//!
//! Invariants: a value is called exact only when ends and tables alone prove it; with one limit on
//! depth and the same game the answer is the same every time, whatever was searched before.

mod alphabeta;
mod coefficients;
mod control;
mod conversion;
mod engine;
mod evaluation;
mod perfect;
mod score;
mod strength;
mod transposition;

pub use control::{Control, Limits};
pub use engine::{Choice, ChoiceSource, Engine, EngineOptions, SearchInfo};
pub use evaluation::{Evaluation, FEATURES, features};
pub use perfect::{Conversion, PerfectMove, PerfectPlayer};
pub use score::{Aim, Certainty, Estimate, UnknownAim};
pub use strength::{Strength, UnknownStrength};
