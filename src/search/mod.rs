//! The engine: exact moves from the database, and a game-tree search above it.
//!
//! Read in this order:
//!
//! * [`score`](Certainty): scores and values,
//! * [`evaluation`](Evaluation): the static evaluation,
//! * `transposition` and `alphabeta`: the search,
//! * `conversion`: the quickest forced way to the next capture or end,
//! * `perfect`: exact choice by the database, and `secure`: choice for what endless play cannot take,
//! * `engine`: [`Engine`], the interface to all of these,
//! * [`simple_players`]: a random and a greedy player,
//! * [`strength`](Strength): levels of play,
//! * [`control`](Control): limits, and the handle that stops a search.
//!
//! Values are for the side to move. They count seeds from the current position on, in hundredths of
//! a seed where they may be estimates. Table values assume that endless play is shared evenly. In a
//! game that shares by rows (`own-side`), the search follows the game's rule and the tables do not.
//!
//! Invariants: a value is exact only if ended games and tables alone prove it. A search limited by
//! depth alone gives the same result for the same game, whatever was searched before.

mod alphabeta;
mod coefficients;
mod control;
mod conversion;
mod engine;
mod evaluation;
mod perfect;
mod score;
mod secure;
pub mod simple_players;
mod strength;
mod transposition;

pub use control::{Control, Limits};
pub use engine::{Choice, ChoiceSource, Engine, EngineOptions, SearchInfo};
pub use evaluation::{Evaluation, FEATURES, features};
pub use perfect::{Conversion, PerfectMove, PerfectPlayer};
pub use score::{Aim, Certainty, Estimate, UnknownAim};
pub use secure::{SecureMove, secure_move};
pub use strength::{Strength, UnknownStrength};
