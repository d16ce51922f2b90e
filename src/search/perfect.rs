//! Exact choice: a move of the best value by the database, and of those one that makes progress.
//!
//! Of the moves that keep the value, a winner plays one that captures or ends the game. If there is
//! none, the winner plays the first move of the quickest forced way to the next capture or end, by
//! distance tables where they exist and by `conversion` elsewhere. A loser delays the next capture
//! or end where distance tables exist. Otherwise the choice is the move with the most wrong replies.
//!
//! A move that repeats a position ends the game. Its value is the one of the game's repetition
//! rule, not the one of the table.

use super::control::Control;
use super::conversion::ConversionFinder;
use crate::database::{Database, DatabaseError, MoveValue};
use crate::game::{Game, Repetition};
use crate::rules::{Board, Outcome, Pit, Value};
use std::sync::Arc;

/// How a chosen move realizes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// The value is 0 or less, so there is no win to convert.
    NotNeeded,
    /// The next capture or end is at most this many plies away, this move included.
    Within(u32),
    /// The move keeps the value, but no conversion was found in time, or the opponent can repeat a
    /// position of the game.
    Unproved,
}

/// A move chosen by the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PerfectMove {
    /// The pit to sow.
    pub pit: Pit,
    /// The value of the position for its mover.
    pub value: Value,
    /// How the move realizes the value.
    pub conversion: Conversion,
}

/// Chooses moves by a database, and caches distances to conversion.
#[derive(Debug)]
pub struct PerfectPlayer {
    database: Arc<Database>,
    conversions: ConversionFinder,
}

impl PerfectPlayer {
    /// A player for games of the database's rules.
    #[must_use]
    pub fn new(database: Arc<Database>) -> Self {
        Self { database, conversions: ConversionFinder::default() }
    }

    /// The database of the player.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The move to play in a game whose board the database holds; `None` if the game is over.
    ///
    /// # Errors
    /// [`DatabaseError`] if the board's level or a smaller one is missing or damaged.
    pub fn choose(
        &mut self,
        game: &Game,
        control: &Control,
    ) -> Result<Option<PerfectMove>, DatabaseError> {
        if game.end().is_some() {
            return Ok(None);
        }
        let (best, moves, repeatable) = self.best_moves(game)?;
        if let Some(found) = moves.iter().find(|found| best > Value::EVEN && !is_quiet(found)) {
            return Ok(Some(choice(found, Conversion::Within(1))));
        }
        let candidates: Vec<MoveValue> =
            moves.iter().filter(|found| !repeats(found, &repeatable)).copied().collect();
        if candidates.is_empty() {
            return Ok(Some(choice(&moves[0], Conversion::NotNeeded)));
        }
        let choice = if best > Value::EVEN {
            self.winning_move(game, best, &candidates, control)
        } else {
            hardest_to_answer(&self.database, best, &candidates)
        };
        choice.map(Some)
    }

    /// The best value, the moves that have it (one or more), and the positions that a move could
    /// repeat. The game must not be over.
    fn best_moves(
        &self,
        game: &Game,
    ) -> Result<(Value, Vec<MoveValue>, Vec<Board>), DatabaseError> {
        let history: Vec<Board> = game.positions_since_capture().map(|at| at.board).collect();
        // A move leads to a position with the other side to move.
        let repeatable: Vec<Board> = history.iter().rev().skip(1).step_by(2).copied().collect();
        let mut moves = self.database.moves(game.board())?;
        for found in &mut moves {
            if let Outcome::Moved { captured: 0, next } = found.outcome
                && repeatable.contains(&next)
            {
                found.value = repetition_value(game.setup().repetition, next);
            }
        }
        let best = moves.iter().map(|found| found.value).max().expect("the game is not over");
        moves.retain(|found| found.value == best);
        Ok((best, moves, repeatable))
    }

    /// A quiet move of the winner that gets nearer to the next capture or end.
    fn winning_move(
        &mut self,
        game: &Game,
        value: Value,
        moves: &[MoveValue],
        control: &Control,
    ) -> Result<PerfectMove, DatabaseError> {
        let board = game.board();
        if self.database.has_distances(board.level()) {
            return nearest_by_table(&self.database, moves);
        }
        let database = Arc::clone(&self.database);
        let mut winning = self.conversions.winning_move(&database, board, value, &[], control)?;
        let may_repeat = match winning {
            Some(winning) => self.may_repeat(game, value, winning.distance, control)?,
            None => false,
        };
        if may_repeat {
            let history: Vec<Board> = game.positions_since_capture().map(|at| at.board).collect();
            winning = self.conversions.winning_move(&database, board, value, &history, control)?;
        }
        let move_to = |next: Board| {
            moves.iter().find(
                |found| matches!(found.outcome, Outcome::Moved { next: to, .. } if to == next),
            )
        };
        Ok(match winning.and_then(|winning| Some((winning, move_to(winning.next)?))) {
            Some((winning, found)) => choice(found, Conversion::Within(winning.distance)),
            None => choice(&moves[0], Conversion::Unproved),
        })
    }

