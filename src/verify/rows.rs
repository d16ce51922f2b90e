//! Passes over a level, one opponent's row with all mover's rows at a time, in parallel.

use super::{Cancelled, Watch};
use crate::index::{LevelIndex, gapped_rows, gapped_unrank, row_count};
use crate::rules::{End, Policy, Row};
use crate::table::{
    Crossings, Effect, LapEffect, MoverRows, NO_CAPTURE, Smaller, best_value, crossings,
    lap_effect, raise_to_captures,
};
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
    pub(super) fn start<P: Policy>(&self, smaller: &Smaller<'_>, scratch: &mut Scratch) {
        let Scratch { captures, goes_on, best } = scratch;
        captures.clear();
        captures.resize(self.len(), NO_CAPTURE);
        let Self { levels, rows, opponent, crossings, .. } = self;
        raise_to_captures::<P>(levels, smaller, rows, *opponent, crossings, captures);
        best.clear();
        best.extend(captures.iter().map(|&capture| match capture {
            NO_CAPTURE => NO_MOVE,
            capture => best_value(capture),
        }));
        goes_on.clear();
        goes_on.resize(self.len(), false);
        self.for_each_quiet_move::<P>(|minor, _| goes_on[minor] = true);
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
    pub(super) fn raise_to_children<P: Policy>(
        &self,
        best: &mut [i8],
        value: impl Fn(usize) -> i8,
    ) {
        self.for_each_quiet_move::<P>(|minor, child| {
            best[minor] = best[minor].max(-value(child));
        });
    }

    /// Calls `visit(minor, child)` for each legal move that captures nothing: the mover's rank and
    /// the child's index in the same level.
    #[inline]
    pub(super) fn for_each_quiet_move<P: Policy>(&self, mut visit: impl FnMut(usize, usize)) {
        for (list, effect) in self.rows.short.iter().zip(&self.crossings) {
            if let Effect::Moved { captured: 0, base, stride } = *effect {
                for row_move in list {
                    let child = base + u64::from(row_move.after) * stride;
                    visit(row_move.minor as usize, to_usize(child));
                }
            }
        }
        for &lap in self.rows.laps_home.iter().chain(&self.rows.laps_away) {
            let effect = lap_effect::<P>(self.levels, lap, self.opponent);
            if let LapEffect::Moved { captured: 0, index } = effect {
                visit(lap.minor as usize, to_usize(index));
            }
        }
    }
}

/// Calls `work` for every run of boards of the level of `seeds` seeds, on all threads, with
/// scratch memory that each thread makes for itself. `done` is told how many boards are through.
pub(super) fn for_each_run<P: Policy>(
    levels: &[LevelIndex],
    seeds: u8,
    watch: &Watch<'_>,
    done: impl Fn(u64) + Sync,
    work: impl Fn(&mut Scratch, &RowBoards<'_>) + Sync,
) -> Result<(), Cancelled> {
    for mover_seeds in 0..=seeds {
        let rows = MoverRows::new(P::PATH, mover_seeds);
        let movers = row_count(mover_seeds);
        let majors = gapped_rows(seeds - mover_seeds);
        let start = levels[usize::from(seeds)].block_start(mover_seeds);
        let task_rows = (TASK_BOARDS / movers).max(1);
        let run = |scratch: &mut Scratch, task: u32| {
            if watch.is_cancelled() {
                return;
            }
            let from = task * task_rows;
            let to = majors.min(from + task_rows);
            for major in from..to {
                let opponent = gapped_unrank(seeds - mover_seeds, major);
                work(
                    scratch,
                    &RowBoards {
                        first: to_usize(start + u64::from(major) * u64::from(movers)),
                        rows: &rows,
                        opponent,
                        crossings: crossings::<P>(levels, mover_seeds, opponent),
                        levels,
                    },
                );
            }
            done(u64::from(to - from) * u64::from(movers));
        };
        (0..majors.div_ceil(task_rows)).into_par_iter().for_each_init(Scratch::default, run);
        if watch.is_cancelled() {
            return Err(Cancelled);
        }
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, reason = "an index into a level that is in memory")]
const fn to_usize(index: u64) -> usize {
    index as usize
}
