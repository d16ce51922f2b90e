//! Values, moves and distances of single boards.

use super::file::{LevelFile, Stored};
use super::{Database, DatabaseError, LevelSource};
use crate::rules::{BOARD_PITS, Board, Outcome, Pit, ROW_PITS, Rules, Value};
use crate::table::Contents;

/// A legal move and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveValue {
    /// The pit sown.
    pub pit: Pit,
    /// Seeds that the move captures.
    pub captured: u8,
    /// The value of the board for its mover if the mover plays this move. It includes the seeds
    /// that the move captures.
    pub value: Value,
    /// The outcome of the move, which is not [`Outcome::Illegal`].
    pub outcome: Outcome,
}

impl Database {
    /// The value of a board for its mover.
    ///
    /// A reachable board takes one look-up, plus one per capture if its number is not the value.
    /// Any other board takes the look-ups of all its moves.
    ///
    /// # Errors
    /// [`DatabaseError::MissingLevel`] when the database lacks the level of the board or of a board
    /// after a capture. A board on which the game has ended needs no level. Other errors when a
    /// table cannot be used.
    pub fn value(&self, board: Board) -> Result<Value, DatabaseError> {
        let seeds = board.level();
        match self.level(seeds) {
            Some(LevelSource::Memory(level)) => match level.value(board) {
                Some(value) => Ok(value),
                None => self.value_by_moves(board),
            },
            Some(LevelSource::File(file)) => match file.index(board) {
                Some(index) => self.value_in_file(file, index, board),
                None => self.value_by_moves(board),
            },
            None => value_without_table(self.rules, board, self.missing(Contents::Values, seeds)),
        }
    }

