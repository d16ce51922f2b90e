//! The exact value of every move of a position, and the cost of an imperfect one.
//!
//! The loss of a move is the best value minus the value of the move, in seeds. The result of a move
//! is won, drawn or lost: the comparison of both sides' seeds, stores included, after perfect play.
//! Table values assume that endless play is shared evenly. Where the database has bounds, a move is
//! also judged by what holds whatever settles endless play: it is *safe* if it keeps the seeds that
//! its mover had for certain, and *certainly wrong* if the most that it can bring is less than
//! another move secures.
//!
//! Invariant: a position here has at least one legal move.

use crate::database::{Database, DatabaseError, MoveValue};
use crate::rules::{Bounds, GameString, Pit, Side, Value};
use crate::search::Aim;
use std::cmp::Ordering;

/// The quality of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The value of the move.
    pub value: Value,
    /// The seeds that it loses, 0 or more.
    pub loss: u8,
    /// Whether its result is that of the best move.
    pub keeps_result: bool,
    /// The judgement by bounds, if the database has them.
    pub by_bounds: Option<ByBounds>,
}

/// The quality of one move, whatever settles endless play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ByBounds {
    /// Whether it keeps the seeds that its mover had for certain.
    pub is_safe: bool,
    /// Whether another move secures more than this one can bring.
    pub is_certainly_wrong: bool,
}

/// The legal moves of a position with their values.
#[derive(Clone, Debug)]
pub struct ExactMoves {
    position: GameString,
    best: Value,
    moves: Vec<MoveValue>,
    /// The bounds of the moves; empty if the database has none, or if the game before the position
    /// may void them.
    bounds: Vec<Bounds>,
}

impl ExactMoves {
    /// Looks up a position; `None` if it has no legal move.
    ///
    /// # Errors
    /// [`DatabaseError`] if a level is missing or a table cannot be read.
    pub fn look_up(
        database: &Database,
        position: GameString,
    ) -> Result<Option<Self>, DatabaseError> {
        let moves = database.moves(position.board)?;
        let Some(best) = moves.iter().map(|of| of.value).max() else { return Ok(None) };
        let bounds = match database.has_bounds(position.board.level()) {
            true => database.bounds_of_moves(&moves)?,
            false => Vec::new(),
        };
        Ok(Some(Self { position, best, moves, bounds }))
    }

    /// Removes the judgement by bounds.
    pub(super) fn forget_bounds(&mut self) {
        self.bounds.clear();
    }

    /// What the mover has for certain, if the database has bounds.
    #[must_use]
    pub fn secured(&self) -> Option<Value> {
        self.bounds.iter().map(|bounds| bounds.low()).max()
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

    /// The quality of the move of `pit`; `None` if it is not legal.
    #[must_use]
    pub fn judge(&self, pit: Pit) -> Option<Verdict> {
        let at = self.moves.iter().position(|of| of.pit == pit)?;
        let value = self.moves[at].value;
        let by_bounds = self.bounds.get(at).zip(self.secured()).map(|(bounds, secured)| ByBounds {
            is_safe: bounds.low() == secured,
            is_certainly_wrong: bounds.high() < secured,
        });
        Some(Verdict {
            value,
            loss: self.best.get().abs_diff(value.get()),
            keeps_result: self.result(value) == self.result(self.best),
            by_bounds,
        })
    }

    /// The perfect moves: under [`Aim::Margin`] those of the best value, under [`Aim::Result`] those of
    /// the best result.
    pub fn perfect(&self, aim: Aim) -> impl Iterator<Item = Pit> {
        self.moves.iter().filter(move |of| self.is_perfect(of.value, aim)).map(|of| of.pit)
    }

    /// Whether all moves are perfect.
    #[must_use]
    pub fn all_equal(&self, aim: Aim) -> bool {
        self.perfect(aim).count() == self.moves.len()
    }

    /// The probability that a uniformly random move is perfect, 0 to 1.
    #[must_use]
    pub fn random_accuracy(&self, aim: Aim) -> f64 {
        let count = |number: usize| super::statistics::real(number as u64);
        count(self.perfect(aim).count()) / count(self.moves.len())
    }

    fn is_perfect(&self, value: Value, aim: Aim) -> bool {
        match aim {
            Aim::Margin | Aim::Secure => value == self.best,
            Aim::Result => self.result(value) == self.result(self.best),
        }
    }

    /// The result for the mover of a move with this value: `Greater` if won, `Equal` if drawn.
    fn result(&self, value: Value) -> Ordering {
        let GameString { south_store, north_store, turn, .. } = self.position;
        let (own, other) = match turn {
            Side::South => (south_store, north_store),
            Side::North => (north_store, south_store),
        };
        (i16::from(own) + i16::from(value.get())).cmp(&i16::from(other))
    }
}
