//! Solving levels by retrograde analysis.
//!
//! All smaller levels are done. Every board of the level gets `c`, the best of its captures and
//! endings, from them ([`capture_pass`]), and `m`, the number of its moves that capture nothing.
//! Then, for `s = n, n − 1, …, 1` ([`level`], [`propagate`]):
//!
//! - a board with `c = s` is worth `s`;
//! - a board with a child worth `−s` is worth `s`;
//! - a board whose every child by a move without a capture is worth `s` or more to its own mover,
//!   and whose `c ≤ −s`, is worth `−s`; with a better `c` it will be worth `c`, when `s` gets there.
//!
//! Follow consequences backwards ([`unmove_rows`]) until nothing changes, then lower `s`. What is
//! left is worth 0. Each board is decided once, each edge looked at once.
//!
//! Invariants: the values are the one fixpoint that this order of steps reaches, so the order of
//! work inside a step, the number of threads and the memory given change no byte. One byte a board
//! ([`codes`]) and a sixth of one for captures put by ([`shelf`]); nothing is allocated a board.

mod capture_pass;
mod cells;
mod codes;
mod geometry;
mod level;
mod propagate;
mod shelf;
mod slabs;
mod unmove_rows;

use crate::rules::{Rules, with_rules};
use crate::table::PlainLevel;

/// Solves all levels up to `seeds` in memory.
///
/// # Errors
/// When the system has no memory for a level.
pub fn solve_in_memory(rules: Rules, seeds: u8) -> std::io::Result<Vec<PlainLevel>> {
    with_rules!(rules, P => solve::<P>(seeds))
}

fn solve<P: crate::rules::Policy>(seeds: u8) -> std::io::Result<Vec<PlainLevel>> {
    let geometry = geometry::Geometry::new::<P>(seeds);
    let mut solved: Vec<PlainLevel> = Vec::new();
    for seeds in 0..=seeds {
        let mut level = level::Level::new(&geometry, seeds)?;
        let smaller: Vec<Option<&[u8]>> = solved.iter().map(|level| Some(level.bytes())).collect();
        level.start::<P>(&smaller);
        for step in (1..=seeds.cast_signed()).rev() {
            level.step::<P>(step);
        }
        solved.push(level.finish());
    }
    Ok(solved)
}
