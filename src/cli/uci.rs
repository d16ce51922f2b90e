//! `oware uci`: the engine of this crate for other programs.

use super::names;
use super::options::Options;
use super::output::Output;
use super::tables::{Reading, SOLVED_AT_ONCE};
use oware::database::Database;
use oware::game::Repetition;
use oware::search::{Aim, Strength};
use oware::uci::{Settings, serve};
use std::io;
use std::sync::Arc;

/// The arguments of `uci`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Level of play: random, greedy, easy, medium, hard, depth-N (N from 1 to 60) or perfect
    #[arg(long, value_name = "LEVEL", default_value_t, value_parser = names::strengths(), hide_possible_values = true)]
    level: Strength,

    /// Aim of play: margin (seeds), result (winning first) or secure (what endless play cannot take,
    /// by tables of bounds)
    #[arg(long, value_name = "AIM", default_value_t, value_parser = names::aims(), hide_possible_values = true)]
    aim: Aim,

    /// Meaning of a repeated position: split or own-side [default: own-side for abapa, else split]
    #[arg(long, value_name = "RULE", value_parser = names::repetitions(), hide_possible_values = true)]
    repetition: Option<Repetition>,

    /// Play without tables
    #[arg(long)]
    no_tables: bool,

    /// Size of the hash table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 32,
        value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,

    /// Seed of random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    reading: Reading,
}

const EXAMPLES: &str = "\
Examples:
  oware uci --level medium --no-tables           a weaker engine
  oware match --engine 'oware uci' --engine 'oware uci --aim result' --movetime 50
  printf 'uci\\nposition startpos moves Ff\\ngo movetime 100\\nquit\\n' | oware uci
  auale --engine 'oware uci --rules abapa'       play against it in Aualé

The engine reads commands from standard input until `quit` or its end, and answers on standard
output; docs/playing.md lists its options.";

/// Answers until `quit` or the end of the input.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    _output: &mut Output,
) -> anyhow::Result<()> {
    let (database, remark) = open(arguments, options);
    let settings = Settings::new(options.rules)
        .database(database.map(Arc::new))
        .remark(remark)
        .repetition(arguments.repetition)
        .strength(arguments.level)
        .aim(arguments.aim)
        .hash_mib(usize::from(arguments.hash))
        .uses_tables(!arguments.no_tables)
        .seed(arguments.seed);
    serve(io::stdin().lock(), io::stdout(), settings)?;
    Ok(())
}

/// The tables and a remark on them. Without tables the remark is the reason.
fn open(arguments: &Arguments, options: &Options) -> (Option<Database>, Option<String>) {
    if arguments.no_tables {
        return (None, None);
    }
    match arguments.reading.open_or_solve(options, Some(SOLVED_AT_ONCE)) {
        Ok(database) => match database.levels().last() {
            Some(most) => {
                let remark = format!("tables of {} up to {most} seeds", options.rules);
                (Some(database), Some(remark))
            }
            None => (None, Some(format!("playing without tables: none of {}", options.rules))),
        },
        Err(error) => (None, Some(format!("playing without tables: {error}"))),
    }
}
