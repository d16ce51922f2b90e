//! The options that every command takes.

use super::advice;
use super::names;
use super::table_folder::{self, FolderChoice};
use anyhow::Context;
use oware::rules::{Rules, Seeds};
use std::path::PathBuf;

/// The options that every command takes.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Options {
    /// Rule set: awari, abapa, wari, leave-first, leave-last, opponent-takes-rest or two-lap
    #[arg(
        long,
        global = true,
        value_name = "RULES",
        default_value_t,
        value_parser = names::rules(),
        hide_possible_values = true
    )]
    pub(crate) rules: Rules,

    /// Folder of the tables [default: ./tables if it exists, otherwise a folder among the user's
    /// data, which `oware doctor` names]
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        default_value_os_t = table_folder::by_default(),
        hide_default_value = true,
        env = table_folder::VARIABLE,
        hide_env_values = true
    )]
    pub(crate) tables: PathBuf,

    /// What chose the folder.
    #[arg(skip)]
    pub(crate) tables_chosen: FolderChoice,

    /// Print results as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Threads to work with [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Progress on standard error: always, never, or auto, which is on a terminal only
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(crate) progress: ProgressWhen,
}

/// When progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ProgressWhen {
    /// When standard error is a terminal.
    Auto,
    /// Always; without a terminal as plain lines.
    Always,
    /// Never.
    Never,
}

impl Options {
    /// Starts the threads of parallel work, before any work needs them: a thread that the system
    /// refuses later would end the program.
    pub(crate) fn start_threads(&self) -> anyhow::Result<()> {
        let threads = self.threads.map_or(0, usize::from);
        let started = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        started.with_context(|| match threads {
            0 => "cannot start a thread for each core (fewer: --threads)".to_owned(),
            _ => format!("cannot start {threads} threads: ask for fewer"),
        })
    }

    /// The options that name the same tables to another command, each with a space before it; empty
    /// for the defaults.
    pub(crate) fn to_same_tables(&self) -> String {
        advice::same_tables(self.rules, &self.tables)
    }

    /// The command that builds levels up to `seeds` into the same tables, ready to be pasted;
    /// `more` is further options, each with a space before it.
    pub(crate) fn build_command(&self, seeds: Seeds, more: &str) -> String {
        advice::build_command(self.rules, seeds, &self.tables, more)
    }
}
