//! Passes over a level, one opponent's row with all mover's rows at a time, in parallel.

use crate::index::LevelIndex;
use crate::kernels::{
    Crossings, Effect, LapEffect, MoverRows, NO_CAPTURE, SmallerLevels, best_value, crossings,
    lap_effect, raise_to_captures,
};
use crate::progress::{Stopped, Watch};
use crate::rules::{End, Row, Rules};
use rayon::prelude::*;
use std::ops::Range;

/// Boards that one task takes at least, so that small rows do not pay for threads.
const TASK_BOARDS: u32 = 1 << 14;

/// Stands for "no move yet" among best values: less than any.
pub(super) const NO_MOVE: i8 = i8::MIN;

/// Memory that a thread keeps from run to run.
#[derive(Default)]
pub(super) struct Scratch {
    captures: Vec<u8>,
    goes_on: Vec<bool>,
    /// The best value so far of each board of the run.
    pub(super) best: Vec<i8>,
}

/// All boards with one opponent's row and one number of mover's seeds.
pub(super) struct RowBoards<'level> {
    pub(super) rules: Rules,
    /// Index of the first; the others follow in rank order of the mover's row.
    pub(super) first: usize,
    pub(super) rows: &'level MoverRows,
    pub(super) opponent: Row,
    pub(super) crossings: Crossings,
    /// The numberings of all levels up to this one.
    pub(super) levels: &'level [LevelIndex],
}

impl RowBoards<'_> {
    /// Boards in the run.
    pub(super) fn len(&self) -> usize {
        self.rows.filled.len()
    }

    /// Their indices.
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.len()
    }

    /// Sets `scratch.best` to the best capture or ending move of each board, the rules' value of a
    /// board without a legal move, [`NO_MOVE`] where only quiet moves decide.
    pub(super) fn start(&self, smaller: &SmallerLevels<'_>, scratch: &mut Scratch) {
        let Scratch { captures, goes_on, best } = scratch;
        captures.clear();
        captures.resize(self.len(), NO_CAPTURE);
        let Self { levels, rows, opponent, crossings, .. } = self;
        raise_to_captures(self.rules, levels, smaller, rows, *opponent, crossings, captures);
        best.clear();
        best.extend(captures.iter().map(|&capture| match capture {
            NO_CAPTURE => NO_MOVE,
            capture => best_value(capture),
        }));
        goes_on.clear();
        goes_on.resize(self.len(), false);
        self.for_each_quiet_move(|minor, _| goes_on[minor] = true);
        for (best, &goes_on) in best.iter_mut().zip(&*goes_on) {
            if *best == NO_MOVE && !goes_on {
                *best = self.end().value(rows.seeds + opponent.seeds()).get();
            }
        }
    }

    /// Whether the board with this mover's rank has no legal move, after [`start`](Self::start).
    pub(super) fn has_ended(scratch: &Scratch, minor: usize) -> bool {
        scratch.captures[minor] == NO_CAPTURE && !scratch.goes_on[minor]
    }

    /// How boards of this run without a legal move have ended.
    fn end(&self) -> End {
        if self.rows.seeds == 0 {
            End::NoSeeds
        } else if self.opponent.is_empty() {
            End::CannotFeed
        } else {
            End::OnlySlams
        }
    }

    /// Raises `best` to the best quiet move of each board, given the values of the level.
    pub(super) fn raise_to_children(&self, best: &mut [i8], value: impl Fn(usize) -> i8) {
        self.for_each_quiet_move(|minor, child| {
            best[minor] = best[minor].max(-value(child));
        });
    }

    /// Calls `visit(minor, child)` for each legal move that captures nothing: the mover's rank and
    /// the child's index in the same level.
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

/// Calls `work` for every row of the level of `seeds` seeds, on all threads, with scratch memory per
/// thread, and `done` with the number of boards of every portion that is done.
pub(super) fn for_each_row(
    rules: Rules,
    levels: &[LevelIndex],
    seeds: u8,
    watch: Watch<'_>,
    done: impl Fn(u64) + Sync,
    work: impl Fn(&mut Scratch, &RowBoards<'_>) + Sync,
) -> Result<(), Stopped> {
    let level = &levels[usize::from(seeds)];
    for mover_seeds in 0..=seeds {
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
                    &RowBoards { rules, first, rows: &rows, opponent, crossings, levels },
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
