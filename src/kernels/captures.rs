//! The best capture or ending of every board with one opponent's row, and the number of its quiet
//! moves, which capture nothing. The solver starts from them, and the expansion of a table recovers
//! its free values from them.
//!
//! For each number of crossing seeds that captures from this opponent's row, the kernel visits the
//! mover's rows that have such a move and looks each child up in its smaller level. Boards without
//! a capture are never touched. The look-ups are independent, so their cache misses overlap.

use super::row_moves::{Crossings, Effect, Lap, LapEffect, MoverRows, lap_effect};
use crate::index::LevelIndex;
use crate::level::{LevelValues, plain_value};
use crate::rules::{Row, Rules};
use std::borrow::Borrow;
use std::io;

/// The byte of a board without a capture or ending. The byte of a best capture is its value plus
/// 64.
pub(crate) const NO_CAPTURE: u8 = 0;

/// The byte of a best capture with a value.
#[inline]
pub(crate) const fn best_byte(value: i8) -> u8 {
    (value + 64).cast_unsigned()
}

/// The value in the byte of a best capture. [`NO_CAPTURE`] gives −64, less than any value.
#[inline]
pub(crate) const fn best_value(byte: u8) -> i8 {
    byte.cast_signed() - 64
}

/// The bytes of smaller levels by number of seeds; `None` for a level that is not in memory.
pub(crate) type SmallerLevels<'levels> = [Option<&'levels [u8]>];

/// Smaller levels that come in groups, because memory may not hold all of them.
pub(crate) trait SmallerLevelsByGroup {
    /// Calls `visit` once per group of the levels below `below` seeds, with the group and whether
    /// it is the last. Each level is in exactly one group, and there is at least one group.
    ///
    /// # Errors
    /// When a level cannot be loaded into memory.
    fn for_each_group(
        &self,
        below: u8,
        visit: &mut dyn FnMut(&SmallerLevels<'_>, bool),
    ) -> io::Result<()>;
}

/// The levels of 0, 1, 2, … seeds in memory, in one group.
impl<L: Borrow<LevelValues>> SmallerLevelsByGroup for [L] {
    fn for_each_group(
        &self,
        below: u8,
        visit: &mut dyn FnMut(&SmallerLevels<'_>, bool),
    ) -> io::Result<()> {
        let levels = self.iter().take(usize::from(below));
        visit(&levels.map(|level| Some(level.borrow().bytes())).collect::<Vec<_>>(), true);
        Ok(())
    }
}

/// Raises `best[minor]` to the best capture or ending of each board with this opponent's row, over
/// the children in the levels of `smaller`.
///
/// `best` starts at [`NO_CAPTURE`]. It can be raised in several passes, one per group of smaller
/// levels; each pass includes the moves that end the game.
pub(crate) fn raise_to_captures(
    rules: Rules,
    levels: &[LevelIndex],
    smaller: &SmallerLevels<'_>,
    rows: &MoverRows,
    opponent: Row,
    crossings: &Crossings,
    best: &mut [u8],
) {
    let seeds = rows.seeds + opponent.seeds();
    // Without this level in `smaller`, moves that stay in it are skipped.
    let smaller = &smaller[..smaller.len().min(usize::from(seeds))];
    raise_to_short_moves(smaller, rows, seeds, crossings, best);
    raise_to_laps(rules, levels, smaller, &rows.laps_away, opponent, best);
}

/// Raises `best[minor]` to the best move of each board, as [`raise_to_captures`] does for captures.
/// `smaller` includes this level.
pub(crate) fn raise_to_moves(
    rules: Rules,
    levels: &[LevelIndex],
    smaller: &SmallerLevels<'_>,
    rows: &MoverRows,
    opponent: Row,
    crossings: &Crossings,
    best: &mut [u8],
) {
    let seeds = rows.seeds + opponent.seeds();
    raise_to_short_moves(smaller, rows, seeds, crossings, best);
    raise_to_laps(rules, levels, smaller, &rows.laps_away, opponent, best);
    raise_to_laps(rules, levels, smaller, &rows.laps_home, opponent, best);
}

fn level_of<'levels>(smaller: &SmallerLevels<'levels>, seeds: u8) -> Option<&'levels [u8]> {
    smaller.get(usize::from(seeds)).copied().flatten()
}

#[inline]
fn raise_to_short_moves(
    smaller: &SmallerLevels<'_>,
    rows: &MoverRows,
    seeds: u8,
    crossings: &Crossings,
    best: &mut [u8],
) {
    for (list, effect) in rows.short.iter().zip(crossings) {
        match *effect {
            Effect::Moved { captured, base, stride } => {
                let Some(level) = level_of(smaller, seeds - captured) else { continue };
                for row_move in list {
                    let child = to_usize(base + u64::from(row_move.after) * stride);
                    let value = captured.cast_signed() - plain_value(level[child]);
                    raise(best, row_move.minor, value);
                }
            }
            Effect::Ended { value, .. } => {
                for row_move in list {
                    raise(best, row_move.minor, value);
                }
            }
            Effect::Illegal => {}
        }
    }
}

fn raise_to_laps(
    rules: Rules,
    levels: &[LevelIndex],
    smaller: &SmallerLevels<'_>,
    laps: &[Lap],
    opponent: Row,
    best: &mut [u8],
) {
    for &lap in laps {
        match lap_effect(rules, levels, lap, opponent) {
            LapEffect::Moved { captured, index } => {
                let seeds = lap.row.seeds() + opponent.seeds() - captured;
                let Some(level) = level_of(smaller, seeds) else { continue };
                let value = captured.cast_signed() - plain_value(level[to_usize(index)]);
                raise(best, lap.minor, value);
            }
            LapEffect::Ended { value, .. } => raise(best, lap.minor, value),
            LapEffect::Illegal => {}
        }
    }
}

/// Sets `quiet[minor]` to the number of legal moves that capture nothing.
pub(crate) fn count_quiet_moves(
    rules: Rules,
    levels: &[LevelIndex],
    rows: &MoverRows,
    opponent: Row,
    crossings: &Crossings,
    quiet: &mut [u8],
) {
    quiet.copy_from_slice(&rows.filled);
    for (list, effect) in rows.short.iter().zip(crossings) {
        if !matches!(effect, Effect::Moved { captured: 0, .. }) {
            for row_move in list {
                quiet[row_move.minor as usize] -= 1;
            }
        }
    }
    // A lap leaves seeds in both rows, so a lap that ends in the mover's row is legal and quiet.
    for &lap in &rows.laps_away {
        if !matches!(lap_effect(rules, levels, lap, opponent), LapEffect::Moved { captured: 0, .. })
        {
            quiet[lap.minor as usize] -= 1;
        }
    }
}

#[inline]
fn raise(best: &mut [u8], minor: u32, value: i8) {
    let slot = &mut best[minor as usize];
    *slot = best_byte(value).max(*slot);
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "an index into a level that is in memory")]
const fn to_usize(index: u64) -> usize {
    index as usize
}
