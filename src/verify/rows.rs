//! Parallel passes over the rows of a level. A row is all boards with one opponent's row and one
//! number of mover's seeds.

use crate::index::LevelIndex;
use crate::kernels::{
    Crossings, Effect, LapEffect, MoverRows, NO_CAPTURE, SmallerLevels, best_value, crossings,
    lap_effect, raise_to_captures,
};
use crate::progress::{Stopped, Watch};
use crate::rules::{End, Row, Rules, Seeds};
use rayon::prelude::*;
use std::ops::Range;

/// Boards per task, about. Small rows share a task.
const TASK_BOARDS: u32 = 1 << 14;

/// Stands for the value of a board without a move so far. It is less than any value.
pub(super) const NO_MOVE: i8 = i8::MIN;

/// Buffers of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    captures: Vec<u8>,
    has_quiet_move: Vec<bool>,
    captured_bounds: Vec<[u8; 2]>,
    /// The best value so far of each board of the row; of bounds, the best lower bound.
    pub(super) best: Vec<i8>,
    /// Of bounds, the best upper bound so far of each board of the row.
    pub(super) other_best: Vec<i8>,
}

/// A row of the level under check.
pub(super) struct CheckedRow<'level> {
    rules: Rules,
    /// The index of the first board. The others follow in rank order of the mover's row.
    first: usize,
    rows: &'level MoverRows,
    opponent: Row,
    crossings: Crossings,
    /// The order of boards of all levels up to this one.
    levels: &'level [LevelIndex],
}

impl CheckedRow<'_> {
    fn len(&self) -> usize {
        self.rows.filled.len()
    }

    /// The indices of the boards.
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.len()
    }

    /// Sets `scratch.best` to the best capture or ending of each board, to the value by the rules
    /// of a board without a legal move, and to [`NO_MOVE`] for a board with quiet moves only.
    pub(super) fn start(&self, smaller: &SmallerLevels<'_>, scratch: &mut Scratch) {
        let Scratch { captures, has_quiet_move, best, .. } = scratch;
        captures.clear();
        captures.resize(self.len(), NO_CAPTURE);
        let Self { levels, rows, opponent, crossings, .. } = self;
        raise_to_captures(self.rules, levels, smaller, rows, *opponent, crossings, captures);
        best.clear();
        best.extend(captures.iter().map(|&capture| or_no_move(capture)));
        self.find_quiet_moves(has_quiet_move);
        self.put_endings(best, has_quiet_move);
    }

    /// Does what [`start`](Self::start) does with the best captures and endings for either bound: of
    /// the lower bound to `scratch.best`, of the upper bound to `scratch.other_best`.
    pub(super) fn start_bounds(&self, smaller: &SmallerLevels<'_, [u8; 2]>, scratch: &mut Scratch) {
        let Scratch { captured_bounds, has_quiet_move, best, other_best, .. } = scratch;
        captured_bounds.clear();
        captured_bounds.resize(self.len(), [NO_CAPTURE; 2]);
        let Self { levels, rows, opponent, crossings, .. } = self;
        let captures = &mut *captured_bounds;
        raise_to_captures(self.rules, levels, smaller, rows, *opponent, crossings, captures);
        self.find_quiet_moves(has_quiet_move);
        for (best, bound) in [best, other_best].into_iter().zip([0, 1]) {
            best.clear();
            best.extend(captured_bounds.iter().map(|captures| or_no_move(captures[bound])));
            self.put_endings(best, has_quiet_move);
        }
    }

    fn find_quiet_moves(&self, has_quiet_move: &mut Vec<bool>) {
        has_quiet_move.clear();
        has_quiet_move.resize(self.len(), false);
        self.for_each_quiet_move(|minor, _| has_quiet_move[minor] = true);
    }

    /// Gives the boards without a legal move the value that the rules give them.
    fn put_endings(&self, best: &mut [i8], has_quiet_move: &[bool]) {
        for (best, &has_quiet_move) in best.iter_mut().zip(has_quiet_move) {
            if *best == NO_MOVE && !has_quiet_move {
                *best = self.end().value(self.rows.seeds + self.opponent.seeds()).get();
            }
        }
    }

    /// Whether the board with a mover's rank has no legal move, after [`start`](Self::start).
    pub(super) fn has_ended(scratch: &Scratch, minor: usize) -> bool {
        scratch.captures[minor] == NO_CAPTURE && !scratch.has_quiet_move[minor]
    }

    /// The end of the game on a board of this row without a legal move.
    fn end(&self) -> End {
        if self.rows.seeds == 0 {
            End::NoSeeds
        } else if self.opponent.is_empty() {
            End::CannotFeed
        } else {
            End::OnlySlams
        }
    }

    /// Raises `best` to the best quiet move of each board. `value` is the value of a board of the
    /// level.
    pub(super) fn raise_to_children(&self, best: &mut [i8], value: impl Fn(usize) -> i8) {
        self.for_each_quiet_move(|minor, child| {
            best[minor] = best[minor].max(-value(child));
        });
    }

    /// Calls `visit(minor, child)` for each quiet move, with the rank of the mover's row and the
    /// index of the child, which is in the same level.
    #[inline]
    pub(super) fn for_each_quiet_move(&self, mut visit: impl FnMut(usize, usize)) {
        for (list, effect) in self.rows.short.iter().zip(&self.crossings) {
            if let Effect::Moved { captured: 0, base, stride } = *effect {
                for row_move in list {
                    let child = base + u64::from(row_move.after) * stride;
                    visit(row_move.minor as usize, to_usize(child));
                }
            }
        }
        for &lap in self.rows.laps_home.iter().chain(&self.rows.laps_away) {
            let effect = lap_effect(self.rules, self.levels, lap, self.opponent);
            if let LapEffect::Moved { captured: 0, index } = effect {
                visit(lap.minor as usize, to_usize(index));
            }
        }
    }
}

/// The value of the byte of a best capture.
const fn or_no_move(capture: u8) -> i8 {
    if capture == NO_CAPTURE { NO_MOVE } else { best_value(capture) }
}

/// Calls `work` for every row of the level of `seeds` seeds, on all threads, with buffers of the
/// thread. Calls `done` with the number of boards of each finished task.
pub(super) fn for_each_row(
    rules: Rules,
    levels: &[LevelIndex],
    seeds: Seeds,
    watch: Watch<'_>,
    done: impl Fn(u64) + Sync,
    work: impl Fn(&mut Scratch, &CheckedRow<'_>) + Sync,
) -> Result<(), Stopped> {
    let level = &levels[seeds.index()];
    for mover_seeds in 0..=seeds.get() {
        let rows = MoverRows::new(rules.path(), mover_seeds);
        let visit = |scratch: &mut Scratch, run: Range<u64>| {
            if watch.is_stopped() {
                return;
            }
            for row in level.rows_from(run.start).take_while(|row| row.start < run.end) {
                let opponent = row.opponent;
                let crossings = crossings(rules, levels, mover_seeds, opponent);
                let first = to_usize(row.start);
                work(
                    scratch,
                    &CheckedRow { rules, first, rows: &rows, opponent, crossings, levels },
                );
            }
            done(run.end - run.start);
        };
        level
            .row_runs(mover_seeds, TASK_BOARDS)
            .into_par_iter()
            .for_each_init(Scratch::default, visit);
        watch.check()?;
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, reason = "an index into a level that is in memory")]
const fn to_usize(index: u64) -> usize {
    index as usize
}
