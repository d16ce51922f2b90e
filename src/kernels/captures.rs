//! The best capture or ending of every board with one opponent's row, and the number of its quiet
//! moves, which capture nothing. The solver starts from them, and the expansion of a table recovers
//! its free values from them.
//!
//! For each number of crossing seeds that captures from this opponent's row, the kernel visits the
//! mover's rows that have such a move and looks each child up in its smaller level. Boards without
//! a capture are never touched. The look-ups are independent, so their cache misses overlap.

use super::row_moves::{Crossings, Effect, Lap, LapEffect, MoverRows, lap_effect};
use crate::index::LevelIndex;
use crate::level::{LevelBounds, LevelValues, plain_value};
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

/// What a level in memory keeps of a board, and what is kept of a board's captures: the byte of its
/// value ([`LevelValues`]), or the pair of its bounds ([`LevelBounds`]).
pub(crate) trait Cell: Copy + Default + Send + Sync + 'static {
    /// Raises the best capture of a board to a capture of `captured` seeds that leads to `child`.
    fn raise_to_child(&mut self, captured: u8, child: Self);

    /// Raises the best capture of a board to a move that ends the game with a value.
    fn raise_to_end(&mut self, value: i8);

    /// The cells in the bytes of a level.
    fn cells(bytes: &[u8]) -> &[Self];

    /// The cells in the bytes of a level, to be changed.
    fn cells_mut(bytes: &mut [u8]) -> &mut [Self];
}

/// The plain byte of a value; of captures, the [byte](best_byte) of the best.
impl Cell for u8 {
    #[inline]
    fn raise_to_child(&mut self, captured: u8, child: Self) {
        self.raise_to_end(captured.cast_signed() - plain_value(child));
    }

    #[inline]
    fn raise_to_end(&mut self, value: i8) {
        *self = best_byte(value).max(*self);
    }

    fn cells(bytes: &[u8]) -> &[Self] {
        bytes
    }

    fn cells_mut(bytes: &mut [u8]) -> &mut [Self] {
        bytes
    }
}

/// The lower and the upper bound as two's-complement bytes; of captures, the [bytes](best_byte) of
/// the best of either. What the opponent gets at most bounds the mover from below.
impl Cell for [u8; 2] {
    #[inline]
    fn raise_to_child(&mut self, captured: u8, child: Self) {
        let [child_low, child_high] = child.map(u8::cast_signed);
        let captured = captured.cast_signed();
        let [low, high] = *self;
        *self =
            [best_byte(captured - child_high).max(low), best_byte(captured - child_low).max(high)];
    }

    #[inline]
    fn raise_to_end(&mut self, value: i8) {
        *self = self.map(|best| best_byte(value).max(best));
    }

    fn cells(bytes: &[u8]) -> &[Self] {
        bytes.as_chunks().0
    }

    fn cells_mut(bytes: &mut [u8]) -> &mut [Self] {
        bytes.as_chunks_mut().0
    }
}

/// The cells of smaller levels by number of seeds; `None` for a level that is not in memory.
pub(crate) type SmallerLevels<'levels, C = u8> = [Option<&'levels [C]>];

