//! What the rules alone say of a board, cheaply: the model codec's side information.
//!
//! Two features matter most for a value: how many seeds the mover could capture at once, and how many
//! the opponent could, were it to move. Both are read from one table. A move that ends in the other
//! row adds one seed to each of its pits up to its last, so it captures the run of pits that hold 1
//! or 2 and end there. A row is thus *exposed* as six digits (0: neither, 1, 2), and *reaches* a
//! set of pits of the other row; a table of 729 × 64 bytes maps both to the greatest capture.
//! Longer sowings, slams and paths that turn are left out: a fact need only be the same for
//! the writer and the reader.

use crate::index::{first_row, next_row, row_count, unrank};
use crate::rules::{ROW_PITS, Row};
use std::sync::OnceLock;

const ONES: u64 = 0x0101_0101_0101;
const REACHES: usize = 1 << ROW_PITS;
const EXPOSURES: usize = 729;

/// Classes of the mover's greatest capture.
pub(super) const CAPTURE_CLASSES: usize = 6;
/// Classes of the opponent's greatest capture.
pub(super) const THREAT_CLASSES: usize = 4;
/// Classes of the number of filled pits in the mover's row.
pub(super) const MOVES_CLASSES: usize = 3;

/// What features add to a board's context: a class times the contexts that it makes.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureWeights {
    pub(super) capture: u8,
    pub(super) threat: u8,
    /// Which bits of the mover's row's own part count.
    pub(super) own: u16,
}

/// Greatest captures, as what they add to a context, in lines that one opponent's row needs.
pub(super) struct FeatureTable {
    /// By the opponent's exposure, then the mover's reach.
    captures: Box<[[u8; REACHES]; EXPOSURES]>,
    /// By the opponent's reach, then the mover's exposure; lines that a mask of 10 bits stays in.
    threats: Box<[[u8; THREAT_LINE]; REACHES]>,
    own: u16,
}

const THREAT_LINE: usize = 1024;
const _: () = assert!(EXPOSURES <= THREAT_LINE);

impl FeatureTable {
    pub(super) fn new(weights: FeatureWeights) -> Self {
        let mut captures = Box::new([[0; REACHES]; EXPOSURES]);
        let mut threats = Box::new([[0; THREAT_LINE]; REACHES]);
        for exposure in 0..EXPOSURES {
            for reach in 0..REACHES {
                let seeds = greatest_take(exposure, reach);
                captures[exposure][reach] = capture_class(seeds) * weights.capture;
                threats[reach][exposure] = threat_class(seeds) * weights.threat;
            }
        }
        Self { captures, threats, own: weights.own }
    }
}

impl std::fmt::Debug for FeatureTable {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("FeatureTable")
    }
}

/// The seeds of the greatest capture from an exposed row by a row that reaches these pits.
fn greatest_take(exposure: usize, reach: usize) -> usize {
    let digit = |pit: u32| exposure / 3usize.pow(pit) % 3;
    (0..6u32)
        .filter(|pit| reach >> pit & 1 == 1)
        .map(|last| {
            (0..=last).rev().map(digit).take_while(|&seeds| seeds > 0).map(|seeds| seeds + 1).sum()
        })
        .max()
        .unwrap_or(0)
}

const fn capture_class(seeds: usize) -> u8 {
    match seeds {
        0 => 0,
        1..=2 => 1,
        3 => 2,
        4 => 3,
        5..=6 => 4,
        _ => 5,
    }
}

const fn threat_class(seeds: usize) -> u8 {
    match seeds {
        0 => 0,
        1..=3 => 1,
        4..=6 => 2,
        _ => 3,
    }
}

/// `TERNARY[mask]`: the sum of 3^j over the bits j of the mask.
static TERNARY: [u16; 64] = {
    let mut table = [0; 64];
    let mut mask = 1usize;
    while mask < 64 {
        let pit = mask.trailing_zeros();
        table[mask] = table[mask & (mask - 1)] + 3u16.pow(pit);
        mask += 1;
    }
    table
};

