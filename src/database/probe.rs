//! Values, moves and distances of single boards.

use super::{Database, DatabaseError};
use crate::rules::{
    Board, End, Outcome, Pit, Policy, RowsOutcome, Value, end_of, play_rows, with_rules,
};

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
        with_rules!(self.rules, P => self.value_of::<P>(board))
    }

    /// The legal moves of a board with their values, best first, equal ones in pit order. Empty
    /// when the board has ended.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn moves(&self, board: Board) -> Result<Vec<MoveValue>, DatabaseError> {
        let mut moves = Vec::with_capacity(6);
        with_rules!(self.rules, P => self.for_each_move::<P>(board, |found| moves.push(found)))?;
        moves.sort_by_key(|found: &MoveValue| std::cmp::Reverse(found.value));
        Ok(moves)
    }

    /// The values of many boards, in their order. Quicker than asking one by one.
    ///
    /// # Errors
    /// Each board has its own, as of [`value`](Self::value).
    #[must_use]
    pub fn values(&self, boards: &[Board]) -> Vec<Result<Value, DatabaseError>> {
        boards.iter().map(|&board| self.value(board)).collect()
    }

    /// Plies to the next capture or end when the winner hurries and the loser delays; 0 for a
    /// board that has ended, `None` for one of value 0.
    ///
    /// # Errors
    /// [`DatabaseError::MissingDistances`] when the level has no distance table, and as
    /// [`value`](Self::value).
    pub fn distance(&self, board: Board) -> Result<Option<u32>, DatabaseError> {
        let value = self.value(board)?;
        if self.rules.end(board).is_some() {
            return Ok(Some(0));
        }
        if value == Value::EVEN {
            return Ok(None);
        }
        Err(self.missing_distances(board.seeds()))
    }

    fn value_of<P: Policy>(&self, board: Board) -> Result<Value, DatabaseError> {
        let seeds = board.seeds();
        let stored = self.level(seeds).map(|level| level.value(board));
        match stored {
            Some(Some(value)) => Ok(value),
            Some(None) => self.best_move_value::<P>(board),
            None => end_of::<P>(board.mover(), board.opponent())
                .map(|end| end.value(seeds))
                .ok_or_else(|| self.missing_level(seeds)),
        }
    }

    /// The value of a board from its children's.
    fn best_move_value<P: Policy>(&self, board: Board) -> Result<Value, DatabaseError> {
        let mut best = None;
        self.for_each_move::<P>(board, |found| best = best.max(Some(found.value)))?;
        Ok(best.unwrap_or_else(|| stuck(board).value(board.seeds())))
    }

    /// Calls `found` for each legal move in pit order.
    fn for_each_move<P: Policy>(
        &self,
        board: Board,
        mut found: impl FnMut(MoveValue),
    ) -> Result<(), DatabaseError> {
        for pit in Pit::ALL {
            match play_rows::<P>(board.mover(), board.opponent(), pit.place()) {
                RowsOutcome::Illegal => {}
                RowsOutcome::Moved { captured, own, other } => {
                    // Without its level a board is missing, whatever its captures lead to.
                    if captured != 0 && !self.has_level(board.seeds()) {
                        return Err(self.missing_level(board.seeds()));
                    }
                    let next = Board::from_rows_unchecked(other, own);
                    let value = self.value_of::<P>(next)?.after_capturing(captured);
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

/// How a board without a legal move has ended.
pub(super) fn stuck(board: Board) -> End {
    if board.mover().is_empty() {
        End::NoSeeds
    } else if board.opponent().is_empty() {
        End::CannotFeed
    } else {
        End::OnlySlams
    }
}
