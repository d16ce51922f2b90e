//! The state of a level between two pieces of work: what a checkpoint saves, and all that a solver
//! needs to continue.

use super::deferred_captures::DeferredCaptures;
use crate::level::Bytes;

/// How much of a level is done: every step above `step`, and of `step` the slabs before `slab`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) step: i8,
    pub(crate) slab: usize,
}

/// See the module's page.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) cursor: Cursor,
    /// The states of all boards, a [cell](super::labels::Labels::Cell) each.
    pub(crate) states: Bytes,
    /// The deferred captures of each slab; none if the labels defer nothing.
    pub(crate) deferred: Vec<DeferredCaptures>,
    /// The distances so far, if they are wanted: 0 for none, otherwise plies + 1.
    pub(crate) distances: Option<Vec<u16>>,
}
