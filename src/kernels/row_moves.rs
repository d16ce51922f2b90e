//! The moves of all boards with one opponent's row and `m` mover's seeds, which are consecutive in
//! index order.
//!
//! A short move sows no further than the opponent's last pit. It splits into two independent
//! halves. The mover's row afterwards depends on the mover's row alone. The opponent's row
//! afterwards (seeds sown, captures, slams) depends on that row and on the number of seeds that
//! cross, 0 to 6. [`MoverRows`] therefore lists, for each number of crossing seeds, the mover's
//! rows that have such a move, with the row after it. [`Crossings`] holds, for one opponent's row,
//! the effect of each number of crossing seeds. The index of a child is
//!
//! ```text
//! base[crossing] + gapped_rank(mover's row afterwards) * stride[crossing]
//! ```
//!
//! because the opponent is the mover of the child, and its row, which is the minor one there, is
//! the same for all these boards. Longer sowings ([`Lap`]s) are rare and are played one by one.
//!
//! The tests compare the moves of this module with [`Rules::moves`](crate::rules::Rules::moves).

use crate::index::{LevelIndex, gapped_rank, rank, row_count, rows_of};
use crate::rules::{
    Board, Path, ROW_PITS, Row, RowsOutcome, Rules, capture_run, play_rows, settle, sowing,
};

/// Numbers of seeds that can cross into the opponent's row in a short sowing: 0 to 6.
pub(crate) const CROSSINGS: usize = ROW_PITS + 1;

/// A short move: the rank of the mover's row before it, and the gapped rank of the row after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowMove {
    pub(crate) minor: u32,
    pub(crate) after: u32,
}

/// A sowing past the opponent's last pit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lap {
    pub(crate) minor: u32,
    pub(crate) pit: u8,
    pub(crate) row: Row,
}

/// The mover's rows of one number of seeds and their moves.
#[derive(Debug)]
pub(crate) struct MoverRows {
    pub(crate) seeds: u8,
    /// The number of filled pits of each row, by rank: its moves, legal or not.
    pub(crate) filled: Vec<u8>,
    /// The short moves by number of seeds that cross.
    pub(crate) short: [Vec<RowMove>; CROSSINGS],
    /// The laps whose last seed falls in the mover's row. They capture nothing.
    pub(crate) laps_home: Vec<Lap>,
    /// The laps whose last seed falls in the opponent's row. They may capture.
    pub(crate) laps_away: Vec<Lap>,
}

impl MoverRows {
    /// All rows of `seeds` seeds with their moves on a path.
    pub(crate) fn new(path: Path, seeds: u8) -> Self {
        let mut rows = Self {
            seeds,
            filled: Vec::with_capacity(row_count(seeds) as usize),
            short: Default::default(),
            laps_home: Vec::new(),
            laps_away: Vec::new(),
        };
        for (minor, row) in (0..).zip(rows_of(seeds)) {
            rows.add(path, row, minor);
        }
        rows
    }

    fn add(&mut self, path: Path, row: Row, minor: u32) {
        let mut filled = 0;
        for pit in 0..ROW_PITS {
            let seeds = row.pit(pit);
            if seeds == 0 {
                continue;
            }
            filled += 1;
            let sown = sowing(path, pit, seeds);
            let short_most = ROW_PITS - 1 - pit + ROW_PITS;
            if usize::from(seeds) > short_most {
                let laps = if sown.last < 6 { &mut self.laps_home } else { &mut self.laps_away };
                #[expect(clippy::cast_possible_truncation, reason = "a pit is below 6")]
                laps.push(Lap { minor, pit: pit as u8, row });
                continue;
            }
            let left = row.without(1 << pit).plus(sown.own);
            let after = gapped_rank(left).expect("the pit sown from is empty");
            self.short[usize::from(sown.other.seeds())].push(RowMove { minor, after });
        }
        self.filled.push(filled);
    }
}

/// The effect of a number of crossing seeds on one opponent's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The move is illegal.
    Illegal,
    /// The move captures `captured` seeds, 0 or more. The index of the child is `base + after *
    /// stride` in the level with `captured` seeds less.
    Moved { captured: u8, base: u64, stride: u64 },
    /// The move ends the game with a value.
    Ended { captured: u8, value: i8 },
}

/// The effect of each number of crossing seeds on one opponent's row, for mover's rows with one
/// number of seeds.
pub(crate) type Crossings = [Effect; CROSSINGS];

/// The effects on `opponent` of moves by a mover with `mover_seeds` seeds. `levels[k]` is the index
/// of the level of `k` seeds, for every level up to this one.
pub(crate) fn crossings(
    rules: Rules,
    levels: &[LevelIndex],
    mover_seeds: u8,
    opponent: Row,
) -> Crossings {
    let seeds = mover_seeds + opponent.seeds();
    std::array::from_fn(|crossing| {
        if crossing > usize::from(mover_seeds) {
            return Effect::Illegal;
        }
        // A short sowing adds one seed to each of the first `crossing` pits.
        let sown = Row::from_packed(0x0101_0101_0101 & !(u64::MAX << (8 * crossing)));
        let last = 5 + u8::try_from(crossing).expect("at most 6 seeds cross");
        let after = opponent.plus(sown);
        let captures = if crossing == 0 { 0 } else { capture_run(after, last - 6) };
        match settle(rules.slam(), Row::EMPTY, opponent, after, captures, last) {
            RowsOutcome::Illegal => Effect::Illegal,
            RowsOutcome::Moved { captured, other, .. } => Effect::Moved {
                captured,
                base: levels[usize::from(seeds - captured)].block_start(other.seeds())
                    + u64::from(rank(other)),
                stride: u64::from(row_count(other.seeds())),
            },
            RowsOutcome::Ended { captured, .. } => {
                Effect::Ended { captured, value: ended_value(captured, seeds) }
            }
        }
    })
}

