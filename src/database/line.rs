//! Principal variations: lines of perfect play.
//!
//! With distance tables, a side that wins seeds plays its shortest way to the next capture or end,
//! and a side that loses seeds its longest. Without them, the line from a board whose value is not
//! 0 follows the shortest path to a capture or end over moves that keep the value, found by
//! breadth-first search. From a board of value 0 it takes the first best move.

use super::{Database, DatabaseError, MoveValue};
use crate::rules::{Board, Outcome, Pit, Value};
use std::collections::{HashMap, HashSet, VecDeque};

/// A principal variation: the moves of both sides in turn, and the reason why it stops.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// Pits in the order played: the mover's, the opponent's, the mover's, …
    pub moves: Vec<Pit>,
    /// The reason why the line stops.
    pub end: LineEnd,
}

/// The reason why a line stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over.
    Ended,
    /// The last move leads to an earlier board of the line.
    Repetition,
    /// The line has the most plies that it may have.
    MaxPlies,
}

impl Line {
    /// The moves as letters: `A`–`F` for those of the mover, `a`–`f` for those of the opponent.
    pub fn letters(&self) -> impl Iterator<Item = char> {
        self.moves.iter().enumerate().map(|(ply, pit)| {
            let letter = pit.letter();
            if ply % 2 == 0 { letter } else { letter.to_ascii_lowercase() }
        })
    }
}

/// The most boards of a search for the next capture. The longest searches known at small levels
/// visit some thousands.
const MOST_VISITED: usize = 20_000;

impl Database {
    /// A principal variation from a board. It stops when the game is over, at the first board that
    /// repeats an earlier one, or after `most_plies` plies.
    ///
    /// # Errors
    /// As [`value`](Self::value), and as [`distance`](Self::distance) if there are distance tables.
    pub fn line(&self, board: Board, most_plies: usize) -> Result<Line, DatabaseError> {
        let mut moves = Vec::new();
        let mut seen = HashSet::from([board]);
        let mut planned = VecDeque::new();
        let mut current = board;
        while moves.len() < most_plies {
            if planned.is_empty() {
                planned = self.next_moves(current)?.into();
            }
            let Some(MoveValue { pit, outcome, .. }) = planned.pop_front() else {
                return Ok(Line { moves, end: LineEnd::Ended });
            };
            moves.push(pit);
            let Outcome::Moved { next, .. } = outcome else {
                return Ok(Line { moves, end: LineEnd::Ended });
            };
            if !seen.insert(next) {
                return Ok(Line { moves, end: LineEnd::Repetition });
            }
            current = next;
        }
        let has_ended = self.rules.end(current).is_some();
        let end = if has_ended { LineEnd::Ended } else { LineEnd::MaxPlies };
        Ok(Line { moves, end })
    }

    /// One or more next moves of a line; none if the game has ended.
    fn next_moves(&self, board: Board) -> Result<Vec<MoveValue>, DatabaseError> {
        let best = best_moves(self.moves(board)?);
        let Some(&first) = best.first() else { return Ok(best) };
        if first.value == Value::EVEN {
            return Ok(vec![first]);
        }
        if self.has_distances(board.level()) {
            return Ok(vec![self.move_by_distance(first, &best[1..])?]);
        }
        let path = self.path_to_conversion(board)?;
        Ok(if path.is_empty() { vec![first] } else { path })
    }

    /// The first move, of `first` and `others`, to the least distance if its value is above 0, and
    /// to the greatest if it is below. All of them have the same value, which is not 0.
    fn move_by_distance(
        &self,
        first: MoveValue,
        others: &[MoveValue],
    ) -> Result<MoveValue, DatabaseError> {
        let mut chosen = (self.distance_after(&first)?, first);
        for &other in others {
            let distance = self.distance_after(&other)?;
            let is_better = match first.value > Value::EVEN {
                true => distance < chosen.0,
                false => distance > chosen.0,
            };
            if is_better {
                chosen = (distance, other);
            }
        }
        Ok(chosen.1)
    }

    /// The shortest path to a capture or the end over moves that keep the value; empty if a search
    /// of [`MOST_VISITED`] boards finds none.
    fn path_to_conversion(&self, start: Board) -> Result<Vec<MoveValue>, DatabaseError> {
        let mut parents = Parents::from([(start, None)]);
        let mut queue = VecDeque::from([start]);
        while let Some(board) = queue.pop_front() {
            let best = best_moves(self.moves(board)?);
            if best.is_empty() && board != start {
                return Ok(path_to(&parents, board));
            }
            let converts =
                |found: &&MoveValue| !matches!(found.outcome, Outcome::Moved { captured: 0, .. });
            if let Some(&last) = best.iter().find(converts) {
                let mut path = path_to(&parents, board);
                path.push(last);
                return Ok(path);
            }
            for found in best {
                if let Outcome::Moved { next, .. } = found.outcome
                    && parents.len() < MOST_VISITED
                    && !parents.contains_key(&next)
                {
                    parents.insert(next, Some((board, found)));
                    queue.push_back(next);
                }
            }
        }
        Ok(Vec::new())
    }
}

/// The boards that a search has visited. Each but the start has the board before it on its path,
/// and the move from there.
type Parents = HashMap<Board, Option<(Board, MoveValue)>>;

/// The best of some moves, which are sorted best first.
fn best_moves(mut moves: Vec<MoveValue>) -> Vec<MoveValue> {
    if let Some(first) = moves.first() {
        let best = first.value;
        moves.retain(|found| found.value == best);
    }
    moves
}

/// The moves from the start of a search to a board.
fn path_to(parents: &Parents, board: Board) -> Vec<MoveValue> {
    let mut path = Vec::new();
    let mut current = board;
    while let Some(&Some((parent, found))) = parents.get(&current) {
        path.push(found);
        current = parent;
    }
    path.reverse();
    path
}
