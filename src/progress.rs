//! Progress of long work, and the flag that stops it.

use crate::rules::Seeds;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A kind of work on a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// An existing table is expanded into memory.
    Reading,
    /// Best captures are looked up in smaller levels.
    Capturing,
    /// Decided boards are propagated to their predecessors.
    Solving,
    /// Boards whose bounds are decided are propagated to their predecessors.
    Bounding,
    /// All boards are counted by value, those that are not reachable included.
    Counting,
    /// Every byte and block of a file is checked.
    CheckingFile,
    /// Every board is compared with its moves.
    CheckingBoards,
    /// All values are computed anew. The number of passes is not known beforehand.
    Recomputing,
}

impl fmt::Display for Phase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Reading => "reading",
            Self::Capturing => "capturing",
            Self::Solving => "solving",
            Self::Bounding => "bounding",
            Self::Counting => "counting",
            Self::CheckingFile => "checking the file",
            Self::CheckingBoards => "checking boards",
            Self::Recomputing => "computing anew",
        })
    }
}

/// A table that is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelBuilt {
    /// Seeds on each board.
    pub seeds: Seeds,
    /// Whether the table holds bounds, and not values.
    pub bounds: bool,
    /// Boards of the level.
    pub boards: u64,
    /// Bytes of the table.
    pub bytes: u64,
    /// Time from an empty level to its values or bounds.
    pub solving: Duration,
    /// Time to compress, write and read back; other work goes on meanwhile.
    pub writing: Duration,
}

/// Receives the progress of a build or a verification, from several threads.
///
/// Every method does nothing unless it is implemented.
pub trait Progress: Sync {
    /// A phase of a level begins. It covers `boards` boards; 0 if that is unknown.
    fn begin(&self, _seeds: Seeds, _phase: Phase, _boards: u64) {}
    /// `boards` more boards of the phase are done.
    fn advance(&self, _boards: u64) {}
    /// The tables of a level are published.
    fn level_built(&self, _level: &LevelBuilt) {}
    /// A line for the user.
    fn note(&self, _line: &str) {}
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {}

/// A flag that stops long work. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Stops the work. It ends at the next point where nothing is lost.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for signal handlers.
    #[must_use]
    pub fn as_atomic(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// The progress and the stop flag of one piece of work.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'work> {
    pub(crate) progress: &'work dyn Progress,
    pub(crate) stop: &'work StopFlag,
}

/// The stop flag was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

impl Watch<'_> {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_set()
    }

    /// # Errors
    /// When the stop flag is set.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Watch").field("stop", self.stop).finish_non_exhaustive()
    }
}
