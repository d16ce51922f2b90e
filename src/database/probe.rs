//! Values, moves and distances of single boards.

use super::file::LevelFile;
use super::{Database, DatabaseError, LevelSource};
use crate::rules::{
    BOARD_PITS, Board, End, Outcome, Pit, ROW_PITS, RowsOutcome, Rules, Value, play_rows,
};
use crate::table::Contents;

/// A legal move and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The pit sown.
    pub pit: Pit,
    /// Seeds that the move captures.
    pub captured: u8,
    /// What the mover gets from here on by this move, the captured seeds included.
    pub value: Value,
    /// What the move does.
    pub outcome: Outcome,
}

impl Database {
    /// The value of a board for its mover.
    ///
    /// Reachable boards take one look-up, others one ply of search.
    ///
    /// # Errors
    /// [`DatabaseError::MissingLevel`] when the board's level (or, for a board that no move leads
    /// to, one that a capture leads to) is not in the database; other errors when a table is
    /// damaged.
    pub fn value(&self, board: Board) -> Result<Value, DatabaseError> {
        let seeds = board.seeds();
        match self.level(seeds) {
            Some(LevelSource::Memory(level)) => match level.value(board) {
                Some(value) => Ok(value),
                None => self.best_move_value(board),
            },
            Some(LevelSource::File(file)) => match file.index(board) {
                Some(index) => self.value_in_file(file, index, board),
                None => self.best_move_value(board),
            },
            None => self
                .rules
                .end(board)
                .map(|end| end.value(seeds))
                .ok_or_else(|| self.missing(Contents::Values, seeds)),
        }
    }

    /// The legal moves of a board with their values, best first, equal ones in pit order. Empty
    /// when the board has ended.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn moves(&self, board: Board) -> Result<Vec<MoveValue>, DatabaseError> {
        let mut moves = Vec::with_capacity(6);
        self.for_each_move(board, |found| moves.push(found))?;
        moves.sort_by_key(|found: &MoveValue| std::cmp::Reverse(found.value));
        Ok(moves)
    }

    /// Plies to the next capture or end when the winner hurries and the loser delays; 0 for a
    /// board that has ended, `None` for one of value 0.
    ///
    /// # Errors
    /// [`DatabaseError::MissingDistances`] when the level has no distance table, and as
    /// [`value`](Self::value).
    pub fn distance(&self, board: Board) -> Result<Option<u32>, DatabaseError> {
        if self.rules.end(board).is_some() {
            return Ok(Some(0));
        }
        let seeds = board.seeds();
        let Some(file) = self.distance_file(seeds) else {
            // Value 0 is known without a distance table, other values ask for one.
            let even = self.value(board)? == Value::EVEN;
            let missing = || self.missing(Contents::Distances, seeds);
            return if even { Ok(None) } else { Err(missing()) };
        };
        match file.index(board) {
            Some(index) => file.distance(&self.cache, index),
            None => self.distance_by_moves(board),
        }
    }

    /// The distance of a board from its children's: the winner hurries, the loser delays.
    fn distance_by_moves(&self, board: Board) -> Result<Option<u32>, DatabaseError> {
        let moves = self.moves(board)?;
        let value = moves.first().map_or(Value::EVEN, |first| first.value);
        if value == Value::EVEN {
            return Ok(None);
        }
        let mut chosen: Option<u32> = None;
        for found in moves.iter().filter(|found| found.value == value) {
            let plies = match found.outcome {
                Outcome::Moved { captured: 0, next } => self.distance(next)?,
                _ => Some(0),
            };
            // A child of a won or lost board by a move that keeps the value has a distance.
            let Some(plies) = plies else { continue };
            chosen = Some(match chosen {
                None => plies,
                Some(other) if value > Value::EVEN => other.min(plies),
                Some(other) => other.max(plies),
            });
        }
        Ok(chosen.map(|plies| plies + 1))
    }

    /// The value of a board of a table: the greater of what is stored and its best capture.
    fn value_in_file(
        &self,
        file: &LevelFile,
        index: u64,
        board: Board,
    ) -> Result<Value, DatabaseError> {
        let stored = file.stored(&self.cache, index)?;
        let number = Value::new(stored.number).ok_or_else(|| file.missing())?;
        if stored.resolved {
            return Ok(number);
        }
        let mut value = number;
        for capture in captures(self.rules, board) {
            value = value.max(match capture {
                Capture::Ended(value) => value,
                Capture::Moved { captured, next } => self.value(next)?.after_capturing(captured),
            });
        }
        file.resolve(&self.cache, index, value.get());
        Ok(value)
    }

    /// The value of a board from its children's.
    fn best_move_value(&self, board: Board) -> Result<Value, DatabaseError> {
        let mut best = None;
        self.for_each_move(board, |found| best = best.max(Some(found.value)))?;
        Ok(best.unwrap_or_else(|| stuck(board).value(board.seeds())))
    }

    /// Calls `found` for each legal move in pit order.
    fn for_each_move(
        &self,
        board: Board,
        mut found: impl FnMut(MoveValue),
    ) -> Result<(), DatabaseError> {
        for pit in Pit::ALL {
            match play_rows(self.rules, board.mover(), board.opponent(), pit.place()) {
                RowsOutcome::Illegal => {}
                RowsOutcome::Moved { captured, own, other } => {
                    // Without its level a board is missing, whatever its captures lead to.
                    if captured != 0 && !self.has_level(board.seeds()) {
                        return Err(self.missing(Contents::Values, board.seeds()));
                    }
                    let next = Board::from_rows_unchecked(other, own);
                    let value = self.value(next)?.after_capturing(captured);
                    let outcome = Outcome::Moved { captured, next };
                    found(MoveValue { pit, captured, value, outcome });
                }
                RowsOutcome::Ended { captured, left } => {
                    let value = Value::all(left, true).after_capturing(captured);
                    let outcome = Outcome::Ended { captured, left };
                    found(MoveValue { pit, captured, value, outcome });
                }
            }
        }
        Ok(())
    }
}

