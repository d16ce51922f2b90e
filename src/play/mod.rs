//! Games in a terminal, between people and machines.
//!
//! Read in this order: `drawing` (the board), `words` (ends of games and values as sentences),
//! `commands` (the commands that a person types), `files` (games loaded and saved), `players`
//! ([`PlayerKind`] and the engines of the machines), `input` (where lines come from), `series` (who has
//! how many seeds), `session` ([`play`]: games and series).
//!
//! Input and output are plain text, so a script can run a whole session. The output contains ANSI
//! styles; the caller strips them where they do not belong.
//!
//! Invariants: an invalid command changes nothing and gets a message. A file is replaced only by
//! `save!`, and a saved game loses nothing of the file that it was loaded from.

mod commands;
mod drawing;
mod files;
mod input;
mod players;
mod series;
mod session;
mod words;

pub use commands::HELP;
pub use input::PlayInput;
pub use players::{PlayerKind, UnknownPlayer};
pub use session::{PlayOptions, play};
