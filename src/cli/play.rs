//! `play`: games in the terminal.

use super::engines::seconds;
use super::failure::{Interrupted, WrongUsage};
use super::line_editor::LineEditor;
use super::names;
use super::options::Options;
use super::output::Output;
use super::tables::{Reading, SOLVED_AT_ONCE};
use oware::game::{GameSetup, Repetition};
use oware::play::{HELP, PlayOptions, PlayerKind, play};
use oware::search::{Aim, Strength};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The arguments of `play`.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{HELP}"))]
pub(crate) struct Arguments {
    /// Player of South: person, random, greedy, easy, medium, hard, depth-N (N from 1 to 60) or perfect
    #[arg(long, value_name = "PLAYER", default_value_t = PlayerKind::Person, value_parser = names::players(), hide_possible_values = true)]
    south: PlayerKind,

    /// Player of North: as for South
    #[arg(long, value_name = "PLAYER", default_value_t = PlayerKind::Machine(Strength::Perfect), value_parser = names::players(), hide_possible_values = true)]
    north: PlayerKind,

    /// Board to start from: 12 numbers, South's row first, or a game string
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,

    /// Seconds per move of a perfect player outside the tables
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = seconds)]
    time: f64,

    /// What machines maximize: margin (seeds), result (a win first), or secure (what endless play
    /// cannot take, by tables of bounds)
    #[arg(long, value_name = "AIM", default_value_t, value_parser = names::aims(), hide_possible_values = true)]
    aim: Aim,

    /// How a repeated position shares the seeds: split or own-side [default: own-side for abapa,
    /// else split]
    #[arg(long, value_name = "RULE", value_parser = names::repetitions(), hide_possible_values = true)]
    repetition: Option<Repetition>,

    /// Continue after a side has more than half of the seeds
    #[arg(long)]
    play_on: bool,

    /// Play games until a player has collected this many seeds
    #[arg(long, value_name = "SEEDS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    series: Option<u32>,

    /// Seed of random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    reading: Reading,
}

const EXAMPLES: &str = "\
Examples:
  oware play                                     you are South, the machine plays as well as it can
  oware play --rules abapa --north medium        a weaker opponent
  oware play --south perfect --north greedy      watch
  oware play --board \"0 1 0 0 2 1 0 0 1 0 3 0\"   an ending: South's row first, South to move
  oware play --series 100                        games until one player has collected 100 seeds";

/// Plays until the person leaves.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    let time = Duration::from_secs_f64(arguments.time);
    let usual = GameSetup::new(options.rules);
    let session = PlayOptions {
        south: arguments.south,
        north: arguments.north,
        setup: GameSetup {
            repetition: arguments.repetition.unwrap_or(usual.repetition),
            plays_on: arguments.play_on,
            ..usual
        },
        board: arguments.board.clone(),
        aim: arguments.aim,
        time,
        series: arguments.series,
        seed: arguments.seed,
    };
    let database = match arguments.reading.open_or_solve(options, Some(SOLVED_AT_ONCE)) {
        Ok(database) => Some(Arc::new(database)),
        Err(error) => {
            super::failure::warn(format!(
                "playing without tables: {}",
                super::failure::chain(&error)
            ));
            None
        }
    };
    let played = match LineEditor::on_terminal() {
        Some(mut editor) => play(&mut editor, output, &session, database),
        None => play(&mut io::stdin().lock(), output, &session, database),
    };
    played.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => WrongUsage(format!("--board: {error}")).into(),
        io::ErrorKind::Interrupted => {
            Interrupted("a game is kept by the command save".to_owned()).into()
        }
        _ => error.into(),
    })
}
