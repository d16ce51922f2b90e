//! The command line through the real binary.

mod arguments;
mod build;
mod damage;
mod folder;
mod info;
mod output;
mod program;
mod query;
mod quoting;
mod readme;
