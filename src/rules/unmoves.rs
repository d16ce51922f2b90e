//! Un-moves: the boards that lead to a board by a quiet move, one that captures nothing.
//!
//! After a quiet move the pit sown from is empty, and the seeds lie where they fell. The un-moves
//! of a board therefore subtract, for each empty pit of the opponent's row, the sowing of 1, 2, 3,
//! … seeds. If some pit holds too few seeds, larger numbers fail as well. A predecessor counts if
//! the rules make the sowing a legal move without a capture.

use super::{Board, Pit, Row, RowsOutcome, Rules, capture_run, settle, sowing};

impl Rules {
    /// The boards that lead to `board` by a quiet move, each with the pit of that move. Pit and
    /// board are seen from the side that makes the move.
    #[must_use]
    pub fn unmoves(self, board: Board) -> Vec<(Pit, Board)> {
        let mut found = Vec::new();
        for_each_unmove(self, board.mover(), board.opponent(), 1, |place, mover, opponent| {
            found.push((Pit::ALL[place], Board::from_rows_unchecked(mover, opponent)));
        });
        found
    }
}

/// Calls `found(pit, mover, opponent)` for each un-move of the board `mover`, `opponent` that
/// sowed at least `least` seeds. Pit and rows are those of the predecessor, seen from its mover.
pub(crate) fn for_each_unmove(
    rules: Rules,
    mover: Row,
    opponent: Row,
    least: u8,
    mut found: impl FnMut(usize, Row, Row),
) {
    let all_seeds = mover.seeds() + opponent.seeds();
    for pit in (0..6).filter(|&pit| opponent.pit(pit) == 0) {
        for seeds in least..=all_seeds {
            let sown = sowing(rules.path(), pit, seeds);
            let (Some(own_rest), Some(other)) = (opponent.minus(sown.own), mover.minus(sown.other))
            else {
                break;
            };
            let captures = if sown.last < 6 { 0 } else { capture_run(mover, sown.last - 6) };
            let outcome = settle(rules.slam(), opponent, other, mover, captures, sown.last);
            if matches!(outcome, RowsOutcome::Moved { captured: 0, .. }) {
                let own = own_rest.plus(Row::from_packed(u64::from(seeds) << (8 * pit)));
                found(pit, own, other);
            }
        }
    }
}
