//! Random boards, many with heavy pits so that sowings of a lap and more are common.

use crate::naive::Pits;
use oware::rules::Board;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

/// Board number `number` of an endless, repeatable series: `least` to 48 seeds.
pub(crate) fn board(number: u64, least: u8) -> Pits {
    let mut random = Pcg64Mcg::seed_from_u64(number);
    let seeds = random.random_range(least..=48);
    match number % 4 {
        0 => even(&mut random, seeds),
        1 => heavy(&mut random, seeds),
        2 => nearly_slammed(&mut random, seeds),
        _ => sown_over(&mut random, seeds),
    }
}

/// The sums of what each of the first `boards` boards of the series counts.
pub(crate) fn sum<const N: usize>(
    boards: u64,
    count: impl Fn(u64) -> [usize; N] + Sync + Send,
) -> [usize; N] {
    let add = |one: [usize; N], other: [usize; N]| std::array::from_fn(|at| one[at] + other[at]);
    (0..boards).into_par_iter().map(count).reduce(|| [0; N], add)
}

/// Any board, of the same kinds and of any other, made smaller heap by heap.
pub(crate) fn any_board() -> impl Strategy<Value = Board> {
    let heaps = proptest::collection::vec((0..12usize, 1..=12u8), 0..=16);
    let heaped = heaps.prop_map(|heaps| {
        let mut pits = [0; 12];
        let mut left = 48;
        for (pit, seeds) in heaps {
            let seeds = seeds.min(left);
            pits[pit] += seeds;
            left -= seeds;
        }
        pits
    });
    let sampled = any::<u64>().prop_map(|number| board(number, 8));
    prop_oneof![heaped, sampled].prop_map(|pits| Board::new(pits).expect("at most 48 seeds"))
}

/// Each seed falls anywhere.
fn even(random: &mut Pcg64Mcg, seeds: u8) -> Pits {
    let mut pits = [0; 12];
    for _ in 0..seeds {
        pits[random.random_range(0..12)] += 1;
    }
    pits
}

/// Most seeds lie in one to three pits.
fn heavy(random: &mut Pcg64Mcg, seeds: u8) -> Pits {
    let light = random.random_range(0..=seeds / 3);
    let mut pits = even(random, light);
    let mut left = seeds - light;
    for _ in 0..random.random_range(0..3) {
        let some = random.random_range(0..=left);
        pits[random.random_range(0..12)] += some;
        left -= some;
    }
    pits[random.random_range(0..12)] += left;
    pits
}

/// The opponent has nothing or very little, the mover one or two heavy pits.
fn nearly_slammed(random: &mut Pcg64Mcg, seeds: u8) -> Pits {
    let mut pits = [0; 12];
    let mut left = seeds;
    for _ in 0..random.random_range(0..8) {
        pits[random.random_range(6..12)] += 1;
        left -= 1;
    }
    let some = random.random_range(0..=left);
    pits[random.random_range(0..6)] += some;
    pits[random.random_range(0..6)] += left - some;
    pits
}

/// As if a lap had just been sown from one of the opponent's pits: that pit is empty and every
/// other pit has a seed at least.
fn sown_over(random: &mut Pcg64Mcg, seeds: u8) -> Pits {
    let from = random.random_range(6..12);
    let mut pits = [0; 12];
    let mut left = seeds;
    'laps: loop {
        for place in (0..12).filter(|&place| place != from) {
            if left == 0 {
                break 'laps;
            }
            pits[place] += 1;
            left -= 1;
        }
        if random.random_range(0..2) == 0 {
            break;
        }
    }
    for _ in 0..left {
        let place = random.random_range(0..12);
        pits[if place == from { 0 } else { place }] += 1;
    }
    pits
}
