//! `uci`: our engine for other people's programs.

use super::options::Options;
use super::output::Output;
use super::tables::Reading;
use oware::database::Database;
use oware::game::Repetition;
use oware::search::{Aim, Strength};
use oware::uci::{Settings, serve};
use std::io;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How well to play: random, greedy, easy, medium, hard, depth-N or perfect
    #[arg(long, value_name = "LEVEL", default_value_t)]
    level: Strength,

    /// What to want most: margin (seeds) or result (winning first)
    #[arg(long, value_name = "AIM", default_value_t)]
    aim: Aim,

    /// What a repeated position means: split or own-side [default: own-side for abapa, else split]
    #[arg(long, value_name = "RULE")]
    repetition: Option<Repetition>,

    /// Play without tables
    #[arg(long)]
    no_tables: bool,

    /// Memory for boards met before, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 32,
        value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,

    /// Makes random choices repeatable
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    reading: Reading,
}

pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    _output: &mut Output,
) -> anyhow::Result<()> {
    let (database, remark) = open(arguments, options);
    let settings = Settings {
        database: database.map(Arc::new),
        remark,
        rules: options.rules,
        repetition: arguments.repetition,
        strength: arguments.level,
        aim: arguments.aim,
        hash_mib: usize::from(arguments.hash),
        uses_tables: !arguments.no_tables,
        seed: arguments.seed,
    };
    serve(io::stdin().lock(), io::stdout(), settings)?;
    Ok(())
}

/// The tables, or why there are none: an engine without tables plays all the same.
fn open(arguments: &Arguments, options: &Options) -> (Option<Database>, Option<String>) {
    if arguments.no_tables {
        return (None, None);
    }
    match arguments.reading.open(options) {
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