    /// The legal moves of a board with their values, the best first, equal ones in pit order; none
    /// if the game has ended.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn moves(&self, board: Board) -> Result<Vec<MoveValue>, DatabaseError> {
        self.sorted_moves(board, self.rules.moves(board), |next| self.value(next))
    }

    /// The distance to conversion of a board in plies (see
    /// [`LevelDistances`](crate::level::LevelDistances)); 0 if the game has ended, `None` for a
    /// board of value 0 on which the game goes on.
    ///
    /// # Errors
    /// [`DatabaseError::MissingDistances`] when the level has no distance table,
    /// [`DatabaseError::NoDistance`] when the table has no distance for a board that needs one, and
    /// as [`value`](Self::value).
    pub fn distance(&self, board: Board) -> Result<Option<u32>, DatabaseError> {
        if self.rules.end(board).is_some() {
            return Ok(Some(0));
        }
        let seeds = board.level();
        let Some(file) = self.distance_file(seeds) else {
            // A board of value 0 has no distance, whether there is a table or not.
            return match self.value(board)? {
                Value::EVEN => Ok(None),
                _ => Err(self.missing(Contents::Distances, seeds)),
            };
        };
        match file.index(board) {
            Some(index) => file.distance(&self.cache, index),
            None => self.distance_by_moves(board),
        }
    }

    /// The distance of a board on which the game goes on, from the distances of its children.
    fn distance_by_moves(&self, board: Board) -> Result<Option<u32>, DatabaseError> {
        let moves = self.moves(board)?;
        let value = moves.first().expect("a board that has not ended has a legal move").value;
        if value == Value::EVEN {
            return Ok(None);
        }
        let best = moves.iter().take_while(|found| found.value == value);
        let plies: Vec<u32> =
            best.map(|found| self.distance_after(found)).collect::<Result<_, _>>()?;
        let chosen = if value > Value::EVEN { plies.iter().min() } else { plies.iter().max() };
        Ok(chosen.map(|plies| plies + 1))
    }

    /// The distance in plies of the board after a move that keeps a value other than 0. It is 0 if
    /// the move captures or ends the game.
    pub(crate) fn distance_after(&self, found: &MoveValue) -> Result<u32, DatabaseError> {
        let Outcome::Moved { captured: 0, next } = found.outcome else { return Ok(0) };
        self.distance(next)?.ok_or_else(|| DatabaseError::NoDistance {
            rules: self.rules,
            board: next,
            folder: self.folder.clone(),
        })
    }

    /// The value of a board of a table: the greater of the stored number and the best capture.
    fn value_in_file(
        &self,
        file: &LevelFile,
        index: u64,
        board: Board,
    ) -> Result<Value, DatabaseError> {
        let Stored { number, resolved } = file.stored(&self.cache, index)?;
        if resolved {
            return Ok(number);
        }
        let mut value = number;
        for outcome in captures(self.rules, board) {
            value = value.max(outcome.gain(|next| self.value(next))?);
        }
        file.resolve(&self.cache, index, value);
        Ok(value)
    }

    /// The value of a board that is not reachable.
    fn value_by_moves(&self, board: Board) -> Result<Value, DatabaseError> {
        self.best_value(board, self.rules.moves(board), |next| self.value(next))
    }

    /// The value of a board from its legal moves, given the values of the boards after them.
    pub(super) fn best_value(
        &self,
        board: Board,
        moves: impl Iterator<Item = (Pit, Outcome)>,
        value_of: impl FnMut(Board) -> Result<Value, DatabaseError>,
    ) -> Result<Value, DatabaseError> {
        let mut best = None;
        self.for_each_move(board, moves, value_of, |found| best = best.max(Some(found.value)))?;
        Ok(best.unwrap_or_else(|| {
            let end = self.rules.end(board).expect("a board without a legal move has ended");
            end.value(board.seeds())
        }))
    }

    /// The legal moves of a board with their values, the best first, given the values of the boards
    /// after them.
    pub(super) fn sorted_moves(
        &self,
        board: Board,
        moves: impl Iterator<Item = (Pit, Outcome)>,
        value_of: impl FnMut(Board) -> Result<Value, DatabaseError>,
    ) -> Result<Vec<MoveValue>, DatabaseError> {
        let mut sorted = Vec::with_capacity(6);
        self.for_each_move(board, moves, value_of, |found| sorted.push(found))?;
        sorted.sort_by_key(|found| std::cmp::Reverse(found.value));
        Ok(sorted)
    }

    /// Calls `found` for each of the legal moves of a board. Without a usable table of its level a
    /// board has no value, wherever its moves lead, so that is checked first.
    fn for_each_move(
        &self,
        board: Board,
        moves: impl Iterator<Item = (Pit, Outcome)>,
        mut value_of: impl FnMut(Board) -> Result<Value, DatabaseError>,
        mut found: impl FnMut(MoveValue),
    ) -> Result<(), DatabaseError> {
        for (pit, outcome) in moves {
            self.expect_level(board.level())?;
            let value = outcome.gain(&mut value_of)?;
            found(MoveValue { pit, captured: outcome.captured(), value, outcome });
        }
        Ok(())
    }
}

/// The value of a board whose level has no table, for the reason given: a board on which the game
/// has ended needs none.
pub(super) fn value_without_table<E>(rules: Rules, board: Board, reason: E) -> Result<Value, E> {
    rules.end(board).map(|end| end.value(board.seeds())).ok_or(reason)
}

/// The moves of a board that capture.
#[inline]
pub(super) fn captures(rules: Rules, board: Board) -> impl Iterator<Item = Outcome> {
    let may_capture = move |pit: &Pit| may_capture(board, pit.place());
    let outcomes = Pit::ALL.into_iter().filter(may_capture).map(move |pit| rules.play(board, pit));
    outcomes.filter(|outcome| outcome.captured() > 0)
}

/// Whether sowing a pit can capture. A sowing no further than the opponent's last pit must end
/// there in a pit with 1 or 2 seeds; a longer one may always capture.
#[inline]
fn may_capture(board: Board, pit: usize) -> bool {
    let last = pit + usize::from(board.mover().pit(pit));
    match last {
        0..ROW_PITS => false,
        ROW_PITS..BOARD_PITS => matches!(board.opponent().pit(last - ROW_PITS), 1 | 2),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LevelIndex;
    use crate::rules::Seeds;

    /// Compares with [`Rules::moves`] on reachable boards of some levels.
    #[test]
    fn captures_are_the_moves_that_capture() {
        for rules in Rules::ALL {
            for seeds in [0, 1, 5, 7, 14] {
                let level = LevelIndex::new(Seeds::of(seeds));
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
