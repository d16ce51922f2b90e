//! The command line through the real binary.

mod arguments;
mod build;
mod info;
mod output;
mod program;
mod query;