/// Smaller levels that come in groups, because memory may not hold all of them.
pub(crate) trait SmallerLevelsByGroup<C = u8> {
    /// Calls `visit` once per group of the levels below `below` seeds, with the group and whether
    /// it is the last. Each level is in exactly one group, and there is at least one group.
    ///
    /// # Errors
    /// When a level cannot be loaded into memory.
    fn for_each_group(
        &self,
        below: u8,
        visit: &mut dyn FnMut(&SmallerLevels<'_, C>, bool),
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

/// The bounds of the levels of 0, 1, 2, … seeds in memory, in one group.
impl<L: Borrow<LevelBounds>> SmallerLevelsByGroup<[u8; 2]> for [L] {
    fn for_each_group(
        &self,
        below: u8,
        visit: &mut dyn FnMut(&SmallerLevels<'_, [u8; 2]>, bool),
    ) -> io::Result<()> {
        let levels = self.iter().take(usize::from(below));
        visit(&levels.map(|level| Some(level.borrow().pairs())).collect::<Vec<_>>(), true);
        Ok(())
    }
}

/// Raises `best[minor]` to the best capture or ending of each board with this opponent's row, over
/// the children in the levels of `smaller`.
///
/// `best` starts at [`NO_CAPTURE`]. It can be raised in several passes, one per group of smaller
/// levels; each pass includes the moves that end the game.
pub(crate) fn raise_to_captures<C: Cell>(
    rules: Rules,
    levels: &[LevelIndex],
    smaller: &SmallerLevels<'_, C>,
    rows: &MoverRows,
    opponent: Row,
    crossings: &Crossings,
    best: &mut [C],
) {
    let seeds = rows.seeds + opponent.seeds();
    // Without this level in `smaller`, moves that stay in it are skipped.
    let smaller = &smaller[..smaller.len().min(usize::from(seeds))];
    raise_to_short_moves(smaller, rows, seeds, crossings, best);
    raise_to_laps(rules, levels, smaller, &rows.laps_away, opponent, best);
}

/// Raises `best[minor]` to the best move of each board, as [`raise_to_captures`] does for captures.
/// `smaller` includes this level.
pub(crate) fn raise_to_moves<C: Cell>(
    rules: Rules,
    levels: &[LevelIndex],
    smaller: &SmallerLevels<'_, C>,
    rows: &MoverRows,
    opponent: Row,
    crossings: &Crossings,
    best: &mut [C],
) {
    let seeds = rows.seeds + opponent.seeds();
    raise_to_short_moves(smaller, rows, seeds, crossings, best);
    raise_to_laps(rules, levels, smaller, &rows.laps_away, opponent, best);
    raise_to_laps(rules, levels, smaller, &rows.laps_home, opponent, best);
}

fn level_of<'levels, C>(smaller: &SmallerLevels<'levels, C>, seeds: u8) -> Option<&'levels [C]> {
    smaller.get(usize::from(seeds)).copied().flatten()
}

#[inline]
fn raise_to_short_moves<C: Cell>(
    smaller: &SmallerLevels<'_, C>,
    rows: &MoverRows,
    seeds: u8,
    crossings: &Crossings,
    best: &mut [C],
) {
    for (list, effect) in rows.short.iter().zip(crossings) {
        match *effect {
            Effect::Moved { captured, base, stride } => {
                let Some(level) = level_of(smaller, seeds - captured) else { continue };
                for row_move in list {
                    let child = to_usize(base + u64::from(row_move.after) * stride);
                    best[row_move.minor as usize].raise_to_child(captured, level[child]);
                }
            }
            Effect::Ended { value, .. } => {
                for row_move in list {
                    best[row_move.minor as usize].raise_to_end(value);
                }
            }
            Effect::Illegal => {}
        }
    }
}

fn raise_to_laps<C: Cell>(
    rules: Rules,
    levels: &[LevelIndex],
    smaller: &SmallerLevels<'_, C>,
    laps: &[Lap],
    opponent: Row,
    best: &mut [C],
) {
    for &lap in laps {
        match lap_effect(rules, levels, lap, opponent) {
            LapEffect::Moved { captured, index } => {
                let seeds = lap.row.seeds() + opponent.seeds() - captured;
                let Some(level) = level_of(smaller, seeds) else { continue };
                best[lap.minor as usize].raise_to_child(captured, level[to_usize(index)]);
            }
            LapEffect::Ended { value, .. } => best[lap.minor as usize].raise_to_end(value),
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
#[expect(clippy::cast_possible_truncation, reason = "an index into a level that is in memory")]
const fn to_usize(index: u64) -> usize {
    index as usize
}