/// The value of a move that captures `captured` of `seeds` seeds and leaves the others to the
/// opponent.
pub(crate) const fn ended_value(captured: u8, seeds: u8) -> i8 {
    captured.cast_signed() - (seeds - captured).cast_signed()
}

/// The effect of a lap on a board, by the rules.
pub(crate) fn lap_effect(
    rules: Rules,
    levels: &[LevelIndex],
    lap: Lap,
    opponent: Row,
) -> LapEffect {
    let seeds = lap.row.seeds() + opponent.seeds();
    match play_rows(rules, lap.row, opponent, usize::from(lap.pit)) {
        RowsOutcome::Illegal => LapEffect::Illegal,
        RowsOutcome::Moved { captured, own, other } => {
            let child = Board::from_rows_unchecked(other, own);
            let level = &levels[usize::from(seeds - captured)];
            let index = level.index(child).expect("a board after a move is reachable");
            LapEffect::Moved { captured, index }
        }
        RowsOutcome::Ended { captured, .. } => {
            LapEffect::Ended { captured, value: ended_value(captured, seeds) }
        }
    }
}

/// The effect of a lap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LapEffect {
    Illegal,
    Moved { captured: u8, index: u64 },
    Ended { captured: u8, value: i8 },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{gapped_rows, gapped_unrank, unrank};
    use crate::rules::Outcome;
    use crate::rules::Seeds;
    use std::collections::BTreeMap;

    /// Checks every board of up to 8 seeds, and some rows of larger levels.
    #[test]
    fn moves_by_rows_equal_moves_by_the_rules() {
        for rules in Rules::ALL {
            for seeds in 0..=8 {
                for mover in 0..=seeds {
                    for major in 0..gapped_rows(seeds - mover) {
                        compare(rules, mover, gapped_unrank(seeds - mover, major));
                    }
                }
            }
            compare(rules, 21, Row::new([0, 1, 2, 0, 1, 2]).expect("6 seeds"));
            compare(rules, 19, Row::EMPTY);
        }
    }

    /// By minor rank: captured, value of an ending, child index and its level, sorted.
    type Moves = BTreeMap<u32, Vec<(u8, Option<i8>, Option<u64>)>>;

    fn compare(rules: Rules, mover_seeds: u8, opponent: Row) {
        let levels: Vec<_> =
            Seeds::of(mover_seeds + opponent.seeds()).up_to().map(LevelIndex::new).collect();
        let mut by_rows = by_rows(rules, &levels, mover_seeds, opponent);
        let mut by_rules = Moves::new();
        for minor in 0..row_count(mover_seeds) {
            let board = Board::from_rows(unrank(mover_seeds, minor), opponent).expect("small");
            for (_, outcome) in rules.moves(board) {
                by_rules.entry(minor).or_default().push(match outcome {
                    Outcome::Illegal => unreachable!("only legal moves are listed"),
                    Outcome::Moved { captured, next } => {
                        (captured, None, levels[usize::from(next.seeds())].index(next))
                    }
                    Outcome::Ended { captured, .. } => {
                        (captured, Some(ended_value(captured, board.seeds())), None)
                    }
                });
            }
        }
        by_rows.values_mut().chain(by_rules.values_mut()).for_each(|moves| moves.sort_unstable());
        assert_eq!(by_rows, by_rules, "{} {mover_seeds} against {opponent:?}", rules);
    }

    fn by_rows(rules: Rules, levels: &[LevelIndex], mover_seeds: u8, opponent: Row) -> Moves {
        let rows = MoverRows::new(rules.path(), mover_seeds);
        let mut moves = Moves::new();
        for (list, effect) in rows.short.iter().zip(crossings(rules, levels, mover_seeds, opponent))
        {
            for row_move in list {
                let found = match effect {
                    Effect::Illegal => continue,
                    Effect::Moved { captured, base, stride } => {
                        (captured, None, Some(base + u64::from(row_move.after) * stride))
                    }
                    Effect::Ended { captured, value } => (captured, Some(value), None),
                };
                moves.entry(row_move.minor).or_default().push(found);
            }
        }
        for &lap in rows.laps_home.iter().chain(&rows.laps_away) {
            let found = match lap_effect(rules, levels, lap, opponent) {
                LapEffect::Illegal => continue,
                LapEffect::Moved { captured, index } => (captured, None, Some(index)),
                LapEffect::Ended { captured, value } => (captured, Some(value), None),
            };
            moves.entry(lap.minor).or_default().push(found);
        }
        moves
    }
}
