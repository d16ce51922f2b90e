//! The library's rules against a literal reading of them, known moves, and themselves backwards.

mod cases;
mod documents;
mod drawings;
mod moves;
#[path = "../naive/mod.rs"]
mod naive;
mod samples;
mod unmoves;
