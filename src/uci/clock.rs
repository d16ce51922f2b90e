//! The time per move.

use crate::rules::Side;
use std::time::Duration;

/// The number of moves that share the remaining time if `go` does not give it.
const MOVES_AHEAD: u32 = 20;
/// Time reserved for the communication between the programs.
const OVERHEAD: Duration = Duration::from_millis(30);
/// The minimum time for a move.
const MIN_TIME: Duration = Duration::from_millis(10);

/// The clocks of a game: the arguments of `go`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) south: Option<Duration>,
    pub(super) north: Option<Duration>,
    pub(super) south_increment: Duration,
    pub(super) north_increment: Duration,
    pub(super) moves_to_go: Option<u32>,
}

impl Clock {
    /// The time for one move of a side; `None` without its clock.
    pub(super) fn share(&self, side: Side) -> Option<Duration> {
        let (left, increment) = match side {
            Side::South => (self.south?, self.south_increment),
            Side::North => (self.north?, self.north_increment),
        };
        let moves = self.moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOVES_AHEAD);
        let spendable = left.saturating_sub(OVERHEAD);
        let share = spendable / moves + increment * 3 / 4;
        Some(share.min(spendable).max(MIN_TIME))
    }
}

/// The search time for an answer that is due in `time`.
pub(super) fn less_overhead(time: Duration) -> Duration {
    // Short times are for quick tests on one machine, where the overhead is small.
    time.saturating_sub((time / 10).min(OVERHEAD)).max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_never_gets_more_than_is_left() {
        let seconds = Duration::from_secs;
        let clock = Clock { south: Some(seconds(60)), ..Clock::default() };
        let share = clock.share(Side::South).expect("a clock");
        assert!(share > seconds(2) && share < seconds(4));
        assert_eq!(clock.share(Side::North), None);
        let rich = Clock { south_increment: seconds(100), moves_to_go: Some(0), ..clock };
        assert!(rich.share(Side::South).expect("a clock") < seconds(60));
        let out = Clock { south: Some(Duration::ZERO), ..clock };
        assert_eq!(out.share(Side::South), Some(MIN_TIME));
    }
}
