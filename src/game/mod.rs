//! Games: boards with stores, a history and an end.
//!
//! A board has neither the seeds captured before it nor the side that is South; a game has both.
//! Read in this order: [`repetition`](Repetition) and [`ending`](GameEnd) (when a game is over, and
//! the score), `history` ([`Game`]: play, undo, redo), `notation` (moves as text), `ogn` (games as
//! text files), `perft` (the number of lines of moves).
//!
//! A position is a [`GameString`](crate::rules::GameString): a board seen from the side to move,
//! both stores and the turn. South owns the pits A–F and North the pits a–f in any case.
//!
//! ```
//! use oware::game::{Game, GameSetup};
//! use oware::rules::{Rules, Side};
//!
//! let mut game = Game::new(GameSetup::new(Rules::Abapa));
//! game.play_text("F f E")?;
//! assert_eq!((game.moves().len(), game.turn()), (3, Side::North));
//! assert!(game.undo() && game.end().is_none());
//! # Ok::<(), oware::game::GameError>(())
//! ```
//!
//! Invariants: the pits and stores of every position of a game hold the same number of seeds; a
//! game that is over accepts no moves; this module depends on no tables or files.

mod ending;
mod history;
mod notation;
mod ogn;
mod perft;
mod repetition;

pub use ending::{GameEnd, HalfSeeds, Score};
pub use history::{Game, GameError, GameSetup};
pub use notation::{MoveError, move_letter, moves_text, parse_moves};
pub use ogn::{OgnError, Record, RecordedMove, read_records, rules_of_variant, variant_of_rules};
pub use perft::perft;
pub use repetition::{Repetition, UnknownRepetition};
