//! Many boards at once: each block that they need is decoded once.
//!
//! Boards are gathered by level, the highest level first. A level's boards are sorted by index, so
//! that those of a block stand together; blocks that the cache has not are decoded side by side, each
//! no further than to its last board asked, and not kept. The boards that captures lead to are gathered in
//! their own, smaller levels. When the smallest level is done the values of boards with captures are put
//! together upwards.

use super::cache::BlockCache;
use super::file::{LevelFile, Stored};
use super::probe::{Capture, captures};
use super::{Database, DatabaseError, LEVELS, LevelSource, MoveValue};
use crate::rules::{Board, Outcome, Rules, Value};
use crate::table::{Contents, Table};
use rayon::prelude::*;
use std::sync::Arc;

/// Boards gathered before they are looked up: bounds the memory of a call to some 300 MB.
const VALUES_A_ROUND: usize = 1 << 20;
const MOVES_A_ROUND: usize = 1 << 19;
/// Boards of a level that one thread looks up at a time, about.
const BOARDS_A_TASK: usize = 2048;

/// A value found, or why it could not be; many boards may share one reason.
type Found = Result<i8, Arc<DatabaseError>>;

/// Where the answer to a board will be: its level and its place in the level's list.
#[derive(Clone, Copy, Debug)]
struct Ticket {
    seeds: u8,
    place: u32,
}

/// A capture that a board's value depends on.
struct Link {
    parent: u32,
    captured: u8,
    child: Ticket,
}

/// The boards of one call.
struct Gathered {
    boards: [Vec<Board>; LEVELS],
    found: [Vec<Found>; LEVELS],
    links: [Vec<Link>; LEVELS],
}

/// A board asked for: its index and its place in the level's list.
type Wanted = (u64, u32);

/// What some boards gave.
#[derive(Default)]
struct Run {
    found: Vec<(u32, Found)>,
    captures: Vec<(u32, u8, Board)>,
}

impl Database {
    /// The values of many boards, in their order: several times quicker than asking one by one,
    /// on all threads of the current rayon pool.
    ///
    /// # Errors
    /// Each board has its own, as of [`value`](Self::value).
    #[must_use]
    pub fn values(&self, boards: &[Board]) -> Vec<Result<Value, DatabaseError>> {
        let rounds = boards.chunks(VALUES_A_ROUND);
        rounds.flat_map(|round| self.values_round(round)).collect()
    }

    /// The moves of many boards, in their order, each as of [`moves`](Self::moves).
    ///
    /// # Errors
    /// Each board has its own, as of [`value`](Self::value).
    #[must_use]
    pub fn moves_batch(&self, boards: &[Board]) -> Vec<Result<Vec<MoveValue>, DatabaseError>> {
        let rounds = boards.chunks(MOVES_A_ROUND);
        rounds.flat_map(|round| self.moves_round(round)).collect()
    }

    fn values_round(&self, boards: &[Board]) -> Vec<Result<Value, DatabaseError>> {
        let mut gathered = Gathered::new();
        let tickets: Vec<_> =
            boards.iter().map(|&board| board.is_reachable().then(|| gathered.ask(board))).collect();
        let others: Vec<_> = boards.iter().copied().filter(|board| !board.is_reachable()).collect();
        self.look_up(&mut gathered);
        // Boards that no move leads to are few: one ply each.
        let mut by_moves = self.moves_round_of_others(&others).into_iter();
        tickets
            .into_iter()
            .map(|ticket| match ticket {
                Some(ticket) => gathered.answer(ticket),
                None => by_moves.next().unwrap_or(Ok(Value::EVEN)),
            })
            .collect()
    }

    fn moves_round_of_others(&self, boards: &[Board]) -> Vec<Result<Value, DatabaseError>> {
        if boards.is_empty() {
            return Vec::new();
        }
        let moves = self.moves_round(boards);
        let best = |(moves, &board): (Result<Vec<MoveValue>, _>, &Board)| {
            let ended = || self.rules.end(board);
            let first = moves?.first().map(|first| first.value);
            Ok(first.or_else(|| Some(ended()?.value(board.seeds()))).unwrap_or(Value::EVEN))
        };
        moves.into_iter().zip(boards).map(best).collect()
    }

