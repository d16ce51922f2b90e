//! Games: boards with stores, a history, and an end.
//!
//! A board holds neither the captured seeds nor the side to move; a game adds both. Read in this
//! order: [`repetition`](Repetition) and [`ending`](GameEnd) (when a game is over, and its score),
//! `history` ([`Game`]: play, undo, redo), `notation` (moves as text), [`record`](Record) (games with
//! what was written about them), [`ogn`](RecordReader) (games as files),
//! `perft` (number of lines of moves).
//!
//! A position is a [`GameString`](crate::rules::GameString): a board seen from the side to move,
//! both stores, and the turn. South always owns the pits A–F, and North the pits a–f.
//!
//! Invariants: the pits and stores of every position of a game add up to the same total. No move can
//! be played in a game that is over. This module depends on neither tables nor files.

mod ending;
mod history;
mod notation;
mod ogn;
mod perft;
mod record;
mod repetition;

pub use ending::{GameEnd, HalfSeeds, Score};
pub use history::{Game, GameError, GameSetup};
pub use notation::{MoveError, move_letter, moves_text, parse_moves};
pub use ogn::{OgnError, RecordReader, RecordText, read_records};
pub use perft::perft;
pub use record::{Record, RecordedMove, rules_of_variant, variant_of_rules};
pub use repetition::{Repetition, UnknownRepetition};
