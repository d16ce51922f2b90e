//! The order of boards: a bijection between the reachable boards of a level and `0..count`.
//!
//! Read `rows` (the numbering of one player's rows) first, then `level` (the numbering of boards),
//! then `level_rows` (a level as runs of boards with one opponent's row). `vu` is the order of the
//! Vrije Universiteit's files.
//!
//! # Example
//!
//! ```
//! use oware::index::LevelIndex;
//!
//! let level = LevelIndex::new(3);
//! for (index, board) in (0..).zip(level.boards_from(0)) {
//!     assert_eq!(level.index(board), Some(index));
//!     assert_eq!(level.board(index), Some(board));
//! }
//! assert_eq!(level.boards(), 364);
//! ```
//!
//! Invariants: this module knows no rules, files or threads. The order is part of the file format
//! (index scheme 1) and never changes.

mod level;
mod level_rows;
mod rows;
mod vu;

pub use level::{LevelIndex, all_boards, reachable_boards};
pub(crate) use rows::{
    first_row, gapped_rank, gapped_rows, gapped_unrank, next_gapped_row, next_row, rank, row_count,
    unrank,
};
pub use vu::vu_boards;
