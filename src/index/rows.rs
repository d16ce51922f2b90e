//! Ranks of the rows with a given number of seeds.
//!
//! The rank is that of the combinatorial number system. With the prefix sums `P0 ≤ P1 ≤ … ≤ P4` of
//! a row, its rank is the sum over `j` of C(Pj + j, j + 1), a number in `0..C(seeds + 5, 5)`. The
//! number of seeds is not needed to compute it. `P0` changes fastest: consecutive ranks move seeds
//! between the first pits.
//!
//! A gapped row has an empty pit. Gapped rows are ordered by the place of the first empty pit, then
//! by the rank of the other five pits, less one seed in each pit before the gap:
//!
//! ```text
//! [ gap at 0: C(s+4,4) rows ][ gap at 1: C(s+3,4) ] … [ gap at 5: C(s−1,4) ]
//! ```

use crate::rules::{MAX_SEEDS, ROW_PITS, Row};

/// C(n, k). The division is exact after every factor.
pub(crate) const fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let mut result = 1u64;
    let mut factor = 0;
    while factor < k {
        result = result * (n - factor) / (factor + 1);
        factor += 1;
    }
    result
}

const TOTALS: usize = MAX_SEEDS as usize + 1;

/// `PART[j][p]` = C(p + j, j + 1).
static PART: [[u32; TOTALS]; 5] = {
    let mut table = [[0; TOTALS]; 5];
    let mut j = 0;
    while j < 5 {
        let mut total = 0;
        while total < TOTALS {
            table[j][total] = narrow(choose((total + j) as u64, j as u64 + 1));
            total += 1;
        }
        j += 1;
    }
    table
};

/// `GAP_START[s][k]` is the number of gapped rows of `s` seeds whose first empty pit is before `k`.
static GAP_START: [[u32; ROW_PITS + 1]; TOTALS] = {
    let mut table = [[0; ROW_PITS + 1]; TOTALS];
    let mut seeds = 0;
    while seeds < TOTALS {
        let mut gap = 0;
        while gap < ROW_PITS {
            let others = if seeds >= gap { choose((seeds - gap + 4) as u64, 4) } else { 0 };
            table[seeds][gap + 1] = table[seeds][gap] + narrow(others);
            gap += 1;
        }
        seeds += 1;
    }
    table
};

#[expect(clippy::cast_possible_truncation, reason = "checked on the line before, at compile time")]
const fn narrow(count: u64) -> u32 {
    assert!(count <= u32::MAX as u64);
    count as u32
}

/// The number of rows of `seeds` seeds: C(seeds + 5, 5).
pub(crate) const fn row_count(seeds: u8) -> u32 {
    narrow(choose(seeds as u64 + 5, 5))
}

/// The number of rows of `seeds` seeds with an empty pit.
pub(crate) fn gapped_rows(seeds: u8) -> u32 {
    GAP_START[usize::from(seeds)][ROW_PITS]
}

/// The rank of a row among the rows with the same number of seeds.
#[inline]
pub(crate) fn rank(row: Row) -> u32 {
    let sums = row.prefix_sums();
    PART[0][usize::from(sums[0])]
        + PART[1][usize::from(sums[1])]
        + PART[2][usize::from(sums[2])]
        + PART[3][usize::from(sums[3])]
        + PART[4][usize::from(sums[4])]
}

/// The row of `seeds` seeds with a rank, which must be below [`row_count`].
pub(crate) fn unrank(seeds: u8, rank: u32) -> Row {
    debug_assert!(rank < row_count(seeds));
    let sums = prefix_sums_of::<5>(seeds, rank);
    row_of_sums(sums, seeds)
}

/// The prefix sums `P0` to `P(N−1)` of the row with a rank.
fn prefix_sums_of<const N: usize>(seeds: u8, mut rank: u32) -> [u8; N] {
    let mut sums = [0; N];
    let mut most = seeds;
    for j in (0..N).rev() {
        let mut total = most;
        while PART[j][usize::from(total)] > rank {
            total -= 1;
        }
        rank -= PART[j][usize::from(total)];
        sums[j] = total;
        most = total;
    }
    sums
}

fn row_of_sums(sums: [u8; 5], seeds: u8) -> Row {
    let mut packed = 0;
    let mut before = 0;
    for (pit, total) in sums.into_iter().chain([seeds]).enumerate() {
        packed |= u64::from(total - before) << (8 * pit);
        before = total;
    }
    Row::from_packed(packed)
}

/// The row of `seeds` seeds with rank 0: all seeds in the last pit.
pub(crate) fn first_row(seeds: u8) -> Row {
    Row::from_packed(u64::from(seeds) << 40)
}

