//! Moves of whole rows of boards: all boards that share the opponent's row, at once.
//!
//! Read `row_moves` (a move as two independent halves) first, then `captures` (the best capture or
//! ending of each board of a row, looked up in smaller levels).
//!
//! Invariants: kernels are functions over slices and integers. They perform no I/O and start no
//! threads.

mod captures;
mod row_moves;

pub(crate) use captures::{
    Cell, NO_CAPTURE, SmallerLevels, SmallerLevelsByGroup, best_value, count_quiet_moves,
    raise_to_captures, raise_to_moves,
};
pub(crate) use row_moves::{Crossings, Effect, LapEffect, MoverRows, crossings, lap_effect};