    fn moves_round(&self, boards: &[Board]) -> Vec<Result<Vec<MoveValue>, DatabaseError>> {
        let mut gathered = Gathered::new();
        let mut asked = Vec::with_capacity(6 * boards.len());
        let mut moves_of = Vec::with_capacity(boards.len());
        for &board in boards {
            let before = asked.len();
            for (pit, outcome) in self.rules.moves(board) {
                let ticket = match outcome {
                    Outcome::Moved { next, .. } => Some(gathered.ask(next)),
                    Outcome::Ended { .. } | Outcome::Illegal => None,
                };
                asked.push((pit, outcome, ticket));
            }
            moves_of.push(before..asked.len());
        }
        self.look_up(&mut gathered);
        let answer = |(range, &board): (std::ops::Range<usize>, &Board)| {
            let asked = asked.get(range).unwrap_or_default();
            // Without its level a board is missing, whatever its captures lead to.
            if !asked.is_empty() && self.level(board.seeds()).is_none() {
                return Err(self.missing(Contents::Values, board.seeds()));
            }
            let mut moves = asked
                .iter()
                .map(|&(pit, outcome, ticket)| {
                    let (captured, after) = match outcome {
                        Outcome::Moved { captured, .. } => (captured, None),
                        Outcome::Ended { captured, left } => {
                            (captured, Some(Value::all(left, true)))
                        }
                        Outcome::Illegal => (0, None),
                    };
                    let after = match (after, ticket) {
                        (Some(after), _) => after,
                        (None, Some(ticket)) => gathered.answer(ticket)?,
                        (None, None) => Value::EVEN,
                    };
                    Ok(MoveValue { pit, captured, value: after.after_capturing(captured), outcome })
                })
                .collect::<Result<Vec<_>, DatabaseError>>()?;
            moves.sort_by_key(|found| std::cmp::Reverse(found.value));
            Ok(moves)
        };
        moves_of.into_par_iter().zip(boards).with_min_len(BOARDS_A_TASK).map(answer).collect()
    }

    /// Finds the values of all gathered boards and of those that they depend on.
    fn look_up(&self, gathered: &mut Gathered) {
        for seeds in (0..LEVELS).rev() {
            let boards = std::mem::take(&mut gathered.boards[seeds]);
            if boards.is_empty() {
                continue;
            }
            let level = u8::try_from(seeds).unwrap_or(u8::MAX);
            let runs = match self.level(level) {
                Some(LevelSource::File(file)) => self.look_up_file(file, &boards),
                Some(LevelSource::Memory(plain)) => {
                    let value = |board| plain.value(board).map(Value::get);
                    vec![self.look_up_each(level, &boards, value)]
                }
                None => vec![self.look_up_each(level, &boards, |board| {
                    let end = self.rules.end(board)?;
                    Some(end.value(level).get())
                })],
            };
            gathered.take(seeds, boards.len(), runs);
        }
        for seeds in 0..LEVELS {
            gathered.settle(seeds);
        }
    }

    /// Looks boards up that need no table.
    fn look_up_each(
        &self,
        seeds: u8,
        boards: &[Board],
        value: impl Fn(Board) -> Option<i8>,
    ) -> Run {
        let missing = Arc::new(self.missing(Contents::Values, seeds));
        let found = (0..)
            .zip(boards)
            .map(|(place, &board)| (place, value(board).ok_or_else(|| Arc::clone(&missing))));
        Run { found: found.collect(), captures: Vec::new() }
    }

    fn look_up_file(&self, file: &LevelFile, boards: &[Board]) -> Vec<Run> {
        let failed = |error: DatabaseError| {
            let error = Arc::new(error);
            let places = 0..u32::try_from(boards.len()).unwrap_or(u32::MAX);
            let found = places.map(|place| (place, Err(Arc::clone(&error)))).collect();
            vec![Run { found, captures: Vec::new() }]
        };
        let table = match file.table() {
            Ok(table) => table,
            Err(error) => return failed(error),
        };
        let wanted = |(place, &board): (usize, &Board)| {
            let index = file.index(board).unwrap_or(u64::MAX);
            (index, u32::try_from(place).unwrap_or(u32::MAX))
        };
        let mut order: Vec<Wanted> = boards.par_iter().enumerate().map(wanted).collect();
        order.par_sort_unstable();
        let look_up = Lookup { rules: self.rules, cache: &self.cache, file, table, boards };
        let tasks = look_up.tasks(&order);
        tasks.into_par_iter().map(|task| look_up.run(task)).collect()
    }
}

/// Looking boards of a table up.
struct Lookup<'d> {
    rules: Rules,
    cache: &'d BlockCache,
    file: &'d LevelFile,
    table: &'d Table,
    boards: &'d [Board],
}

