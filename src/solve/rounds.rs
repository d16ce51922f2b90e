//! Decided boards are followed in rounds, one ply each: every slab's boards are taken back, then
//! what that says is delivered, slab by slab (see [`super::propagate`]).
//!
//! Threads share the work of a round by slabs; between its halves all wait for each other. Rounds of
//! few boards are done by one thread: waking the others would take longer. Outboxes are
//! delivered early when they fill up, which changes nothing but the memory taken.

use super::list::List;
use super::outbox::Outbox;
use super::propagate::{Decided, MOST_PREDECESSORS, Step};
use super::slabs::Slabs;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Boards that a thread takes back at a time.
const TASK_BOARDS: usize = 1 << 12;
/// Rounds of fewer boards are done by one thread.
const SHARED_BOARDS: usize = 1 << 13;

/// Lists of decided boards, one a slab.
pub(super) type Lists = Vec<List<Decided>>;

/// What is under way between rounds: outboxes and lists, kept to be used again.
#[derive(Debug)]
pub(super) struct Rounds {
    /// One a thread.
    outboxes: Vec<Outbox>,
    /// The boards to take back next.
    frontier: Lists,
    /// The boards that the round under way has decided.
    found: Lists,
}

/// Bytes that following a level of so many boards takes: outboxes, and lists of a portion's boards,
/// twice, that may have grown to twice what they hold.
pub(super) fn following_bytes(boards: u64) -> u64 {
    outboxes_bytes(boards) + 16 * boards.min(portion_boards(boards))
}

/// Boards found for a step before they are followed: bounds the lists. The more at once, the more
/// is said to each cache line of the level when it is met.
pub(super) fn portion_boards(boards: u64) -> u64 {
    (boards / 32).clamp(1 << 24, 1 << 26)
}

/// What fits into all outboxes of a level before they are delivered: a quarter of its bytes.
fn outboxes_bytes(boards: u64) -> u64 {
    (boards / 4).min(1 << 30)
}

impl Rounds {
    /// Nothing to do yet, for a level of so many slabs and boards.
    pub(super) fn new(slabs: usize, boards: usize) -> Self {
        let threads = rayon::current_num_threads();
        let all = usize::try_from(outboxes_bytes(boards as u64)).unwrap_or(usize::MAX);
        let outbox = |_| Outbox::new(slabs, all / threads, TASK_BOARDS * MOST_PREDECESSORS);
        let outboxes = (0..threads).map(outbox).collect();
        let empty = || (0..slabs).map(|_| List::default()).collect();
        Self { outboxes, frontier: empty(), found: empty() }
    }

    /// The boards to take back in the next round, by slab.
    pub(super) fn frontier(&mut self) -> &mut Lists {
        &mut self.frontier
    }

    /// Boards to take back in the next round.
    pub(super) fn boards(&self) -> usize {
        self.frontier.iter().map(|list| list.used).sum()
    }

    /// Gives the lists' memory back.
    pub(super) fn release(&mut self) {
        self.frontier.iter_mut().chain(&mut self.found).for_each(|list| *list = List::default());
    }

    /// Takes the boards of the frontier back and returns how many they were; those that this decides
    /// are the next frontier.
    pub(super) fn round(&mut self, step: &Step<'_>, slabs: &Slabs, bytes: &mut [u8]) -> usize {
        let boards = self.boards();
        if boards == 0 {
            return 0;
        }
        if self.outboxes.len() > 1 && boards >= SHARED_BOARDS {
            self.shared(step, slabs, bytes);
        } else {
            self.alone(step, slabs, bytes);
        }
        std::mem::swap(&mut self.frontier, &mut self.found);
        self.found.iter_mut().for_each(|list| list.used = 0);
        boards
    }

    fn shared(&mut self, step: &Step<'_>, slabs: &Slabs, bytes: &mut [u8]) {
        let tasks: Vec<(usize, &[Decided])> = self
            .frontier
            .iter()
            .enumerate()
            .flat_map(|(slab, list)| {
                list.in_use().chunks(TASK_BOARDS).map(move |part| (slab, part))
            })
            .collect();
        let next = AtomicUsize::new(0);
        while next.load(Ordering::Relaxed) < tasks.len() {
            self.outboxes.par_iter_mut().with_max_len(1).for_each(|outbox| {
                while !outbox.is_full() {
                    let task = tasks.get(next.fetch_add(1, Ordering::Relaxed));
                    let Some(&(slab, decided)) = task else { return };
                    step.take_back(slab, decided, outbox);
                }
            });
            let outboxes = &self.outboxes;
            let each = slabs.cut(bytes).into_par_iter().zip(&mut self.found).enumerate();
            each.for_each_init(List::default, |run_out, (slab, (bytes, found))| {
                step.deliver(slab, bytes, outboxes, found, run_out);
            });
            self.outboxes.iter_mut().for_each(Outbox::clear);
        }
    }

    fn alone(&mut self, step: &Step<'_>, slabs: &Slabs, bytes: &mut [u8]) {
        let Self { outboxes, frontier, found } = self;
        let [outbox, ..] = outboxes.as_mut_slice() else { return };
        let mut run_out = List::default();
        let mut deliver = |outbox: &mut Outbox| {
            let each = slabs.as_slice().iter().zip(found.iter_mut()).enumerate();
            for (place, (slab, found)) in each {
                let bytes = &mut bytes[slab.start..slab.start + slab.boards];
                step.deliver(place, bytes, std::slice::from_ref(outbox), found, &mut run_out);
            }
            outbox.clear();
        };
        for (slab, list) in frontier.iter().enumerate() {
            for decided in list.in_use().chunks(TASK_BOARDS) {
                step.take_back(slab, decided, outbox);
                if outbox.is_full() {
                    deliver(outbox);
                }
            }
        }
        deliver(outbox);
    }
}
