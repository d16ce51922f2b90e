//! The check of the bounds of every board of a level, and their proof.
//!
//! A lower bound must be the best of the board's captures and endings, each at what the opponent
//! cannot prevent, and of its quiet moves: the least of what is left of the upper bounds after them.
//! The upper bound follows from the lower bounds one ply on, by definition. Bounds that fit each
//! other so may still be too high: around a cycle of boards, each may rest on the next.
//!
//! Ranks rule that out. Take a board with lower bound `s` above −n. Unless it has ended, or a capture
//! or ending brings `s`, some quiet move must lead to a board of upper bound `−s` all of whose quiet
//! replies that leave it so are boards of lower rank than the first. A play of such moves comes to a
//! capture, an ending or a greater bound after finitely many plies, whatever the replies, and never
//! repeats a board: so the bounds are not too high. They are not too low either, because a solution
//! of the equations never is below the least one.
//!
//! Without ranks the lower bounds are computed anew, by sweeps from −n up.

use super::report::{Problem, WrongBoards};
use super::rows::{CheckedRow, Scratch, for_each_row};
use crate::index::LevelIndex;
use crate::kernels::SmallerLevels;
use crate::level::LevelBounds;
use crate::progress::{Stopped, Watch};
use crate::rules::{Rules, Seeds, Value};
use std::sync::atomic::{AtomicBool, AtomicI8, AtomicU16, Ordering};

/// The data of the check of a level's bounds.
pub(super) struct BoundsCheck<'a> {
    pub(super) rules: Rules,
    /// The order of boards of all levels up to this one.
    pub(super) levels: &'a [LevelIndex],
    pub(super) bounds: &'a LevelBounds,
    /// The bounds of the smaller levels.
    pub(super) smaller: &'a SmallerLevels<'a, [u8; 2]>,
}

impl BoundsCheck<'_> {
    fn seeds(&self) -> Seeds {
        self.bounds.seeds()
    }

    fn low(&self, index: usize) -> i8 {
        self.bounds.pairs()[index][0].cast_signed()
    }

    fn high(&self, index: usize) -> i8 {
        self.bounds.pairs()[index][1].cast_signed()
    }

    /// Calls `work` for every row, with the best of the captures and endings of its boards for their
    /// lower bounds in `scratch.best`.
    fn for_each_row(
        &self,
        watch: Watch<'_>,
        work: impl Fn(&mut Scratch, &CheckedRow<'_>) + Sync,
    ) -> Result<(), Stopped> {
        let done = |boards| watch.progress.advance(boards);
        for_each_row(self.rules, self.levels, self.seeds(), watch, done, |scratch, row| {
            row.start_bounds(self.smaller, scratch);
            work(scratch, row);
        })
    }

    /// Checks every lower bound against the board's moves.
    pub(super) fn check(&self, watch: Watch<'_>) -> Result<Vec<Problem>, Stopped> {
        let wrong = WrongBoards::default();
        self.for_each_row(watch, |scratch, row| {
            row.raise_to_children(&mut scratch.best, |child| self.high(child));
            for (index, &best) in row.range().zip(&scratch.best) {
                if self.low(index) != best {
                    self.find(&wrong, index, best);
                }
            }
        })?;
        Ok(wrong.into_problems())
    }

    fn find(&self, wrong: &WrongBoards, index: usize, expected: i8) {
        let level = &self.levels[self.seeds().index()];
        let board = level.board(index as u64).expect("an index of the level");
        let value = |bound| Value::new(bound).expect("a bound of the level, or of moves on it");
        let (stored, expected) = (value(self.low(index)), value(expected));
        wrong.add(index, Problem::WrongBound { board, stored, expected });
    }

    /// Proves lower bounds that fit the moves by their ranks: 0 for none, otherwise plies plus 1.
    pub(super) fn prove(&self, ranks: &[u16], watch: Watch<'_>) -> Result<Vec<Problem>, Stopped> {
        // The greatest rank among the quiet replies that leave the upper bound of a board as it is.
        let delays: Vec<AtomicU16> =
            std::iter::repeat_with(|| AtomicU16::new(0)).take(ranks.len()).collect();
        self.for_each_row(watch, |_, row| {
            let first = row.range().start;
            row.for_each_quiet_move(|minor, child| {
                let index = first + minor;
                if self.low(child) == -self.high(index) {
                    let rank = if ranks[child] == 0 { u16::MAX } else { ranks[child] };
                    delays[index].fetch_max(rank, Ordering::Relaxed);
                }
            });
        })?;
        let wrong = WrongBoards::default();
        let least = -self.seeds().get().cast_signed();
        self.for_each_row(watch, |scratch, row| {
            let first = row.range().start;
            let mut is_proved: Vec<bool> = row
                .range()
                .zip(&scratch.best)
                .map(|(index, &best)| {
                    let low = self.low(index);
                    low == least || ranks[index] != 0 && best == low
                })
                .collect();
            row.for_each_quiet_move(|minor, child| {
                let index = first + minor;
                is_proved[minor] |= self.high(child) == -self.low(index)
                    && delays[child].load(Ordering::Relaxed) < ranks[index];
            });
            for (index, _) in row.range().zip(is_proved).filter(|(_, is_proved)| !is_proved) {
                self.find_unproved(&wrong, index);
            }
        })?;
        Ok(wrong.into_problems())
    }

    fn find_unproved(&self, wrong: &WrongBoards, index: usize) {
        let level = &self.levels[self.seeds().index()];
        let board = level.board(index as u64).expect("an index of the level");
        let stored = Value::new(self.low(index)).expect("a bound of the level");
        wrong.add(index, Problem::UnprovedBound { board, stored });
    }

    /// Computes the lower bounds anew and compares them with the stored ones.
    ///
    /// Every board starts at `−n` from below and `n` from above. A sweep sets the lower bound of
    /// every board to the best of its moves by the upper bounds so far, and the other way round,
    /// until a sweep changes nothing. Lower bounds only rise and upper bounds only fall, so neither
    /// the order of boards nor other threads change the result.
    pub(super) fn recompute(&self, watch: Watch<'_>) -> Result<Vec<Problem>, Stopped> {
        let n = self.seeds().get().cast_signed();
        let boards = self.bounds.pairs().len();
        let all = |bound| -> Vec<AtomicI8> {
            std::iter::repeat_with(|| AtomicI8::new(bound)).take(boards).collect()
        };
        let (lows, highs) = (all(-n), all(n));
        loop {
            let changed = AtomicBool::new(false);
            let set = |bound: &AtomicI8, best| {
                if bound.swap(best, Ordering::Relaxed) != best {
                    changed.store(true, Ordering::Relaxed);
                }
            };
            self.for_each_row(watch, |scratch, row| {
                let Scratch { best, other_best, .. } = scratch;
                row.raise_to_children(best, |child| highs[child].load(Ordering::Relaxed));
                row.raise_to_children(other_best, |child| lows[child].load(Ordering::Relaxed));
                for (index, (&low, &high)) in row.range().zip(best.iter().zip(&*other_best)) {
                    set(&lows[index], low);
                    set(&highs[index], high);
                }
            })?;
            if !changed.into_inner() {
                break;
            }
        }
        let wrong = WrongBoards::default();
        for (index, anew) in lows.into_iter().enumerate() {
            let anew = anew.into_inner();
            if anew != self.low(index) {
                self.find(&wrong, index, anew);
            }
        }
        Ok(wrong.into_problems())
    }
}
