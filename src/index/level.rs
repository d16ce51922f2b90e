//! The numbering of the reachable boards of a level.
//!
//! A level of `n` seeds has one block of boards for each number `m = 0..=n` of seeds in the mover's
//! row. Within a block the opponent's row is major (gapped rows only, see `rows`) and the mover's
//! row is minor:
//!
//! ```text
//! index = start[m] + gapped_rank(opponent) * row_count(m) + rank(mover)
//! ```

use super::rows::{choose, gapped_rank, gapped_rows, gapped_unrank, rank, row_count, unrank};
use crate::rules::{Board, MAX_SEEDS, Seeds};

/// The number of all boards of `seeds` seeds: C(seeds + 11, 11).
#[must_use]
pub const fn all_boards(seeds: Seeds) -> u64 {
    choose(seeds.get() as u64 + 11, 11)
}

/// The number of [reachable](Board::is_reachable) boards of `seeds` seeds:
/// C(seeds + 11, 11) − C(seeds + 5, 11).
#[must_use]
pub const fn reachable_boards(seeds: Seeds) -> u64 {
    all_boards(seeds) - choose(seeds.get() as u64 + 5, 11)
}

/// The numbering of the reachable boards of one level. See [the module's page](crate::index) for
/// the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelIndex {
    seeds: Seeds,
    /// `start[m]` is the index of the first board whose mover has `m` seeds. The entry after the
    /// last block is the number of boards.
    start: [u64; MAX_SEEDS as usize + 2],
}

impl LevelIndex {
    /// The numbering of the level of `seeds` seeds.
    #[must_use]
    pub fn new(seeds: Seeds) -> Self {
        let mut start = [0; MAX_SEEDS as usize + 2];
        for mover in 0..=seeds.get() {
            let at = usize::from(mover);
            let block = u64::from(gapped_rows(seeds.get() - mover)) * u64::from(row_count(mover));
            start[at + 1] = start[at] + block;
        }
        Self { seeds, start }
    }

    /// Seeds on each board.
    #[must_use]
    pub const fn seeds(&self) -> Seeds {
        self.seeds
    }

    /// Boards in the level.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.start[self.seeds.index() + 1]
    }

    /// The index of the first board whose mover has `mover_seeds` seeds; the number of boards if
    /// `mover_seeds` is the level's seeds plus 1.
    pub(crate) fn block_start(&self, mover_seeds: u8) -> u64 {
        self.start[usize::from(mover_seeds)]
    }

    /// The index of a board; `None` if the board is not a reachable board of the level.
    #[must_use]
    pub fn index(&self, board: Board) -> Option<u64> {
        if board.seeds() != self.seeds.get() {
            return None;
        }
        let mover_seeds = board.mover().seeds();
        let major = u64::from(gapped_rank(board.opponent())?);
        let minor = u64::from(rank(board.mover()));
        Some(self.block_start(mover_seeds) + major * u64::from(row_count(mover_seeds)) + minor)
    }

    /// The board with an index; `None` at or past [`boards`](Self::boards).
    #[must_use]
    pub fn board(&self, index: u64) -> Option<Board> {
        let (mover_seeds, major, minor) = self.place(index)?;
        let mover = unrank(mover_seeds, minor);
        let opponent = gapped_unrank(self.seeds.get() - mover_seeds, major);
        Some(Board::from_rows_unchecked(mover, opponent))
    }

    /// The seeds of the mover, the gapped rank of the opponent's row and the rank of the mover's
    /// row, for the board with an index; `None` past the last board.
    pub(crate) fn place(&self, index: u64) -> Option<(u8, u32, u32)> {
        let mover_seeds = (0..=self.seeds.get()).find(|&m| index < self.block_start(m + 1))?;
        let in_block = index - self.block_start(mover_seeds);
        let minors = u64::from(row_count(mover_seeds));
        let rank = |number| u32::try_from(number).expect("a row's rank has 32 bits");
        Some((mover_seeds, rank(in_block / minors), rank(in_block % minors)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_and_board_are_inverse_on_every_board_to_9_seeds() {
        for seeds in Seeds::of(9).up_to() {
            let level = LevelIndex::new(seeds);
            assert_eq!(level.boards(), reachable_boards(seeds));
            let mut walked = 0;
            for (number, board) in (0..).zip(level.boards_from(0)) {
                assert_eq!(level.index(board), Some(number), "{board}");
                assert_eq!(level.board(number), Some(board));
                assert!(board.is_reachable() && board.level() == seeds);
                walked += 1;
            }
            assert_eq!(walked, level.boards());
            assert_eq!(level.board(walked), None);
        }
    }

    #[test]
    fn every_reachable_board_to_4_seeds_has_an_index_and_no_other_has() {
        for seeds in Seeds::of(4).up_to() {
            let level = LevelIndex::new(seeds);
            let mut reachable = 0;
            for code in 0..u64::from(seeds.get() + 1).pow(11) {
                let mut pits = [0u8; 12];
                let mut rest = code;
                for pit in &mut pits[..11] {
                    *pit = u8::try_from(rest % u64::from(seeds.get() + 1)).expect("a digit");
                    rest /= u64::from(seeds.get() + 1);
                }
                let used: u32 = pits.iter().map(|&pit| u32::from(pit)).sum();
                let Some(last) = u32::from(seeds.get()).checked_sub(used) else { continue };
                pits[11] = u8::try_from(last).expect("at most 4");
                let board = Board::new(pits).expect("at most 4 seeds");
                let has_gap = pits[6..].contains(&0);
                assert_eq!(level.index(board).is_some(), has_gap, "{board}");
                reachable += u64::from(has_gap);
            }
            assert_eq!(reachable, reachable_boards(seeds));
        }
    }

    #[test]
    fn counts_add_up_to_the_published_total() {
        let levels: u64 = (0..=46).chain([48]).map(Seeds::of).map(reachable_boards).sum();
        assert_eq!(levels + 1, 889_063_398_406);
        for seeds in Seeds::MAX.up_to() {
            assert_eq!(LevelIndex::new(seeds).boards(), reachable_boards(seeds));
        }
    }

    proptest::proptest! {
        #[test]
        fn index_and_board_are_inverse_at_any_size(seeds in 0u8..=48, share in 0.0f64..1.0) {
            let level = LevelIndex::new(Seeds::of(seeds));
            #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation,
                clippy::cast_sign_loss, reason = "any index will do")]
            let index = ((level.boards() as f64 * share) as u64).min(level.boards() - 1);
            let board = level.board(index).expect("below the count");
            proptest::prop_assert_eq!(level.index(board), Some(index));
            let following: Vec<_> = level.boards_from(index).take(3).collect();
            proptest::prop_assert_eq!(following.first(), Some(&board));
            if let Some(next) = following.get(1) {
                proptest::prop_assert_eq!(level.index(*next), Some(index + 1));
            }
        }
    }
}
