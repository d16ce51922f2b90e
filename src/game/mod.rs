//! Games: boards with stores, a history, and an end.
//!
//! A board knows neither captures made before it nor who South is; a game does. Read in this order:
//! [`repetition`](Repetition) and [`ending`](GameEnd) (when a game is over and what each side then
//! has), `history` ([`Game`]: play, undo, redo), `notation` (moves as text), `ogn` (games as
//! files), `perft` (counting lines of moves).
//!
//! A position is a [`GameString`](crate::rules::GameString): a board seen from the side to move,
//! both stores and the turn. South owns the pits A–F, North a–f, whoever is to move.
//!
//! Invariants: seeds never get lost (pits and stores of every position of a game add up to the same
//! total), a game that has ended takes no more moves, and nothing here knows tables or files.

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
