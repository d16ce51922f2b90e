//! Limits of a search, and stopping it from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// When a search ends by itself. Without any limit it goes on until it is stopped or has proved
/// its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Time to take.
    pub time: Option<Duration>,
}

impl Limits {
    /// So many plies.
    #[must_use]
    pub const fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), time: None }
    }

    /// So much time.
    #[must_use]
    pub const fn time(time: Duration) -> Self {
        Self { depth: None, time: Some(time) }
    }
}

const NEVER: u64 = u64::MAX;

/// The brake of one search, shared with the thread that may use it: stop now, or at a time that
/// can be set while the search runs.
#[derive(Debug)]
pub struct Control {
    started: Instant,
    stopped: AtomicBool,
    /// Microseconds after `started`.
    deadline: AtomicU64,
}

impl Control {
    /// A brake for a search that starts now and has no time limit yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
            stopped: AtomicBool::new(false),
            deadline: AtomicU64::new(NEVER),
        }
    }

    /// Ends the search within a few thousand nodes.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Ends the search so long from now.
    pub fn stop_after(&self, time: Duration) {
        let at = self.started.elapsed().saturating_add(time);
        let micros = u64::try_from(at.as_micros()).unwrap_or(NEVER);
        self.deadline.store(micros, Ordering::Relaxed);
    }

    /// Time since the search started.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether somebody called [`stop`](Self::stop).
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the search has to end: stopped, or out of time.
    #[must_use]
    pub fn is_over(&self) -> bool {
        if self.is_stopped() {
            return true;
        }
        let deadline = self.deadline.load(Ordering::Relaxed);
        deadline != NEVER && self.elapsed() >= Duration::from_micros(deadline)
    }

    /// Whether so small a part of the time is left that a further iteration would not end in it.
    pub(super) fn is_nearly_over(&self) -> bool {
        let deadline = self.deadline.load(Ordering::Relaxed);
        self.is_over()
            || (deadline != NEVER && self.elapsed() * 2 >= Duration::from_micros(deadline))
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}
