//! Bounds and ranks of single boards: what either side secures, whatever settles endless play.
//!
//! A table of bounds says how far the value of a board exceeds its lower bound. The upper bound is
//! the best over the moves of what is left of the lower bounds after them, so it takes as many
//! look-ups as the board has moves.

use super::file::LevelFile;
use super::{BoundsSource, Database, DatabaseError, MoveValue};
use crate::level::{LevelBounds, lower_bound};
use crate::rules::{Board, Bounds, Outcome, Seeds, Value};
use crate::table::{Contents, Part, TableError};
use rayon::prelude::*;

impl Database {
    /// Adds the bounds of levels in memory. Of two levels with the same number of seeds it keeps the
    /// later one.
    #[must_use]
    pub fn with_bounds(mut self, levels: Vec<LevelBounds>) -> Self {
        for level in levels {
            let at = level.seeds().index();
            self.bounds[at] = Some(BoundsSource::Memory(Box::new(level)));
        }
        self
    }

    /// Whether the database holds the bounds of the level of `seeds` seeds, as
    /// [`has_level`](Self::has_level) for its values.
    #[must_use]
    pub fn has_bounds(&self, seeds: Seeds) -> bool {
        match &self.bounds[seeds.index()] {
            None => false,
            Some(BoundsSource::Memory(_)) => true,
            Some(BoundsSource::File(file)) => file.is_whole(),
        }
    }

    /// Whether the database holds the ranks of the level of `seeds` seeds, as
    /// [`has_level`](Self::has_level) for its values.
    #[must_use]
    pub fn has_ranks(&self, seeds: Seeds) -> bool {
        self.ranks[seeds.index()].as_ref().is_some_and(LevelFile::is_whole)
    }

    /// The bounds of a board for its mover: what either side can secure from here on, whatever
    /// settles endless play.
    ///
    /// A rule that counts the positions before the board can void a bound; see
    /// [`Bounds`] and `docs/bounds.md`.
    ///
    /// # Errors
    /// [`DatabaseError::MissingBounds`] when the database lacks the bounds of the level of the board
    /// or of a board after a capture, and as [`value`](Self::value). A board on which the game has
    /// ended needs no level.
    pub fn bounds(&self, board: Board) -> Result<Bounds, DatabaseError> {
        let seeds = board.level();
        if let Some(BoundsSource::Memory(level)) = &self.bounds[seeds.index()]
            && let Some(bounds) = level.bounds(board)
        {
            return Ok(bounds);
        }
        if let Some(end) = self.rules.end(board) {
            return Ok(Bounds::exactly(end.value(board.seeds())));
        }
        let (low, high) = (self.low(board)?, self.high(board)?);
        // Only tables that contradict each other give bounds that are none.
        let contradiction = || match &self.bounds[seeds.index()] {
            Some(BoundsSource::File(file)) => file.contradiction(),
            _ => self.missing(Contents::Bounds, seeds),
        };
        Bounds::new(seeds, low.get(), high.get()).ok_or_else(contradiction)
    }

    /// The bounds of the moves of a board for the one who makes them, captures counted, in the order
    /// of `moves`.
    ///
    /// # Errors
    /// As [`bounds`](Self::bounds).
    pub fn bounds_of_moves(&self, moves: &[MoveValue]) -> Result<Vec<Bounds>, DatabaseError> {
        moves.iter().map(|found| self.bounds_of_move(found)).collect()
    }

    fn bounds_of_move(&self, found: &MoveValue) -> Result<Bounds, DatabaseError> {
        match found.outcome {
            Outcome::Moved { captured, next } => Ok(self.bounds(next)?.after_capturing(captured)),
            Outcome::Ended { .. } | Outcome::Illegal => Ok(Bounds::exactly(found.value)),
        }
    }

    /// The bounds of many boards, in the same order, on all threads of the current rayon pool.
    ///
    /// # Errors
    /// Each board has a result of its own, as from [`bounds`](Self::bounds).
    #[must_use]
    pub fn bounds_batch(&self, boards: &[Board]) -> Vec<Result<Bounds, DatabaseError>> {
        boards.par_iter().with_min_len(64).map(|&board| self.bounds(board)).collect()
    }

