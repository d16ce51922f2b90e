//! The rows of a level: runs of consecutive boards that share the opponent's row.
//!
//! The boards with one opponent's row and one number of mover's seeds are consecutive, one per row
//! of the mover. Passes over a level go row by row.

use super::LevelIndex;
use super::rows::{
    first_row, gapped_rows, gapped_unrank, next_gapped_row, next_row, row_count, unrank,
};
use crate::rules::{Board, Row};
use std::ops::Range;

/// All boards with one opponent's row and one number of mover's seeds, in rank order of the mover's
/// row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BoardRow {
    /// Seeds in the mover's row.
    pub(crate) mover_seeds: u8,
    pub(crate) opponent: Row,
    /// Index of the first board.
    pub(crate) start: u64,
}

impl BoardRow {
    /// Boards in the row.
    #[inline]
    pub(crate) const fn boards(&self) -> u32 {
        row_count(self.mover_seeds)
    }

    /// The mover's row of the board with an index; `None` if the board is not in this row.
    pub(super) fn mover_from(&self, index: u64) -> Option<Row> {
        let minor = u32::try_from(index.checked_sub(self.start)?).ok()?;
        (minor < self.boards()).then(|| unrank(self.mover_seeds, minor))
    }
}

/// The rows of a level in index order, from one of them on.
#[derive(Clone, Debug)]
pub(crate) struct BoardRows {
    seeds: u8,
    next: Option<BoardRow>,
}

impl Iterator for BoardRows {
    type Item = BoardRow;

    #[inline]
    fn next(&mut self) -> Option<BoardRow> {
        let row = self.next.take()?;
        let start = row.start + u64::from(row.boards());
        let (mover_seeds, opponent) = match next_gapped_row(row.opponent) {
            Some(opponent) => (row.mover_seeds, Some(opponent)),
            None if row.mover_seeds < self.seeds => {
                let mover_seeds = row.mover_seeds + 1;
                (mover_seeds, Some(gapped_unrank(self.seeds - mover_seeds, 0)))
            }
            None => (row.mover_seeds, None),
        };
        self.next = opponent.map(|opponent| BoardRow { mover_seeds, opponent, start });
        Some(row)
    }
}

impl LevelIndex {
    /// The boards from index `from` on, in index order. Each takes a few nanoseconds, less than
    /// [`board`](Self::board).
    pub fn boards_from(&self, from: u64) -> impl Iterator<Item = Board> + use<> {
        let mut rows = self.rows_from(from);
        let row = rows.next();
        let next = row.as_ref().map(|row| row.mover_from(from));
        BoardsFrom { rows, row, next: next.flatten() }
    }

    /// The rows of the level from the one that holds the board with index `index` on; none past the
    /// last board.
    pub(crate) fn rows_from(&self, index: u64) -> BoardRows {
        let next = self.place(index).map(|(mover_seeds, major, minor)| BoardRow {
            mover_seeds,
            opponent: gapped_unrank(self.seeds().get() - mover_seeds, major),
            start: index - u64::from(minor),
        });
        BoardRows { seeds: self.seeds().get(), next }
    }

    /// Splits the block of `mover_seeds` mover's seeds into runs of whole rows, with about `boards`
    /// boards each. The runs are portions for threads.
    pub(crate) fn row_runs(&self, mover_seeds: u8, boards: u32) -> Vec<Range<u64>> {
        let minors = u64::from(row_count(mover_seeds));
        let majors = u64::from(gapped_rows(self.seeds().get() - mover_seeds));
        let rows = (u64::from(boards) / minors).max(1);
        let start = self.block_start(mover_seeds);
        let run = |from: u64| start + from * minors..start + (from + rows).min(majors) * minors;
        (0..majors.div_ceil(rows)).map(|task| run(task * rows)).collect()
    }
}

/// The iterator of [`LevelIndex::boards_from`].
#[derive(Clone, Debug)]
struct BoardsFrom {
    rows: BoardRows,
    row: Option<BoardRow>,
    /// The mover's row of the next board; `None` past the last of `row`.
    next: Option<Row>,
}

impl Iterator for BoardsFrom {
    type Item = Board;

    #[inline]
    fn next(&mut self) -> Option<Board> {
        if self.next.is_none() {
            self.row = self.rows.next();
            self.next = self.row.as_ref().map(|row| first_row(row.mover_seeds));
        }
        let (row, mover) = (self.row.as_ref()?, self.next?);
        self.next = next_row(mover);
        Some(Board::from_rows_unchecked(mover, row.opponent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seeds;

    /// Rows and their boards are those of unranking each index.
    #[test]
    fn rows_hold_every_board_once_in_index_order() {
        for seeds in Seeds::of(7).up_to() {
            let level = LevelIndex::new(seeds);
            let mut index = 0;
            for row in level.rows_from(0) {
                assert_eq!(row.start, index);
                for minor in 0..row.boards() {
                    let mover = unrank(row.mover_seeds, minor);
                    assert_eq!(row.mover_from(index), Some(mover));
                    assert_eq!(level.board(index), Board::from_rows(mover, row.opponent));
                    index += 1;
                }
                assert_eq!(row.mover_from(index), None);
            }
            assert_eq!(index, level.boards());
        }
    }

    #[test]
    fn runs_hold_every_row_once_in_index_order() {
        for (seeds, boards) in [(0, 1), (5, 1), (9, 300), (12, 4096)] {
            let level = LevelIndex::new(Seeds::of(seeds));
            let runs = (0..=seeds).flat_map(|mover_seeds| level.row_runs(mover_seeds, boards));
            let mut end = 0;
            for run in runs {
                assert_eq!(run.start, end);
                let first = level.rows_from(run.start).next().expect("a row");
                assert_eq!(first.start, run.start);
                end = run.end;
            }
            assert_eq!(end, level.boards());
        }
    }
}
