//! Rounds: one ply of propagation each, on all threads.
//!
//! A round expands the frontier slab by slab into update buffers, then applies the updates slab by
//! slab (see [`super::propagate`]). Threads share the slabs of each half and wait for each other
//! between the halves. A round of few boards runs on one thread, because waking the others takes
//! longer. Full buffers are applied early, which changes nothing but the memory in use.

use super::append_buffer::AppendBuffer;
use super::deferred_captures::DeferredCaptures;
use super::labels::Labels;
use super::propagate::{MOST_PREDECESSORS, Propagation};
use super::slabs::Slabs;
use super::update_buffer::{Update, UpdateBuffer};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Boards that a thread expands at a time.
const TASK_BOARDS: usize = 1 << 12;
/// A round of fewer boards runs on one thread.
const PARALLEL_BOARDS: usize = 1 << 13;

/// Decided boards, one list per slab.
pub(super) type Frontier = Vec<AppendBuffer<Update>>;

/// The memory of the rounds of a level, kept from round to round.
#[derive(Debug)]
pub(super) struct Rounds {
    /// One per thread.
    buffers: Vec<UpdateBuffer>,
    /// The boards to expand in the next round.
    frontier: Frontier,
    /// The boards decided by the round under way.
    decided: Frontier,
}

/// Bytes that propagation takes on a level of so many boards: update buffers, and two frontiers of
/// a portion's boards, each of which may have grown to twice what it holds.
pub(crate) fn propagation_bytes(boards: u64) -> u64 {
    buffer_bytes(boards) + 16 * boards.min(portion_boards(boards))
}

/// Boards of a step that are found before they are propagated. The bound limits the frontier; a
/// larger portion sends more updates to each cache line of the level per round.
pub(super) fn portion_boards(boards: u64) -> u64 {
    (boards / 32).clamp(1 << 24, 1 << 26)
}

/// Bytes of all update buffers of a level together: a quarter of the level's, at most 1 GiB.
fn buffer_bytes(boards: u64) -> u64 {
    (boards / 4).min(1 << 30)
}

impl Rounds {
    /// Rounds of a level of `slabs` slabs and `boards` boards, with an empty frontier.
    pub(super) fn new(slabs: usize, boards: u64) -> Self {
        let threads = rayon::current_num_threads();
        let all = usize::try_from(buffer_bytes(boards)).expect("at most 2^30");
        let buffer = |_| UpdateBuffer::new(slabs, all / threads, TASK_BOARDS * MOST_PREDECESSORS);
        let buffers = (0..threads).map(buffer).collect();
        let empty = || (0..slabs).map(|_| AppendBuffer::default()).collect();
        Self { buffers, frontier: empty(), decided: empty() }
    }

    /// The boards to expand in the next round.
    pub(super) fn frontier(&mut self) -> &mut Frontier {
        &mut self.frontier
    }

    /// Boards on the frontier.
    pub(super) fn frontier_boards(&self) -> usize {
        self.frontier.iter().map(AppendBuffer::len).sum()
    }

    /// Frees the memory of the frontiers.
    pub(super) fn release(&mut self) {
        let lists = self.frontier.iter_mut().chain(&mut self.decided);
        lists.for_each(|list| *list = AppendBuffer::default());
    }

    /// Expands the frontier and applies the updates; the boards that this decides are the next
    /// frontier. Returns the number of boards expanded.
    pub(super) fn round<L: Labels>(&mut self, step: &Step<'_, L>, cells: &mut [L::Cell]) -> usize {
        let boards = self.frontier_boards();
        if boards == 0 {
            return 0;
        }
        if self.buffers.len() > 1 && boards >= PARALLEL_BOARDS {
            self.round_in_parallel(step, cells);
        } else {
            self.round_on_one_thread(step, cells);
        }
        std::mem::swap(&mut self.frontier, &mut self.decided);
        self.decided.iter_mut().for_each(AppendBuffer::clear);
        boards
    }

    fn round_in_parallel<L: Labels>(&mut self, step: &Step<'_, L>, cells: &mut [L::Cell]) {
        let tasks: Vec<(usize, &[Update])> = self
            .frontier
            .iter()
            .enumerate()
            .flat_map(|(slab, list)| {
                list.as_slice().chunks(TASK_BOARDS).map(move |part| (slab, part))
            })
            .collect();
        let next = AtomicUsize::new(0);
        while next.load(Ordering::Relaxed) < tasks.len() {
            self.buffers.par_iter_mut().with_max_len(1).for_each(|buffer| {
                while !buffer.is_full() {
                    let task = tasks.get(next.fetch_add(1, Ordering::Relaxed));
                    let Some(&(slab, boards)) = task else { return };
                    step.propagation.expand(slab, boards, buffer);
                }
            });
            let buffers = &self.buffers;
            let each = step.slabs.cut(cells).into_par_iter().zip(&mut self.decided).enumerate();
            each.for_each_init(AppendBuffer::default, |scratch, (slab, (cells, decided))| {
                step.apply(slab, cells, buffers, decided, scratch);
            });
            self.buffers.iter_mut().for_each(UpdateBuffer::clear);
        }
    }

    fn round_on_one_thread<L: Labels>(&mut self, step: &Step<'_, L>, cells: &mut [L::Cell]) {
        let Self { buffers, frontier, decided } = self;
        let buffer = buffers.first_mut().expect("one buffer per thread");
        let mut scratch = AppendBuffer::default();
        let mut apply = |buffer: &mut UpdateBuffer| {
            let each = step.slabs.as_slice().iter().zip(decided.iter_mut()).enumerate();
            for (number, (slab, decided)) in each {
                let cells = &mut cells[slab.start..slab.start + slab.boards];
                step.apply(number, cells, std::slice::from_ref(buffer), decided, &mut scratch);
            }
            buffer.clear();
        };
        for (slab, list) in frontier.iter().enumerate() {
            for boards in list.as_slice().chunks(TASK_BOARDS) {
                step.propagation.expand(slab, boards, buffer);
                if buffer.is_full() {
                    apply(buffer);
                }
            }
        }
        apply(buffer);
    }
}

/// One step on a level: its un-moves and its labels.
#[derive(Debug)]
pub(super) struct Step<'level, L> {
    pub(super) propagation: Propagation<'level>,
    pub(super) slabs: &'level Slabs,
    /// One per slab, or none.
    pub(super) deferred: &'level [DeferredCaptures],
    pub(super) labels: L,
}

impl<L: Labels> Step<'_, L> {
    /// Applies the updates of a slab to its cells, and appends the boards that this decides to
    /// `decided`; `scratch` is scratch memory.
    fn apply(
        &self,
        slab: usize,
        cells: &mut [L::Cell],
        buffers: &[UpdateBuffer],
        decided: &mut AppendBuffer<Update>,
        scratch: &mut AppendBuffer<Update>,
    ) {
        let deferred = self.deferred.get(slab);
        for updates in buffers.iter().flat_map(|buffer| buffer.chunks(slab)) {
            self.labels.apply(updates, cells, deferred, decided, scratch);
        }
    }
}
