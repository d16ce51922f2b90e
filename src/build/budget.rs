//! Memory: the amount that is free, and the amount that a level takes.

use super::control_groups;
use super::error::BuildError;
use super::options::BuildOptions;
use crate::index::reachable_boards;
use crate::level::memory;
use crate::rules::{Rules, Seeds};
use crate::solve::{MoveTables, propagation_bytes};
use crate::table::Contents;
use sysinfo::{MemoryRefreshKind, System};

/// The program itself.
const PROGRAM_BYTES: u64 = 16 << 20;
/// Its threads and blocks that are being compressed, for a large level.
const MOST_OVERHEAD_BYTES: u64 = 80 << 20;
/// Address space that threads reserve and mostly leave alone, which a limit on the memory of a process
/// counts.
const RESERVED_BYTES: u64 = 80 << 20;
/// Left to other programs when no budget is given.
const RESERVE_BYTES: u64 = 512 << 20;

/// Bytes that a build may take: those of its options, or what is free.
///
/// # Errors
/// When the options give no budget and the system does not report how much memory is free.
pub(super) fn allowed_bytes(options: &BuildOptions) -> Result<u64, BuildError> {
    options.memory_bytes.or_else(free_bytes).ok_or(BuildError::UnknownMemory)
}

/// Memory that is free now, less a reserve, within the limits of control groups.
fn free_bytes() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0)?;
    let limit = control_groups::free_bytes();
    Some(limit.map_or(free, |limit| limit.min(free)).saturating_sub(RESERVE_BYTES))
}

/// Bytes to find the values or bounds of a level of `seeds` seeds, besides the smaller levels, in a
/// build whose move tables go up to `most_seeds`.
pub(super) fn level_bytes(
    contents: Contents,
    seeds: Seeds,
    most_seeds: Seeds,
    with_distances: bool,
) -> u64 {
    let boards = reachable_boards(seeds);
    // With distances the boards of a whole step are listed at once: at most a quarter of all.
    let lists = if with_distances { 4 * boards } else { 0 };
    // The values of the level stay while its bounds are found.
    let values = if contents == Contents::Bounds { boards } else { 0 };
    state_bytes(contents, seeds, with_distances)
        + propagation_bytes(boards)
        + lists
        + values
        + fixed_bytes(seeds, most_seeds)
}

/// Checks that the system gives these bytes, before the work on a level begins: its threads take
/// memory piece by piece, and cannot go on without.
///
/// # Errors
/// When the system refuses, such as by a limit on the memory of this process.
pub(super) fn expect_room(rules: Rules, seeds: Seeds, bytes: u64) -> Result<(), BuildError> {
    let needed = bytes + RESERVED_BYTES;
    memory::expect_room(needed).map_err(|_| BuildError::MemoryRefused { rules, seeds, needed })
}

/// Bytes of the state of a level: what a checkpoint saves.
pub(super) fn state_bytes(contents: Contents, seeds: Seeds, with_distances: bool) -> u64 {
    let boards = reachable_boards(seeds);
    let distances = if with_distances { 2 * boards } else { 0 };
    let states = match contents {
        Contents::Bounds | Contents::Ranks => 2 * boards,
        // One byte per board. Deferred captures: one bit per board, totals, and one byte for up to
        // one board in six (measured: 10 to 15 per cent).
        Contents::Values | Contents::Distances => boards + boards / 8 + boards / 16 + boards / 6,
    };
    states + distances
}

/// Bytes that a level takes besides, in a build whose move tables go up to `most_seeds`.
pub(super) fn fixed_bytes(seeds: Seeds, most_seeds: Seeds) -> u64 {
    let overhead = (4 * reachable_boards(seeds)).min(MOST_OVERHEAD_BYTES);
    MoveTables::bytes(most_seeds) + PROGRAM_BYTES + overhead
}

/// The tables that a build makes of each level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub(super) distances: bool,
    pub(super) bounds: bool,
}

impl Made {
    pub(super) const fn of(options: &BuildOptions) -> Self {
        Self { distances: options.distances, bounds: options.bounds }
    }

    /// The tables of either.
    pub(super) const fn and(self, other: Self) -> Self {
        Self { distances: self.distances || other.distances, bounds: self.bounds || other.bounds }
    }

    /// Bytes to make a level, besides the smaller levels.
    pub(super) fn level_bytes(self, seeds: Seeds, most_seeds: Seeds) -> u64 {
        self.most(|contents| level_bytes(contents, seeds, most_seeds, self.distances))
    }

    /// Bytes of what a checkpoint of a level saves.
    pub(super) fn state_bytes(self, seeds: Seeds) -> u64 {
        self.most(|contents| state_bytes(contents, seeds, self.distances))
    }

    /// Bytes per board of the smaller levels in memory.
    pub(super) const fn smaller_cell_bytes(self) -> u64 {
        if self.bounds { 3 } else { 1 }
    }

    /// The least bytes in which a level can be made, with one smaller level in memory at a time, of
    /// values and of bounds.
    pub(super) fn least_bytes(self, seeds: Seeds, most_seeds: Seeds) -> u64 {
        let largest_needed = seeds.checked_sub(2).map_or(0, reachable_boards);
        self.level_bytes(seeds, most_seeds) + self.smaller_cell_bytes() * largest_needed
    }

    fn most(self, bytes: impl Fn(Contents) -> u64) -> u64 {
        let for_bounds = if self.bounds { bytes(Contents::Bounds) } else { 0 };
        bytes(Contents::Values).max(for_bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_levels_take_what_they_were_measured_to_take() {
        const MIB: u64 = 1 << 20;
        // The peaks of whole builds were 31, 35, 47 and 73 MiB.
        for (seeds, distances, bounds, least, most) in [
            (12, false, false, 31, 62),
            (12, true, false, 35, 70),
            (12, true, true, 47, 94),
            (14, true, false, 73, 146),
        ] {
            let made = Made { distances, bounds };
            let planned = made.level_bytes(Seeds::of(seeds), Seeds::of(seeds)) / MIB;
            assert!((least..most).contains(&planned), "{seeds} {made:?}: {planned} MiB");
        }
    }

    #[test]
    fn the_system_reports_its_memory() {
        assert!(free_bytes().is_some());
    }

    #[test]
    fn the_published_targets_fit_their_budgets() {
        const GIB: u64 = 1 << 30;
        let values = Made { distances: false, bounds: false };
        assert!(values.least_bytes(Seeds::of(30), Seeds::of(30)) < 14 * GIB);
        assert!(values.least_bytes(Seeds::of(33), Seeds::of(33)) < 23 * GIB);
    }
}
