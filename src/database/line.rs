//! A best line: one way that perfect play can go.
//!
//! With distances every move is the winner's quickest or the loser's slowest. Without them a
//! won or lost board is led to its next capture or end by the shortest walk over moves that keep
//! the value for both sides, found breadth-first; a board of value 0 takes its first best move.

use super::{Database, DatabaseError, MoveValue};
use crate::rules::{Board, Outcome, Pit, Value};
use std::collections::{HashMap, HashSet, VecDeque};

/// The moves of a line, the two sides in turn, and why it stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Pits in the order played: the mover's, the opponent's, the mover's, …
    pub moves: Vec<Pit>,
    /// Why the line stops.
    pub end: LineEnd,
}

/// Why a line stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over.
    Ended,
    /// The last move leads to a board that the line has been at.
    Repetition,
    /// As many plies as asked for.
    MaxPlies,
}

impl Line {
    /// The moves as letters: `A`–`F` for the mover's, `a`–`f` for the opponent's.
    pub fn letters(&self) -> impl Iterator<Item = char> {
        self.moves.iter().enumerate().map(|(ply, pit)| {
            let letter = pit.letter();
            if ply % 2 == 0 { letter } else { letter.to_ascii_lowercase() }
        })
    }
}

/// Boards looked at, at most, on the way to the next capture. The longest walks known at small
/// levels visit some thousands.
const MOST_VISITED: usize = 20_000;

impl Database {
    /// A line of best play from a board: it stops when the game is over, at the first board that
    /// it has been at, or after `most_plies` plies.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn line(&self, board: Board, most_plies: usize) -> Result<Line, DatabaseError> {
        let mut moves = Vec::new();
        let mut seen = HashSet::from([board]);
        let mut planned = VecDeque::new();
        let mut now = board;
        while moves.len() < most_plies {
            if planned.is_empty() {
                planned = self.next_steps(now)?.into();
            }
            let Some(step) = planned.pop_front() else {
                return Ok(Line { moves, end: LineEnd::Ended });
            };
            let MoveValue { pit, outcome, .. } = step;
            moves.push(pit);
            match outcome {
                Outcome::Moved { next, .. } => now = next,
                Outcome::Ended { .. } | Outcome::Illegal => {
                    return Ok(Line { moves, end: LineEnd::Ended });
                }
            }
            if !seen.insert(now) {
                return Ok(Line { moves, end: LineEnd::Repetition });
            }
        }
        let end = if self.rules.end(now).is_some() { LineEnd::Ended } else { LineEnd::MaxPlies };
        Ok(Line { moves, end })
    }

    /// The next moves of a line from a board: one or more, none when it has ended.
    fn next_steps(&self, board: Board) -> Result<Vec<MoveValue>, DatabaseError> {
        let best = best_moves(self.moves(board)?);
        let value = best.first().map_or(Value::EVEN, |first| first.value);
        if value != Value::EVEN {
            if self.has_distances(board.seeds()) {
                return self.by_distance(best, value);
            }
            let walk = self.walk_to_capture(board)?;
            if !walk.is_empty() {
                return Ok(walk);
            }
        }
        Ok(best.into_iter().take(1).collect())
    }

    /// Of moves that keep a value other than 0, the winner's quickest or the loser's slowest.
    fn by_distance(
        &self,
        best: Vec<MoveValue>,
        value: Value,
    ) -> Result<Vec<MoveValue>, DatabaseError> {
        let mut chosen: Option<(u32, MoveValue)> = None;
        for found in best {
            let distance = match found.outcome {
                Outcome::Moved { captured: 0, next } => self.distance(next)?.unwrap_or(u32::MAX),
                _ => 0,
            };
            let better = chosen.is_none_or(|(so_far, _)| {
                if value > Value::EVEN { distance < so_far } else { distance > so_far }
            });
            if better {
                chosen = Some((distance, found));
            }
        }
        Ok(chosen.map(|(_, found)| found).into_iter().collect())
    }

    /// The shortest walk over value-keeping moves to a capture or the end; empty when there is
    /// none within [`MOST_VISITED`] boards.
    fn walk_to_capture(&self, from: Board) -> Result<Vec<MoveValue>, DatabaseError> {
        let mut came_by: HashMap<Board, Option<(Board, MoveValue)>> = HashMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(board) = queue.pop_front() {
            let best = best_moves(self.moves(board)?);
            if best.is_empty() && board != from {
                return Ok(steps_to(&came_by, board));
            }
            let ends =
                |found: &&MoveValue| !matches!(found.outcome, Outcome::Moved { captured: 0, .. });
            if let Some(&last) = best.iter().find(ends) {
                let mut steps = steps_to(&came_by, board);
                steps.push(last);
                return Ok(steps);
            }
            for found in best {
                if let Outcome::Moved { next, .. } = found.outcome
                    && came_by.len() < MOST_VISITED
                    && !came_by.contains_key(&next)
                {
                    came_by.insert(next, Some((board, found)));
                    queue.push_back(next);
                }
            }
        }
        Ok(Vec::new())
    }
}

/// The moves that keep the value, of moves sorted best first.
fn best_moves(mut moves: Vec<MoveValue>) -> Vec<MoveValue> {
    if let Some(first) = moves.first() {
        let best = first.value;
        moves.retain(|found| found.value == best);
    }
    moves
}

fn steps_to(came_by: &HashMap<Board, Option<(Board, MoveValue)>>, board: Board) -> Vec<MoveValue> {
    let mut steps = Vec::new();
    let mut now = board;
    while let Some(&Some((before, step))) = came_by.get(&now) {
        steps.push(step);
        now = before;
    }
    steps.reverse();
    steps
}