/// A move that captures.
#[derive(Clone, Copy, Debug)]
pub(super) enum Capture {
    /// The game goes on.
    Moved { captured: u8, next: Board },
    /// The game ends with this value for the one who moved.
    Ended(Value),
}

/// The capturing moves of a board.
#[inline]
pub(super) fn captures(rules: Rules, board: Board) -> impl Iterator<Item = Capture> {
    let may_capture = move |pit: &Pit| may_capture(board, pit.place());
    Pit::ALL.into_iter().filter(may_capture).filter_map(move |pit| {
        match play_rows(rules, board.mover(), board.opponent(), pit.place()) {
            RowsOutcome::Illegal | RowsOutcome::Moved { captured: 0, .. } => None,
            RowsOutcome::Moved { captured, own, other } => {
                Some(Capture::Moved { captured, next: Board::from_rows_unchecked(other, own) })
            }
            RowsOutcome::Ended { captured, left } => {
                Some(Capture::Ended(Value::all(left, true).after_capturing(captured)))
            }
        }
    })
}

/// Whether a pit's sowing can capture, at a glance: one that goes no further than the opponent's last pit
/// must end there in a pit with 1 or 2 seeds.
#[inline]
fn may_capture(board: Board, pit: usize) -> bool {
    let last = pit + usize::from(board.mover().pit(pit));
    match last {
        0..ROW_PITS => false,
        ROW_PITS..BOARD_PITS => matches!(board.opponent().pit(last - ROW_PITS), 1 | 2),
        _ => true,
    }
}

/// How a board without a legal move has ended.
fn stuck(board: Board) -> End {
    if board.mover().is_empty() {
        End::NoSeeds
    } else if board.opponent().is_empty() {
        End::CannotFeed
    } else {
        End::OnlySlams
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LevelIndex;

    /// On every reachable board of some levels, by the rules' own moves.
    #[test]
    fn captures_are_the_moves_that_capture() {
        for rules in Rules::ALL {
            for seeds in [0, 1, 5, 7, 14] {
                let level = LevelIndex::new(seeds);
                let step = if seeds > 8 { 97 } else { 1 };
                let last = level.boards();
                for board in (0..last).step_by(step).filter_map(|index| level.board(index)) {
                    let found = captures(rules, board).count();
                    let expected = rules.moves(board).filter(|(_, outcome)| match outcome {
                        Outcome::Moved { captured, .. } => *captured > 0,
                        Outcome::Ended { .. } => true,
                        Outcome::Illegal => false,
                    });
                    assert_eq!(found, expected.count(), "{rules} {board}");
                }
            }
        }
    }
}
