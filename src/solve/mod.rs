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
//! Bounds, which hold whatever settles endless play, are found by the same steps with other labels
//! (`bound_labels`).
//!
//! Read in this order: `level` (the steps of a level), `capture_pass`, `value_labels` (one byte per
//! board), `rounds` (one ply of propagation on all threads), `propagate` (expand), `predecessors` and `unmove_tables` (un-moves from per-row tables), `slabs` (the runs of rows
//! of a level), and the containers `update_buffer`, `append_buffer` and `deferred_captures`. `snapshot`
//! is what a checkpoint saves.
//!
//! Invariants: the values are the unique result of this order of steps, so the order of work inside
//! a step, the number of threads and the memory given change no byte. The memory per board is one
//! byte, and up to a third of a byte for deferred captures.

mod append_buffer;
mod bound_labels;
mod capture_pass;
mod deferred_captures;
mod labels;
mod level;
mod move_tables;
mod predecessors;
mod propagate;
mod rounds;
mod slabs;
mod snapshot;
mod unmove_tables;
mod update_buffer;
mod value_labels;

pub(crate) use bound_labels::BoundLabels;
pub(crate) use deferred_captures::DeferredCaptures;
pub(crate) use labels::Labels;
pub(crate) use level::LevelSolver;
pub(crate) use move_tables::MoveTables;
pub(crate) use rounds::propagation_bytes;
pub(crate) use slabs::Slabs;
pub(crate) use snapshot::{Cursor, Snapshot};
pub(crate) use value_labels::ValueLabels;

use crate::level::{LevelBounds, LevelDistances, LevelValues};
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
    Ok(solve::<ValueLabels>(rules, seeds, false)?.into_iter().map(|(level, _)| level).collect())
}

/// Solves all levels up to `seeds` in memory, with distances to conversion.
///
/// # Errors
/// When the system has no memory for a level.
pub fn solve_with_distances(
    rules: Rules,
    seeds: Seeds,
) -> io::Result<Vec<(LevelValues, LevelDistances)>> {
    let numbered = |(level, distances): (_, Option<_>)| Some((level, distances?));
    Ok(solve::<ValueLabels>(rules, seeds, true)?.into_iter().filter_map(numbered).collect())
}

/// Finds the bounds of all levels up to `seeds` in memory.
///
/// ```
/// use oware::{rules::{Board, Rules, Seeds}, solve::bounds_in_memory};
///
/// let levels = bounds_in_memory(Rules::Awari, Seeds::of(2))?;
/// let board: Board = "1 0 0 0 0 0 | 0 1 0 0 0 0".parse()?;
/// let bounds = levels[2].bounds(board).expect("a reachable board of 2 seeds");
/// assert_eq!((bounds.low().get(), bounds.high().get()), (-2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the system has no memory for a level.
pub fn bounds_in_memory(rules: Rules, seeds: Seeds) -> io::Result<Vec<LevelBounds>> {
    Ok(solve::<BoundLabels>(rules, seeds, false)?.into_iter().map(|(level, _)| level).collect())
}

/// Finds the bounds of all levels up to `seeds` in memory, with the ranks of lower bounds.
///
/// The *rank* of a board whose lower bound is not −n is the number of plies in which its mover can
/// capture, or end the game, at a bound as good, however the opponent delays. Every quiet move of
/// the strategy that secures the bound leads to boards of lower rank.
///
/// # Errors
/// When the system has no memory for a level.
pub fn bounds_with_ranks(
    rules: Rules,
    seeds: Seeds,
) -> io::Result<Vec<(LevelBounds, LevelDistances)>> {
    let ranked = |(level, ranks): (_, Option<_>)| Some((level, ranks?));
    Ok(solve::<BoundLabels>(rules, seeds, true)?.into_iter().filter_map(ranked).collect())
}

/// Levels with their distances, if they are wanted.
type Solved<L> = Vec<(<L as Labels>::Level, Option<LevelDistances>)>;

/// Solves all levels up to `seeds`, with their distances if they are wanted.
fn solve<L: Labels>(rules: Rules, seeds: Seeds, with_distances: bool) -> io::Result<Solved<L>> {
    let stop = StopFlag::default();
    let watch = Watch { progress: &NoProgress, stop: &stop };
    let tables = MoveTables::new(rules, seeds);
    let mut solved: Solved<L> = Vec::new();
    for seeds in seeds.up_to() {
        let mut solver = LevelSolver::<L>::new(&tables, seeds, with_distances)?;
        let smaller: Vec<_> = solved.iter().map(|(level, _)| Some(L::cells(level))).collect();
        solver.finish_captures(&smaller, watch);
        while !solver.is_solved() {
            solver.advance(watch);
        }
        solved.push(solver.finish());
    }
    Ok(solved)
}
