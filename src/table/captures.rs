//! The best capture or ending of every board of one opponent's row, and the number of moves that
//! capture nothing: the first half of solving a level, and what a table's free values are
//! recovered from.
//!
//! For each number of crossing seeds that captures from this opponent's row, go through the
//! mover's rows that have such a move and look the child up in its smaller level. Boards that
//! cannot capture are never touched; the look-ups do not depend on each other, so many are under
//! way at once.

use super::forward::{Crossings, Effect, Lap, LapEffect, MoverRows, lap_effect};
use super::plain::{PlainLevel, plain_value};
use crate::index::LevelIndex;
use crate::rules::{Policy, Row};
use std::io;

/// Stands for "no capture" among best captures, which are kept as bytes, their value plus 64.
pub(crate) const NO_CAPTURE: u8 = 0;

/// The byte of a best capture with this value.
#[inline]
pub(crate) const fn best_byte(value: i8) -> u8 {
    (value + 64).cast_unsigned()
}

/// The value in a best capture's byte, unless that is [`NO_CAPTURE`].
#[inline]
pub(crate) const fn best_value(byte: u8) -> i8 {
    byte.cast_signed() - 64
}

/// The plain bytes of smaller levels by seeds, those at hand.
pub(crate) type Smaller<'levels> = [Option<&'levels [u8]>];

/// Smaller levels that may not all fit into memory together.
pub(crate) trait SmallerLevels {
    /// Calls `visit` with one group of the levels below `below` seeds after the other, each level
    /// in just one group, and whether the group is the last. There is at least one group.
    ///
    /// # Errors
    /// When a level cannot be brought into memory.
    fn for_each_group(
        &self,
        below: u8,
        visit: &mut dyn FnMut(&Smaller<'_>, bool),
    ) -> io::Result<()>;
}

/// The levels of 0, 1, 2, … seeds in memory: one group.
impl SmallerLevels for [PlainLevel] {
    fn for_each_group(
        &self,
        below: u8,
        visit: &mut dyn FnMut(&Smaller<'_>, bool),
    ) -> io::Result<()> {
        let levels = self.iter().take(usize::from(below));
        visit(&levels.map(|level| Some(level.bytes())).collect::<Vec<_>>(), true);
        Ok(())
    }
}

/// Raises `best[minor]` to the best capture or ending of each board of this opponent's row, as far
/// as it goes to a level at hand in `smaller`. `best` starts at [`NO_CAPTURE`], and can be raised
/// in several passes that bring the smaller levels by groups; endings count in every pass.
pub(crate) fn raise_to_captures<P: Policy>(
    levels: &[LevelIndex],
    smaller: &Smaller<'_>,
    rows: &MoverRows,
    opponent: Row,
    crossings: &Crossings,
    best: &mut [u8],
) {
    let seeds = rows.seeds + opponent.seeds();
    // Without this level at hand the moves that stay in it are passed over.
    let smaller = &smaller[..smaller.len().min(usize::from(seeds))];
    raise_to_short_moves(smaller, rows, seeds, crossings, best);
    raise_to_laps::<P>(levels, smaller, &rows.laps_away, opponent, best);
}

/// As [`raise_to_captures`], with all moves: `smaller` has this level too.
pub(crate) fn raise_to_moves<P: Policy>(
    levels: &[LevelIndex],
    smaller: &Smaller<'_>,
    rows: &MoverRows,
    opponent: Row,
    crossings: &Crossings,
    best: &mut [u8],
) {
    let seeds = rows.seeds + opponent.seeds();
    raise_to_short_moves(smaller, rows, seeds, crossings, best);
    raise_to_laps::<P>(levels, smaller, &rows.laps_away, opponent, best);
    raise_to_laps::<P>(levels, smaller, &rows.laps_home, opponent, best);
}

fn level_of<'levels>(smaller: &Smaller<'levels>, seeds: u8) -> Option<&'levels [u8]> {
    smaller.get(usize::from(seeds)).copied().flatten()
}

#[inline]
fn raise_to_short_moves(
    smaller: &Smaller<'_>,
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

fn raise_to_laps<P: Policy>(
    levels: &[LevelIndex],
    smaller: &Smaller<'_>,
    laps: &[Lap],
    opponent: Row,
    best: &mut [u8],
) {
    for &lap in laps {
        match lap_effect::<P>(levels, lap, opponent) {
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
pub(crate) fn count_quiet_moves<P: Policy>(
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
    // Laps leave seeds in both rows, so one that ends at home is legal and captures nothing.
    for &lap in &rows.laps_away {
        if !matches!(lap_effect::<P>(levels, lap, opponent), LapEffect::Moved { captured: 0, .. }) {
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
