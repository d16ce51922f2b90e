//! Per-row tables of moves and un-moves. They depend on the rule set alone and serve all levels of
//! a build.

use super::unmove_tables::{ReceiverRow, SowerRow, receiver_rows, sower_rows};
use crate::index::{LevelIndex, row_count};
use crate::kernels::MoverRows;
use crate::rules::{Rules, Seeds};
use rayon::prelude::*;

/// The tables for all levels up to a number of seeds.
#[derive(Debug)]
pub(crate) struct MoveTables {
    pub(super) rules: Rules,
    /// The numbering of each level, by seeds.
    pub(crate) levels: Vec<LevelIndex>,
    /// The moves of the mover's rows, by the row's seeds.
    pub(crate) movers: Vec<MoverRows>,
    /// The sower's halves of un-moves, by the row's seeds.
    pub(super) sowers: Vec<Vec<SowerRow>>,
    /// The receiver's halves of un-moves, by the row's seeds.
    pub(super) receivers: Vec<Vec<ReceiverRow>>,
}

impl MoveTables {
    /// The tables for the levels up to `seeds`.
    pub(crate) fn new(rules: Rules, seeds: Seeds) -> Self {
        let each = 0..=seeds.get();
        let path = rules.path();
        Self {
            rules,
            levels: seeds.up_to().map(LevelIndex::new).collect(),
            movers: each.clone().into_par_iter().map(|m| MoverRows::new(path, m)).collect(),
            sowers: each.clone().into_par_iter().map(|t| sower_rows(path, t)).collect(),
            receivers: each.into_par_iter().map(|m| receiver_rows(rules, m)).collect(),
        }
    }

    /// The rule set.
    pub(crate) const fn rules(&self) -> Rules {
        self.rules
    }

    /// Bytes of the tables for the levels up to `seeds`, within a few per cent.
    pub(crate) fn bytes(seeds: Seeds) -> u64 {
        // 64 per sower's row, 32 per receiver's row, 8 per short move (at most 6 per row), 1 for
        // the number of filled pits.
        (0..=seeds.get()).map(|total| u64::from(row_count(total)) * (64 + 32 + 48 + 1)).sum()
    }
}