/// The row after `row` in rank order; `None` after the last row of its number of seeds.
///
/// The first prefix sum that can grow increases by 1, and those before it become 0. In pits: one
/// seed of the first filled pit after pit 0 moves to the pit before it, together with the seeds of
/// pit 0.
#[inline]
pub(crate) fn next_row(row: Row) -> Option<Row> {
    let packed = row.packed();
    let later = packed & !0xff;
    if later == 0 {
        return None;
    }
    let filled = later.trailing_zeros() & !7;
    let moved = (packed & 0xff) + 1;
    Some(Row::from_packed(later - (1 << filled) + (moved << (filled - 8))))
}

/// The rows of `seeds` seeds in rank order.
pub(crate) fn rows_of(seeds: u8) -> impl Iterator<Item = Row> {
    std::iter::successors(Some(first_row(seeds)), |&row| next_row(row))
}

/// The rank of a row among the gapped rows with the same number of seeds; `None` if the row has no
/// empty pit.
#[inline]
pub(crate) fn gapped_rank(row: Row) -> Option<u32> {
    let empties = row.empties();
    if empties == 0 {
        return None;
    }
    let gap = empties.trailing_zeros() as usize;
    let sums = others(row, gap).prefix_sums();
    Some(
        GAP_START[usize::from(row.seeds())][gap]
            + PART[0][usize::from(sums[0])]
            + PART[1][usize::from(sums[1])]
            + PART[2][usize::from(sums[2])]
            + PART[3][usize::from(sums[3])],
    )
}

/// The gapped row of `seeds` seeds with a rank, which must be below [`gapped_rows`].
pub(crate) fn gapped_unrank(seeds: u8, rank: u32) -> Row {
    debug_assert!(rank < gapped_rows(seeds));
    let starts = &GAP_START[usize::from(seeds)];
    let gap = (0..ROW_PITS).rfind(|&gap| starts[gap] <= rank).expect("gap 0 starts at rank 0");
    let left = seeds - u8::try_from(gap).expect("a pit is below 6");
    let [p0, p1, p2, p3] = prefix_sums_of::<4>(left, rank - starts[gap]);
    with_gap(row_of_sums([p0, p1, p2, p3, left], left), gap)
}

/// The gapped row after `row` in rank order; `None` after the last row of its number of seeds.
pub(crate) fn next_gapped_row(row: Row) -> Option<Row> {
    let seeds = row.seeds();
    let gap = row.empties().trailing_zeros() as usize;
    if let Some(next) = next_row(others(row, gap)) {
        return Some(with_gap(next, gap));
    }
    let gap = gap + 1;
    (gap < ROW_PITS && usize::from(seeds) >= gap).then(|| {
        let left = u64::from(seeds) - gap as u64;
        with_gap(Row::from_packed(left << 32), gap)
    })
}

/// The five pits other than the first empty pit `gap`, less one seed in each pit before it.
fn others(row: Row, gap: usize) -> Row {
    let packed = row.packed();
    let before = (1u64 << (8 * gap)) - 1;
    Row::from_packed((packed & before) - (ONES & before) + (packed >> 8 & !before))
}

/// The inverse of [`others`].
fn with_gap(others: Row, gap: usize) -> Row {
    let packed = others.packed();
    let before = (1u64 << (8 * gap)) - 1;
    Row::from_packed((packed & before) + (ONES & before) + ((packed & !before) << 8))
}

const ONES: u64 = 0x0000_0101_0101_0101;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_successors_and_unranks_agree_for_every_row_to_14_seeds() {
        for seeds in 0..=14 {
            let mut rows = 0;
            for (number, row) in (0..).zip(rows_of(seeds)) {
                assert_eq!((row.seeds(), rank(row)), (seeds, number));
                assert_eq!(unrank(seeds, number), row);
                rows += 1;
            }
            assert_eq!(rows, row_count(seeds));
        }
    }

    #[test]
    fn gapped_ranks_successors_and_unranks_agree_for_every_row_to_14_seeds() {
        for seeds in 0..=14 {
            let mut row = Some(gapped_unrank(seeds, 0));
            for number in 0..gapped_rows(seeds) {
                let this = row.expect("as many rows as counted");
                assert_eq!((this.seeds(), gapped_rank(this)), (seeds, Some(number)));
                assert_eq!(gapped_unrank(seeds, number), this);
                row = next_gapped_row(this);
            }
            assert_eq!(row, None);
        }
    }

    #[test]
    fn full_rows_have_no_gapped_rank() {
        assert_eq!(gapped_rank(Row::new([1; 6]).expect("6 seeds")), None);
    }

    #[test]
    fn counts_are_the_closed_forms_to_48_seeds() {
        for seeds in 0..=48u8 {
            let full = if seeds == 0 { 0 } else { choose(u64::from(seeds) - 1, 5) };
            let all = choose(u64::from(seeds) + 5, 5);
            assert_eq!(u64::from(row_count(seeds)), all);
            assert_eq!(u64::from(gapped_rows(seeds)), all - full);
        }
    }
}
