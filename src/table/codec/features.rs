//! Features: side information of the model codec, which follows from the pits of a board alone.
//!
//! Two features matter most for a value: the greatest capture of the mover, and that of the
//! opponent if it were to move (the threat). A short move that ends in the other row adds one seed
//! to each of its pits up to the last, so it captures the run of pits with 1 or 2 seeds that ends
//! there. The *exposure* of a row is six digits, one per pit: its seeds if they are 1 or 2,
//! otherwise 0. The *reach* of a row is the set of pits of the other row where its short moves end.
//! A table of 729 × 64 bytes maps exposure and reach to the greatest capture. Longer sowings, slams
//! and turning paths are ignored: a feature must only be the same for the writer and the reader.

use crate::index::{next_row, row_count, rows_of, unrank};
use crate::rules::{ROW_PITS, Row};
use std::sync::OnceLock;

const ONES: u64 = 0x0101_0101_0101;
const REACHES: usize = 1 << ROW_PITS;
const EXPOSURES: usize = 729;

/// The number of classes of the mover's greatest capture.
pub(super) const CAPTURE_CLASSES: usize = 6;
/// The number of classes of the opponent's greatest capture.
pub(super) const THREAT_CLASSES: usize = 4;
/// The number of classes of the number of filled pits in the mover's row.
pub(super) const MOVES_CLASSES: usize = 3;

/// The weights of the classes of features in a context.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeatureWeights {
    pub(super) capture: u8,
    pub(super) threat: u8,
    /// The bits of [`MoverFeatures`]' part of the context that count.
    pub(super) mover_mask: u16,
}

/// Greatest captures, as weighted classes. A board needs one line per table and opponent's row.
pub(super) struct FeatureTable {
    /// By the exposure of the opponent, then the reach of the mover.
    captures: Box<[[u8; REACHES]; EXPOSURES]>,
    /// By the reach of the opponent, then the exposure of the mover. A line has room for any index
    /// of 10 bits.
    threats: Box<[[u8; THREAT_LINE]; REACHES]>,
    mover_mask: u16,
}

const THREAT_LINE: usize = 1024;
const _: () = assert!(EXPOSURES <= THREAT_LINE);

impl FeatureTable {
    pub(super) fn new(weights: FeatureWeights) -> Self {
        let mut captures = Box::new([[0; REACHES]; EXPOSURES]);
        let mut threats = Box::new([[0; THREAT_LINE]; REACHES]);
        for exposure in 0..EXPOSURES {
            for reach in 0..REACHES {
                let seeds = greatest_capture(exposure, reach);
                captures[exposure][reach] = capture_class(seeds) * weights.capture;
                threats[reach][exposure] = threat_class(seeds) * weights.threat;
            }
        }
        Self { captures, threats, mover_mask: weights.mover_mask }
    }
}

impl std::fmt::Debug for FeatureTable {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("FeatureTable")
    }
}

/// The seeds of the greatest capture from a row with an exposure by a row with a reach.
fn greatest_capture(exposure: usize, reach: usize) -> usize {
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

/// `TERNARY[mask]` is the sum of 3^j over the bits j of the mask.
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

/// The exposure of a row: ternary digit j is the seeds of pit j if these are 1 or 2, otherwise 0.
#[inline]
pub(super) fn exposure(row: Row) -> u16 {
    let packed = row.packed();
    let ones_or_twos = row.plus(Row::from_packed(ONES)).twos_and_threes();
    let odd = ((packed & ONES).wrapping_mul(0x0102_0408_1020) >> 40) as u8 & 0x3f;
    TERNARY[usize::from(ones_or_twos & odd)] + 2 * TERNARY[usize::from(ones_or_twos & !odd)]
}

/// The reach of a row: bit j is set if a short sowing from this row ends in pit j of the other.
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

/// The features of a board: the lines of its three neighbours, and their part of the context.
///
/// A neighbour is an earlier board of the level that differs by one or two seeds moved to a later
/// pit of the mover's row. Its value resembles that of this board, and the first neighbour's does
/// most. Lines are those of a [`Frame`](super::lanes::Frame), from 0 to [`OWN_LINE`], which is the
/// board itself and stands for a neighbour that does not exist. If there is no first
/// neighbour, its line is that of the board before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BoardFeatures {
    pub(super) first: u16,
    pub(super) second: u16,
    pub(super) third: u16,
    pub(super) context: u16,
}

/// The line of the board itself. All its bits are ones, so it is the mask of lines.
pub(super) const OWN_LINE: u16 = 2047;
/// The most lines between a board and a neighbour: C(49, 2).
const MOST_BACK: u16 = 1176;
const _: () = assert!(MOST_BACK < OWN_LINE && (OWN_LINE + 1).is_power_of_two());

