//! The order of boards: a bijection between the reachable boards of a level and the numbers from 0
//! up.
//!
//! A level of `n` seeds has [`reachable_boards`]`(n)` = C(n + 11, 11) − C(n + 5, 11) of them. They
//! are ordered by the seeds `m` of the mover's row, then by the opponent's row, then by the mover's
//! row:
//!
//! ```text
//! index = start[m] + gapped_rank(opponent) * row_count(m) + rank(mover)
//! ```
//!
//! Read in this order: `rows` (ranks of the rows of one player), `level` ([`LevelIndex`], the
//! numbering of boards), and `level_rows` (a level as runs of boards that share the opponent's
//! row). `vu` is the order of the files that the Vrije Universiteit Amsterdam published.
//!
//! # Example
//!
//! ```
//! use oware::{index::LevelIndex, rules::Seeds};
//!
//! let level = LevelIndex::new(Seeds::of(3));
//! for (index, board) in (0..).zip(level.boards_from(0)) {
//!     assert_eq!(level.index(board), Some(index));
//!     assert_eq!(level.board(index), Some(board));
//! }
//! assert_eq!(level.boards(), 364);
//! ```
//!
//! Invariants: this module depends on no rules, files or threads. The order is part of the file
//! format (index scheme 1) and never changes.

mod level;
mod level_rows;
mod rows;
mod vu;

pub use level::{LevelIndex, all_boards, reachable_boards};
pub(crate) use rows::{
    gapped_rank, gapped_rows, gapped_unrank, next_gapped_row, next_row, rank, row_count, rows_of,
    unrank,
};
pub use vu::vu_boards;
