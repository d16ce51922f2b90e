//! The limits of a search, and a handle that stops it from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The limits at which a search ends by itself. Without limits it runs until it is stopped or has
/// proved the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum time.
    pub time: Option<Duration>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
}

impl Limits {
    /// A limit on depth only.
    #[must_use]
    pub const fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), time: None, nodes: None }
    }

    /// A limit on time only.
    #[must_use]
    pub const fn time(time: Duration) -> Self {
        Self { depth: None, time: Some(time), nodes: None }
    }

    /// A limit on nodes only.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self { depth: None, time: None, nodes: Some(nodes) }
    }
}

/// No deadline.
const NEVER: u64 = u64::MAX;

/// Stops one search, at once or at a deadline. It is shared between threads, and the deadline can
/// be set while the search runs.
#[derive(Debug)]
pub struct Control {
    started: Instant,
    stopped: AtomicBool,
    /// In microseconds after `started`.
    deadline: AtomicU64,
}

impl Control {
    /// The control of a search that starts now, without a deadline.
    #[must_use]
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
            stopped: AtomicBool::new(false),
            deadline: AtomicU64::new(NEVER),
        }
    }

    /// Stops the search within a few thousand nodes.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Sets the deadline to `time` from now.
    pub fn stop_after(&self, time: Duration) {
        let at = self.started.elapsed().saturating_add(time);
        // A deadline in more than 500,000 years is none.
        let micros = u64::try_from(at.as_micros()).unwrap_or(NEVER);
        self.deadline.store(micros, Ordering::Relaxed);
    }

    /// Time since the search started.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether [`stop`](Self::stop) was called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the search is to end: it is stopped or past its deadline.
    #[must_use]
    pub fn is_over(&self) -> bool {
        if self.is_stopped() {
            return true;
        }
        let deadline = self.deadline.load(Ordering::Relaxed);
        deadline != NEVER && self.elapsed() >= Duration::from_micros(deadline)
    }

    /// Whether a further iteration would probably not end before the deadline.
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
