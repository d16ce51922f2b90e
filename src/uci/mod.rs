//! The protocol of engines, both sides: the UCI dialect of Joan Sala's oware programs (Aualé,
//! Samurai; `com.joansala.uci`).
//!
//! Read in this order: `protocol` (lines as values), [`client`](Client) (an external engine that is
//! asked for moves) with `child_process` (its pipes and deadlines), [`engine_group`](RunningEngines)
//! (its processes, and their end) and [`transcript`](Transcript) (the lines exchanged), [`server`](serve) (the engine of this crate for other programs) with `settings` (the
//! options) and `clock` (the time per move).
//!
//! The dialect differs from the chess protocol in positions (`fen` and a 15-field game string with
//! 48 seeds) and in lists of moves, which are joined: `position startpos moves FfEc`. South's moves
//! are `A`–`F`, North's `a`–`f`. Scores are in hundredths of a seed. `bestmove 0000` means that the
//! game is over or that no position is set; an `info string` before it says which. The options
//! `Rules`, `Repetition` and `PlayOn` give the rules of the game. The client sets those that an engine
//! offers.
//!
//! Invariants: the client never waits past a deadline, to read or to write, and no process of an
//! engine outlives its [`Client`]. The server answers every `go` with exactly one `bestmove`, also
//! when another command ends the search, and before it ends because of `quit` or the end of input. A
//! `position` that cannot be read takes away the one before. Text of the other program is made
//! `printable` where it comes in.

mod child_process;
mod client;
mod clock;
mod engine_group;
mod printable;
mod protocol;
mod server;
mod settings;
mod transcript;

pub use child_process::{CommandLine, MAX_LINE_BYTES};
pub use client::{Answer, Client, Failure, FailureKind, Identity, Timeouts};
pub use engine_group::RunningEngines;
pub use protocol::Limit;
pub use server::serve;
pub use settings::Settings;
pub use transcript::{FIRST_LINES, LAST_LINES, LINE_CHARS, Transcript};
