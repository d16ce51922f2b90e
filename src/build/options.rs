//! The request for a build.

use crate::progress::StopFlag;
use crate::rules::{Rules, Seeds};
use std::path::PathBuf;
use std::time::Duration;

/// All boards of larger levels are counted by value only on request.
pub const ALL_VALUES_SEEDS: u8 = 24;

/// The treatment of files under the names of tables that cannot be kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Force {
    /// Keep whole tables and refuse to build over others.
    #[default]
    None,
    /// Keep tables of which every byte is as it was written and that fit those beside them, and
    /// replace others.
    Damaged,
    /// Replace every table.
    All,
}

/// A build of all missing levels up to one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuildOptions {
    /// The rule set.
    pub rules: Rules,
    /// The largest level.
    pub seeds: Seeds,
    /// The folder of the tables. It is created if its parent exists.
    pub folder: PathBuf,
    /// Bytes of memory that the build may take; the free memory if `None`.
    pub memory_bytes: Option<u64>,
    /// The treatment of existing files.
    pub force: Force,
    /// Levels that are made again whatever their tables hold. If there are any, `force` is
    /// [`Force::Damaged`] at the least.
    pub again: Vec<Seeds>,
    /// Whether to make distance tables too. A table of distances that is there is replaced with
    /// that of the values anyhow.
    pub distances: bool,
    /// Whether to make tables of bounds too; with distances, also of ranks.
    pub bounds: bool,
    /// Whether to make the tables as small as possible, at the cost of time.
    pub compact: bool,
    /// Whether to count all boards by value above [`ALL_VALUES_SEEDS`] too.
    pub all_values: bool,
    /// Least time between two checkpoints of a level.
    pub checkpoint_every: Duration,
    /// Stops the build.
    pub stop: StopFlag,
}

impl BuildOptions {
    /// A build of the levels up to `seeds` in `folder` with default options.
    #[must_use]
    pub fn new(rules: Rules, seeds: Seeds, folder: impl Into<PathBuf>) -> Self {
        Self {
            rules,
            seeds,
            folder: folder.into(),
            memory_bytes: None,
            force: Force::None,
            again: Vec::new(),
            distances: false,
            bounds: false,
            compact: false,
            all_values: false,
            checkpoint_every: Duration::from_secs(600),
            stop: StopFlag::default(),
        }
    }

    /// Limits the memory of the build, in bytes.
    #[must_use]
    pub const fn memory_bytes(mut self, bytes: Option<u64>) -> Self {
        self.memory_bytes = bytes;
        self
    }

    /// Sets the treatment of existing files.
    #[must_use]
    pub const fn force(mut self, force: Force) -> Self {
        self.force = force;
        self
    }

    /// Makes some levels again whatever their tables hold, and those that were computed from them
    /// if they turn out different. Damaged tables are replaced as well.
    #[must_use]
    pub fn again(mut self, levels: Vec<Seeds>) -> Self {
        self.again = levels;
        self
    }

    /// Makes distance tables too.
    #[must_use]
    pub const fn distances(mut self, distances: bool) -> Self {
        self.distances = distances;
        self
    }

    /// Makes tables of bounds too, and with distances also of ranks.
    #[must_use]
    pub const fn bounds(mut self, bounds: bool) -> Self {
        self.bounds = bounds;
        self
    }

    /// Makes the tables as small as possible.
    #[must_use]
    pub const fn compact(mut self, compact: bool) -> Self {
        self.compact = compact;
        self
    }

    /// Counts all boards by value at every level.
    #[must_use]
    pub const fn all_values(mut self, all_values: bool) -> Self {
        self.all_values = all_values;
        self
    }

    /// Sets the least time between two checkpoints of a level.
    #[must_use]
    pub const fn checkpoint_every(mut self, time: Duration) -> Self {
        self.checkpoint_every = time;
        self
    }

    /// Sets the flag that stops the build.
    #[must_use]
    pub fn stop(mut self, stop: StopFlag) -> Self {
        self.stop = stop;
        self
    }
}
