//! A lanes: the boards of some blocks side by side, and what is known of each before any number is.
//!
//! A number depends on the numbers before it, so reading or choosing one block's numbers is a long
//! chain of waits. The chains of several blocks are independent: a lanes has `L` lanes, a block in
//! each, and a pass over its lines advances all of them by a board while none waits for another.
//!
//! ```text
//!            lane 0   lane 1   …
//! line 0     board 0 of each block
//! line 1     board 1 of each block
//! ```
//!
//! Before the numbers stand [`PAD`] lines, so that every distance back leads somewhere. Invariant: the
//! first of them holds 0, the prediction of a block's first board; the others hold [`NONE`], as do numbers
//! that are not known yet.

use super::features::{BoardFeatures, FeatureTable, LAST_LINE, MoverFeatures, OpponentFeatures};
use crate::index::LevelIndex;
use crate::rules::MAX_SEEDS;

/// Lanes that pay: with more the states no longer fit the registers.
pub(in crate::table) const LANES: usize = 4;

/// A number that is not at hand.
pub(super) const NONE: i8 = i8::MIN;

/// Lines before a lanes's numbers.
pub(super) const PAD: usize = LAST_LINE as usize;

/// The line of the number before.
pub(super) const BEFORE: u16 = LAST_LINE - 1;

/// A board's number at the end, and all that its context may look back to.
pub(super) type Frame<const L: usize> = [[i8; L]; PAD + 1];

/// See the module's page.
#[derive(Debug, Default)]
pub(super) struct Lanes<const L: usize> {
    features: Vec<[BoardFeatures; L]>,
    numbers: Vec<[i8; L]>,
}

impl<const L: usize> Lanes<L> {
    /// Lays out blocks of `boards` boards, from the index `from` of each lane on.
    pub(super) fn lay(
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
                let opponent = OpponentFeatures::of(table, row.opponent);
                let minor = u32::try_from(from - row.start).expect("a board of the row");
                let boards = lines.len().min((row.boards() - minor) as usize);
                MoverFeatures::visit(row.mover_seeds, minor, boards, |movers| {
                    let (here, rest) = std::mem::take(&mut lines).split_at_mut(movers.len());
                    lines = rest;
                    let (lane, opponent) = (lane, opponent);
                    for (line, mover) in here.iter_mut().zip(movers) {
                        line[lane] = opponent.with(mover);
                    }
                });
                if lines.is_empty() {
                    break;
                }
                from += boards as u64;
            }
        }
        self.cut_at_the_start();
    }

    /// First neighbours before the block are not at hand, nor is a number before its first board.
    fn cut_at_the_start(&mut self) {
        for (at, line) in (0..u16::from(MAX_SEEDS)).zip(&mut self.features) {
            let too_far = |features: &&mut BoardFeatures| features.first + at <= BEFORE;
            line.iter_mut().filter(too_far).for_each(|features| features.first = BEFORE);
        }
        for features in self.features.iter_mut().take(1).flatten() {
            features.first = 0;
            features.context &= !1;
        }
    }

    /// The features of each line, and the numbers with the pad before them.
    pub(super) fn parts(&mut self) -> (&[[BoardFeatures; L]], &mut [[i8; L]]) {
        (&self.features, &mut self.numbers)
    }

    /// Replaces `out` by a lane's numbers.
    pub(super) fn copy_lane(&self, lane: usize, out: &mut Vec<i8>) {
        out.clear();
        out.extend(self.numbers[PAD..].iter().map(|line| line[lane]));
    }
}

/// Calls `$step` for each of the `$lanes` lanes, written out: a loop over them would not be unrolled, and their
/// states would leave the registers.
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
