//! The digest of a level: a 128-bit fingerprint of its boards and their values.
//!
//! The digest is the wrapping sum, over the reachable boards, of a hash of (12 pits, value). A sum
//! does not depend on the order of boards, so the digest outlives block sizes, codecs and format
//! versions. With `mover` and `opponent` the rows packed with one byte per pit (pit 0 lowest) and
//! `value` as a two's-complement byte, the hash of a board is:
//!
//! ```text
//! a    = mix(opponent ^ K0)                  mix: x ^= x >> 32, x *= K4, x ^= x >> 29, x *= K5, x ^= x >> 32
//! b    = mix(opponent ^ K1) | 1
//! p    = ((mover | value << 48) + a mod 2^64) * b            64 × 64 → 128 bits
//! q    = (low(p) ^ high(p) ^ K2) * K3                        64 × 64 → 128 bits
//! hash = q ^ (low(p) << 64 | high(p))
//! ```
//!
//! `a` and `b` depend on the opponent's row alone, which whole rows of boards share, so a board
//! costs two multiplications.

use super::{LevelValues, plain_value};
use crate::index::{LevelIndex, rows_of};
use crate::rules::{Board, Row, Seeds, Value};
use rayon::prelude::*;
use std::fmt;
use std::ops::Range;

const K0: u64 = 0x9e37_79b9_7f4a_7c15;
const K1: u64 = 0xc2b2_ae3d_27d4_eb4f;
const K2: u64 = 0x1656_67b1_9e37_79f9;
const K3: u64 = 0xd6e8_feb8_6659_fd93;
const K4: u64 = 0xe703_7ed1_a0b4_28db;
const K5: u64 = 0x8ebc_6af0_9c88_c6e3;

/// Boards per task, about.
const TASK_BOARDS: u32 = 1 << 16;

/// The fingerprint of a level: a 128-bit sum over its boards, written as 32 hexadecimal digits.
///
/// It does not depend on the order of boards, so it is the same for every block size, codec and
/// format version of a table. `docs/format.md` has the formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digest(pub u128);

impl Digest {
    /// The digest of a level's values.
    #[must_use]
    pub fn of_values(level: &LevelValues) -> Self {
        let bytes = level.bytes();
        Self::of_level(level.seeds(), |from, count| {
            let bytes = &bytes[from..from + count];
            bytes.iter().map(|&byte| u64::from(plain_value(byte).cast_unsigned()))
        })
    }

    /// The digest of a level with one 16-bit number per board. `numbers(from, count)` yields the
    /// numbers of `count` boards from index `from` on.
    pub(crate) fn of_level<I: Iterator<Item = u64>>(
        seeds: Seeds,
        numbers: impl Fn(usize, usize) -> I + Sync,
    ) -> Self {
        let index = LevelIndex::new(seeds);
        let sum = (0..=seeds.get())
            .map(|mover_seeds| {
                let movers: Vec<u64> = rows_of(mover_seeds).map(Row::packed).collect();
                let of_run = |run: Range<u64>| {
                    index.rows_from(run.start).take_while(|row| row.start < run.end).fold(
                        0u128,
                        |sum, row| {
                            let from = usize::try_from(row.start).expect("a level in memory");
                            let hash = RowHash::new(row.opponent);
                            let boards = movers.iter().zip(numbers(from, movers.len()));
                            boards.fold(sum, |sum, (&mover, number)| {
                                sum.wrapping_add(hash.of(mover, number))
                            })
                        },
                    )
                };
                let runs = index.row_runs(mover_seeds, TASK_BOARDS).into_par_iter();
                runs.map(of_run).reduce(|| 0, u128::wrapping_add)
            })
            .fold(0, u128::wrapping_add);
        Self(sum)
    }

    /// The hash of one board, which is its summand in the digest of its level.
    #[must_use]
    pub fn of_board(board: Board, value: Value) -> Self {
        let byte = u64::from(value.get().cast_unsigned());
        Self(RowHash::new(board.opponent()).of(board.mover().packed(), byte))
    }

    /// The digest of two disjoint sets of boards.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:032x}", self.0)
    }
}

/// The part of a hash that all boards with one opponent's row share.
#[derive(Clone, Copy)]
struct RowHash {
    a: u64,
    b: u64,
}

impl RowHash {
    fn new(opponent: Row) -> Self {
        let packed = opponent.packed();
        Self { a: mix(packed ^ K0), b: mix(packed ^ K1) | 1 }
    }

    #[inline]
    fn of(self, mover: u64, number: u64) -> u128 {
        let p = wide((mover | number << 48).wrapping_add(self.a), self.b);
        wide(low(p) ^ low(p >> 64) ^ K2, K3) ^ p.rotate_left(64)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is wanted")]
const fn low(product: u128) -> u64 {
    product as u64
}

fn wide(x: u64, y: u64) -> u128 {
    u128::from(x) * u128::from(y)
}

fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 32).wrapping_mul(K4);
    x = (x ^ x >> 29).wrapping_mul(K5);
    x ^ x >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::meaningless::meaningless_levels;
    use crate::rules::Rules;

    #[test]
    fn the_digest_of_a_level_is_the_sum_over_its_boards() {
        for level in meaningless_levels(Rules::Awari, 7) {
            let boards = level.index().boards_from(0);
            let sum = boards
                .map(|board| {
                    Digest::of_board(board, level.value(board).expect("a board of the level"))
                })
                .fold(Digest::default(), Digest::plus);
            assert_eq!(Digest::of_values(&level), sum, "{} seeds", level.seeds());
        }
    }

    #[test]
    fn single_bits_of_board_and_value_change_half_of_the_hash() {
        let hash = |mover: u64, opponent, number| {
            RowHash::new(Row::from_packed(opponent)).of(mover, number)
        };
        let (mover, opponent, number) = (0x0102_0300_0405, 0x0600_0100_0203, 0xfb);
        let plain = hash(mover, opponent, number);
        let mut flipped: Vec<_> =
            (0..48).map(|bit| hash(mover ^ 1 << bit, opponent, number)).collect();
        flipped.extend((0..48).map(|bit| hash(mover, opponent ^ 1 << bit, number)));
        flipped.extend((0..16).map(|bit| hash(mover, opponent, number ^ 1 << bit)));
        for other in &flipped {
            assert!((35..=93).contains(&(plain ^ other).count_ones()), "{:032x}", plain ^ other);
        }
    }

    #[test]
    fn the_digest_is_pinned() {
        // The value that tools/read_table.py computes. A change invalidates every recorded digest.
        let board = Board::new([1, 2, 3, 0, 0, 4, 5, 0, 0, 1, 1, 0]).expect("17 seeds");
        let value = Value::new(-3).expect("small");
        assert_eq!(Digest::of_board(board, value).to_string(), "f2e673417563952a36875fc93d7025f8");
    }
}
