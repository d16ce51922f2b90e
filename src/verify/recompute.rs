//! A level anew, forward only: from 0 everywhere, never from stored values, until nothing changes.
//!
//! Every board starts at 0 and takes the best of its moves, again and again. While that goes on a
//! board's number is between 0 and its value: a number of `s > 0` means that the mover can force
//! at least `s` in finitely many plies, by induction over the moves it was taken from, and the
//! same for losses. A number never goes back towards 0, for the same reason. So the order of work
//! and what other threads do meanwhile do not matter, and what is left when a whole sweep changes
//! nothing are the values: a win that takes finitely many plies has arrived, endless play is 0.
//!
//! This shares the rules, the order of boards and the row kernels with the solver, but not its
//! un-moves, counters or work lists.

use super::boards::{LevelAtHand, value};
use super::report::{Problem, WrongBoards};
use super::rows::for_each_row;
use crate::index::{LevelIndex, reachable_boards};
use crate::kernels::SmallerLevels;
use crate::level::plain_value;
use crate::progress::{Stopped, Watch};
use crate::rules::Rules;
use std::sync::atomic::{AtomicBool, AtomicI8, Ordering};
use std::time::Duration;

/// The values of a level from those of the smaller ones, in index order.
pub(super) fn recompute(
    rules: Rules,
    levels: &[LevelIndex],
    seeds: u8,
    smaller: &SmallerLevels<'_>,
    watch: Watch<'_>,
) -> Result<Vec<AtomicI8>, Stopped> {
    let boards = usize::try_from(levels[usize::from(seeds)].boards()).expect("a level in memory");
    let starts = zeros(boards);
    for_each_row(
        rules,
        levels,
        seeds,
        watch,
        |_| {},
        |scratch, run| {
            run.start(smaller, scratch);
            for (start, &best) in starts[run.range()].iter().zip(&scratch.best) {
                start.store(best, Ordering::Relaxed);
            }
        },
    )?;
    let values = zeros(boards);
    loop {
        let changed = AtomicBool::new(false);
        for_each_row(
            rules,
            levels,
            seeds,
            watch,
            |_| {},
            |scratch, run| {
                let best = &mut scratch.best;
                best.clear();
                best.extend(starts[run.range()].iter().map(|start| start.load(Ordering::Relaxed)));
                run.raise_to_children(best, |child| values[child].load(Ordering::Relaxed));
                for (value, &best) in values[run.range()].iter().zip(&*best) {
                    if value.load(Ordering::Relaxed) != best {
                        value.store(best, Ordering::Relaxed);
                        changed.store(true, Ordering::Relaxed);
                    }
                }
            },
        )?;
        if !changed.into_inner() {
            return Ok(values);
        }
    }
}

fn zeros(len: usize) -> Vec<AtomicI8> {
    std::iter::repeat_with(|| AtomicI8::new(0)).take(len).collect()
}

/// Nanoseconds that a board takes in one sweep on two threads, with as many sweeps as
/// [`expected_time`] counts: 400 ns of processor time a board at 10 seeds, 750 at 12 (one thread of
/// a Sapphire Rapids virtual machine, 2026). An estimate for the user.
const SWEEP_NANOSECONDS: f64 = 7.0;

/// How long [`recompute`] may take for a level.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn expected_time(seeds: u8) -> Duration {
    let sweeps = 10.0 + 4.0 * f64::from(seeds);
    let boards = reachable_boards(seeds) as f64;
    Duration::from_secs_f64(boards * sweeps * SWEEP_NANOSECONDS * 1e-9)
}

impl LevelAtHand<'_> {
    /// Computes the level anew and compares.
    pub(super) fn recompute(&self, watch: Watch<'_>) -> Result<Vec<Problem>, Stopped> {
        let values = recompute(self.rules, self.levels, self.seeds, self.smaller, watch)?;
        let wrong = WrongBoards::default();
        for (index, (byte, anew)) in self.bytes.iter().zip(values).enumerate() {
            let (stored, recomputed) = (plain_value(*byte), anew.into_inner());
            if stored != recomputed {
                let (stored, recomputed) = (value(stored), value(recomputed));
                let board = self.board(index);
                wrong.add(index, Problem::NotRecomputed { board, stored, recomputed });
            }
        }
        Ok(wrong.into_problems())
    }
}
