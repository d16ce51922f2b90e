//! The command line: one file per subcommand, over the library.
//!
//! Every subcommand is a module with a clap struct `Arguments` and
//! `run(&Arguments, &Options, &mut Output) -> anyhow::Result<()>`; it gets an entry in [`Command`]
//! and nothing else. What they share:
//!
//! | file | holds |
//! |---|---|
//! | `options` | the options that every command takes |
//! | `output` | standard output, where results go |
//! | `advice` | what a user can do about an error of the library |
//! | `shell` | paths quoted for a shell |
//! | `failure` | one line on standard error and an exit status for whatever went wrong |
//! | `files` | files that a command writes besides its output |
//! | `progress` | bars on standard error |
//! | `signals` | Ctrl-C and its like as a flag |
//! | `size` | sizes such as `12G` |
//! | `boards` | boards as arguments and as lines of a file |
//! | `names` | arguments with a few names as values |
//! | `line_editor` | lines typed on a terminal |
//! | `drawing` | a board drawn in characters |
//! | `table_folder` | the folder of tables that is used, and why |
//! | `tables` | opening the database that the options name |
//! | `engines` | the engines of `grade` and `match`, and their limits |
//!
//! Invariants: results go to standard output, everything else to standard error, where a message
//! is one line. Exit status: 0 done, 1 failed, 2 wrong usage, 130 stopped by a signal with the results so
//! far written. A closed
//! standard output is not a failure.

mod advice;
mod boards;
mod build;
mod completions;
mod doctor;
mod drawing;
mod engines;
mod export;
mod failure;
mod files;
mod grade;
mod info;
mod line_editor;
mod man;
mod match_play;
mod names;
mod options;
mod output;
mod plan;
mod play;
mod progress;
mod query;
mod shell;
mod signals;
mod size;
mod table_folder;
mod tables;
mod uci;
mod verify;

use clap::{CommandFactory, FromArgMatches, Parser};
use options::Options;
use output::Output;
use std::process::ExitCode;
use table_folder::FolderChoice;

/// Solves Oware (Awari, Wari) endgames exactly, and answers from the tables.
///
/// `build` computes the value of every board with up to N seeds and keeps it in small tables;
/// the other commands answer from them.
#[derive(Debug, Parser)]
#[command(name = "oware", version, after_help = EXAMPLES, max_term_width = 100)]
struct CommandLine {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  oware build --seeds 12                  solve every board of up to 12 seeds
  oware query 2 1 3 4 0 0  0 0 0 0 0 2    value and best moves of a board, mover's row first
  oware info                              the tables that are there

A board is 12 numbers: the mover's pits A-F in sowing order, then the opponent's a-f.
Exit status: 0 done, 1 failed, 2 wrong usage, 130 stopped by a signal such as Ctrl-C.";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Solves levels and writes their tables
    Build(build::Arguments),
    /// What a build would take here, without building
    Plan(plan::Arguments),
    /// Value, moves and best line of boards
    Query(query::Arguments),
    /// The tables that are there: sizes, histograms, longest distances
    Info(info::Arguments),
    /// Whether the tables are what they should be
    Verify(verify::Arguments),
    /// What is wrong in the folder of tables, and what to run next
    Doctor(doctor::Arguments),
    /// Values for other programs: scores.N files, NumPy arrays
    Export(export::Arguments),
    /// How perfect an engine's moves are, held against the tables
    Grade(grade::Arguments),
    /// A match between two engines
    Match(match_play::Arguments),
    /// Games in the terminal, against the machine or between people
    Play(play::Arguments),
    /// Our engine for other programs, over the UCI dialect of Aualé
    Uci(uci::Arguments),
    /// A script that completes the command line in a shell
    Completions(completions::Arguments),
    /// The manual pages
    Man(man::Arguments),
}

impl Command {
    fn run(&self, options: &Options, output: &mut Output) -> anyhow::Result<()> {
        match self {
            Self::Build(arguments) => build::run(arguments, options, output),
            Self::Plan(arguments) => plan::run(arguments, options, output),
            Self::Query(arguments) => query::run(arguments, options, output),
            Self::Info(arguments) => info::run(arguments, options, output),
            Self::Verify(arguments) => verify::run(arguments, options, output),
            Self::Doctor(arguments) => doctor::run(arguments, options, output),
            Self::Export(arguments) => export::run(arguments, options, output),
            Self::Grade(arguments) => grade::run(arguments, options, output),
            Self::Match(arguments) => match_play::run(arguments, options, output),
            Self::Play(arguments) => play::run(arguments, options, output),
            Self::Uci(arguments) => uci::run(arguments, options, output),
            Self::Completions(arguments) => {
                completions::run(arguments, CommandLine::command(), output)
            }
            Self::Man(arguments) => man::run(arguments, CommandLine::command(), output),
        }
    }
}

impl CommandLine {
    /// The command line that the process was started with.
    fn of_process() -> Result<Self, clap::Error> {
        let matches = Self::command().try_get_matches()?;
        let mut parsed = Self::from_arg_matches(&matches)?;
        parsed.options.tables_chosen =
            FolderChoice::of(matches.value_source("tables"), &parsed.options.tables);
        Ok(parsed)
    }
}

/// `oware`, or `oware query`: the command that the process was started with, as far as its arguments
/// are understood.
fn called_command() -> String {
    let known = CommandLine::command().ignore_errors(true).try_get_matches().ok();
    match known.as_ref().and_then(clap::ArgMatches::subcommand_name) {
        Some(name) => format!("oware {name}"),
        None => "oware".to_owned(),
    }
}

/// Runs the command that the process was started with.
pub(crate) fn main() -> ExitCode {
    let CommandLine { options, command } = match CommandLine::of_process() {
        Ok(parsed) => parsed,
        Err(error) => return failure::of_parsing(&error, &called_command()),
    };
    let mut output = Output::stdout();
    let result = signals::survive_file_limit()
        .and_then(|()| options.start_threads())
        .and_then(|()| command.run(&options, &mut output))
        .and_then(|()| output.finish());
    failure::status(result, &called_command(), &output)
}

#[cfg(test)]
mod tests {
    use super::CommandLine;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        CommandLine::command().debug_assert();
    }
}
