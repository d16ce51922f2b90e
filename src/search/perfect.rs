//! Exact choice: the move that the database calls best and that gets somewhere.
//!
//! Of the moves that keep the value a winner takes one that captures or ends the game, or else one
//! step of the quickest forced way to the next capture or end: by distance tables where they exist,
//! by `conversion` elsewhere. A loser takes the longest way where distances are known. Otherwise,
//! all moves being equal, the one that leaves the opponent the most wrong replies.
//!
//! A move that brings back a position ends the game at once; it counts what the game's repetition
//! rule gives for it, whatever the table says of the board.

use super::control::Control;
use super::conversion::Distances;
use crate::database::{Database, DatabaseError, MoveValue};
use crate::game::{Game, Repetition};
use crate::rules::{Board, Outcome, Pit, Value};
use std::sync::Arc;

/// How far a chosen move gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Nothing is to be won: the value is 0 or less.
    NotNeeded,
    /// The next capture or end is at most so many plies away, this one included.
    Within(u32),
    /// The value is kept, but no way to realise it was found in the time given, or the opponent
    /// can bring back a position of this game.
    Unproved,
}

/// A move chosen by the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerfectMove {
    /// The pit to sow.
    pub pit: Pit,
    /// What the mover gets from here on.
    pub value: Value,
    /// Whether that is under way.
    pub conversion: Conversion,
}

/// Chooses by a database, and remembers what it found out about winning.
#[derive(Debug)]
pub struct PerfectPlayer {
    database: Arc<Database>,
    distances: Distances,
}

impl PerfectPlayer {
    /// A player for games of the database's rules.
    #[must_use]
    pub fn new(database: Arc<Database>) -> Self {
        Self { database, distances: Distances::default() }
    }

    /// The database that it chooses by.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The move to play in a game whose board is in the database; `None` when the game is over.
    ///
    /// # Errors
    /// [`DatabaseError`] when the board's level or a smaller one is missing or damaged.
    pub fn choose(
        &mut self,
        game: &Game,
        control: &Control,
    ) -> Result<Option<PerfectMove>, DatabaseError> {
        if game.end().is_some() {
            return Ok(None);
        }
        let (best, moves, may_repeat) = self.best_moves(game)?;
        if let Some(found) = moves.iter().find(|found| best > Value::EVEN && !is_quiet(found)) {
            return Ok(chosen(found, Conversion::Within(1)));
        }
        let quiet: Vec<MoveValue> =
            moves.iter().filter(|found| !repeats(found, &may_repeat)).copied().collect();
        if quiet.is_empty() {
            return Ok(moves.first().and_then(|found| chosen(found, Conversion::NotNeeded)));
        }
        if best > Value::EVEN {
            self.winning_step(game, best, &quiet, control)
        } else {
            slowest_or_trickiest(&self.database, best, &quiet)
        }
    }

    /// The best value, the moves that have it, and the positions that a move could bring back.
    fn best_moves(
        &self,
        game: &Game,
    ) -> Result<(Value, Vec<MoveValue>, Vec<Board>), DatabaseError> {
        let history: Vec<Board> = game.positions_since_capture().map(|at| at.board).collect();
        // A move leads to positions with the other side to move.
        let may_repeat: Vec<Board> = history.iter().rev().skip(1).step_by(2).copied().collect();
        let mut moves = self.database.moves(game.board())?;
        for found in &mut moves {
            if let Outcome::Moved { captured: 0, next } = found.outcome
                && may_repeat.contains(&next)
            {
                found.value = repetition_value(game.setup().repetition, next);
            }
        }
        let best = moves.iter().map(|found| found.value).max().unwrap_or_default();
        moves.retain(|found| found.value == best);
        Ok((best, moves, may_repeat))
    }

    /// A quiet move of the winner that comes nearer to the next capture or end.
    fn winning_step(
        &mut self,
        game: &Game,
        value: Value,
        moves: &[MoveValue],
        control: &Control,
    ) -> Result<Option<PerfectMove>, DatabaseError> {
        let board = game.board();
        if self.database.has_distances(board.seeds()) {
            return nearest_by_table(&self.database, moves);
        }
        let database = Arc::clone(&self.database);
        let mut step = self.distances.first_step(&database, board, value, &[], control)?;
        let clear = match step {
            Some(step) => self.is_clear_of_history(game, value, step.distance, control)?,
            None => true,
        };
        if !clear {
            let history: Vec<Board> = game.positions_since_capture().map(|at| at.board).collect();
            step = self.distances.first_step(&database, board, value, &history, control)?;
        }
        let leads_to = |next: Board| {
            moves.iter().find(
                |found| matches!(found.outcome, Outcome::Moved { next: to, .. } if to == next),
            )
        };
        Ok(match step.and_then(|step| Some((step, leads_to(step.next)?))) {
            Some((step, found)) => chosen(found, Conversion::Within(step.distance)),
            None => moves.first().and_then(|found| chosen(found, Conversion::Unproved)),
        })
    }