    /// Whether an earlier position of the game may come back before the next capture, for a winner
    /// of `value` who is `distance` plies away from it.
    ///
    /// A position with a smaller value for the winner cannot be reached from one with a greater
    /// value. A position of equal value cannot be reached if its distance is greater.
    fn may_repeat(
        &mut self,
        game: &Game,
        value: Value,
        distance: u32,
        control: &Control,
    ) -> Result<bool, DatabaseError> {
        let boards: Vec<Board> = game.positions_since_capture().map(|at| at.board).collect();
        for (plies_ago, &board) in boards.iter().rev().enumerate().skip(1) {
            let dtc = match self.conversions.cached(board) {
                Some(dtc) => dtc,
                None => {
                    let earlier = self.database.value(board)?;
                    let winner_value = if plies_ago % 2 == 0 { earlier } else { -earlier };
                    if winner_value < value {
                        continue;
                    }
                    match self.conversions.find(&self.database, board, earlier, control)? {
                        Some(dtc) => dtc,
                        None => return Ok(true),
                    }
                }
            };
            let is_further = dtc.winner_value == value.get() && dtc.distance > distance;
            if dtc.winner_value >= value.get() && !is_further {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The value of a move to the repeated board `next` for its mover.
fn repetition_value(rule: Repetition, next: Board) -> Value {
    match rule {
        Repetition::Split => Value::EVEN,
        Repetition::OwnSide => {
            let (other, own) = (next.mover().seeds(), next.opponent().seeds());
            Value::new(own.cast_signed() - other.cast_signed())
                .expect("a row holds at most 48 seeds")
        }
    }
}

const fn choice(found: &MoveValue, conversion: Conversion) -> PerfectMove {
    PerfectMove { pit: found.pit, value: found.value, conversion }
}

/// Whether a move neither captures nor ends the game.
fn is_quiet(found: &MoveValue) -> bool {
    matches!(found.outcome, Outcome::Moved { captured: 0, .. })
}

/// Whether a move repeats one of the positions.
fn repeats(found: &MoveValue, positions: &[Board]) -> bool {
    matches!(found.outcome, Outcome::Moved { captured: 0, next } if positions.contains(&next))
}

/// The quiet move to the least distance by the distance tables.
fn nearest_by_table(
    database: &Database,
    moves: &[MoveValue],
) -> Result<PerfectMove, DatabaseError> {
    let mut nearest: Option<(u32, &MoveValue)> = None;
    for found in moves {
        // A table that does not belong to the values may lack a distance.
        let Some(distance) = distance_after(database, found)? else { continue };
        if nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, found));
        }
    }
    Ok(match nearest {
        Some((distance, found)) => choice(found, Conversion::Within(distance + 1)),
        None => choice(&moves[0], Conversion::Unproved),
    })
}

/// The distance after a move: 0 after a capture or at the end of the game, `None` at value 0.
fn distance_after(database: &Database, found: &MoveValue) -> Result<Option<u32>, DatabaseError> {
    match found.outcome {
        Outcome::Moved { captured: 0, next } => database.distance(next),
        _ => Ok(Some(0)),
    }
}

/// Of equal moves of a side that does not win: the one with the greatest distance, if the side loses
/// and the distances are known, or else the one with the most wrong replies. The first of equals.
fn hardest_to_answer(
    database: &Database,
    value: Value,
    moves: &[MoveValue],
) -> Result<PerfectMove, DatabaseError> {
    let mut best: Option<(Option<u32>, &MoveValue)> = None;
    for found in moves {
        let difficulty = match found.outcome {
            Outcome::Moved { next, .. } if value < Value::EVEN => {
                if database.has_distances(next.level()) {
                    distance_after(database, found)?
                } else {
                    Some(wrong_replies(database, next)?)
                }
            }
            Outcome::Moved { next, .. } => Some(wrong_replies(database, next)?),
            _ => Some(0),
        };
        if best.is_none_or(|(most, _)| difficulty > most) {
            best = Some((difficulty, found));
        }
    }
    let (_, hardest) = best.expect("the caller gives at least one move");
    Ok(choice(hardest, Conversion::NotNeeded))
}

/// The number of legal moves of a board that do not keep its value.
fn wrong_replies(database: &Database, board: Board) -> Result<u32, DatabaseError> {
    let moves = database.moves(board)?;
    let best = moves.first().map(|found| found.value);
    let wrong = moves.iter().filter(|found| Some(found.value) != best).count();
    Ok(u32::try_from(wrong).expect("a board has at most six moves"))
}
