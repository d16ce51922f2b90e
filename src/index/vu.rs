//! The order of boards in the score files that the Vrije Universiteit Amsterdam published.
//!
//! A file `scores.N` has one signed byte per reachable board of N seeds. The boards are in
//! lexicographic order of their pits read backwards, `f e d c b a F E D C B A` (public repository
//! keesverstoep/Awari, `Awari-Python/Board.py`).

use crate::rules::{BOARD_PITS, Board, Seeds};

/// The reachable boards of the level of `seeds` seeds in the order of the score files of the Vrije
/// Universiteit Amsterdam: lexicographic by the pits `f e d c b a F E D C B A`.
pub fn vu_boards(seeds: Seeds) -> impl Iterator<Item = Board> {
    let mut first = [0; BOARD_PITS];
    first[0] = seeds.get();
    std::iter::successors(Some(first), |pits| following(*pits))
        .filter_map(Board::new)
        .filter(|board| board.is_reachable())
}

/// The board after `pits` in lexicographic order, whether reachable or not. One seed of the first
/// filled pit moves to the pit after it, and the rest of that pit moves to pit `A`.
fn following(mut pits: [u8; BOARD_PITS]) -> Option<[u8; BOARD_PITS]> {
    let filled = pits.iter().position(|&seeds| seeds > 0)?;
    let rest = std::mem::take(&mut pits[filled]) - 1;
    *pits.get_mut(filled + 1)? += 1;
    pits[0] = rest;
    Some(pits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::reachable_boards;

    #[test]
    fn known_boards_stand_where_the_published_tools_look_for_them() {
        for (text, index) in [
            ("0 1 2 0 0 0 | 0 1 2 0 0 0", 2_726),
            ("0 1 2 0 0 0 | 1 0 2 0 0 0", 2_642),
            ("0 0 0 0 0 0 | 0 0 0 0 0 9", 167_595),
            ("1 1 1 1 1 2 | 4 2 3 0 0 0", 588_953),
        ] {
            let board: Board = text.parse().expect("a board");
            assert_eq!(vu_boards(board.level()).nth(index), Some(board));
        }
    }

    #[test]
    fn every_reachable_board_comes_once_in_rising_order() {
        for seeds in Seeds::of(9).up_to() {
            let reversed = |board: Board| {
                let mut pits = board.pits();
                pits.reverse();
                pits
            };
            let boards: Vec<_> = vu_boards(seeds).map(reversed).collect();
            assert!(boards.is_sorted_by(|one, next| one < next));
            assert_eq!(boards.len() as u64, reachable_boards(seeds));
        }
    }
}
