//! Solving one level: the capture pass, the steps, and the finished values.

use super::append_buffer::AppendBuffer;
use super::capture_pass::{finish_level, raise_level};
use super::deferred_captures::DeferredCaptures;
use super::labels::Labels;
use super::move_tables::MoveTables;
use super::propagate::Propagation;
use super::rounds::{Frontier, Rounds, Step, portion_boards, propagation_bytes};
use super::slabs::{Slab, Slabs};
use super::snapshot::{Cursor, Snapshot};
use super::update_buffer::Update;
use crate::index::{LevelIndex, gapped_unrank, row_count, unrank};
use crate::kernels::{Cell, SmallerLevels};
use crate::level::{Bytes, LevelDistances, memory};
use crate::progress::Watch;
use crate::rules::{Seeds, end_of};
use rayon::prelude::*;
use std::marker::PhantomData;

/// Slabs that each thread searches before the boards found are counted.
const SEARCHED_SLABS: usize = 16;

/// A level between its capture pass and its labels: values or bounds.
#[derive(Debug)]
pub(crate) struct LevelSolver<'tables, L> {
    labels: PhantomData<L>,
    tables: &'tables MoveTables,
    index: &'tables LevelIndex,
    slabs: Slabs,
    rounds: Rounds,
    state: Snapshot,
}

impl<'tables, L: Labels> LevelSolver<'tables, L> {
    /// A level of `seeds` seeds before its capture pass.
    ///
    /// # Errors
    /// When the system has no memory for the level.
    pub(crate) fn new(
        tables: &'tables MoveTables,
        seeds: Seeds,
        with_distances: bool,
    ) -> std::io::Result<Self> {
        let boards = usize::try_from(tables.levels[seeds.index()].boards())
            .map_err(|_| std::io::ErrorKind::OutOfMemory)?;
        // The states come last, but the rest is taken on several threads, which cannot be refused.
        let (each, distances) = (boards as u64, if with_distances { 6 } else { 0 });
        let state = 1 + size_of::<L::Cell>() as u64;
        memory::expect_room(each * (state + distances) + propagation_bytes(each))?;
        let state = Snapshot {
            cursor: Cursor { step: seeds.get().cast_signed(), slab: 0 },
            states: Bytes::zeroed(boards * size_of::<L::Cell>())?,
            deferred: Vec::new(),
            distances: with_distances.then(|| memory::defaults(boards)).transpose()?,
        };
        Ok(Self::with_state(tables, seeds, state))
    }

    /// A level as a checkpoint saved it; `None` if the snapshot does not fit the level.
    pub(crate) fn resumed(
        tables: &'tables MoveTables,
        seeds: Seeds,
        state: Snapshot,
    ) -> Option<Self> {
        let boards = usize::try_from(tables.levels[seeds.index()].boards()).ok()?;
        let solver = Self::with_state(tables, seeds, state);
        let Snapshot { cursor, states, deferred, distances } = &solver.state;
        let slabs = solver.slabs.as_slice();
        let deferred_boards = deferred.iter().map(DeferredCaptures::boards);
        let deferring = if L::DEFERS { slabs } else { &[] };
        let steps = L::last_step(seeds) - L::STRIDE..=seeds.get().cast_signed();
        let fits = states.len() == boards * size_of::<L::Cell>()
            && deferred_boards.eq(deferring.iter().map(|slab| slab.boards))
            && cursor.slab <= slabs.len()
            && steps.contains(&cursor.step)
            && distances.as_ref().is_none_or(|distances| distances.len() == boards);
        fits.then_some(solver)
    }

    fn with_state(tables: &'tables MoveTables, seeds: Seeds, state: Snapshot) -> Self {
        let index = &tables.levels[seeds.index()];
        let slabs = Slabs::new(index);
        let rounds = Rounds::new(slabs.as_slice().len(), index.boards());
        Self { labels: PhantomData, tables, index, slabs, rounds, state }
    }

    /// The state that a checkpoint saves.
    pub(crate) const fn snapshot(&self) -> &Snapshot {
        &self.state
    }

    /// Does a part of the capture pass, over the captures that lead to the levels of `smaller`.
    pub(crate) fn raise_captures(
        &mut self,
        smaller: &SmallerLevels<'_, L::Cell>,
        watch: Watch<'_>,
    ) {
        let cells = L::Cell::cells_mut(&mut self.state.states);
        raise_level(self.tables, &self.slabs, smaller, cells, watch);
    }

    /// Does the last part of the capture pass.
    pub(crate) fn finish_captures(
        &mut self,
        smaller: &SmallerLevels<'_, L::Cell>,
        watch: Watch<'_>,
    ) {
        let cells = L::Cell::cells_mut(&mut self.state.states);
        self.state.deferred = finish_level::<L>(self.tables, &self.slabs, smaller, cells, watch);
    }

    /// Whether every step is done.
    pub(crate) fn is_solved(&self) -> bool {
        self.state.cursor.step < L::last_step(self.index.seeds())
    }

