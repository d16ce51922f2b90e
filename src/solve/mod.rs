//! Solving levels by retrograde analysis.
//!
//! All smaller levels are done. Every board of the level gets `c`, the best of its captures and
//! endings, from them (`capture_pass`), and `m`, the number of its moves that capture nothing.
//! Then, for `s = n, n − 1, …, 1` (`level`, `propagate`):
//!
//! - a board with `c = s` is worth `s`;
//! - a board with a child worth `−s` is worth `s`;
//! - a board whose every child by a move without a capture is worth `s` or more to its own mover,
//!   and whose `c ≤ −s`, is worth `−s`; with a better `c` it will be worth `c`, when `s` gets there.
//!
//! Follow consequences backwards (`unmove_rows`) until nothing changes, then lower `s`. What is
//! left is worth 0. Each board is decided once, each edge looked at once.
//!
//! Invariants: the values are the one fixpoint that this order of steps reaches, so the order of
//! work inside a step, the number of threads and the memory given change no byte. One byte a board
//! (`codes`) and a third of one for captures put by (`shelf`); nothing is allocated a board.
//!
//! Around it: `build` goes up the levels, keeps the smaller ones in memory or beside
//! the tables (`store`), saves a level under way (`checkpoint`), has it written (`writing`)
//! while the next is solved, and says beforehand what all that takes (`plan`).

mod all_values;
mod build;
mod capture_pass;
mod checkpoint;
mod codes;
mod error;
mod geometry;
mod level;
mod list;
mod memory;
mod outbox;
mod plan;
mod predecessors;
mod progress;
mod propagate;
mod rounds;
mod shelf;
mod slabs;
mod store;
mod unmove_rows;
mod writing;

pub use build::{ALL_VALUES_SEEDS, BuildOptions, BuildSummary, Force, build};
pub use error::BuildError;
pub use plan::{LevelPlan, Plan, plan};
pub use progress::{BuildProgress, LevelReport, Phase, Unwatched};

use crate::rules::{Policy, Rules, with_rules};
use crate::table::{DistanceLevel, PlainLevel, SmallerLevels};
use std::io;
use std::sync::atomic::AtomicBool;

/// Solves all levels up to `seeds` in memory.
///
/// # Errors
/// When the system has no memory for a level.
pub fn solve_in_memory(rules: Rules, seeds: u8) -> io::Result<Vec<PlainLevel>> {
    let levels = with_rules!(rules, P => solve::<P>(seeds, false))?;
    Ok(levels.into_iter().map(|(level, _)| level).collect())
}

/// Solves all levels up to `seeds` in memory, with distances.
///
/// # Errors
/// When the system has no memory for a level.
pub fn solve_with_distances(
    rules: Rules,
    seeds: u8,
) -> io::Result<Vec<(PlainLevel, DistanceLevel)>> {
    let levels = with_rules!(rules, P => solve::<P>(seeds, true))?;
    let with_distances = |(level, numbers): (PlainLevel, Option<Vec<u16>>)| {
        let distances = DistanceLevel::new(level.seeds(), numbers?)?;
        Some((level, distances))
    };
    Ok(levels.into_iter().filter_map(with_distances).collect())
}

fn solve<P: Policy>(
    seeds: u8,
    with_distances: bool,
) -> io::Result<Vec<(PlainLevel, Option<Vec<u16>>)>> {
    let watch = progress::Watch { progress: &Unwatched, stop: &AtomicBool::new(false) };
    let geometry = geometry::Geometry::new::<P>(seeds);
    let mut solved = Vec::new();
    let mut distances = Vec::new();
    for seeds in 0..=seeds {
        let mut level = level::Level::new(&geometry, seeds, with_distances)?;
        let smaller: &[PlainLevel] = &solved;
        smaller.for_each_group(seeds, &mut |group, _| level.start::<P>(group, watch))?;
        while !level.is_solved() {
            level.advance::<P>(watch);
        }
        let (level, numbers) = level.finish();
        solved.push(level);
        distances.push(numbers);
    }
    Ok(solved.into_iter().zip(distances).collect())
}
