//! Un-moves: the boards that lead to a board by a move that captures nothing.
//!
//! The one who moved sowed from a pit that is empty now and whose seeds still lie where they fell.
//! So for each empty pit of the opponent's row, and each number of seeds from one up, take the
//! sowing back; when some pit holds too few, more seeds will not do either. What is left is to
//! ask the rules whether that sowing would have been a legal move without a capture.

use super::{Board, Pit, Row, RowsOutcome, Rules, capture_run, settle, sowing};

impl Rules {
    /// The boards that lead to `board` by a move that captures nothing, each with the pit of that
    /// move, as seen by the player who made it.
    #[must_use]
    pub fn unmoves(self, board: Board) -> Vec<(Pit, Board)> {
        let mut found = Vec::new();
        for_each_unmove(self, board.mover(), board.opponent(), 1, |place, mover, opponent| {
            found.push((Pit::ALL[place], Board::from_rows_unchecked(mover, opponent)));
        });
        found
    }
}

/// Calls `found(pit, mover, opponent)` for each predecessor of the board `mover`, `opponent`
/// without a capture that sowed at least `least` seeds; pit and rows are those of the predecessor,
/// seen from its mover.
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
