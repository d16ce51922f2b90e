//! One player's six pits, packed a pit to a byte.
//!
//! ```text
//! bit  63      48 47     40          15      8 7       0
//!      [ zero    ][ pit 5  ]   …     [ pit 1  ][ pit 0  ]
//! ```
//!
//! Pit 0 is the first in the owner's sowing order (`A` or `a`), pit 5 the last. Invariant: every
//! byte is at most [`MAX_SEEDS`], so that sums and differences of rows never carry between pits.

use super::MAX_SEEDS;

/// Pits in a row.
pub const ROW_PITS: usize = 6;

const ONES: u64 = 0x0000_0101_0101_0101;
const HIGHS: u64 = ONES << 7;
const BYTES: u64 = 0x0000_ffff_ffff_ffff;

/// One player's six pits. See the module's page for the layout.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Row(u64);

impl Row {
    /// The row without seeds.
    pub const EMPTY: Self = Self(0);

    /// A row from its pits in sowing order; `None` when they hold more than 48 seeds together.
    #[must_use]
    pub fn new(pits: [u8; ROW_PITS]) -> Option<Self> {
        let total: usize = pits.iter().map(|&seeds| usize::from(seeds)).sum();
        (total <= usize::from(MAX_SEEDS)).then(|| {
            let [a, b, c, d, e, f] = pits;
            Self(u64::from_le_bytes([a, b, c, d, e, f, 0, 0]))
        })
    }

    /// A row from its packed bytes, which the caller knows to keep the invariant.
    pub(crate) const fn from_packed(packed: u64) -> Self {
        Self(packed)
    }

    /// The packed bytes.
    pub(crate) const fn packed(self) -> u64 {
        self.0
    }

    /// The pits in sowing order.
    #[must_use]
    pub const fn pits(self) -> [u8; ROW_PITS] {
        let [a, b, c, d, e, f, _, _] = self.0.to_le_bytes();
        [a, b, c, d, e, f]
    }

    /// Seeds in pit `pit` (0..6).
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the low byte is the pit")]
    pub const fn pit(self, pit: usize) -> u8 {
        debug_assert!(pit < ROW_PITS);
        (self.0 >> (8 * pit)) as u8
    }

    /// Seeds in the whole row.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the low byte is the sum")]
    pub const fn seeds(self) -> u8 {
        // The product's byte 5 is the sum of bytes 0 to 5; a row never holds more than 48 seeds.
        (self.0.wrapping_mul(0x0001_0101_0101_0101) >> 40) as u8
    }

    /// Running totals: byte `j` is the seeds in pits `0..=j`.
    pub(crate) const fn prefix_sums(self) -> [u8; 8] {
        self.0.wrapping_mul(0x0101_0101_0101_0101).to_le_bytes()
    }

    /// Whether the row has no seeds.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Bit `j` is set when pit `j` holds a seed.
    #[must_use]
    pub const fn filled(self) -> u8 {
        gather_high_bits(self.0 + (HIGHS - ONES))
    }

    /// Bit `j` is set when pit `j` is empty.
    #[must_use]
    pub const fn empties(self) -> u8 {
        !self.filled() & 0x3f
    }

    /// Bit `j` is set when pit `j` holds 2 or 3 seeds.
    pub(crate) const fn twos_and_threes(self) -> u8 {
        // Clearing the low bit turns 2 and 3 into 2; the difference to 2 is zero only there.
        let distance = (self.0 & (BYTES & !ONES)) ^ (ONES << 1);
        !gather_high_bits(distance + (HIGHS - ONES)) & 0x3f
    }

    /// The row with the pits of `mask` emptied.
    pub(crate) const fn without(self, mask: u8) -> Self {
        Self(self.0 & !spread(mask))
    }

    /// The row with only the pits of `mask` kept.
    pub(crate) const fn only(self, mask: u8) -> Self {
        Self(self.0 & spread(mask))
    }

    /// Adds seeds pit by pit. A pit never holds more than 48, so that nothing carries.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Takes seeds away pit by pit, or `None` when a pit holds too few.
    pub(crate) const fn minus(self, other: Self) -> Option<Self> {
        let borrowed = (self.0 | HIGHS) - other.0;
        if borrowed & HIGHS == HIGHS { Some(Self(borrowed & !HIGHS)) } else { None }
    }
}

/// Collects bit 7 of the bytes 0 to 5 into bits 0 to 5.
const fn gather_high_bits(packed: u64) -> u8 {
    let low = (packed & HIGHS) >> 7;
    ((low.wrapping_mul(0x0000_0102_0408_1020) >> 40) & 0x3f) as u8
}

/// Spreads bits 0 to 5 into bytes of 0x00 or 0xff.
const fn spread(mask: u8) -> u64 {
    SPREAD[(mask & 0x3f) as usize]
}

static SPREAD: [u64; 64] = {
    let mut table = [0; 64];
    let mut mask = 0;
    while mask < 64 {
        let mut pit = 0;
        while pit < ROW_PITS {
            if mask >> pit & 1 == 1 {
                table[mask] |= 0xff << (8 * pit);
            }
            pit += 1;
        }
        mask += 1;
    }
    table
};

impl std::fmt::Debug for Row {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Row{:?}", self.pits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_small_row() -> impl Iterator<Item = [u8; 6]> {
        (0..4u32.pow(6)).map(|code| {
            let digit = |pit: u32| u8::try_from(code / 4u32.pow(pit) % 4).expect("a digit");
            [digit(0), digit(1), digit(2), digit(3), digit(4), digit(5)]
        })
    }

    #[test]
    fn masks_and_sums_equal_the_plain_readings() {
        for pits in every_small_row() {
            let row = Row::new(pits).expect("at most 18 seeds");
            assert_eq!(row.pits(), pits);
            assert_eq!(row.seeds(), pits.iter().sum::<u8>());
            for (pit, &seeds) in pits.iter().enumerate() {
                assert_eq!(row.pit(pit), seeds);
                assert_eq!(row.filled() >> pit & 1 == 1, seeds > 0);
                assert_eq!(row.empties() >> pit & 1 == 1, seeds == 0);
                assert_eq!(row.twos_and_threes() >> pit & 1 == 1, seeds == 2 || seeds == 3);
                assert_eq!(row.prefix_sums()[pit], pits[..=pit].iter().sum::<u8>());
            }
        }
    }

    #[test]
    fn minus_undoes_plus_and_refuses_missing_seeds() {
        let some = Row::new([0, 1, 2, 3, 4, 5]).expect("15 seeds");
        let ones = Row::new([1; 6]).expect("6 seeds");
        assert_eq!(some.plus(ones).minus(ones), Some(some));
        assert_eq!(some.minus(ones), None);
    }

    #[test]
    fn rows_over_48_seeds_are_refused() {
        assert!(Row::new([48, 0, 0, 0, 0, 0]).is_some());
        assert!(Row::new([48, 1, 0, 0, 0, 0]).is_none());
        assert!(Row::new([255; 6]).is_none());
    }
}
