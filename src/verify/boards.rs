//! Every board of a level against its moves.
//!
//! A value must be the best of the board's moves, or what the rules give a board without one. That
//! alone proves nothing: values that support each other around a cycle satisfy it as well. With
//! distances it does. For a board that is won or lost, over the moves that keep its value, a
//! capture or ending counting 0 and any other move the child's distance,
//!
//! ```text
//! distance(won)  = 1 + the least        distance(lost) = 1 + the greatest
//! ```
//!
//! Where this holds at every board the winner has a move to a distance that is less by one, and
//! every value-keeping move of the loser leads to a lesser one as well. So the play ends in a capture
//! or an ending after finitely many plies, and the values are the true ones.

use super::report::{Problem, WrongBoards};
use super::rows::{RowBoards, Scratch, for_each_row};
use crate::index::LevelIndex;
use crate::kernels::SmallerLevels;
use crate::level::plain_value;
use crate::progress::{Stopped, Watch};
use crate::rules::{Board, Rules, Value};

/// A level and what it is held against.
pub(super) struct LevelAtHand<'a> {
    pub(super) rules: Rules,
    pub(super) levels: &'a [LevelIndex],
    pub(super) seeds: u8,
    /// Its plain bytes.
    pub(super) bytes: &'a [u8],
    /// The plain bytes of the smaller levels.
    pub(super) smaller: &'a SmallerLevels<'a>,
    /// Its distances, plies + 1 or 0 for none.
    pub(super) distances: Option<&'a [u16]>,
}

impl LevelAtHand<'_> {
    fn value(&self, index: usize) -> i8 {
        plain_value(self.bytes[index])
    }

    pub(super) fn board(&self, index: usize) -> Board {
        self.levels[usize::from(self.seeds)].board(index as u64).unwrap_or_default()
    }

    /// Holds every board against its moves.
    pub(super) fn check(&self, watch: Watch<'_>) -> Result<Vec<Problem>, Stopped> {
        let wrong = WrongBoards::default();
        let done = |boards| watch.progress.advance(boards);
        for_each_row(self.rules, self.levels, self.seeds, watch, done, |scratch, run| {
            run.start(self.smaller, scratch);
            if let Some(distances) = self.distances {
                self.check_distances(distances, scratch, run, &wrong);
            }
            run.raise_to_children(&mut scratch.best, |child| self.value(child));
            for (index, &best) in run.range().zip(&scratch.best) {
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

    /// Holds the distances of a run against those of its moves; `scratch` has the captures.
    fn check_distances(
        &self,
        distances: &[u16],
        scratch: &Scratch,
        run: &RowBoards<'_>,
        wrong: &WrongBoards,
    ) {
        let values = &self.bytes[run.range()];
        // Over the moves that keep the value, so far: least for the won, greatest for the lost.
        // A capture counts 0, a child without a distance takes for ever.
        let mut plies: Vec<Option<u32>> = values
            .iter()
            .zip(&scratch.best)
            .map(|(&byte, &capture)| (plain_value(byte) == capture).then_some(0))
            .collect();
        run.for_each_quiet_move(|minor, child| {
            let value = plain_value(values[minor]);
            if value != 0 && self.value(child) == -value {
                let after = distances[child].checked_sub(1).map_or(u32::MAX, u32::from);
                let so_far = plies[minor].unwrap_or(after);
                let chosen = if value > 0 { so_far.min(after) } else { so_far.max(after) };
                plies[minor] = Some(chosen);
            }
        });
        for (minor, index) in run.range().enumerate() {
            let stored = distances[index].checked_sub(1).map(u32::from);
            let ended = RowBoards::has_ended(scratch, minor);
            let expected = if ended {
                Some(0)
            } else if self.value(index) == 0 {
                None
            } else {
                plies[minor].and_then(|plies| plies.checked_add(1))
            };
            // The board without seeds has ended and is worth 0: either way is right.
            let fits = stored == expected || self.seeds == 0;
            // A won or lost board needs a finite distance.
            let finite = expected.is_some() || self.value(index) == 0;
            if !fits || !finite {
                let board = self.board(index);
                wrong.add(index, Problem::WrongDistance { board, stored, expected });
            }
        }
    }
}

/// A value out of a table or of moves, both of which are in range.
pub(super) fn value(seeds: i8) -> Value {
    Value::new(seeds).unwrap_or_default()
}
