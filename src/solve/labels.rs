//! What the boards of a level are solved for: values ([`ValueLabels`](super::value_labels)) or
//! bounds ([`BoundLabels`](super::bound_labels)).
//!
//! Both are found by the same steps, rounds and un-moves. A step labels boards as won or lost by
//! some seeds; labels differ in the state that a board has meanwhile and in the change that an
//! update makes to it.

use super::append_buffer::AppendBuffer;
use super::deferred_captures::DeferredCaptures;
use super::slabs::Slab;
use super::update_buffer::Update;
use crate::index::LevelIndex;
use crate::kernels::Cell;
use crate::level::Bytes;
use crate::rules::Seeds;
use bitvec::vec::BitVec;
use std::fmt::Debug;

/// The labels that one step gives. See the module's page.
pub(crate) trait Labels: Debug + Send + Sync + Sized {
    /// The state of a board. Before the first step it is the board's best capture, at first none
    /// (zero bytes).
    type Cell: Cell;
    /// Turns best captures into states.
    type FirstStates;
    /// The solved level.
    type Level: Debug + Send + Sync;

    /// The difference between two steps.
    const STRIDE: i8;
    /// Whether [`DeferredCaptures`] hold what a state has no room for.
    const DEFERS: bool;
    /// Whether boards labelled as lost have distances too.
    const NUMBERS_LOST: bool;

    /// The last step of a level.
    fn last_step(seeds: Seeds) -> i8;

    /// A step of a level.
    fn step(seeds: Seeds, step: i8) -> Self;

    /// The first states of a slab whose ended boards are worth `ended`.
    fn first_states(slab: &Slab, ended: i8) -> Self::FirstStates;

    /// Turns the best captures of some boards into their states, given the number of their quiet
    /// moves. Appends the captures that have no room in a state to `deferred`.
    fn begin(
        first: &Self::FirstStates,
        quiet: &[u8],
        cells: &mut [Self::Cell],
        deferred: &mut AppendBuffer<i8>,
    );

    /// One bit per board of a slab: whether its capture is deferred.
    fn deferred_bits(cells: &[Self::Cell]) -> BitVec<u64>;

    /// Lists the boards of a slab that the step labels by their best captures alone.
    fn find(&self, cells: &[Self::Cell], found: &mut AppendBuffer<Update>);

    /// Applies updates to the boards of a slab, and appends those that this labels to `decided`;
    /// `scratch` is scratch memory.
    fn apply(
        &self,
        updates: &[u32],
        cells: &mut [Self::Cell],
        deferred: Option<&DeferredCaptures>,
        decided: &mut AppendBuffer<Update>,
        scratch: &mut AppendBuffer<Update>,
    );

    /// Turns the states of a slab after the last step into cells of a level.
    fn end(seeds: Seeds, cells: &mut [Self::Cell], deferred: Option<&DeferredCaptures>);

    /// The level of the cells that [`end`](Self::end) leaves.
    fn level(index: LevelIndex, bytes: Bytes) -> Self::Level;

    /// The bytes of a level.
    fn bytes(level: &Self::Level) -> &[u8];

    /// The cells of a level.
    fn cells(level: &Self::Level) -> &[Self::Cell] {
        Self::Cell::cells(Self::bytes(level))
    }
}
