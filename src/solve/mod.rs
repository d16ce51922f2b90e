//! Solving one level by retrograde analysis.
//!
//! All smaller levels are solved. The capture pass gives every board of the level `c`, the best of
//! its captures and endings, and `m`, the number of its quiet moves (moves that capture nothing).
//! Then, for `s = n, n − 1, …, 1`:
//!
//! - a board with `c = s` is worth `s`;
//! - a board with a quiet child worth `−s` is worth `s`;
//! - a board whose quiet children are all worth `s` or more, and whose `c ≤ −s`, is worth `−s`; with
//!   a better `c` it is worth `c`, which a later step decides.
//!
//! Each step propagates its decided boards to their predecessors until nothing changes. What is
//! undecided after the last step is worth 0. Each board is decided once, and each edge is followed
//! once.
//!
//! Read in this order: `level` (the steps of a level), `capture_pass`, `state` (one byte per
//! board), `rounds` (one ply of propagation on all threads), `propagate` (expand and apply),
//! `predecessors` and `unmove_tables` (un-moves from per-row tables), `slabs` (the runs of rows
//! of a level), and the containers `update_buffer`, `append_buffer` and `deferred_captures`. `snapshot`
//! is what a checkpoint saves.
//!
//! Invariants: the values are the unique result of this order of steps, so the order of work inside
//! a step, the number of threads and the memory given change no byte. The memory per board is one
//! byte, and up to a third of a byte for deferred captures.

mod append_buffer;
mod capture_pass;
mod deferred_captures;
mod level;
mod move_tables;
mod predecessors;
mod propagate;
mod rounds;
mod slabs;
mod snapshot;
mod state;
mod unmove_tables;
mod update_buffer;

pub(crate) use deferred_captures::DeferredCaptures;
pub(crate) use level::LevelSolver;
pub(crate) use move_tables::MoveTables;
pub(crate) use rounds::propagation_bytes;
pub(crate) use slabs::Slabs;
pub(crate) use snapshot::{Cursor, Snapshot};

use crate::kernels::SmallerLevelsByGroup;
use crate::level::{LevelDistances, LevelValues};
use crate::progress::{NoProgress, StopFlag, Watch};
use crate::rules::{Rules, Seeds};
use std::io;

/// Solves all levels up to `seeds` in memory.
///
/// ```
/// use oware::{rules::{Board, Rules, Seeds}, solve::solve_in_memory};
///
/// let levels = solve_in_memory(Rules::Awari, Seeds::of(6))?;
/// let board: Board = "0 0 0 0 1 1 | 1 0 0 1 0 0".parse()?;
/// let value = levels[4].value(board).expect("a reachable board of 4 seeds");
/// assert_eq!(value.get(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the system has no memory for a level.
pub fn solve_in_memory(rules: Rules, seeds: Seeds) -> io::Result<Vec<LevelValues>> {
    Ok(solve(rules, seeds, false)?.0)
}

/// Solves all levels up to `seeds` in memory, with distances to conversion.
///
/// # Errors
/// When the system has no memory for a level.
pub fn solve_with_distances(
    rules: Rules,
    seeds: Seeds,
) -> io::Result<Vec<(LevelValues, LevelDistances)>> {
    let (values, distances) = solve(rules, seeds, true)?;
    Ok(values.into_iter().zip(distances).collect())
}

/// The values of all levels up to `seeds`, and their distances if they are wanted.
fn solve(
    rules: Rules,
    seeds: Seeds,
    with_distances: bool,
) -> io::Result<(Vec<LevelValues>, Vec<LevelDistances>)> {
    let stop = StopFlag::default();
    let watch = Watch { progress: &NoProgress, stop: &stop };
    let tables = MoveTables::new(rules, seeds);
    let mut values: Vec<LevelValues> = Vec::new();
    let mut distances = Vec::new();
    for seeds in seeds.up_to() {
        let mut solver = LevelSolver::new(&tables, seeds, with_distances)?;
        let smaller = values.as_slice();
        smaller
            .for_each_group(seeds.get(), &mut |group, _| solver.finish_captures(group, watch))?;
        while !solver.is_solved() {
            solver.advance(watch);
        }
        let (level, level_distances) = solver.finish();
        values.push(level);
        distances.extend(level_distances);
    }
    Ok((values, distances))
}