/// The features of a mover's row, in twelve bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoverFeatures {
    /// The context has the part of this row: twice the class of the number of filled pits, plus 1
    /// if pit 0 has seeds.
    board: BoardFeatures,
    exposure: u16,
    reach: u8,
}

/// The features of rows with up to this many seeds are cached (1.3 million rows, 16 MB). Those of
/// other rows are computed each time.
const MOST_CACHED_SEEDS: u8 = 28;

impl MoverFeatures {
    #[inline]
    fn new(row: Row) -> Self {
        let [p0, p1, p2, ..] = row.prefix_sums().map(u16::from);
        let back = if p0 > 0 {
            [1, if p0 < p1 { p1 } else { 0 }, p1 + 1]
        } else {
            [p1.max(1), p1.saturating_sub(1), if p2 > p1 { p2 * (p2 + 1) / 2 } else { 0 }]
        };
        let [first, second, third] = back.map(|back| OWN_LINE - back);
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
    /// or more chunks.
    pub(super) fn for_each_chunk(
        seeds: u8,
        minor: u32,
        rows: usize,
        mut visit: impl FnMut(&[Self]),
    ) {
        static CACHED: [OnceLock<Box<[MoverFeatures]>>; MOST_CACHED_SEEDS as usize + 1] =
            [const { OnceLock::new() }; MOST_CACHED_SEEDS as usize + 1];
        if let Some(cached) = CACHED.get(usize::from(seeds)) {
            let features = cached.get_or_init(|| {
                let mut features = Vec::with_capacity(row_count(seeds) as usize);
                features.extend(rows_of(seeds).map(Self::new));
                features.into_boxed_slice()
            });
            let from = minor as usize;
            return visit(&features[from..from + rows]);
        }
        let mut chunk = [Self::default(); 64];
        let mut row = unrank(seeds, minor);
        let mut left = rows;
        while left > 0 {
            let len = left.min(chunk.len());
            for features in &mut chunk[..len] {
                *features = Self::new(row);
                // Nothing follows the last row of its number of seeds.
                row = next_row(row).unwrap_or(row);
            }
            visit(&chunk[..len]);
            left -= len;
        }
    }
}

/// The features of an opponent's row.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpponentFeatures<'t> {
    /// The classes of captures from this row, by the reach of the mover.
    captures: &'t [u8; REACHES],
    /// The classes of captures by this row, by the exposure of the mover.
    threats: &'t [u8; THREAT_LINE],
    mover_mask: u16,
}

impl<'t> OpponentFeatures<'t> {
    #[inline]
    pub(super) fn new(table: &'t FeatureTable, row: Row) -> Self {
        Self {
            captures: &table.captures[usize::from(exposure(row))],
            threats: &table.threats[usize::from(reach(row) & 0x3f)],
            mover_mask: table.mover_mask,
        }
    }

    /// The features of the board with this row and a mover's row.
    #[inline]
    pub(super) fn board_features(&self, mover: &MoverFeatures) -> BoardFeatures {
        let context = (mover.board.context & self.mover_mask)
            + u16::from(self.captures[usize::from(mover.reach) % REACHES])
            + u16::from(self.threats[usize::from(mover.exposure) % THREAT_LINE]);
        BoardFeatures { context, ..mover.board }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{LevelIndex, rank};
    use crate::rules::Rules;
    use crate::rules::Seeds;

    /// With 9 seeds, a sowing past the opponent's row ends in the mover's row and captures nothing.
    #[test]
    fn greatest_captures_are_those_of_the_rules_where_sowings_are_short() {
        for board in LevelIndex::new(Seeds::of(9)).boards_from(0) {
            let (mover, opponent) = (board.mover(), board.opponent());
            let seeds =
                greatest_capture(usize::from(exposure(opponent)), usize::from(reach(mover)));
            let best = Rules::Wari.moves(board).map(|(_, outcome)| usize::from(outcome.captured()));
            if !opponent.is_empty() {
                assert_eq!(seeds, best.max().unwrap_or(0), "{board}");
            }
        }
    }

    #[test]
    fn neighbours_differ_by_seeds_moved_to_a_later_pit() {
        for mover_seeds in 1..=12 {
            for row in rows_of(mover_seeds) {
                let pits = row.pits();
                let features = MoverFeatures::new(row);
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
                let [first, second, third] = lines.map(|line| OWN_LINE - line);
                assert_eq!(
                    [first, second, third],
                    [expected[0].max(1), expected[1], expected[2]],
                    "{row:?}"
                );
            }
        }
    }
}
