//! The outcome of a move, and when a board has ended.
//!
//! A move sows a pit. If the last seed makes 2 or 3 in the opponent's row, the move captures that
//! pit and the unbroken run of 2s and 3s before it. If the run holds every seed of the opponent (a
//! slam), the rule set decides ([`Rules::slam`]). Legality depends on the finished move: an
//! opponent who had no seeds must have some after it.

use super::{Board, Pit, Row, Rules, Slam, Value, sowing};

/// The outcome of sowing a pit.
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

impl Outcome {
    /// Seeds that the mover captures; 0 for an illegal move.
    #[must_use]
    pub const fn captured(self) -> u8 {
        match self {
            Self::Illegal => 0,
            Self::Moved { captured, .. } | Self::Ended { captured, .. } => captured,
        }
    }

    /// The value of a legal move for the side that plays it, captures included. `value_of` is the
    /// value of the board after the move for its own mover; it is not called if the move ends the
    /// game.
    ///
    /// ```
    /// use oware::rules::{Board, Pit, Rules, Value};
    ///
    /// let board: Board = "0 0 0 0 1 1 | 1 0 0 1 0 0".parse()?;
    /// let outcome = Rules::Awari.play(board, Pit::ALL[5]);
    /// // F captures 2 seeds, and the opponent loses 2 more from there.
    /// let gain = outcome.gain(|_next| Value::try_from(-2))?;
    /// assert_eq!(gain.get(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of `value_of`.
    ///
    /// # Panics
    /// If the move is illegal. [`Rules::moves`] lists legal moves only.
    #[inline]
    pub fn gain<E>(self, value_of: impl FnOnce(Board) -> Result<Value, E>) -> Result<Value, E> {
        match self {
            Self::Illegal => panic!("an illegal move has no value"),
            Self::Moved { captured, next } => Ok(value_of(next)?.after_capturing(captured)),
            Self::Ended { captured, left } => Ok(Value::all(left, true).after_capturing(captured)),
        }
    }
}

/// The reason why a board has no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The mover has no seeds: the opponent takes the rest.
    NoSeeds,
    /// The opponent has no seeds and no move would give it any: the mover takes the rest.
    CannotFeed,
    /// Every move would be a slam, which is illegal: the mover takes the rest.
    OnlySlams,
}

impl End {
    /// The name: `no-seeds`, `cannot-feed` or `only-slams`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoSeeds => "no-seeds",
            Self::CannotFeed => "cannot-feed",
            Self::OnlySlams => "only-slams",
        }
    }

    /// The value of a board with `seeds` seeds on which the game has ended: all of them for the
    /// mover or for the opponent.
    #[must_use]
    pub fn value(self, seeds: u8) -> Value {
        Value::all(seeds, self != Self::NoSeeds)
    }
}

/// The outcome of a move as rows, `own` of the side that moved and `other` of its opponent.
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

    /// The end of the game on `board`; `None` if there is a legal move.
    #[must_use]
    pub fn end(self, board: Board) -> Option<End> {
        end_of(self, board.mover(), board.opponent())
    }
}

/// The outcome of sowing the pit with number `pit` (0..6) of `own`.
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

/// The outcome of a finished sowing that captures the pits of `captures`. `other` is the
/// opponent's row before the move and `other_after` the row with the seeds sown; `last` is the
/// place of the last seed.
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

/// The unbroken run of 2s and 3s in `row` that ends at `pit` (0..6), as a mask. A sowing whose last
/// seed fell there captures these pits, unless it is a slam.
pub(crate) fn capture_run(row: Row, pit: u8) -> u8 {
    // In the shifted mask the run starts at bit 7 and goes down: its length is a count of ones.
    let run = (row.twos_and_threes() << (7 - pit)).leading_ones();
    let through_pit = u8::MAX >> (7 - pit);
    let before_run = (1u8 << (u32::from(pit) + 1 - run)) - 1;
    through_pit & !before_run
}

/// The end of the game on a board; `None` if there is a legal move.
pub(crate) fn end_of(rules: Rules, own: Row, other: Row) -> Option<End> {
    if own.is_empty() {
        return Some(End::NoSeeds);
    }
    // If the opponent has seeds, a nonempty pit is illegal to sow only if slams are.
    let may_be_stuck = other.is_empty() || rules.slam() == Slam::Illegal;
    if !may_be_stuck {
        return None;
    }
    let stuck = (0..6).all(|pit| play_rows(rules, own, other, pit) == RowsOutcome::Illegal);
    stuck.then(|| if other.is_empty() { End::CannotFeed } else { End::OnlySlams })
}
