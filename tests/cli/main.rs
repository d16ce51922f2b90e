//! The command line through the real binary.

mod arguments;
mod build;
mod completions;
#[path = "../library/counts.rs"]
mod counts;
mod damage;
mod default_folder;
mod documents;
mod folder;
mod folder_states;
mod golden;
mod grade;
mod info;
mod output;
mod plan;
mod play;
mod program;
mod query;
mod quoting;

mod reports;
mod uci;
