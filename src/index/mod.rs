//! The order of boards: reachable boards of a level ↔ `0..count`.
//!
//! Read `rows` (numbering one player's rows) first, then `level` (numbering boards), and
//! `walk` (boards in order). `vu` is the order of other people's files.
//!
//! Invariants: nothing here knows rules, files or threads. The order is part of the file format
//! (index scheme 1) and must not change.

mod binomial;
mod level;
mod rows;
mod vu;
mod walk;

pub use level::{LevelIndex, all_boards, reachable_boards};
pub(crate) use rows::{
    first_row, gapped_rank, gapped_rows, gapped_unrank, next_gapped_row, next_row, rank, row_count,
    unrank,
};
pub use vu::vu_boards;
