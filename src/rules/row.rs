//! The six pits of one player, packed with one byte per pit.
//!
//! ```text
//! bit  63      48 47     40          15      8 7       0
//!      [ zero    ][ pit 5  ]   …     [ pit 1  ][ pit 0  ]
//! ```
//!
//! Pit 0 is the first in the owner's sowing order (`A` or `a`), pit 5 the last.
//!
//! Invariant: the pits hold at most [`MAX_SEEDS`] seeds together, so sums and differences of rows
//! never carry between pits.

use super::BoardError;
use super::seeds::MAX_SEEDS;
use std::fmt;

/// Pits in a row.
pub const ROW_PITS: usize = 6;

const ONES: u64 = 0x0000_0101_0101_0101;
const HIGHS: u64 = ONES << 7;
const BYTES: u64 = 0x0000_ffff_ffff_ffff;

/// The six pits of one player, with at most 48 seeds.
///
/// Pits are numbered 0 to 5 in the sowing order of the row's owner: `A` to `F` in the mover's row,
/// `a` to `f` in the opponent's. Rows are ordered as arrays of their pits. With serde a row is this
/// array.
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

    /// A row from its packed bytes, which must keep the invariant.
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

    /// Seeds in the pit with number `pit` (0..6).
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

    /// Prefix sums: byte `j` is the number of seeds in pits `0..=j`.
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

    /// The row without the seeds in the pits of `mask`.
    pub(crate) const fn without(self, mask: u8) -> Self {
        Self(self.0 & !spread(mask))
    }

    /// The row without the seeds outside of the pits of `mask`.
    pub(crate) const fn only(self, mask: u8) -> Self {
        Self(self.0 & spread(mask))
    }

    /// Adds seeds pit by pit. The sum must hold at most 48 seeds.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Subtracts seeds pit by pit; `None` if a pit holds too few.
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

impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Row {
    /// Compares the first pits, then the second, and so on.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.swap_bytes().cmp(&other.0.swap_bytes())
    }
}

impl TryFrom<[u8; ROW_PITS]> for Row {
    type Error = BoardError;

    /// Converts pits in sowing order.
    ///
    /// # Errors
    /// [`BoardError::TooManySeeds`] over [`MAX_SEEDS`] seeds.
    fn try_from(pits: [u8; ROW_PITS]) -> Result<Self, BoardError> {
        let seeds = pits.iter().map(|&seeds| u32::from(seeds)).sum();
        Self::new(pits).ok_or(BoardError::TooManySeeds { seeds })
    }
}

impl From<Row> for [u8; ROW_PITS] {
    /// The pits in sowing order.
    fn from(row: Row) -> Self {
        row.pits()
    }
}

/// Serializes as an array of six numbers, the pits in sowing order.
impl serde::Serialize for Row {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.pits().serialize(serializer)
    }
}

/// Deserializes from an array of six numbers, the pits in sowing order.
impl<'de> serde::Deserialize<'de> for Row {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pits = <[u8; ROW_PITS]>::deserialize(deserializer)?;
        Self::try_from(pits).map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Row {
    /// Writes six numbers: `4 4 4 4 4 4`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, f] = self.pits();
        write!(out, "{a} {b} {c} {d} {e} {f}")
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    fn rows_compare_as_arrays_of_their_pits() {
        let rows = every_small_row().map(|pits| Row::new(pits).expect("at most 18 seeds"));
        let mut rows: Vec<_> = rows.step_by(17).collect();
        rows.sort_unstable();
        assert!(rows.is_sorted_by_key(|row| row.pits()));
    }

    #[test]
    fn rows_over_48_seeds_are_refused() {
        assert!(Row::new([48, 0, 0, 0, 0, 0]).is_some());
        assert!(Row::new([48, 1, 0, 0, 0, 0]).is_none());
        assert!(Row::new([255; 6]).is_none());
    }
}
