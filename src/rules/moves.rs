//! The outcome of a move, and when a board has ended.
//!
//! A move sows a pit. If the last seed makes 2 or 3 in the opponent's row, it captures that pit and
//! the unbroken run of 2s and 3s before it. If that run holds every seed of the opponent (a slam),
//! the rule set decides ([`Rules::slam`]). The move is then judged as a whole: an opponent who had
//! no seeds must have some after it.

use super::{Board, Pit, Row, Rules, Slam, Value, sowing};

/// What sowing a pit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The pit is empty or the rules forbid it.
    Illegal,
    /// The move is played; `captured` may be 0.
    Moved {
        /// Seeds that the mover captures.
        captured: u8,
        /// The board afterwards, seen from the next mover.
        next: Board,
    },
    /// The move captures and ends the game; the opponent takes the seeds that are left.
    Ended {
        /// Seeds that the mover captures.
        captured: u8,
        /// Seeds that the opponent takes.
        left: u8,
    },
}

/// Why a board has no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The mover has no seeds: the opponent takes the rest.
    NoSeeds,
    /// The opponent has none and no move would leave any: the mover takes the rest.
    CannotFeed,
    /// Every move would capture all the opponent's seeds and may not: the mover takes the rest.
    OnlySlams,
}

impl End {
    /// `no-seeds`, `cannot-feed` or `only-slams`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoSeeds => "no-seeds",
            Self::CannotFeed => "cannot-feed",
            Self::OnlySlams => "only-slams",
        }
    }

    /// The value of an ended board with `seeds` seeds.
    #[must_use]
    pub fn value(self, seeds: u8) -> Value {
        Value::all(seeds, self != Self::NoSeeds)
    }
}

/// [`Outcome`] in rows, both still seen from the one who moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowsOutcome {
    Illegal,
    Moved { captured: u8, own: Row, other: Row },
    Ended { captured: u8, left: u8 },
}

impl Rules {
    /// The outcome of sowing `pit` on `board`.
    #[must_use]
    pub fn play(self, board: Board, pit: Pit) -> Outcome {
        match play_rows(self, board.mover(), board.opponent(), pit.place()) {
            RowsOutcome::Illegal => Outcome::Illegal,
            RowsOutcome::Moved { captured, own, other } => {
                Outcome::Moved { captured, next: Board::from_rows_unchecked(other, own) }
            }
            RowsOutcome::Ended { captured, left } => Outcome::Ended { captured, left },
        }
    }

    /// The legal moves of `board` in pit order, each with its outcome.
    pub fn moves(self, board: Board) -> impl Iterator<Item = (Pit, Outcome)> {
        Pit::ALL
            .into_iter()
            .map(move |pit| (pit, self.play(board, pit)))
            .filter(|(_, outcome)| *outcome != Outcome::Illegal)
    }

    /// The end of the game on `board`, or `None` when there is a legal move.
    #[must_use]
    pub fn end(self, board: Board) -> Option<End> {
        end_of(self, board.mover(), board.opponent())
    }
}

/// The outcome of sowing pit `pit` (0..6) of `own`.
pub(crate) fn play_rows(rules: Rules, own: Row, other: Row, pit: usize) -> RowsOutcome {
    let seeds = own.pit(pit);
    if seeds == 0 {
        return RowsOutcome::Illegal;
    }
    let sown = sowing(rules.path(), pit, seeds);
    let own_after = own.without(1 << pit).plus(sown.own);
    let other_after = other.plus(sown.other);
    let captures = if sown.last < 6 { 0 } else { capture_run(other_after, sown.last - 6) };
    settle(rules.slam(), own_after, other, other_after, captures, sown.last)
}

/// Judges a finished sowing that captures the pits of `captures`: `other` before, `other_after`
/// with the seeds sown, `last` the place of the last seed.
pub(crate) fn settle(
    slam: Slam,
    own_after: Row,
    other: Row,
    other_after: Row,
    captures: u8,
    last: u8,
) -> RowsOutcome {
    let kept = other_after.without(captures);
    let is_slam = captures != 0 && kept.is_empty();
    let captures = if is_slam {
        match slam {
            Slam::Illegal => return RowsOutcome::Illegal,
            Slam::CapturesNothing => 0,
            Slam::LeavesFirst => captures & (captures - 1),
            Slam::LeavesLast => captures & !(1 << (last - 6)),
            Slam::Captures | Slam::EndsGame if other.is_empty() => return RowsOutcome::Illegal,
            Slam::EndsGame => {
                let captured = other_after.seeds();
                return RowsOutcome::Ended { captured, left: own_after.seeds() };
            }
            Slam::Captures => captures,
        }
    } else {
        captures
    };
    let captured = other_after.only(captures).seeds();
    let other_after = other_after.without(captures);
    if other.is_empty() && other_after.is_empty() {
        return RowsOutcome::Illegal;
    }
    RowsOutcome::Moved { captured, own: own_after, other: other_after }
}

/// The unbroken run of 2s and 3s in `row` that ends at `pit` (0..6), as a mask: what a sowing whose
/// last seed fell there captures, unless it is a slam.
pub(crate) fn capture_run(row: Row, pit: u8) -> u8 {
    // Mirrored so that the run starts at bit 7 and goes down: its length is a count of ones.
    let run = (row.twos_and_threes() << (7 - pit)).leading_ones();
    let through_pit = u8::MAX >> (7 - pit);
    let before_run = (1u8 << (u32::from(pit) + 1 - run)) - 1;
    through_pit & !before_run
}

/// The end of the game on a board, or `None` when there is a legal move.
pub(crate) fn end_of(rules: Rules, own: Row, other: Row) -> Option<End> {
    if own.is_empty() {
        return Some(End::NoSeeds);
    }
    // An opponent with seeds loses them all only by a slam, and only some rule sets forbid that.
    let may_be_stuck = other.is_empty() || rules.slam() == Slam::Illegal;
    if !may_be_stuck {
        return None;
    }
    let stuck = (0..6).all(|pit| play_rows(rules, own, other, pit) == RowsOutcome::Illegal);
    stuck.then(|| if other.is_empty() { End::CannotFeed } else { End::OnlySlams })
}
