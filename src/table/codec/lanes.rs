//! Lanes: the boards of `L` blocks side by side, with their features and their numbers.
//!
//! A number depends on the numbers before it, so coding a block is one long chain of dependent
//! operations. The chains of different blocks are independent. Each lane holds one block, and each
//! step codes one line, the next board of every lane, so the processor overlaps the chains.
//!
//! ```text
//!            lane 0   lane 1   …
//! line 0     board 0 of each block
//! line 1     board 1 of each block
//! ```
//!
//! [`PAD`] lines precede the numbers, so that the line of every neighbour exists. Invariant: the
//! first of them holds 0, the prediction of the first board; the others hold [`NONE`], as do
//! numbers that are not coded yet.

use super::features::{BoardFeatures, FeatureTable, MoverFeatures, OWN_LINE, OpponentFeatures};
use crate::index::LevelIndex;
use crate::rules::MAX_SEEDS;

/// The number of blocks coded side by side. The states of more lanes do not fit the registers.
pub(in crate::table) const LANES: usize = 4;

/// The number of a neighbour that does not exist or is not coded yet.
pub(super) const NONE: i8 = i8::MIN;

/// The number of lines before the first board.
pub(super) const PAD: usize = OWN_LINE as usize;

/// The line of the board before, counted as in [`BoardFeatures`].
pub(super) const BEFORE: u16 = OWN_LINE - 1;

/// The line of a board, at the end, and the lines before it that its context depends on.
pub(super) type Frame<const L: usize> = [[i8; L]; PAD + 1];

/// The boards of `L` blocks side by side. See the module's page.
#[derive(Debug, Default)]
pub(super) struct Lanes<const L: usize> {
    features: Vec<[BoardFeatures; L]>,
    numbers: Vec<[i8; L]>,
}

impl<const L: usize> Lanes<L> {
    /// Starts blocks of `boards` boards, each at the index `from` of its lane: computes the
    /// features and clears the numbers.
    pub(super) fn reset(
        &mut self,
        table: &FeatureTable,
        index: &LevelIndex,
        from: [u64; L],
        boards: usize,
    ) {
        self.numbers.resize(PAD, [NONE; L]);
        self.numbers[0] = [0; L];
        self.numbers.resize(PAD + boards, [NONE; L]);
        self.features.resize(boards, [BoardFeatures::default(); L]);
        for (lane, from) in from.into_iter().enumerate() {
            let mut lines = self.features.as_mut_slice();
            let mut from = from;
            for row in index.rows_from(from) {
                let opponent = OpponentFeatures::new(table, row.opponent);
                let minor = u32::try_from(from - row.start).expect("a board of the row");
                let boards = lines.len().min((row.boards() - minor) as usize);
                MoverFeatures::for_each_chunk(row.mover_seeds, minor, boards, |movers| {
                    let (here, rest) = std::mem::take(&mut lines).split_at_mut(movers.len());
                    lines = rest;
                    // Local copies: the loop does not read them through the closure's captures.
                    let (lane, opponent) = (lane, opponent);
                    for (line, mover) in here.iter_mut().zip(movers) {
                        line[lane] = opponent.board_features(mover);
                    }
                });
                if lines.is_empty() {
                    break;
                }
                from += boards as u64;
            }
        }
        self.drop_neighbours_before_start();
    }

    /// Replaces first neighbours before the block by the board before, and that of the first board,
    /// which has no board before it, by the line of the prediction 0.
    fn drop_neighbours_before_start(&mut self) {
        for (at, line) in (0..u16::from(MAX_SEEDS)).zip(&mut self.features) {
            let too_far = |features: &&mut BoardFeatures| features.first + at <= BEFORE;
            line.iter_mut().filter(too_far).for_each(|features| features.first = BEFORE);
        }
        for features in self.features.iter_mut().take(1).flatten() {
            features.first = 0;
            features.context &= !1;
        }
    }

    /// The features of each line, and the numbers with the [`PAD`] lines before them.
    pub(super) fn features_and_numbers(&mut self) -> (&[[BoardFeatures; L]], &mut [[i8; L]]) {
        (&self.features, &mut self.numbers)
    }

    /// Replaces the contents of `out` by the numbers of a lane.
    pub(super) fn copy_lane(&self, lane: usize, out: &mut Vec<i8>) {
        out.clear();
        out.extend(self.numbers[PAD..].iter().map(|line| line[lane]));
    }
}

/// Runs `$step` for each of the `$lanes` lanes, without a loop: a loop would not be unrolled, and
/// the states of the lanes would leave the registers.
macro_rules! for_each_lane {
    ($lanes:ident, |$lane:ident| $step:expr) => {
        const { assert!($lanes <= 4) }
        {
            let $lane = 0;
            if $lane < $lanes {
                $step
            }
        }
        {
            let $lane = 1;
            if $lane < $lanes {
                $step
            }
        }
        {
            let $lane = 2;
            if $lane < $lanes {
                $step
            }
        }
        {
            let $lane = 3;
            if $lane < $lanes {
                $step
            }
        }
    };
}
pub(super) use for_each_lane;
