//! The bounds of a board: what either side can secure, whatever settles endless play.

use super::{Seeds, Value};
use serde::{Deserialize, Serialize};

/// The seeds that either side of a board of `n` seeds can secure, whatever the rule for endless
/// play gives or takes.
///
/// The mover captures at least `low` more seeds than the opponent if it plays well, and at most
/// `high` more if the opponent plays well, under every such rule. `low` and `high` are in −n..=n and
/// have the parity of `n`, because in the end each seed belongs to one side.
///
/// ```
/// use oware::rules::{Bounds, Seeds};
///
/// let seeds = Seeds::of(9);
/// let bounds = Bounds::new(seeds, -3, 5).expect("both are odd, as 9 is");
/// // The mover has 3 seeds for certain and the opponent 2; the rule decides about 4.
/// assert_eq!((bounds.secured(seeds), bounds.conceded(seeds), bounds.contested()), (3, 2, 4));
/// assert_eq!(Bounds::new(seeds, -3, 4), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bounds {
    low: Value,
    high: Value,
}

impl Bounds {
    /// Bounds of a board of `seeds` seeds; `None` unless −n ≤ low ≤ high ≤ n and both have the
    /// parity of n.
    #[must_use]
    pub fn new(seeds: Seeds, low: i8, high: i8) -> Option<Self> {
        let n = seeds.get().cast_signed();
        let fits = |bound: i8| (-n..=n).contains(&bound) && (n - bound) % 2 == 0;
        if low > high || !fits(low) || !fits(high) {
            return None;
        }
        Some(Self { low: Value::new(low)?, high: Value::new(high)? })
    }

    /// The bounds of a board on which the game has ended with a value.
    pub(crate) const fn exactly(value: Value) -> Self {
        Self { low: value, high: value }
    }

    /// The least that the mover can be held to.
    #[must_use]
    pub const fn low(self) -> Value {
        self.low
    }

    /// The most that the mover can hope for.
    #[must_use]
    pub const fn high(self) -> Value {
        self.high
    }

    /// Whether the rule for endless play cannot change the value.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// Seeds that the mover of a board of `seeds` seeds has for certain.
    #[must_use]
    pub const fn secured(self, seeds: Seeds) -> u8 {
        (seeds.get().cast_signed() + self.low.get()).cast_unsigned() / 2
    }

    /// Seeds that the opponent has for certain.
    #[must_use]
    pub const fn conceded(self, seeds: Seeds) -> u8 {
        (seeds.get().cast_signed() - self.high.get()).cast_unsigned() / 2
    }

    /// Seeds that the rule for endless play decides about.
    #[must_use]
    pub const fn contested(self) -> u8 {
        (self.high.get() - self.low.get()).cast_unsigned() / 2
    }

    /// The bounds of a move that captures `captured` seeds and leaves the next mover with `self`:
    /// for the one who makes it.
    #[must_use]
    pub const fn after_capturing(self, captured: u8) -> Self {
        Self { low: self.high.after_capturing(captured), high: self.low.after_capturing(captured) }
    }

    /// The bounds of a player who can choose between moves with these bounds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.max(other.high) }
    }
}