    /// Whether a winner of `value`, `distance` plies from the next capture, cannot meet an earlier
    /// position of the game on the way. Positions where the winner had less cannot be reached, the
    /// values being what they are; those with as much must be further away.
    fn is_clear_of_history(
        &mut self,
        game: &Game,
        value: Value,
        distance: u32,
        control: &Control,
    ) -> Result<bool, DatabaseError> {
        let boards: Vec<Board> = game.positions_since_capture().map(|at| at.board).collect();
        for (plies_ago, &board) in boards.iter().rev().enumerate().skip(1) {
            let known = match self.distances.known(board) {
                Some(known) => known,
                None => {
                    let worth = self.database.value(board)?;
                    let winner_got = if plies_ago % 2 == 0 { worth } else { -worth };
                    if winner_got < value {
                        continue;
                    }
                    match self.distances.find(&self.database, board, worth, control)? {
                        Some(known) => known,
                        None => return Ok(false),
                    }
                }
            };
            let is_further = known.winner_gets == value.get() && known.distance > distance;
            if known.winner_gets >= value.get() && !is_further {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What the player who moved to the repeated board `next` gets.
fn repetition_value(rule: Repetition, next: Board) -> Value {
    match rule {
        Repetition::Split => Value::EVEN,
        Repetition::OwnSide => {
            let (theirs, ours) = (next.mover().seeds(), next.opponent().seeds());
            Value::new(ours.cast_signed() - theirs.cast_signed()).unwrap_or(Value::EVEN)
        }
    }
}

fn chosen(found: &MoveValue, conversion: Conversion) -> Option<PerfectMove> {
    Some(PerfectMove { pit: found.pit, value: found.value, conversion })
}

/// Whether a move neither captures nor ends the game.
fn is_quiet(found: &MoveValue) -> bool {
    matches!(found.outcome, Outcome::Moved { captured: 0, .. })
}

/// Whether a move brings one of the positions back.
fn repeats(found: &MoveValue, positions: &[Board]) -> bool {
    matches!(found.outcome, Outcome::Moved { captured: 0, next } if positions.contains(&next))
}

/// The quiet move that leads to the least distance by the tables.
fn nearest_by_table(
    database: &Database,
    moves: &[MoveValue],
) -> Result<Option<PerfectMove>, DatabaseError> {
    let mut nearest: Option<(u32, &MoveValue)> = None;
    for found in moves {
        let distance = distance_after(database, found)?;
        if nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, found));
        }
    }
    Ok(nearest.and_then(|(distance, found)| {
        chosen(found, Conversion::Within(distance.saturating_add(1)))
    }))
}

fn distance_after(database: &Database, found: &MoveValue) -> Result<u32, DatabaseError> {
    match found.outcome {
        Outcome::Moved { captured: 0, next } => Ok(database.distance(next)?.unwrap_or(u32::MAX)),
        _ => Ok(0),
    }
}

/// Of equal moves of a side that wins nothing: the slowest to lose by, where distances are known,
/// or else the one that leaves the most wrong replies; the first of equals.
fn slowest_or_trickiest(
    database: &Database,
    value: Value,
    moves: &[MoveValue],
) -> Result<Option<PerfectMove>, DatabaseError> {
    let mut best: Option<(u32, &MoveValue)> = None;
    for found in moves {
        let merit = match found.outcome {
            Outcome::Moved { next, .. } if value < Value::EVEN => {
                if database.has_distances(next.seeds()) {
                    distance_after(database, found)?
                } else {
                    wrong_replies(database, next)?
                }
            }
            Outcome::Moved { next, .. } => wrong_replies(database, next)?,
            _ => 0,
        };
        if best.is_none_or(|(most, _)| merit > most) {
            best = Some((merit, found));
        }
    }
    Ok(best.and_then(|(_, found)| chosen(found, Conversion::NotNeeded)))
}

/// How many legal moves of a board do not keep its value.
fn wrong_replies(database: &Database, board: Board) -> Result<u32, DatabaseError> {
    let moves = database.moves(board)?;
    let best = moves.first().map(|found| found.value);
    let wrong = moves.iter().filter(|found| Some(found.value) != best).count();
    Ok(u32::try_from(wrong).unwrap_or(0))
}
