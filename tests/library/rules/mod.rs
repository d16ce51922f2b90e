//! The library's rules against a literal reading of them, known moves, and themselves backwards.

mod cases;
mod documents;
mod moves;
mod samples;
mod unmoves;

pub(crate) use samples::any_board;
