//! The values of a level by value iteration from 0, without the stored values.
//!
//! Every board starts at 0. Each sweep sets every board to the best of its moves, until a sweep
//! changes nothing. The number of a board is always between 0 and its value: by induction over the
//! moves that it came from, a number `s > 0` means that the mover can force at least `s` in
//! finitely many plies, and the same holds for losses. For the same reason a number never moves
//! back towards 0, so neither the order of boards nor other threads change the result. In the end
//! every win that takes finitely many plies has arrived, and endless play has value 0.
//!
//! This shares the rules, the order of boards and the row kernels with the solver, but not its
//! un-moves, counters or frontiers.

use super::boards::{LevelCheck, value};
use super::report::{Problem, WrongBoards};
use super::rows::for_each_row;
use crate::index::{LevelIndex, reachable_boards};
use crate::kernels::SmallerLevels;
use crate::level::plain_value;
use crate::progress::{Stopped, Watch};
use crate::rules::{Rules, Seeds};
use std::sync::atomic::{AtomicBool, AtomicI8, Ordering};
use std::time::Duration;

/// The values of a level in index order, from those of the smaller levels.
pub(super) fn recompute(
    rules: Rules,
    levels: &[LevelIndex],
    seeds: Seeds,
    smaller: &SmallerLevels<'_>,
    watch: Watch<'_>,
) -> Result<Vec<AtomicI8>, Stopped> {
    let boards = usize::try_from(levels[seeds.index()].boards()).expect("a level in memory");
    let starts = zeros(boards);
    for_each_row(
        rules,
        levels,
        seeds,
        watch,
        |_| {},
        |scratch, row| {
            row.start(smaller, scratch);
            for (start, &best) in starts[row.range()].iter().zip(&scratch.best) {
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
            |scratch, row| {
                let best = &mut scratch.best;
                best.clear();
                best.extend(starts[row.range()].iter().map(|start| start.load(Ordering::Relaxed)));
                row.raise_to_children(best, |child| values[child].load(Ordering::Relaxed));
                for (value, &best) in values[row.range()].iter().zip(&*best) {
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

/// Nanoseconds per board and sweep on two threads, with the number of sweeps of [`expected_time`].
/// An estimate for the user, from 400 ns of processor time per board at 10 seeds and 750 ns at 12
/// (Sapphire Rapids virtual machine, 2026).
const SWEEP_NANOSECONDS: f64 = 7.0;

/// The time that [`recompute`] takes for a level, roughly.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(super) fn expected_time(seeds: Seeds) -> Duration {
    let sweeps = 10.0 + 4.0 * f64::from(seeds.get());
    let boards = reachable_boards(seeds) as f64;
    Duration::from_secs_f64(boards * sweeps * SWEEP_NANOSECONDS * 1e-9)
}

impl LevelCheck<'_> {
    /// Computes all values of the level anew and compares them with the stored ones.
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
