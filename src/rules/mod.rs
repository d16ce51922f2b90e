//! The rules: boards, moves, endings and un-moves of seven rule sets.
//!
//! Read in this order: [`seeds`](Seeds) (the number of seeds of a level), [`row`](Row) (six pits in
//! a word), [`board`](Board), `rule_set` (the table of [`Rules`]), `sowing` (the pits that receive
//! seeds), `moves` (the outcome of a move, and when a board has ended), `unmoves` (the boards that
//! lead to a board without a capture), `position` (a board with stores and turn), `text` (bytes as
//! text), `drawing` and `notation` (boards as text), and [`lines`](BoardLines) (many boards).
//!
//! ```
//! use oware::rules::{Board, Outcome, Pit, Rules};
//!
//! // F sows its seed into pit a and captures the two seeds there.
//! let board: Board = "0 0 0 0 1 1 | 1 0 0 1 0 0".parse()?;
//! let outcome = Rules::Awari.play(board, Pit::ALL[5]);
//! let next: Board = "0 0 0 1 0 0 | 0 0 0 0 1 0".parse()?;
//! assert_eq!(outcome, Outcome::Moved { captured: 2, next });
//! # Ok::<(), oware::rules::BoardError>(())
//! ```
//!
//! Invariants: this module depends on no files, threads or levels. Everything that differs between
//! rule sets is [`Rules::path`] and [`Rules::slam`]; sowing, capturing and judging a move are
//! shared.

mod board;
mod bounds;
mod drawing;
mod error;
mod lines;
mod moves;
mod notation;
mod position;
mod row;
mod rule_set;
mod seeds;
mod sowing;
mod text;
mod unmoves;

pub use board::{BOARD_PITS, Board, Pit, Value};
pub use bounds::Bounds;
pub use error::{BoardError, NotAValue, UnknownPit};
pub use lines::{BoardLines, NumberedBoard};
pub use moves::{End, Outcome};
pub(crate) use moves::{RowsOutcome, capture_run, end_of, play_rows, settle};
pub use notation::{parse_board, parse_board_text};
pub use position::{BoardText, GameString, Side};
pub use row::{ROW_PITS, Row};
pub use rule_set::{Rules, Slam, UnknownRules};
pub use seeds::{MAX_SEEDS, NotSeeds, Seeds};
pub use sowing::Path;
pub(crate) use sowing::sowing;
pub use text::decode_text;
pub(crate) use unmoves::for_each_unmove;
