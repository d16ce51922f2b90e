//! Boards in index order, without unranking each.

use super::LevelIndex;
use super::rows::{first_row, gapped_unrank, next_gapped_row, next_row};
use crate::rules::{Board, Row};

/// Walks the boards of a level from an index to the end.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    seeds: u8,
    next: Option<Board>,
}

impl Walk {
    pub(super) fn new(level: &LevelIndex, from: u64) -> Self {
        Self { seeds: level.seeds(), next: level.board(from) }
    }

    fn after(&self, board: Board) -> Option<Board> {
        let (mover, opponent) = (board.mover(), board.opponent());
        if let Some(mover) = next_row(mover) {
            return Some(Board::from_rows_unchecked(mover, opponent));
        }
        let mover_seeds = mover.seeds();
        if let Some(opponent) = next_gapped_row(opponent) {
            return Some(Board::from_rows_unchecked(first_row(mover_seeds), opponent));
        }
        (mover_seeds < self.seeds).then(|| {
            let mover: Row = first_row(mover_seeds + 1);
            Board::from_rows_unchecked(mover, gapped_unrank(self.seeds - mover_seeds - 1, 0))
        })
    }
}

impl Iterator for Walk {
    type Item = Board;
    fn next(&mut self) -> Option<Board> {
        let board = self.next?;
        self.next = self.after(board);
        Some(board)
    }
}
