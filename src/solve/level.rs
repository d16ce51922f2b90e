//! Solving one level: the capture pass, the steps, and the finished values.

use super::append_buffer::AppendBuffer;
use super::capture_pass::{finish_level, raise_level};
use super::deferred_captures::DeferredCaptures;
use super::move_tables::MoveTables;
use super::propagate::Propagation;
use super::rounds::{Frontier, Rounds, portion_boards, propagation_bytes};
use super::slabs::{Slab, Slabs};
use super::snapshot::{Cursor, Snapshot};
use super::state::{by_capture, counts_with_captures, plain_bytes};
use super::update_buffer::Update;
use crate::index::{LevelIndex, gapped_unrank, row_count, unrank};
use crate::kernels::SmallerLevels;
use crate::level::{Bytes, LevelDistances, LevelValues, memory};
use crate::progress::Watch;
use crate::rules::{Seeds, end_of};
use rayon::prelude::*;

/// Slabs that each thread searches before the boards found are counted.
const SEARCHED_SLABS: usize = 16;

/// A level between its capture pass and its values.
#[derive(Debug)]
pub(crate) struct LevelSolver<'tables> {
    tables: &'tables MoveTables,
    index: &'tables LevelIndex,
    slabs: Slabs,
    rounds: Rounds,
    state: Snapshot,
}

impl<'tables> LevelSolver<'tables> {
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
        memory::expect_room(each * (2 + distances) + propagation_bytes(each))?;
        let state = Snapshot {
            cursor: Cursor { step: seeds.get().cast_signed(), slab: 0 },
            states: Bytes::zeroed(boards)?,
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
        let fits = states.len() == boards
            && deferred_boards.eq(slabs.iter().map(|slab| slab.boards))
            && cursor.slab <= slabs.len()
            && (0..=seeds.get().cast_signed()).contains(&cursor.step)
            && distances.as_ref().is_none_or(|distances| distances.len() == boards);
        fits.then_some(solver)
    }

    fn with_state(tables: &'tables MoveTables, seeds: Seeds, state: Snapshot) -> Self {
        let index = &tables.levels[seeds.index()];
        let slabs = Slabs::new(index);
        let rounds = Rounds::new(slabs.as_slice().len(), index.boards());
        Self { tables, index, slabs, rounds, state }
    }

    /// The state that a checkpoint saves.
    pub(crate) const fn snapshot(&self) -> &Snapshot {
        &self.state
    }

    /// Does a part of the capture pass, over the captures that lead to the levels of `smaller`.
    pub(crate) fn raise_captures(&mut self, smaller: &SmallerLevels<'_>, watch: Watch<'_>) {
        raise_level(self.tables, &self.slabs, smaller, &mut self.state.states, watch);
    }

    /// Does the last part of the capture pass.
    pub(crate) fn finish_captures(&mut self, smaller: &SmallerLevels<'_>, watch: Watch<'_>) {
        let states = &mut self.state.states;
        self.state.deferred = finish_level(self.tables, &self.slabs, smaller, states, watch);
    }

    /// Whether every step is done.
    pub(crate) const fn is_solved(&self) -> bool {
        self.state.cursor.step <= 0
    }

    /// Does the next piece of work, or nothing when [`is_solved`](Self::is_solved). A
    /// [`snapshot`](Self::snapshot) can be saved between two pieces, and resumed later.
    pub(crate) fn advance(&mut self, watch: Watch<'_>) {
        let Cursor { step, .. } = self.state.cursor;
        if step <= 0 {
            return;
        }
        let slabs = self.slabs.as_slice().len();
        let end = if self.state.distances.is_some() {
            self.step_with_distances(step, watch);
            slabs
        } else {
            self.step_portion(step, watch)
        };
        self.rounds.release();
        self.state.cursor = if end == slabs {
            Cursor { step: step - 1, slab: 0 }
        } else {
            Cursor { step, slab: end }
        };
    }

