//! The check of every board of a level against its moves.
//!
//! A value must be the best of the board's moves, or the value that the rules give a board without
//! moves. That alone proves nothing, because wrong values can support each other around a cycle of
//! boards. Together with the distances it is a proof. Let a move that captures or ends the game
//! have distance 0, and any other move the distance of its child. Over the moves that keep the
//! value of a board that is not 0,
//!
//! ```text
//! distance(value > 0) = 1 + the least        distance(value < 0) = 1 + the greatest
//! ```
//!
//! If this holds at every board, the side that wins has a move to a distance that is less by 1, and
//! all moves of the other side that keep the value lead to a smaller distance as well. Play thus
//! reaches a capture or the end after finitely many plies, and the values are correct.

use super::report::{Problem, WrongBoards};
use super::rows::{CheckedRow, Scratch, for_each_row};
use crate::index::LevelIndex;
use crate::kernels::SmallerLevels;
use crate::level::plain_value;
use crate::progress::{Stopped, Watch};
use crate::rules::{Board, Rules, Seeds, Value};

/// Stands for the distance of a child that has none: conversion is never reached.
const NEVER: u32 = u32::MAX;

/// The data of the check of a level.
pub(super) struct LevelCheck<'a> {
    pub(super) rules: Rules,
    /// The order of boards of all levels up to this one.
    pub(super) levels: &'a [LevelIndex],
    pub(super) seeds: Seeds,
    /// The plain bytes of the level.
    pub(super) bytes: &'a [u8],
    /// The plain bytes of the smaller levels.
    pub(super) smaller: &'a SmallerLevels<'a>,
    /// The distances of the level: 0 for none, otherwise plies plus 1.
    pub(super) distances: Option<&'a [u16]>,
}

impl LevelCheck<'_> {
    fn value(&self, index: usize) -> i8 {
        plain_value(self.bytes[index])
    }

    pub(super) fn board(&self, index: usize) -> Board {
        let level = &self.levels[self.seeds.index()];
        level.board(index as u64).expect("an index of the level")
    }

    /// Checks every board against its moves.
    pub(super) fn check(&self, watch: Watch<'_>) -> Result<Vec<Problem>, Stopped> {
        let wrong = WrongBoards::default();
        let done = |boards| watch.progress.advance(boards);
        for_each_row(self.rules, self.levels, self.seeds, watch, done, |scratch, row| {
            row.start(self.smaller, scratch);
            if let Some(distances) = self.distances {
                self.check_distances(distances, scratch, row, &wrong);
            }
            row.raise_to_children(&mut scratch.best, |child| self.value(child));
            for (index, &best) in row.range().zip(&scratch.best) {
                let stored = self.value(index);
                if stored != best {
                    let (stored, best) = (value(stored), value(best));
                    let board = self.board(index);
                    wrong.add(index, Problem::NotBest { board, stored, best });
                }
            }
        })?;
        Ok(wrong.into_problems())
    }

    /// Checks the distances of a row against those of its moves. `scratch` has the captures.
    fn check_distances(
        &self,
        distances: &[u16],
        scratch: &Scratch,
        row: &CheckedRow<'_>,
        wrong: &WrongBoards,
    ) {
        let values = &self.bytes[row.range()];
        // Over the moves so far that keep the value: the least distance if the value is above 0,
        // the greatest if it is below.
        let mut plies: Vec<Option<u32>> = values
            .iter()
            .zip(&scratch.best)
            .map(|(&byte, &capture)| (plain_value(byte) == capture).then_some(0))
            .collect();
        row.for_each_quiet_move(|minor, child| {
            let value = plain_value(values[minor]);
            if value != 0 && self.value(child) == -value {
                let after = distances[child].checked_sub(1).map_or(NEVER, u32::from);
                let so_far = plies[minor].unwrap_or(after);
                let chosen = if value > 0 { so_far.min(after) } else { so_far.max(after) };
                plies[minor] = Some(chosen);
            }
        });
        for (minor, index) in row.range().enumerate() {
            let stored = distances[index].checked_sub(1).map(u32::from);
            let ended = CheckedRow::has_ended(scratch, minor);
            let expected = if ended {
                Some(0)
            } else if self.value(index) == 0 {
                None
            } else {
                plies[minor].filter(|&plies| plies != NEVER).map(|plies| plies + 1)
            };
            // The board without seeds has ended with value 0: distance 0 and none are both right.
            let fits = stored == expected || self.seeds == Seeds::NONE;
            // A board whose value is not 0 needs a distance.
            let finite = expected.is_some() || self.value(index) == 0;
            if !fits || !finite {
                let board = self.board(index);
                wrong.add(index, Problem::WrongDistance { board, stored, expected });
            }
        }
    }
}

/// The value of a plain byte or of moves.
pub(super) fn value(seeds: i8) -> Value {
    Value::new(seeds).expect("the values of a level, and thus of its moves, are in range")
}
