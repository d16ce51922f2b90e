//! Open Game Notation: games as text files, in the format of the program Aualé.
//!
//! ```text
//! [Variant "Oware Abapa"]          tags, one a line; every file has the first eight
//! [FEN "…-S"]                      the start, if it is not the usual one
//!
//! 1. F f 2. E c+2 { a comment }    moves; the parser ignores the captured seeds
//! ( E d 3. … ) 3. D! $1 25-23      a variation, marks, and the result (a score, * or nothing)
//! ; a comment to the end of the line
//! % a line to skip
//! ```
//!
//! A file may hold several games: a tag after moves starts the next one. `split` ([`RecordReader`])
//! finds the games of a file in one pass, holding one of them at a time; `read` parses the text of a
//! game, `write` is its inverse. A game that is not well formed costs no other. The parser checks the
//! notation only: [`Record::replay`](super::Record::replay) checks that the moves are legal.

mod read;
mod split;
mod write;

pub use read::OgnError;
pub use split::{RecordReader, RecordText, read_records};
