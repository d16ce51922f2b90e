//! `oware query`: value, moves and best line of boards.
//!
//! Boards come as arguments and are answered in full, or from standard input, one per line, and are
//! answered in chunks (`batch`).

mod answer;
mod batch;

use super::failure::{AlreadyReported, WrongUsage, warn};
use super::options::Options;
use super::output::Output;
use super::tables::SOLVED_AT_ONCE;
use super::{advice, boards, tables};
use answer::{Answer, WithBounds};
use std::io::Write;

/// The arguments of `query`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Boards: 12 numbers, an Aualé game string or any other form that is printed here, one argument
    /// each; or twelve arguments for one; or `-` for standard input, one board per line
    #[arg(required = true, value_name = "BOARD", allow_negative_numbers = true)]
    boards: Vec<String>,

    /// Add a line of best play to boards from standard input
    #[arg(long)]
    line: bool,

    /// Add bounds to boards from standard input, where they are built
    #[arg(long)]
    bounds: bool,

    #[command(flatten)]
    reading: tables::Reading,
}

const EXAMPLES: &str = "\
Examples:
  oware query 1 1 1 1 1 2  4 2 3 0 0 0
  oware query 1-1-1-1-1-2-4-2-3-0-0-0 --json
  oware query 1-1-1-1-1-2-4-2-3-0-0-0-20-12-S      stores do not matter here
  oware query - --json < boards.txt                one object per board, in the order of the input

The mover's six pits come first, in sowing order, then the opponent's. A move's value includes
what it captures; values are seeds for the mover minus seeds for the opponent from here on. `line` has
the mover's moves as A-F and the opponent's as a-f.

Where bounds are built, \"secures\" is what the mover has for certain whatever settles endless play,
and \"contested\" what the rule decides about. Two limits: a rule that counts positions from before the
board can void a bound, and a limit on plies must leave enough of them (docs/rules.md).";

/// Answers the boards.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    if arguments.boards.iter().any(|text| text == "-") {
        if arguments.boards.len() > 1 {
            let why = "'-' reads all boards from standard input: leave out the others";
            return Err(WrongUsage(why.to_owned()).into());
        }
        let database = arguments.reading.open_or_solve(options, Some(SOLVED_AT_ONCE))?;
        let manner = batch::Manner {
            with_line: arguments.line,
            with_bounds: if arguments.bounds { WithBounds::Yes } else { WithBounds::No },
            json: options.json,
        };
        return batch::run(&database, manner, output);
    }
    let boards = boards::of_arguments(&arguments.boards)?;
    let solvable =
        boards.iter().map(|board| board.level()).filter(|&level| level <= SOLVED_AT_ONCE);
    let database = arguments.reading.open_or_solve(options, solvable.max())?;
    let mut all_answered = true;
    for (number, board) in boards.into_iter().enumerate() {
        match Answer::ask(&database, board, true, WithBounds::Yes) {
            Ok(answer) if options.json => output.json(&answer)?,
            Ok(answer) => {
                if number > 0 {
                    writeln!(output)?;
                }
                answer.show(output)?;
            }
            Err(error) => {
                warn(advice::explain(&error));
                all_answered = false;
            }
        }
    }
    if all_answered { Ok(()) } else { Err(AlreadyReported.into()) }
}
