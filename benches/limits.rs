//! The solver beside what the machine can do: random one-byte updates, bandwidth and a bare pass
//! over arrays of the level's size, measured in the same run.
//!
//! `cargo bench --bench limits -- 20` takes level 20; without a number level 18, and as a test
//! level 12.

use oware::index::reachable_boards;
use oware::level::Bytes;
use oware::rules::{Rules, Seeds};
use oware::solve::solve_in_memory;
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

/// Updates that a board's decisions cause (`docs/benchmarks.md`).
const UPDATES_A_BOARD: f64 = 2.9;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let is_test = !arguments.iter().any(|argument| argument == "--bench");
    let named = arguments.iter().find_map(|argument| argument.parse().ok());
    let seeds = named.unwrap_or(if is_test { Seeds::of(12) } else { Seeds::of(18) });
    let boards = usize::try_from(reachable_boards(seeds)).expect("a level that fits memory");

    let below = seeds.checked_sub(1).unwrap_or_default();
    let smaller = nanoseconds(|| drop(solve_in_memory(Rules::Awari, below).expect("memory")));
    let all = nanoseconds(|| {
        let levels = solve_in_memory(Rules::Awari, seeds).expect("memory");
        assert_eq!(levels[seeds.index()].bytes().len(), boards);
    });
    let solver = (all - smaller) / boards as f64;

    let mut bytes = Bytes::zeroed(boards).expect("memory");
    let pass = nanoseconds(|| touch(&mut bytes)) / boards as f64;
    let read = nanoseconds(|| assert!(sum(&bytes) >= boards as u64)) / boards as f64;
    let update = nanoseconds(|| update_at_random(&mut bytes)) / boards as f64;
    let steps = f64::from(seeds.get());
    let implied = UPDATES_A_BOARD * update + steps * read + pass;
    let report = format!(
        "level {seeds}, {boards} boards, {} threads\n\
         solver              {solver:8.2} ns a board\n\
         random update       {update:8.2} ns each, {UPDATES_A_BOARD} a board\n\
         sequential read     {read:8.3} ns a byte ({:.1} GB/s), {steps} times\n\
         bare pass           {pass:8.3} ns a board\n\
         implied by these    {implied:8.2} ns a board\n\
         solver / implied    {:8.2}",
        rayon::current_num_threads(),
        1.0 / read,
        solver / implied
    );
    std::io::Write::write_all(&mut std::io::stdout(), format!("{report}\n").as_bytes())
        .expect("standard output");
}

fn nanoseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as f64
}

/// Changes every byte once, in order.
fn touch(bytes: &mut [u8]) {
    bytes.par_chunks_mut(1 << 17).for_each(|piece| {
        for byte in piece {
            *byte = byte.wrapping_add(1);
        }
    });
}

fn sum(bytes: &[u8]) -> u64 {
    bytes.par_chunks(1 << 17).map(|piece| piece.iter().map(|&b| u64::from(b)).sum::<u64>()).sum()
}

/// As many updates as there are bytes, at random places: a thread has a part of the array, and
/// works in batches of 32 that do not depend on each other.
fn update_at_random(bytes: &mut [u8]) {
    let part = bytes.len().div_ceil(rayon::current_num_threads());
    bytes.par_chunks_mut(part).for_each(|part| {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..part.len().div_ceil(32) {
            let mut places = [0; 32];
            for place in &mut places {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let scaled = (u128::from(state) * part.len() as u128) >> 64;
                *place = usize::try_from(scaled).expect("below the length");
            }
            for place in places {
                part[place] = part[place].wrapping_mul(5).wrapping_add(1);
            }
        }
    });
    black_box(bytes);
}