/// The exposure of a row: digit j is the seeds of pit j when these are 1 or 2, else 0.
#[inline]
pub(super) fn exposure(row: Row) -> u16 {
    let packed = row.packed();
    let ones_or_twos = row.plus(Row::from_packed(ONES)).twos_and_threes();
    let odd = ((packed & ONES).wrapping_mul(0x0102_0408_1020) >> 40) as u8 & 0x3f;
    TERNARY[usize::from(ones_or_twos & odd)] + 2 * TERNARY[usize::from(ones_or_twos & !odd)]
}

/// The pits of the other row where a short sowing from this row ends: bit j for pit j.
#[inline]
pub(super) fn reach(row: Row) -> u8 {
    // Pit p reaches pit j of the other row with 6 − p + j seeds.
    let steps = row.packed() + 0x0504_0302_0100;
    let mut reached = 0u64;
    for steps in &steps.to_le_bytes()[..ROW_PITS] {
        reached |= 1 << (steps.wrapping_sub(6) & 63);
    }
    (reached & 0x3f) as u8
}

/// What is known of a board before its number is: on which of the lines up to it its neighbours are
/// (boards with one seed of the mover's moved on to the next pit, whose values resemble this board's), nearest
/// in kind first, and what the features add to its context.
///
/// Lines are counted from 0 to [`LAST_LINE`], the board's own: the one to name when there is no such
/// neighbour. There is always a first: when there is no such board, the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BoardFeatures {
    pub(super) first: u16,
    pub(super) second: u16,
    pub(super) third: u16,
    pub(super) context: u16,
}

/// A board's own line. All ones: a mask keeps any line at or before it.
pub(super) const LAST_LINE: u16 = 2047;
/// The greatest distance back: C(49, 2).
const MOST_BACK: u16 = 1176;
const _: () = assert!(MOST_BACK < LAST_LINE && (LAST_LINE + 1).is_power_of_two());

/// What the model asks of a mover's row, in twelve bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoverFeatures {
    /// With the row's own part of the context: twice the class of the number of filled pits, and 1 when pit 0
    /// has seeds.
    board: BoardFeatures,
    exposure: u16,
    reach: u8,
}

/// Rows of more seeds are looked at when they are met; the features of the others are kept (1.3
/// million rows, 16 MB).
const MOST_KEPT_SEEDS: u8 = 28;

impl MoverFeatures {
    #[inline]
    fn of(row: Row) -> Self {
        let [p0, p1, p2, ..] = row.prefix_sums().map(u16::from);
        let back = if p0 > 0 {
            [1, if p0 < p1 { p1 } else { 0 }, p1 + 1]
        } else {
            [p1.max(1), p1.saturating_sub(1), if p2 > p1 { p2 * (p2 + 1) / 2 } else { 0 }]
        };
        let [first, second, third] = back.map(|back| LAST_LINE - back);
        let moves = match row.filled().count_ones() {
            0..=2 => 0,
            3..=4 => 1,
            _ => 2,
        };
        let context = moves * 2 + u16::from(p0 > 0);
        let board = BoardFeatures { first, second, third, context };
        Self { board, exposure: exposure(row), reach: reach(row) }
    }

    /// Calls `visit` with the features of `rows` rows of `seeds` seeds from rank `minor` on, in one
    /// piece or in several.
    pub(super) fn visit(seeds: u8, minor: u32, rows: usize, mut visit: impl FnMut(&[Self])) {
        static KEPT: [OnceLock<Box<[MoverFeatures]>>; MOST_KEPT_SEEDS as usize + 1] =
            [const { OnceLock::new() }; MOST_KEPT_SEEDS as usize + 1];
        if let Some(kept) = KEPT.get(usize::from(seeds)) {
            let features = kept.get_or_init(|| {
                let mut features = Vec::with_capacity(row_count(seeds) as usize);
                let rows = std::iter::successors(Some(first_row(seeds)), |&row| next_row(row));
                features.extend(rows.map(Self::of));
                features.into_boxed_slice()
            });
            let from = minor as usize;
            return visit(&features[from..from + rows]);
        }
        let mut piece = [Self::default(); 64];
        let mut row = unrank(seeds, minor);
        let mut left = rows;
        while left > 0 {
            let len = left.min(piece.len());
            for features in &mut piece[..len] {
                *features = Self::of(row);
                row = next_row(row).unwrap_or(row);
            }
            visit(&piece[..len]);
            left -= len;
        }
    }
}

