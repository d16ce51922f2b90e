//! What the tables say about a position: the value of every move, and what an answer costs.
//!
//! A move's loss is the best value minus the move's value, in seeds. A result is won, drawn or lost
//! by what both sides have when the rest is played perfectly: stores plus the value. Table values
//! take endless play to be shared evenly. Invariant: there is at least one move.

use crate::database::{Database, DatabaseError, MoveValue};
use crate::rules::{GameString, Pit, Side, Value};
use crate::search::Aim;
use std::cmp::Ordering;

/// What one answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The value of the move.
    pub value: Value,
    /// Seeds lost by it, 0 or more.
    pub loss: u8,
    /// Whether won stays won and drawn drawn.
    pub keeps_result: bool,
}

/// The legal moves of a position with their values.
#[derive(Clone, Debug)]
pub struct ExactMoves {
    position: GameString,
    best: Value,
    moves: Vec<MoveValue>,
}

impl ExactMoves {
    /// Looks a position up; `None` when it has no legal move.
    ///
    /// # Errors
    /// [`DatabaseError`] when a level is missing or a table cannot be read.
    pub fn look_up(
        database: &Database,
        position: GameString,
    ) -> Result<Option<Self>, DatabaseError> {
        let moves = database.moves(position.board)?;
        let best = moves.iter().map(|of| of.value).max();
        Ok(best.map(|best| Self { position, best, moves }))
    }

    /// The position.
    #[must_use]
    pub const fn position(&self) -> &GameString {
        &self.position
    }

    /// The value of the best move.
    #[must_use]
    pub const fn best(&self) -> Value {
        self.best
    }

    /// The legal moves, best first.
    #[must_use]
    pub fn moves(&self) -> &[MoveValue] {
        &self.moves
    }

    /// What playing `pit` is worth; `None` when it is not legal.
    #[must_use]
    pub fn judge(&self, pit: Pit) -> Option<Verdict> {
        let value = self.moves.iter().find(|of| of.pit == pit)?.value;
        Some(Verdict {
            value,
            loss: self.best.get().abs_diff(value.get()),
            keeps_result: self.result(value) == self.result(self.best),
        })
    }

    /// The moves that are perfect: under [`Aim::Margin`] those of the best value, under
    /// [`Aim::Result`] those that keep the result which the best value gives.
    pub fn perfect(&self, aim: Aim) -> impl Iterator<Item = Pit> {
        self.moves.iter().filter(move |of| self.is_perfect(of.value, aim)).map(|of| of.pit)
    }

    /// Whether the choice does not matter.
    #[must_use]
    pub fn all_equal(&self, aim: Aim) -> bool {
        self.perfect(aim).count() == self.moves.len()
    }

    /// How often a uniformly random player finds a perfect move here, 0 to 1.
    #[must_use]
    pub fn random_accuracy(&self, aim: Aim) -> f64 {
        let count = |number: usize| super::statistics::real(number as u64);
        count(self.perfect(aim).count()) / count(self.moves.len())
    }

    fn is_perfect(&self, value: Value, aim: Aim) -> bool {
        match aim {
            Aim::Margin => value == self.best,
            Aim::Result => self.result(value) == self.result(self.best),
        }
    }

    /// `Greater` when the mover wins the game with this value, `Equal` when it is drawn.
    fn result(&self, value: Value) -> Ordering {
        let GameString { south_store, north_store, turn, .. } = self.position;
        let (own, other) = match turn {
            Side::South => (south_store, north_store),
            Side::North => (north_store, south_store),
        };
        (i16::from(own) + i16::from(value.get())).cmp(&i16::from(other))
    }
}
