//! What the rules alone say of a board, cheaply: the model codec's side information.
//!
//! Two facts matter most for a value: how many seeds the mover could capture at once, and how many
//! the opponent could, were it to move. Both are read from one table. A move that ends in the other
//! row adds one seed to each of its pits up to its last, so it captures the run of pits that hold 1
//! or 2 and end there. A row is thus *exposed* as six digits (0: neither, 1, 2), and *reaches* a
//! set of pits of the other row; a table of 729 × 64 bytes maps both to the greatest capture.
//! Longer sowings, slams and paths that turn are left out: a fact need only be the same for
//! the writer and the reader.

use crate::index::{first_row, next_row, row_count, unrank};
use crate::rules::{ROW_PITS, Row};
use std::sync::{LazyLock, OnceLock};

const ONES: u64 = 0x0101_0101_0101;
const REACHES: usize = 1 << ROW_PITS;
const EXPOSURES: usize = 729;

/// Classes of the mover's greatest capture.
pub(super) const CAPTURE_CLASSES: usize = 6;
/// Classes of the opponent's greatest capture.
pub(super) const THREAT_CLASSES: usize = 4;
/// Classes of the number of filled pits in the mover's row.
pub(super) const MOVES_CLASSES: usize = 3;

/// Greatest captures by exposure and reach: class as a capture in the low half, as a threat in the
/// high half.
pub(super) type Takes = [[u8; REACHES]; EXPOSURES];

static TAKES: LazyLock<Box<Takes>> = LazyLock::new(|| {
    let mut takes = Box::new([[0; REACHES]; EXPOSURES]);
    for (exposure, line) in takes.iter_mut().enumerate() {
        for (reach, classes) in line.iter_mut().enumerate() {
            let seeds = greatest_take(exposure, reach);
            *classes = capture_class(seeds) | threat_class(seeds) << 4;
        }
    }
    takes
});

/// The table of greatest captures.
pub(super) fn takes() -> &'static Takes {
    &TAKES
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

/// What the model asks of a mover's row, in eight bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoverFacts {
    /// How far back in index order the boards with one seed moved on to the next pit are (their
    /// values resemble this board's): nearest in kind first, 0 for none. Then a third one.
    pub(super) back: [u8; 2],
    pub(super) third: u16,
    exposure: u16,
    reach: u8,
    /// Class of the number of filled pits, and 4 when pit 0 has seeds.
    moves: u8,
}

/// The greatest distance back: C(49, 2).
pub(super) const MOST_BACK: usize = 1176;

/// Rows of more seeds are looked at when they are met; the facts of the others are kept (1.3
/// million rows, 11 MB).
const MOST_KEPT_SEEDS: u8 = 28;

impl MoverFacts {
    #[inline]
    fn of(row: Row) -> Self {
        let [p0, p1, p2, ..] = row.prefix_sums();
        let p2 = u16::from(p2);
        let (back, third) = if p0 > 0 {
            ([1, if p0 < p1 { p1 } else { 0 }], u16::from(p1) + 1)
        } else {
            let third = if p2 > u16::from(p1) { p2 * (p2 + 1) / 2 } else { 0 };
            ([p1, p1.saturating_sub(1)], third)
        };
        let moves = match row.filled().count_ones() {
            0..=2 => 0,
            3..=4 => 1,
            _ => 2,
        };
        let moves = if p0 > 0 { moves | 4 } else { moves };
        Self { back, third, exposure: exposure(row), reach: reach(row), moves }
    }

    /// Whether pit 0 has seeds: the board before is then the same but for a seed in pit 0.
    #[inline]
    pub(super) const fn is_inner(&self) -> bool {
        self.moves & 4 != 0
    }

    /// The class of the number of filled pits.
    #[inline]
    pub(super) const fn moves(&self) -> usize {
        (self.moves & 3) as usize
    }

    /// Calls `visit` with the facts of `rows` rows of `seeds` seeds from rank `minor` on, in one
    /// piece or in several.
    pub(super) fn visit(seeds: u8, minor: u32, rows: usize, mut visit: impl FnMut(&[Self])) {
        static KEPT: [OnceLock<Box<[MoverFacts]>>; MOST_KEPT_SEEDS as usize + 1] =
            [const { OnceLock::new() }; MOST_KEPT_SEEDS as usize + 1];
        if let Some(kept) = KEPT.get(usize::from(seeds)) {
            let facts = kept.get_or_init(|| {
                let mut facts = Vec::with_capacity(row_count(seeds) as usize);
                let rows = std::iter::successors(Some(first_row(seeds)), |&row| next_row(row));
                facts.extend(rows.map(Self::of));
                facts.into_boxed_slice()
            });
            let from = minor as usize;
            return visit(&facts[from..from + rows]);
        }
        let mut piece = [Self::default(); 64];
        let mut row = unrank(seeds, minor);
        let mut left = rows;
        while left > 0 {
            let len = left.min(piece.len());
            for facts in &mut piece[..len] {
                *facts = Self::of(row);
                row = next_row(row).unwrap_or(row);
            }
            visit(&piece[..len]);
            left -= len;
        }
    }
}

/// What the model asks of an opponent's row.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpponentFacts<'t> {
    /// Greatest captures from this row by the mover's reach.
    line: &'t [u8; REACHES],
    takes: &'t Takes,
    reach: u8,
}

impl<'t> OpponentFacts<'t> {
    #[inline]
    pub(super) fn of(takes: &'t Takes, row: Row) -> Self {
        Self { line: &takes[usize::from(exposure(row))], takes, reach: reach(row) }
    }

    /// The class of the mover's greatest capture.
    #[inline]
    pub(super) fn capture(&self, mover: &MoverFacts) -> usize {
        usize::from(self.line[usize::from(mover.reach & 0x3f)] & 0xf)
    }

    /// The class of the opponent's greatest capture, were it to move.
    #[inline]
    pub(super) fn threat(&self, mover: &MoverFacts) -> usize {
        let line = &self.takes[usize::from(mover.exposure) % EXPOSURES];
        usize::from(line[usize::from(self.reach & 0x3f)] >> 4)
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
                let facts = MoverFacts::of(row);
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
                let [first, second] = facts.back.map(u16::from);
                assert_eq!([first, second, facts.third], expected, "{row:?}");
                next = crate::index::next_row(row);
            }
        }
    }
}
