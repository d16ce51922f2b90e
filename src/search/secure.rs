//! Secure choice: a move that keeps the lower bound and makes progress, so that the secured seeds are
//! collected whatever settles endless play.
//!
//! Of the moves that keep the lower bound, a capture or an ending is progress by itself. A quiet move
//! is progress if all replies that leave the bound as it is lead to boards of lower rank. Among the
//! moves that make progress, the one with the best value is played. Where there are no tables of
//! ranks, `conversion` searches for the quickest forced way instead.
//!
//! Such a player repeats no position while it holds more than it has for certain anyway. A position
//! of the game from before the board may still come back, if it had the same bound and a greater
//! rank or none; a move to it is avoided where there is another.

use super::control::Control;
use super::conversion::ConversionFinder;
use super::perfect::Conversion;
use crate::database::{Database, DatabaseError, MoveValue};
use crate::game::Game;
use crate::rules::{Board, Bounds, Outcome, Pit, Value};

/// A move that keeps the lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SecureMove {
    /// The pit to sow.
    pub pit: Pit,
    /// The value of the move, with endless play shared evenly.
    pub value: Value,
    /// The lower bound of the position for its mover.
    pub low: Value,
    /// Whether the next capture, end or better bound is forced, and within how many plies.
    pub conversion: Conversion,
}

/// The move to play for the secured seeds in a game whose board and bounds the database holds;
/// `None` if the game is over, or if the mover secures no seeds, so that every move keeps the bound.
///
/// # Errors
/// [`DatabaseError`] if a level or its bounds are missing or damaged.
pub fn secure_move(
    database: &Database,
    game: &Game,
    control: &Control,
) -> Result<Option<SecureMove>, DatabaseError> {
    let board = game.board();
    if game.end().is_some() {
        return Ok(None);
    }
    let moves = database.moves(board)?;
    let bounds = database.bounds_of_moves(&moves)?;
    let Some(low) = bounds.iter().map(|bounds| bounds.low()).max() else { return Ok(None) };
    if low.get() == -board.seeds().cast_signed() {
        return Ok(None);
    }
    let keeps = |(found, bounds): (MoveValue, Bounds)| (bounds.low() == low).then_some(found);
    let keeping: Vec<MoveValue> = moves.into_iter().zip(bounds).filter_map(keeps).collect();
    let chosen = if database.has_ranks(board.level()) {
        by_ranks(database, game, &keeping)?
    } else {
        by_search(database, game, low, &keeping, control)?
    };
    let (found, conversion) = chosen;
    Ok(Some(SecureMove { pit: found.pit, value: found.value, low, conversion }))
}

/// The move of the best value that makes progress by the tables of ranks.
fn by_ranks(
    database: &Database,
    game: &Game,
    keeping: &[MoveValue],
) -> Result<(MoveValue, Conversion), DatabaseError> {
    let rank = database.rank(game.board())?.unwrap_or_default();
    let repeatable = repeatable(game);
    let mut best: Option<(_, u32, MoveValue)> = None;
    for found in keeping {
        let delay = database.delay_after(found.outcome)?;
        if delay > rank {
            continue;
        }
        let repeats = leads_to(found, &repeatable);
        let merit = (!repeats, found.value, std::cmp::Reverse(delay));
        if best.as_ref().is_none_or(|(most, _, _)| merit > *most) {
            best = Some((merit, delay, *found));
        }
    }
    Ok(match best {
        Some((_, delay, found)) => (found, Conversion::Within(delay + 1)),
        // Tables of ranks that do not belong to the bounds may prove nothing.
        None => (keeping[0], Conversion::Unproved),
    })
}

/// A capture or ending, or the first move of the quickest way to one.
fn by_search(
    database: &Database,
    game: &Game,
    low: Value,
    keeping: &[MoveValue],
    control: &Control,
) -> Result<(MoveValue, Conversion), DatabaseError> {
    let is_quiet = |found: &&MoveValue| matches!(found.outcome, Outcome::Moved { captured: 0, .. });
    if let Some(found) = keeping.iter().find(|found| !is_quiet(found)) {
        return Ok((*found, Conversion::Within(1)));
    }
    let history: Vec<Board> = game.positions_since_capture().map(|at| at.board).collect();
    let board = game.board();
    let finder = ConversionFinder::default();
    for history in [history.as_slice(), &[]] {
        let secured = finder.secured_move(database, board, low, history, control)?;
        let found = secured.and_then(|secured| {
            let found = keeping.iter().find(|found| leads_to(found, &[secured.next]))?;
            Some((*found, Conversion::Within(secured.distance)))
        });
        if let Some(found) = found {
            return Ok(found);
        }
    }
    let repeatable = repeatable(game);
    let fresh = keeping.iter().find(|found| !leads_to(found, &repeatable));
    Ok((*fresh.unwrap_or(&keeping[0]), Conversion::Unproved))
}

/// The positions that a move could repeat: those with the other side to move.
fn repeatable(game: &Game) -> Vec<Board> {
    let history: Vec<Board> = game.positions_since_capture().map(|at| at.board).collect();
    history.iter().rev().skip(1).step_by(2).copied().collect()
}

fn leads_to(found: &MoveValue, boards: &[Board]) -> bool {
    matches!(found.outcome, Outcome::Moved { captured: 0, next } if boards.contains(&next))
}