    /// Decides all that follows from the boards of the next slabs whose bound is `step` or `−step`,
    /// and returns the slab after them.
    fn step_portion(&mut self, step: i8, watch: Watch<'_>) -> usize {
        let most = usize::try_from(portion_boards(self.index.boards())).expect("at most 2^26");
        let end = self.find(self.state.cursor.slab, step, most);
        let Snapshot { states, deferred, .. } = &mut self.state;
        let propagation = Propagation::new(self.tables, &self.slabs, deferred, step);
        while let boards @ 1.. = self.rounds.round(&propagation, &self.slabs, states) {
            watch.progress.advance(boards as u64);
        }
        end
    }

    /// Does a whole step and numbers its boards by rounds. Ended boards have distance 0; boards
    /// decided by a capture join the boards at distance 1.
    fn step_with_distances(&mut self, step: i8, watch: Watch<'_>) {
        self.find(0, step, usize::MAX);
        let mut captures = self.split_off_captures(step);
        let Snapshot { states, deferred, distances, .. } = &mut self.state;
        let propagation = Propagation::new(self.tables, &self.slabs, deferred, step);
        let distances = distances.as_mut().expect("the caller wants distances");
        let mut number = 1u16;
        loop {
            let each = self.slabs.cut(distances).into_par_iter();
            each.zip(self.rounds.frontier()).for_each(|(distances, list)| {
                for board in list.as_slice() {
                    distances[board.place() as usize] = number;
                }
            });
            let boards = self.rounds.round(&propagation, &self.slabs, states);
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

    /// Puts the boards of the slabs from `from` on whose bound is `step` or `−step` on the frontier,
    /// about `most` of them, and returns the slab after them.
    fn find(&mut self, from: usize, step: i8, most: usize) -> usize {
        let slabs = self.slabs.as_slice();
        let some = SEARCHED_SLABS * rayon::current_num_threads();
        let mut to = from;
        while to < slabs.len() && self.rounds.frontier_boards() < most {
            let range = to..slabs.len().min(to + some);
            to = range.end;
            let lists = &mut self.rounds.frontier()[range.clone()];
            let states = &self.state.states;
            slabs[range].par_iter().zip(lists).for_each(|(slab, list)| {
                find_bounds(&states[slab.start..slab.start + slab.boards], step, list);
            });
        }
        to
    }

    /// The values of the level, and its distances if they were wanted, once every step is done.
    pub(crate) fn finish(self) -> (LevelValues, Option<LevelDistances>) {
        debug_assert!(self.is_solved());
        let Snapshot { mut states, deferred, distances, .. } = self.state;
        let plain = plain_bytes();
        let pieces = self.slabs.cut(&mut states);
        pieces.into_par_iter().zip(&deferred).for_each(|(states, deferred)| {
            for (board, capture) in deferred.iter() {
                if capture == 0 && counts_with_captures(states[board]) {
                    states[board] = by_capture(0);
                }
            }
            for state in states {
                *state = plain[usize::from(*state)];
            }
        });
        let distances = distances.map(|numbers| {
            LevelDistances::new(self.index.seeds(), numbers).expect("one number per board")
        });
        (LevelValues::from_solved(self.index.clone(), states), distances)
    }
}

/// Lists the boards of a slab whose state is `ByCapture(step)` or `ByCapture(−step)`.
fn find_bounds(states: &[u8], step: i8, found: &mut AppendBuffer<Update>) {
    let (won, lost) = (by_capture(step), by_capture(-step));
    let mut place = 0;
    let (words, rest) = states.as_chunks::<8>();
    for word in words {
        let packed = u64::from_le_bytes(*word);
        let wins = bytes_equal(packed, won);
        let mut hits = wins | bytes_equal(packed, lost);
        while hits != 0 {
            let bit = hits.trailing_zeros();
            hits &= hits - 1;
            found.push(Update::new(place + bit / 8, wins >> bit & 1 == 1));
        }
        place += 8;
    }
    for &state in rest {
        if state == won || state == lost {
            found.push(Update::new(place, state == won));
        }
        place += 1;
    }
}

/// Bit 7 of each byte of the result is set where the byte of `packed` equals `byte`.
const fn bytes_equal(packed: u64, byte: u8) -> u64 {
    const LOWS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let distance = packed ^ u64::from_le_bytes([byte; 8]);
    // Adding to the low seven bits carries into bit 7 unless they are all zero.
    !(((distance & LOWS) + LOWS) | distance | LOWS)
}
