//! What a build tells whoever waits for it, and how it is told to stop.

use crate::table::TableHeader;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is being done to a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// An existing table is read back into memory.
    Reading,
    /// Best captures are looked up in smaller levels.
    Capturing,
    /// Decisions are followed backwards.
    Solving,
    /// All boards are counted by value, those that no move produces included.
    Counting,
}

impl fmt::Display for Phase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Reading => "reading",
            Self::Capturing => "capturing",
            Self::Solving => "solving",
            Self::Counting => "counting",
        })
    }
}

/// What a finished level cost.
#[derive(Clone, Debug)]
pub struct LevelReport {
    /// The header of the table that was written.
    pub header: TableHeader,
    /// Time from an empty level to its values.
    pub solving: Duration,
    /// Time to compress, write and read back; other work went on meanwhile.
    pub writing: Duration,
}

/// Hears how far a build is. Called from several threads.
pub trait BuildProgress: Sync {
    /// A phase of a level begins; it is about `boards` boards.
    fn begin(&self, seeds: u8, phase: Phase, boards: u64);
    /// So many more boards of the phase are done.
    fn advance(&self, boards: u64);
    /// A table is whole and under its name.
    fn level_written(&self, report: &LevelReport);
    /// Something that the user should know, as a line.
    fn say(&self, line: &str);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl BuildProgress for Unwatched {
    fn begin(&self, _: u8, _: Phase, _: u64) {}
    fn advance(&self, _: u64) {}
    fn level_written(&self, _: &LevelReport) {}
    fn say(&self, _: &str) {}
}

/// Who watches a build, and the flag that stops it.
#[derive(Clone, Copy)]
pub(super) struct Watch<'build> {
    pub(super) progress: &'build dyn BuildProgress,
    pub(super) stop: &'build AtomicBool,
}

impl Watch<'_> {
    pub(super) fn stopped(self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Watch").field("stop", self.stop).finish_non_exhaustive()
    }
}
