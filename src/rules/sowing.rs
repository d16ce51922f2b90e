//! Sowing: the pits that receive the seeds of one pit.
//!
//! A sowing depends on the path, the pit and the number of seeds alone, so it is a table look-up.
//! An entry holds the seeds added to each row and the place of the last seed. Places 0 to 5 are the
//! sower's row, places 6 to 11 the other row.
//!
//! [`Path::Circle`] repeats `A … F a … f`. [`Path::Turning`] goes from `f` back along the sower's
//! row `F … A`, then forward again `B … F a … f`, back `F … A`, and so on. Both skip the pit sown
//! from on every lap.

use super::{MAX_SEEDS, Row, row::ROW_PITS};

/// The order in which a sowing visits the pits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Around the board, any number of times.
    Circle,
    /// To the end of the opponent's row, then back along the sower's row, and so on.
    Turning,
}

/// The seeds that a sowing adds to each row, and the place of its last seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sowing {
    pub(crate) own: Row,
    pub(crate) other: Row,
    /// Place of the last seed, 0..12.
    pub(crate) last: u8,
}

const COUNTS: usize = MAX_SEEDS as usize + 1;
type Sowings = [[Sowing; COUNTS]; ROW_PITS];

static CIRCLE: Sowings = sowings(Path::Circle);
static TURNING: Sowings = sowings(Path::Turning);

/// The sowing of `seeds` seeds (0..=48) from the pit with number `pit` (0..6).
#[inline]
pub(crate) fn sowing(path: Path, pit: usize, seeds: u8) -> Sowing {
    let table = match path {
        Path::Circle => &CIRCLE,
        Path::Turning => &TURNING,
    };
    table[pit][usize::from(seeds)]
}

/// The place after `place` on a path, and whether the path goes forward from there.
const fn step(path: Path, place: u8, forward: bool) -> (u8, bool) {
    match (path, place, forward) {
        (Path::Circle, 11, _) => (0, true),
        (Path::Circle, _, _) => (place + 1, true),
        (Path::Turning, 11, true) => (5, false),
        (Path::Turning, 0, false) => (1, true),
        (Path::Turning, _, true) => (place + 1, true),
        (Path::Turning, _, false) => (place - 1, false),
    }
}

const fn sowings(path: Path) -> Sowings {
    let none = Sowing { own: Row::EMPTY, other: Row::EMPTY, last: 0 };
    let mut table = [[none; COUNTS]; ROW_PITS];
    let mut pit = 0u8;
    while (pit as usize) < ROW_PITS {
        let (mut place, mut forward) = (pit, true);
        let (mut own, mut other) = (0u64, 0u64);
        let mut seeds = 1;
        while seeds < COUNTS {
            (place, forward) = step(path, place, forward);
            if place == pit {
                (place, forward) = step(path, place, forward);
            }
            if place < 6 {
                own += 1 << (8 * place);
            } else {
                other += 1 << (8 * (place - 6));
            }
            table[pit as usize][seeds] =
                Sowing { own: Row::from_packed(own), other: Row::from_packed(other), last: place };
            seeds += 1;
        }
        pit += 1;
    }
    table
}
