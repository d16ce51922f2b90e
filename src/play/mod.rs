//! Games in a terminal: people and machines, in any mix.
//!
//! Read in this command: `drawing` (the board), `words` (ends of games and values as sentences),
//! `commands` (what a person may type), `players` (one game: who sits where, what they know), `session`
//! ([`play`]: games and series from first prompt to last word).
//!
//! Everything is text in and text out, so that a script can hold a whole session. Styles are
//! written into the text; who owns the terminal strips them where they do not belong.
//!
//! Invariants: input that cannot be followed changes nothing and is answered with what can be
//! typed; a file is only replaced when asked to.

mod commands;
mod drawing;
mod players;
mod session;
mod words;

pub use players::{PlayerKind, UnknownPlayer};
pub use session::{PlayOptions, play};