    /// Does the next piece of work, or nothing when [`is_solved`](Self::is_solved). A
    /// [`snapshot`](Self::snapshot) can be saved between two pieces, and resumed later.
    pub(crate) fn advance(&mut self, watch: Watch<'_>) {
        if self.is_solved() {
            return;
        }
        let Cursor { step, .. } = self.state.cursor;
        let slabs = self.slabs.as_slice().len();
        let end = if self.state.distances.is_some() {
            self.step_with_distances(step, watch);
            slabs
        } else {
            self.step_portion(step, watch)
        };
        self.rounds.release();
        self.state.cursor = if end == slabs {
            Cursor { step: step - L::STRIDE, slab: 0 }
        } else {
            Cursor { step, slab: end }
        };
    }

    /// Decides all that follows from the boards of the next slabs that `step` labels by their best
    /// captures, and returns the slab after them.
    fn step_portion(&mut self, step: i8, watch: Watch<'_>) -> usize {
        let most = usize::try_from(portion_boards(self.index.boards())).expect("at most 2^26");
        let labels = L::step(self.index.seeds(), step);
        let end = self.find(self.state.cursor.slab, &labels, most);
        let Snapshot { states, deferred, .. } = &mut self.state;
        let cells = L::Cell::cells_mut(states);
        let propagation = Propagation::new(self.tables, &self.slabs);
        let step = Step { propagation, slabs: &self.slabs, deferred, labels };
        while let boards @ 1.. = self.rounds.round(&step, cells) {
            watch.progress.advance(boards as u64);
        }
        end
    }

    /// Does a whole step and numbers its boards by rounds. Ended boards have distance 0; boards
    /// decided by a capture join the boards at distance 1.
    fn step_with_distances(&mut self, step: i8, watch: Watch<'_>) {
        let labels = L::step(self.index.seeds(), step);
        self.find(0, &labels, usize::MAX);
        let mut captures = self.split_off_captures(step);
        let Snapshot { states, deferred, distances, .. } = &mut self.state;
        let cells = L::Cell::cells_mut(states);
        let propagation = Propagation::new(self.tables, &self.slabs);
        let step = Step { propagation, slabs: &self.slabs, deferred, labels };
        let distances = distances.as_mut().expect("the caller wants distances");
        let mut number = 1u16;
        loop {
            let each = self.slabs.cut(distances).into_par_iter();
            each.zip(self.rounds.frontier()).for_each(|(distances, list)| {
                for board in list.as_slice() {
                    if L::NUMBERS_LOST || board.won() {
                        distances[board.place() as usize] = number;
                    }
                }
            });
            let boards = self.rounds.round(&step, cells);
            if boards == 0 && captures.is_empty() {
                break;
            }
            watch.progress.advance(boards as u64);
            for (list, captures) in self.rounds.frontier().iter_mut().zip(captures.drain(..)) {
                list.extend(&captures);
            }
            number = number.saturating_add(1);
        }
    }

    /// Leaves the ended boards on the frontier and returns the others.
    fn split_off_captures(&mut self, step: i8) -> Frontier {
        let (seeds, rules) = (self.index.seeds(), self.tables.rules());
        let split = |(slab, list): (&Slab, &mut AppendBuffer<Update>)| {
            let minors = row_count(slab.mover_seeds);
            let has_ended = |board: Update| {
                let major = slab.majors.start + board.place() / minors;
                let mover = unrank(slab.mover_seeds, board.place() % minors);
                end_of(rules, mover, gapped_unrank(slab.opponent_seeds, major)).is_some()
            };
            // Only an ended board is worth all seeds of the level without a capture before.
            if step.cast_unsigned() != seeds.get() {
                return std::mem::take(list);
            }
            let (mut ended, mut captures) = (AppendBuffer::default(), AppendBuffer::default());
            for &board in list.as_slice() {
                let kind = if has_ended(board) { &mut ended } else { &mut captures };
                kind.push(board);
            }
            *list = ended;
            captures
        };
        let slabs = self.slabs.as_slice().par_iter();
        slabs.zip(self.rounds.frontier()).map(split).collect()
    }

    /// Puts the boards of the slabs from `from` on that a step labels by their best captures on the
    /// frontier, about `most` of them, and returns the slab after them.
    fn find(&mut self, from: usize, labels: &L, most: usize) -> usize {
        let slabs = self.slabs.as_slice();
        let some = SEARCHED_SLABS * rayon::current_num_threads();
        let mut to = from;
        while to < slabs.len() && self.rounds.frontier_boards() < most {
            let range = to..slabs.len().min(to + some);
            to = range.end;
            let lists = &mut self.rounds.frontier()[range.clone()];
            let cells = L::Cell::cells(&self.state.states);
            slabs[range].par_iter().zip(lists).for_each(|(slab, list)| {
                labels.find(&cells[slab.start..slab.start + slab.boards], list);
            });
        }
        to
    }

    /// The labels of the level, and its distances if they were wanted, once every step is done.
    pub(crate) fn finish(self) -> (L::Level, Option<LevelDistances>) {
        debug_assert!(self.is_solved());
        let Snapshot { mut states, deferred, distances, .. } = self.state;
        let seeds = self.index.seeds();
        let pieces = self.slabs.cut(L::Cell::cells_mut(&mut states));
        pieces.into_par_iter().enumerate().for_each(|(slab, cells)| {
            L::end(seeds, cells, deferred.get(slab));
        });
        let distances = distances
            .map(|numbers| LevelDistances::new(seeds, numbers).expect("one number per board"));
        (L::level(self.index.clone(), states), distances)
    }
}