impl Lookup<'_> {
    fn block(&self, wanted: &Wanted) -> u64 {
        wanted.0 / u64::from(self.table.header().block_boards)
    }

    /// Cuts boards in order of index between blocks.
    fn tasks<'w>(&self, mut order: &'w [Wanted]) -> Vec<&'w [Wanted]> {
        let mut tasks = Vec::with_capacity(order.len() / BOARDS_A_TASK + 1);
        while let Some(last) = order.get(BOARDS_A_TASK) {
            let same =
                order[BOARDS_A_TASK..].iter().take_while(|w| self.block(w) == self.block(last));
            let (task, rest) = order.split_at(BOARDS_A_TASK + same.count());
            tasks.push(task);
            order = rest;
        }
        tasks.push(order);
        tasks
    }

    /// Looks boards in order of index up.
    fn run(&self, wanted: &[Wanted]) -> Run {
        let mut result = Run { found: Vec::with_capacity(wanted.len()), captures: Vec::new() };
        let mut uncached: Vec<(&[Wanted], u32, usize)> = Vec::new();
        for of_block in wanted.chunk_by(|a, b| self.block(a) == self.block(b)) {
            let places = of_block.first().zip(of_block.last());
            let places = places.and_then(|(first, last)| {
                Some((self.table.place(first.0)?.0, self.table.place(last.0)?.1))
            });
            let Some((block, last)) = places else {
                result.fail(of_block, self.file.missing());
                continue;
            };
            let read = |bytes: &[u8]| -> Vec<_> {
                of_block
                    .iter()
                    .map(|&(index, _)| bytes.get(self.in_block(index)).copied())
                    .collect()
            };
            match self.file.cached_block(self.cache, block, read) {
                Some(bytes) => {
                    let stored = bytes.into_iter().map(|byte| byte.map(Stored::from_byte));
                    self.take(of_block, stored, &mut result);
                }
                None => uncached.push((of_block, block, last + 1)),
            }
        }
        // Blocks that are decoded side by side should want about as many boards.
        uncached.sort_unstable_by_key(|&(_, block, boards)| (boards, block));
        let blocks: Vec<_> = uncached.iter().map(|&(_, block, boards)| (block, boards)).collect();
        LevelFile::decode_several(self.table, &blocks, |at, numbers| {
            let of_block = uncached[at].0;
            match numbers {
                Ok(numbers) => {
                    let stored = of_block.iter().map(|&(index, _)| {
                        let number = *numbers.get(self.in_block(index))?;
                        Some(LevelFile::stored_number(self.table, number))
                    });
                    self.take(of_block, stored, &mut result);
                }
                Err(error) => result.fail(of_block, error),
            }
        });
        result
    }

    /// A board's place in its block.
    fn in_block(&self, index: u64) -> usize {
        self.table.place(index).map_or(usize::MAX, |(_, place)| place)
    }

    /// Takes in what is stored for boards of one block.
    fn take(
        &self,
        of_block: &[Wanted],
        stored: impl Iterator<Item = Option<Stored>>,
        result: &mut Run,
    ) {
        for (&(_, place), stored) in of_block.iter().zip(stored) {
            let Some(Stored { number, resolved }) = stored else {
                result.found.push((place, Err(Arc::new(self.file.missing()))));
                continue;
            };
            let mut value = number;
            if let (false, Some(&board)) = (resolved, self.boards.get(place as usize)) {
                for capture in captures(self.rules, board) {
                    match capture {
                        Capture::Ended(ended) => value = value.max(ended.get()),
                        Capture::Moved { captured, next } => {
                            result.captures.push((place, captured, next));
                        }
                    }
                }
            }
            result.found.push((place, Ok(value)));
        }
    }
}

impl Run {
    /// None of some boards could be looked up.
    fn fail(&mut self, wanted: &[Wanted], error: DatabaseError) {
        let error = Arc::new(error);
        self.found.extend(wanted.iter().map(|&(_, place)| (place, Err(Arc::clone(&error)))));
    }
}

impl Gathered {
    fn new() -> Self {
        Self {
            boards: [const { Vec::new() }; LEVELS],
            found: [const { Vec::new() }; LEVELS],
            links: [const { Vec::new() }; LEVELS],
        }
    }

    /// Puts a board on its level's list.
    fn ask(&mut self, board: Board) -> Ticket {
        let seeds = board.seeds();
        let list = &mut self.boards[usize::from(seeds)];
        let place = u32::try_from(list.len()).unwrap_or(u32::MAX);
        list.push(board);
        Ticket { seeds, place }
    }

    /// Takes in what a level's runs gave, in the order of the level's list.
    fn take(&mut self, seeds: usize, boards: usize, runs: Vec<Run>) {
        let mut found = vec![Ok(0); boards];
        for run in runs {
            for (place, value) in run.found {
                found[place as usize] = value;
            }
            for (parent, captured, next) in run.captures {
                let child = self.ask(next);
                self.links[seeds].push(Link { parent, captured, child });
            }
        }
        self.found[seeds] = found;
    }

    /// Raises a level's values to their captures', once the smaller levels are settled.
    fn settle(&mut self, seeds: usize) {
        for Link { parent, captured, child } in std::mem::take(&mut self.links[seeds]) {
            let after = self.found[usize::from(child.seeds)][child.place as usize].clone();
            let value = &mut self.found[seeds][parent as usize];
            match (&mut *value, after) {
                (Ok(value), Ok(after)) => *value = (*value).max(captured.cast_signed() - after),
                (Ok(_), Err(error)) => *value = Err(error),
                (Err(_), _) => {}
            }
        }
    }

    fn answer(&self, ticket: Ticket) -> Result<Value, DatabaseError> {
        match &self.found[usize::from(ticket.seeds)][ticket.place as usize] {
            Ok(value) => Ok(Value::new(*value).unwrap_or(Value::EVEN)),
            Err(error) => Err((**error).clone()),
        }
    }
}
