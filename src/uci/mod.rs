//! Our engine for other people's programs: the server side of the UCI dialect that Joan Sala's
//! oware tools (Aualé, Samurai) speak over standard input and output.
//!
//! Read in this order: `command` (lines as commands), `clock` (time for a move), `settings` (what
//! `setoption` changes), `server` ([`serve`]: the conversation).
//!
//! The dialect differs from the chess protocol in positions (`fen` and a 15-field game string with
//! 48 seeds) and in lists of moves, which are joined: `position startpos moves FfEc`. Scores are in
//! hundredths of a seed. `bestmove 0000` says that the game is over or that no position is set.
//!
//! Invariants: every `go` is answered by exactly one `bestmove`, also when `quit` or the end of
//! input comes first; nothing that a program writes makes the server end before that.

mod clock;
mod command;
mod server;
mod settings;

pub use server::serve;
pub use settings::Settings;
