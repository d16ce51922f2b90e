//! How much memory there is, and how much a level takes.

use super::geometry::Geometry;
use super::rounds::following_bytes;
use crate::index::reachable_boards;
use std::fs;
use std::path::{Path, PathBuf};

/// What the program itself takes, its threads, and what compression has under way.
const OVERHEAD_BYTES: u64 = 96 << 20;
/// Left to others when no budget is given.
const RESERVE_BYTES: u64 = 512 << 20;

/// Memory that is free for a build now, less a reserve; limits of control groups count. `None`
/// where the system does not say.
pub(super) fn free_bytes() -> Option<u64> {
    let system = meminfo_available(&fs::read_to_string("/proc/meminfo").ok()?)?;
    let group = group_limits(Path::new("/sys/fs/cgroup")).min();
    Some(group.map_or(system, |group| group.min(system)).saturating_sub(RESERVE_BYTES))
}

fn meminfo_available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// What each control group of this process, from its own up, still allows.
fn group_limits(root: &Path) -> impl Iterator<Item = u64> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = own.lines().find_map(|line| line.strip_prefix("0::/")).map(PathBuf::from);
    let below: Vec<_> = own.iter().flat_map(|own| own.ancestors()).map(|p| root.join(p)).collect();
    let number = |path: PathBuf| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let modern = below.into_iter().filter_map(move |group| {
        let limit = number(group.join("memory.max"))?;
        // Cached files are given back when they are in the way.
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let cached = stat.lines().find_map(|line| line.strip_prefix("file ")?.parse().ok());
        let used = number(group.join("memory.current"))?.saturating_sub(cached.unwrap_or(0));
        Some(limit.saturating_sub(used))
    });
    let old = number(root.join("memory/memory.limit_in_bytes"));
    modern.chain(old)
}

/// What solving a level of `seeds` seeds takes besides the smaller levels, in a build whose row
/// tables go up to `most_seeds`.
pub(super) fn level_bytes(seeds: u8, most_seeds: u8, with_distances: bool) -> u64 {
    let boards = reachable_boards(seeds);
    // With distances a whole step's boards are listed at once: at most a quarter of all.
    let lists = if with_distances { 4 * boards } else { 0 };
    state_bytes(seeds, with_distances) + following_bytes(boards) + lists + fixed_bytes(most_seeds)
}

/// The state of a level under work: what a checkpoint saves.
pub(super) fn state_bytes(seeds: u8, with_distances: bool) -> u64 {
    let boards = reachable_boards(seeds);
    // A byte a board; the captures put by: a bit a board, running totals and a byte each for up
    // to one board in six (measured: 10 to 15 in a hundred).
    let shelves = boards / 8 + boards / 16 + boards / 6;
    let distances = if with_distances { 2 * boards } else { 0 };
    boards + shelves + distances
}

/// What every level of a build takes besides.
pub(super) fn fixed_bytes(most_seeds: u8) -> u64 {
    Geometry::bytes(most_seeds) + OVERHEAD_BYTES
}

/// The least memory in which a level can be solved: with smaller levels one at a time.
pub(super) fn least_bytes(seeds: u8, most_seeds: u8, with_distances: bool) -> u64 {
    let largest_needed = seeds.checked_sub(2).map_or(0, reachable_boards);
    level_bytes(seeds, most_seeds, with_distances) + largest_needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_in_bytes() {
        let text = "MemTotal:       24604812 kB\nMemAvailable:   23000000 kB\n";
        assert_eq!(meminfo_available(text), Some(23_000_000 * 1024));
        assert_eq!(meminfo_available("MemTotal: 1 kB\n"), None);
    }

    #[test]
    fn the_published_targets_fit_their_budgets() {
        const GIB: u64 = 1 << 30;
        assert!(least_bytes(30, 30, false) < 14 * GIB);
        assert!(least_bytes(33, 33, false) < 23 * GIB);
    }
}