/// What the model asks of an opponent's row.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpponentFeatures<'t> {
    /// Greatest captures from this row by the mover's reach.
    captures: &'t [u8; REACHES],
    /// Greatest captures by this row by the mover's exposure.
    threats: &'t [u8; THREAT_LINE],
    own: u16,
}

impl<'t> OpponentFeatures<'t> {
    #[inline]
    pub(super) fn of(table: &'t FeatureTable, row: Row) -> Self {
        Self {
            captures: &table.captures[usize::from(exposure(row))],
            threats: &table.threats[usize::from(reach(row) & 0x3f)],
            own: table.own,
        }
    }

    /// The features of the board of this row and a mover's.
    #[inline]
    pub(super) fn with(&self, mover: &MoverFeatures) -> BoardFeatures {
        let context = (mover.board.context & self.own)
            + u16::from(self.captures[usize::from(mover.reach) % REACHES])
            + u16::from(self.threats[usize::from(mover.exposure) % THREAT_LINE]);
        BoardFeatures { context, ..mover.board }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{LevelIndex, rank};
    use crate::rules::{Outcome, Rules};

    /// The table's captures are those of single short sowings that are no slams.
    #[test]
    fn greatest_captures_are_those_of_the_rules_where_sowings_are_short() {
        for board in LevelIndex::new(9).boards_from(0) {
            let (mover, opponent) = (board.mover(), board.opponent());
            let seeds = greatest_take(usize::from(exposure(opponent)), usize::from(reach(mover)));
            let best = Rules::Wari.moves(board).filter_map(|(_, outcome)| match outcome {
                Outcome::Moved { captured, .. } => Some(usize::from(captured)),
                _ => None,
            });
            if !opponent.is_empty() {
                assert_eq!(seeds, best.max().unwrap_or(0), "{board}");
            }
        }
    }

    #[test]
    fn distances_back_lead_to_boards_with_a_seed_moved_on() {
        for mover_seeds in 1..=12 {
            let mut next = Some(crate::index::first_row(mover_seeds));
            while let Some(row) = next {
                let pits = row.pits();
                let features = MoverFeatures::of(row);
                let moved = |from: &[(usize, i8)]| {
                    let mut pits = pits.map(u8::cast_signed);
                    from.iter().for_each(|&(pit, change)| pits[pit] += change);
                    if pits.iter().any(|&seeds| seeds < 0) {
                        return 0;
                    }
                    let other = Row::new(pits.map(i8::cast_unsigned)).expect("as many seeds");
                    u16::try_from(rank(row) - rank(other)).expect("near")
                };
                let expected = if pits[0] > 0 {
                    [
                        moved(&[(0, -1), (1, 1)]),
                        moved(&[(1, -1), (2, 1)]),
                        moved(&[(0, -1), (2, 1)]),
                    ]
                } else {
                    [
                        moved(&[(1, -1), (2, 1)]),
                        moved(&[(0, 1), (1, -2), (2, 1)]),
                        moved(&[(2, -1), (3, 1)]),
                    ]
                };
                let lines = [features.board.first, features.board.second, features.board.third];
                let [first, second, third] = lines.map(|line| LAST_LINE - line);
                assert_eq!(
                    [first, second, third],
                    [expected[0].max(1), expected[1], expected[2]],
                    "{row:?}"
                );
                next = crate::index::next_row(row);
            }
        }
    }
}
