//! Everything about rows that solving needs and no level changes: made once, for all levels.

use super::unmove_rows::{ReceiverRow, SowerRow, receiver_rows, sower_rows};
use crate::index::{LevelIndex, row_count};
use crate::rules::{Policy, Row, for_each_unmove};
use crate::table::MoverRows;

/// Row tables for levels up to a number of seeds, by the row's seeds.
#[derive(Debug)]
pub(super) struct Geometry {
    pub(super) levels: Vec<LevelIndex>,
    pub(super) movers: Vec<MoverRows>,
    pub(super) sowers: Vec<Vec<SowerRow>>,
    pub(super) receivers: Vec<Vec<ReceiverRow>>,
    /// Un-moves by the rules, of mover's and opponent's row, from so many seeds on: calls back with
    /// the rows before.
    pub(super) for_each_unmove: Unmoves,
}

/// See [`Geometry::for_each_unmove`].
pub(super) type Unmoves = fn(Row, Row, u8, &mut dyn FnMut(Row, Row));

impl Geometry {
    /// The row tables for levels up to `seeds`.
    pub(super) fn new<P: Policy>(seeds: u8) -> Self {
        use rayon::prelude::*;
        let each = 0..=seeds;
        Self {
            levels: each.clone().map(LevelIndex::new).collect(),
            movers: each.clone().into_par_iter().map(|m| MoverRows::new(P::PATH, m)).collect(),
            sowers: each.clone().into_par_iter().map(|t| sower_rows(P::PATH, t)).collect(),
            receivers: each.into_par_iter().map(receiver_rows::<P>).collect(),
            for_each_unmove: |mover, opponent, least, found| {
                for_each_unmove::<P>(mover, opponent, least, |_, mover, opponent| {
                    found(mover, opponent);
                });
            },
        }
    }

    /// Bytes that the row tables for levels up to `seeds` take, within a few per cent.
    pub(super) fn bytes(seeds: u8) -> u64 {
        // 64 a sower's row, 32 a receiver's, 8 each short move (at most 6 a row), 1 for the count.
        (0..=seeds).map(|total| u64::from(row_count(total)) * (64 + 32 + 48 + 1)).sum()
    }
}
