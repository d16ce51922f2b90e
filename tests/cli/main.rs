//! The command line through the real binary.

mod arguments;
mod board_forms;
mod build;
mod completions;
#[path = "../library/counts.rs"]
mod counts;
mod damage;
mod default_folder;
mod documents;
mod folder;
mod folder_states;
mod game_files;
mod golden;
mod grade;
mod info;
mod output;
mod plan;
mod play;
mod program;
mod query;
mod quoting;

mod refusals;
mod repair;
mod reports;
mod uci;
