//! A sheet: the boards of some blocks side by side, and what is known of each before any number is.
//!
//! A number depends on the numbers before it, so reading or choosing one block's numbers is a long
//! chain of waits. The chains of several blocks are independent: a sheet has `L` lanes, a block in
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

use super::facts::{BoardFacts, FactTable, LAST_LINE, MoverFacts, OpponentFacts};
use crate::index::{LevelIndex, gapped_unrank, next_gapped_row, row_count};
use crate::rules::{MAX_SEEDS, Row};

/// Lanes that pay: with more the states no longer fit the registers.
pub(in crate::table) const LANES: usize = 4;

/// A number that is not at hand.
pub(super) const NONE: i8 = i8::MIN;

/// Lines before a sheet's numbers.
pub(super) const PAD: usize = LAST_LINE as usize;

/// The line of the number before.
pub(super) const BEFORE: u16 = LAST_LINE - 1;

/// A board's number at the end, and all that its context may look back to.
pub(super) type Frame<const L: usize> = [[i8; L]; PAD + 1];

/// See the module's page.
#[derive(Debug, Default)]
pub(super) struct Sheet<const L: usize> {
    facts: Vec<[BoardFacts; L]>,
    numbers: Vec<[i8; L]>,
}

impl<const L: usize> Sheet<L> {
    /// Lays out blocks of `boards` boards, from the index `from` of each lane on.
    pub(super) fn lay(
        &mut self,
        table: &FactTable,
        index: &LevelIndex,
        from: [u64; L],
        boards: usize,
    ) {
        self.numbers.resize(PAD, [NONE; L]);
        self.numbers[0] = [0; L];
        self.numbers.resize(PAD + boards, [NONE; L]);
        self.facts.resize(boards, [BoardFacts::default(); L]);
        for (lane, from) in from.into_iter().enumerate() {
            let mut lines = self.facts.as_mut_slice();
            for_each_run(index, from, boards, |run| {
                let opponent = OpponentFacts::of(table, run.opponent);
                MoverFacts::visit(run.mover_seeds, run.minor, run.boards, |movers| {
                    let (here, rest) = std::mem::take(&mut lines).split_at_mut(movers.len());
                    lines = rest;
                    let (lane, opponent) = (lane, opponent);
                    for (line, mover) in here.iter_mut().zip(movers) {
                        line[lane] = opponent.with(mover);
                    }
                });
            });
        }
        self.cut_at_the_start();
    }

    /// First neighbours before the block are not at hand, nor is a number before its first board.
    fn cut_at_the_start(&mut self) {
        for (at, line) in (0..u16::from(MAX_SEEDS)).zip(&mut self.facts) {
            let too_far = |facts: &&mut BoardFacts| facts.first + at <= BEFORE;
            line.iter_mut().filter(too_far).for_each(|facts| facts.first = BEFORE);
        }
        for facts in self.facts.iter_mut().take(1).flatten() {
            facts.first = 0;
            facts.context &= !1;
        }
    }

    /// The facts of each line, and the numbers with the pad before them.
    pub(super) fn parts(&mut self) -> (&[[BoardFacts; L]], &mut [[i8; L]]) {
        (&self.facts, &mut self.numbers)
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

/// Boards in index order with one opponent's row.
struct Run {
    opponent: Row,
    mover_seeds: u8,
    minor: u32,
    boards: usize,
}

/// Calls `visit` for each run of `boards` boards from index `from` on.
fn for_each_run(index: &LevelIndex, from: u64, boards: usize, mut visit: impl FnMut(Run)) {
    let Some((mut mover_seeds, major, mut minor)) = index.place(from) else { return };
    let mut opponent = gapped_unrank(index.seeds() - mover_seeds, major);
    let mut left = boards;
    loop {
        let in_row = (row_count(mover_seeds) - minor) as usize;
        let boards = in_row.min(left);
        visit(Run { opponent, mover_seeds, minor, boards });
        left -= boards;
        if left == 0 {
            return;
        }
        minor = 0;
        opponent = match next_gapped_row(opponent) {
            Some(next) => next,
            None if mover_seeds < index.seeds() => {
                mover_seeds += 1;
                gapped_unrank(index.seeds() - mover_seeds, 0)
            }
            None => return,
        };
    }
}