    /// The rank of a board: the plies in which its mover, who is playing for the lower bound, can
    /// capture or end the game at a bound as good; 0 if the game has ended, `None` if the lower
    /// bound is −n, which needs no play.
    ///
    /// # Errors
    /// [`DatabaseError::MissingRanks`] when the level has no table of ranks, and as
    /// [`bounds`](Self::bounds).
    pub fn rank(&self, board: Board) -> Result<Option<u32>, DatabaseError> {
        if self.rules.end(board).is_some() {
            return Ok(Some(0));
        }
        let seeds = board.level();
        let missing = || self.missing(Contents::Ranks, seeds);
        let file = self.ranks[seeds.index()].as_ref().ok_or_else(missing)?;
        match file.index(board) {
            Some(index) => file.distance(&self.cache, index),
            None => self.rank_by_moves(board),
        }
    }

    /// The rank of a board that is not reachable, on which the game goes on.
    fn rank_by_moves(&self, board: Board) -> Result<Option<u32>, DatabaseError> {
        let low = self.low(board)?;
        if low.get() == -board.seeds().cast_signed() {
            return Ok(None);
        }
        let mut best: Option<u32> = None;
        for (_, outcome) in self.rules.moves(board) {
            if self.low_after(outcome)? == low {
                let plies = self.delay_after(outcome)?;
                best = Some(best.map_or(plies, |best| best.min(plies)));
            }
        }
        Ok(best.map(|plies| plies + 1))
    }

    /// How long the opponent can delay after a move that keeps the lower bound: the greatest rank of
    /// the boards after its quiet replies that leave the bound as it is, plus one for the reply. It
    /// is 0 if the move captures or ends the game.
    ///
    /// # Errors
    /// As [`rank`](Self::rank).
    pub(crate) fn delay_after(&self, outcome: Outcome) -> Result<u32, DatabaseError> {
        let Outcome::Moved { captured: 0, next } = outcome else { return Ok(0) };
        let high = self.high(next)?;
        let mut longest = 0;
        for (_, reply) in self.rules.moves(next) {
            if let Outcome::Moved { captured: 0, next: after } = reply
                && self.low(after)?.after_capturing(0) == high
            {
                longest = longest.max(self.rank(after)?.unwrap_or_default() + 1);
            }
        }
        Ok(longest.max(1))
    }

    /// The lower bound of a move for the one who makes it, captures counted.
    ///
    /// # Errors
    /// As [`bounds`](Self::bounds).
    pub(crate) fn low_after(&self, outcome: Outcome) -> Result<Value, DatabaseError> {
        outcome.gain(|next| match self.rules.end(next) {
            Some(end) => Ok(end.value(next.seeds())),
            None => self.high(next),
        })
    }

    /// The lower bound of a board.
    fn low(&self, board: Board) -> Result<Value, DatabaseError> {
        let seeds = board.level();
        if let Some(end) = self.rules.end(board) {
            return Ok(end.value(seeds.get()));
        }
        match &self.bounds[seeds.index()] {
            None => Err(self.missing(Contents::Bounds, seeds)),
            Some(BoundsSource::Memory(level)) => match level.bounds(board) {
                Some(bounds) => Ok(bounds.low()),
                None => self.low_by_moves(board),
            },
            Some(BoundsSource::File(file)) => match file.index(board) {
                Some(index) => {
                    let stored = file.stored(&self.cache, index)?.number;
                    let value = self.value(board)?;
                    lower_bound(seeds, value, stored.get()).ok_or_else(|| file.contradiction())
                }
                None => self.low_by_moves(board),
            },
        }
    }

    fn low_by_moves(&self, board: Board) -> Result<Value, DatabaseError> {
        let mut best = None;
        for (_, outcome) in self.rules.moves(board) {
            best = best.max(Some(self.low_after(outcome)?));
        }
        Ok(best.expect("a board on which the game goes on has a legal move"))
    }

    /// The upper bound of a board on which the game goes on, from the lower bounds of its children.
    fn high(&self, board: Board) -> Result<Value, DatabaseError> {
        let seeds = board.level();
        if let Some(BoundsSource::Memory(level)) = &self.bounds[seeds.index()]
            && let Some(bounds) = level.bounds(board)
        {
            return Ok(bounds.high());
        }
        let mut best = None;
        for (_, outcome) in self.rules.moves(board) {
            best = best.max(Some(outcome.gain(|next| self.low(next))?));
        }
        Ok(best.expect("a board on which the game goes on has a legal move"))
    }
}

impl LevelFile {
    /// The error for a number that no table of bounds beside the values has.
    fn contradiction(&self) -> DatabaseError {
        TableError::damaged(&self.path(), Part::Numbers).into()
    }
}
