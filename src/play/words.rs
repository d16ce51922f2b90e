//! Ends of games and values as sentences.

use crate::game::{Game, GameEnd, Repetition};
use crate::rules::{End, Side};
use crate::search::{Certainty, Estimate};

/// `South` or `North`.
pub(super) const fn name(side: Side) -> &'static str {
    match side {
        Side::South => "South",
        Side::North => "North",
    }
}

fn seeds(count: u8) -> String {
    if count == 1 { "1 seed".to_owned() } else { format!("{count} seeds") }
}

/// Why a game is over and its result; `None` while it goes on.
pub(super) fn end_of_game(game: &Game) -> Option<String> {
    let end = game.end()?;
    let (mover, other) = (name(game.turn()), name(game.turn().other()));
    let left = seeds(game.board().seeds());
    let why = match end {
        GameEnd::MoreThanHalf(side) => {
            format!("{} has more than half of the {} seeds.", name(side), game.total_seeds())
        }
        GameEnd::NoMove(_) if game.board().seeds() == 0 => "All seeds are captured.".to_owned(),
        GameEnd::NoMove(End::NoSeeds) => {
            format!("{mover} has no seeds to move, so {other} takes the {left} on the board.")
        }
        GameEnd::NoMove(End::CannotFeed) => {
            format!("{mover} cannot give {other} a seed, so {mover} keeps the {left} on the board.")
        }
        GameEnd::NoMove(End::OnlySlams) => format!(
            "Every move of {mover} would capture all that {other} has, which is not allowed, so {mover} takes the {left} on the board."
        ),
        GameEnd::Slam => {
            format!("{other} captured all that {mover} had, so {mover} took what was left.")
        }
        GameEnd::Repetition => {
            let shared = match game.setup().repetition {
                Repetition::Split => format!("the {left} on the board are shared evenly"),
                Repetition::OwnSide => {
                    format!("of the {left} on the board each side takes those in its own row")
                }
            };
            format!("The position came back without a capture in between, so {shared}.")
        }
    };
    let score = game.score();
    let result = match score.winner() {
        Some(side) => {
            format!("{} wins {} to {}.", name(side), score.of(side), score.of(side.other()))
        }
        None => format!("The game is drawn, {} to {}.", score.south, score.north),
    };
    Some(format!("{why} {result}"))
}

/// The value of a position as a sentence. `side` is to move.
pub(super) fn value(side: Side, value: Estimate) -> String {
    let (own, other) = (name(side), name(side.other()));
    let hundredths = value.hundredths;
    let amount = Estimate { hundredths: hundredths.abs(), certainty: Certainty::Exact };
    let amount = amount.to_string().trim_start_matches('+').to_owned();
    let unit = if amount == "1" { "seed" } else { "seeds" };
    let from_here = "from here on";
    let gets = match (hundredths.signum(), value.certainty) {
        (0, Certainty::Exact) => {
            format!("{own} and {other} get the same number of seeds {from_here}")
        }
        (0, Certainty::AtLeast) => {
            format!("{own} gets at least as many seeds as {other} {from_here}")
        }
        (0, Certainty::AtMost) => {
            format!("{own} gets at most as many seeds as {other} {from_here}")
        }
        (0, Certainty::Estimate) => {
            format!("{own} and {other} get about the same number of seeds {from_here}")
        }
        (1, Certainty::AtLeast) => {
            format!("{own} gets at least {amount} {unit} more than {other} {from_here}")
        }
        (1, Certainty::AtMost) => {
            format!("{own} gets at most {amount} {unit} more than {other} {from_here}")
        }
        (1, Certainty::Estimate) => {
            format!("{own} gets about {amount} {unit} more than {other} {from_here}")
        }
        (1, Certainty::Exact) => {
            format!("{own} gets {amount} {unit} more than {other} {from_here}")
        }
        (_, Certainty::AtLeast) => {
            format!("{own} gets at most {amount} {unit} fewer than {other} {from_here}")
        }
        (_, Certainty::AtMost) => {
            format!("{own} gets at least {amount} {unit} fewer than {other} {from_here}")
        }
        (_, Certainty::Estimate) => {
            format!("{own} gets about {amount} {unit} fewer than {other} {from_here}")
        }
        (_, Certainty::Exact) => {
            format!("{own} gets {amount} {unit} fewer than {other} {from_here}")
        }
    };
    let how = match value.certainty {
        Certainty::Exact => "exact",
        Certainty::AtLeast | Certainty::AtMost => "proved",
        Certainty::Estimate => "an estimate",
    };
    format!("{gets} ({how}).")
}
