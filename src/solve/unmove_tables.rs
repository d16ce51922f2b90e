//! Un-move tables: the part that each player's row contributes to the predecessors of a board.
//!
//! The player who moved (the opponent of the board, here the sower) sowed from a pit `o` that is
//! empty now. Three kinds of un-move come from tables, the rest from the rules:
//!
//! - *home*: the last seed fell in the sower's row. The un-move depends on that row. The mover's
//!   row must have a seed (otherwise the move would not have fed) and an empty pit (otherwise the
//!   predecessor would not be reachable), and does not change.
//! - *cross c* (c = 1..=6): the last seed fell in pit `c` of the mover's row, after one seed in each
//!   of its first `c − 1` pits. The un-move starts at the sower's last empty pit. The mover's row
//!   must have a seed in each of those pits, the last of them must not have captured, and the row
//!   must have an empty pit once they are taken back.
//! - *wrap*: the sowing went through the mover's whole row and on into the sower's pits before `o`.
//!   Only [`Path::Circle`] has it.
//!
//! With `t` the sower's seeds, and `rows[c]` the gapped rank of the mover's row without one seed in
//! each of its first `c` pits, the predecessors are
//!
//! ```text
//! kind     mover's seeds   opponent's row   mover's row
//! home     t               rows[0]          home[i]
//! cross c  t + c           rows[c]          cross[c]
//! wrap     t + 6           rows[6]          home[homes + i]
//! ```
//!
//! Each filled pit of the sower ends at most one home or wrap un-move, so five entries hold both.

use crate::index::{
    gapped_rank, gapped_rows, gapped_unrank, next_gapped_row, rank, row_count, rows_of,
};
use crate::rules::{Path, ROW_PITS, Row, RowsOutcome, Rules, capture_run, settle, sowing};

/// The sower's part: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct SowerRow {
    /// Ranks of the sower's row before home un-moves, then before wrap un-moves.
    pub(super) home: [u32; ROW_PITS - 1],
    /// Ranks of the sower's row before cross un-moves, by the seeds that crossed.
    pub(super) cross: [u32; ROW_PITS + 1],
    /// Number of home un-moves.
    pub(super) homes: u8,
    /// Number of wrap un-moves.
    pub(super) wraps: u8,
    /// The fewest seeds of an un-move that no table holds, if the mover's row is full; 0 if there
    /// is none.
    pub(super) long_least: u8,
    /// Whether there are wrap un-moves or un-moves that no table holds.
    pub(super) is_rare: bool,
}

/// The mover's part: half a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct ReceiverRow {
    /// Gapped ranks of the row without a seed of each of its first 0, 1, … 6 pits.
    pub(super) rows: [u32; ROW_PITS + 1],
    /// Bits 1 to 6: cross un-moves, by the seeds that crossed; then [`HOME`] and [`FULL`].
    pub(super) allows: u8,
    /// Whether wrap un-moves are allowed: 0 or 1.
    pub(super) wraps: u8,
}

/// [`ReceiverRow::allows`]: home un-moves.
pub(super) const HOME: u8 = 1;
/// [`ReceiverRow::allows`]: every pit is filled, so that long un-moves are possible.
pub(super) const FULL: u8 = 1 << 7;
/// [`ReceiverRow::allows`]: the cross un-moves.
pub(super) const CROSS: u8 = !(HOME | FULL);

/// The sower's part of all gapped rows of `seeds` seeds, by gapped rank.
pub(super) fn sower_rows(path: Path, seeds: u8) -> Vec<SowerRow> {
    let mut rows = Vec::with_capacity(gapped_rows(seeds) as usize);
    let mut next = Some(gapped_unrank(seeds, 0));
    while let Some(row) = next {
        rows.push(sower_row(path, row));
        next = next_gapped_row(row);
    }
    rows
}

fn sower_row(path: Path, row: Row) -> SowerRow {
    let mut entry = SowerRow::default();
    let empties = row.empties();
    for pit in (0..ROW_PITS).filter(|&pit| empties >> pit & 1 == 1) {
        for seeds in 1..=5 - narrow(pit) {
            let Some(before) = unsow(path, row, pit, seeds) else { break };
            entry.home[usize::from(entry.homes)] = rank(before);
            entry.homes += 1;
        }
    }
    let last_empty = 7 - empties.leading_zeros() as usize;
    for (crossing, slot) in (1..).zip(&mut entry.cross[1..]) {
        let seeds = 5 - narrow(last_empty) + crossing;
        if row.seeds() + crossing <= crate::rules::MAX_SEEDS {
            *slot = unsow(path, row, last_empty, seeds).map_or(0, rank);
        }
    }
    // Wrap un-moves: sowings that pass the mover's whole row and end in the pits before `last_empty`.
    let reach_home = 12 - narrow(last_empty);
    let mut long_least = reach_home;
    if path == Path::Circle {
        while long_least < 12 {
            let Some(before) = unsow(path, row, last_empty, long_least) else { break };
            entry.home[usize::from(entry.homes + entry.wraps)] = rank(before);
            entry.wraps += 1;
            long_least += 1;
        }
    }
    // Longer sowings exist only if the next seed can be taken back too.
    if unsow(path, row, last_empty, long_least).is_some() {
        entry.long_least = long_least;
    }
    entry.is_rare = entry.wraps != 0 || entry.long_least != 0;
    entry
}

/// The sower's row before `seeds` were sown from `pit`, which is empty now; `None` if the row lacks
/// the seeds. The mover's row is not looked at.
fn unsow(path: Path, row: Row, pit: usize, seeds: u8) -> Option<Row> {
    let before = row.minus(sowing(path, pit, seeds).own)?;
    Some(before.plus(Row::from_packed(u64::from(seeds) << (8 * pit))))
}

/// The mover's part of all rows of `seeds` seeds, by rank.
pub(super) fn receiver_rows(rules: Rules, seeds: u8) -> Vec<ReceiverRow> {
    let mut rows = Vec::with_capacity(row_count(seeds) as usize);
    rows.extend(rows_of(seeds).map(|row| receiver_row(rules, row)));
    rows
}

fn receiver_row(rules: Rules, row: Row) -> ReceiverRow {
    let mut entry = ReceiverRow::default();
    if row.is_empty() {
        return entry;
    }
    if let Some(own) = gapped_rank(row) {
        entry.rows[0] = own;
        entry.allows |= HOME;
    } else {
        entry.allows |= FULL;
    }
    let mut sown = Row::EMPTY;
    for pit in 0..ROW_PITS {
        sown = sown.plus(Row::from_packed(1 << (8 * pit)));
        let Some(before) = row.minus(sown) else { break };
        let Some(after) = gapped_rank(before) else { continue };
        entry.rows[pit + 1] = after;
        entry.wraps = u8::from(pit == ROW_PITS - 1);
        let captures = capture_run(row, narrow(pit));
        let outcome = settle(rules.slam(), Row::EMPTY, before, row, captures, 6 + narrow(pit));
        if matches!(outcome, RowsOutcome::Moved { captured: 0, .. }) {
            entry.allows |= 1 << (pit + 1);
        }
    }
    entry
}

#[expect(clippy::cast_possible_truncation, reason = "a pit is below 6")]
const fn narrow(pit: usize) -> u8 {
    pit as u8
}
