//! Probes of many boards at once: each block that they need is decoded once.
//!
//! A batch lists the boards to look up by level. Levels are looked up from the largest to the
//! smallest. The boards of a level are sorted by index, so those of a block are consecutive. Blocks
//! that are not in the cache are decoded several at a time, each no further than to the last board
//! wanted, and are not cached. If a stored number is not resolved, the boards after the captures
//! join the lists of their smaller levels. After the smallest level, values are raised to those of
//! the captures, from the smallest level up.

use super::cache::BlockCache;
use super::file::{LevelFile, Stored};
use super::probe::{captures, value_without_table};
use super::{BatchError, Database, DatabaseError, LEVELS, LevelSource, MoveValue};
use crate::rules::{BOARD_PITS, Board, Outcome, Pit, Rules, Seeds, Value};
use crate::table::{Contents, Table};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Boards per round of values: bounds the memory of a call to some 300 MB.
const VALUES_ROUND_BOARDS: usize = 1 << 20;
/// Boards per round of moves, with the same bound.
const MOVES_ROUND_BOARDS: usize = 1 << 19;
/// Boards per task, about.
const TASK_BOARDS: usize = 2048;

/// The value of a board, or an error that many boards may share.
type Answer = Result<Value, Arc<DatabaseError>>;

/// A board of a batch: its level and its position in the level's list.
#[derive(Clone, Copy, Debug)]
struct Handle {
    seeds: Seeds,
    position: u32,
}

/// A legal move, and the board after it unless the move ends the game.
#[derive(Clone, Copy, Debug)]
struct RequestedMove {
    pit: Pit,
    outcome: Outcome,
    next: Option<Handle>,
}

/// The boards whose values give the value of a board.
enum Request {
    /// The board itself.
    Board(Handle),
    /// The boards after its moves, a range of [`Batch::moves`].
    Moves(Range<usize>),
}

/// A capture that the value of a board depends on.
struct Capture {
    /// The position of the board in its level's list.
    parent: u32,
    captured: u8,
    child: Handle,
}

/// The boards to look up in one round, and their answers. Lists are by number of seeds.
struct Batch {
    boards: [Vec<Board>; LEVELS],
    /// One per board once its level is looked up.
    answers: [Vec<Option<Answer>>; LEVELS],
    captures: [Vec<Capture>; LEVELS],
    moves: Vec<RequestedMove>,
}

/// The index of a board and its position in its level's list.
type Entry = (u64, u32);

/// The results of one task. Boards are given by their positions in the level's list.
#[derive(Default)]
struct TaskResults {
    answers: Vec<(u32, Answer)>,
    /// Captures from boards that are not resolved: seeds captured, and the board afterwards.
    captures: Vec<(u32, u8, Board)>,
}

impl Database {
    /// The values of many boards, in the same order, on all threads of the current rayon pool. This
    /// is several times faster than one [`value`](Self::value) after the other.
    ///
    /// # Errors
    /// Each board has a result of its own, as from [`value`](Self::value).
    #[must_use]
    pub fn values(&self, boards: &[Board]) -> Vec<Result<Value, DatabaseError>> {
        let rounds = boards.chunks(VALUES_ROUND_BOARDS);
        rounds.flat_map(|round| self.values_round(round.iter().copied())).collect()
    }

    /// The values of many boards, given by their pits `A…F a…f`, into `values` in the same order, on
    /// all threads of the current rayon pool: [`values`](Self::values) for arrays of other programs,
    /// with neither a list of boards nor one of results.
    ///
    /// ```
    /// use oware::{database::Database, rules::{Rules, Seeds}, solve::solve_in_memory};
    ///
    /// let database = Database::from_levels(Rules::Awari, solve_in_memory(Rules::Awari, Seeds::of(4))?);
    /// let mut values = [0; 2];
    /// let boards = [[0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]];
    /// database.values_into(&boards, &mut values)?;
    /// assert_eq!(values, [2, 2]);
    ///
    /// let error = database.values_into(&[[5; 12]], &mut [0]).expect_err("60 seeds");
    /// assert_eq!(error.to_string(), "board 0: 60 seeds: pits and stores together hold at most 48");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError`] names the first array that is not a board, in which case `values` is
    /// unchanged; or the first board that has no value, in which case `values` holds those of the
    /// boards before it.
    #[expect(clippy::missing_panics_doc, reason = "every array is checked before it is a board")]
    pub fn values_into(
        &self,
        boards: &[[u8; BOARD_PITS]],
        values: &mut [i8],
    ) -> Result<(), BatchError> {
        let lengths = (boards.len(), values.len());
        if lengths.0 != lengths.1 {
            return Err(BatchError::Length { boards: lengths.0, values: lengths.1 });
        }
        let too_many = |pits: &[u8; BOARD_PITS]| Board::new(*pits).is_none();
        if let Some(at) = boards.par_iter().with_min_len(TASK_BOARDS).position_first(too_many) {
            let source = Board::try_from(boards[at]).expect_err("it has too many seeds");
            return Err(BatchError::NotABoard { at, source });
        }
        let board = |&pits: &_| Board::new(pits).expect("checked above");
        let rounds = boards.chunks(VALUES_ROUND_BOARDS).zip(values.chunks_mut(VALUES_ROUND_BOARDS));
        for (round, (boards, values)) in rounds.enumerate() {
            let answers = self.values_round(boards.iter().map(board));
            for (at, (value, answer)) in values.iter_mut().zip(answers).enumerate() {
                let at = round * VALUES_ROUND_BOARDS + at;
                *value = answer.map_err(|source| BatchError::Database { at, source })?.get();
            }
        }
        Ok(())
    }

    /// The moves of many boards, in the same order, each as from [`moves`](Self::moves), on all
    /// threads of the current rayon pool.
    ///
    /// # Errors
    /// Each board has a result of its own, as from [`moves`](Self::moves).
    #[must_use]
    pub fn moves_batch(&self, boards: &[Board]) -> Vec<Result<Vec<MoveValue>, DatabaseError>> {
        let rounds = boards.chunks(MOVES_ROUND_BOARDS);
        rounds.flat_map(|round| self.moves_round(round)).collect()
    }

    /// The values of the boards of a round, in the same order.
    fn values_round(
        &self,
        boards: impl ExactSizeIterator<Item = Board> + Clone,
    ) -> impl Iterator<Item = Result<Value, DatabaseError>> {
        let mut batch = Batch::new();
        let request = |board: Board| match board.is_reachable() {
            true => Request::Board(batch.add(board)),
            false => Request::Moves(batch.add_moves(self.rules, board)),
        };
        let requests: Vec<_> = boards.clone().map(request).collect();
        self.look_up(&mut batch);
        requests.into_iter().zip(boards).map(move |(request, board)| match request {
            Request::Board(handle) => batch.value(handle),
            Request::Moves(range) => {
                let (moves, value_of) = batch.moves(range);
                self.best_value(board, moves, value_of)
            }
        })
    }

    fn moves_round(&self, boards: &[Board]) -> Vec<Result<Vec<MoveValue>, DatabaseError>> {
        let mut batch = Batch::new();
        batch.moves.reserve(6 * boards.len());
        let ranges: Vec<_> =
            boards.iter().map(|&board| batch.add_moves(self.rules, board)).collect();
        self.look_up(&mut batch);
        let answer = |(range, &board)| {
            let (moves, value_of) = batch.moves(range);
            self.sorted_moves(board, moves, value_of)
        };
        ranges.into_par_iter().zip(boards).with_min_len(TASK_BOARDS).map(answer).collect()
    }

    /// Finds the values of all boards of a batch and of the boards that they depend on.
    fn look_up(&self, batch: &mut Batch) {
        for seeds in Seeds::MAX.up_to().rev() {
            let boards = std::mem::take(&mut batch.boards[seeds.index()]);
            if boards.is_empty() {
                continue;
            }
            let results = match self.level(seeds) {
                Some(LevelSource::File(file)) => self.look_up_file(file, &boards),
                Some(LevelSource::Memory(level)) => {
                    let value =
                        |board| level.value(board).expect("only reachable boards are added");
                    vec![TaskResults::of_each(&boards, |board| Ok(value(board)))]
                }
                None => self.without_table(&boards, self.missing(Contents::Values, seeds)),
            };
            batch.add_results(seeds, boards.len(), results);
        }
        for seeds in Seeds::MAX.up_to() {
            batch.raise_to_captures(seeds);
        }
    }

    /// The answers of boards of one level without a table.
    fn without_table(&self, boards: &[Board], reason: DatabaseError) -> Vec<TaskResults> {
        let reason = Arc::new(reason);
        let answer = |board| value_without_table(self.rules, board, Arc::clone(&reason));
        vec![TaskResults::of_each(boards, answer)]
    }

    /// Looks up boards of one level in its table.
    fn look_up_file(&self, file: &LevelFile, boards: &[Board]) -> Vec<TaskResults> {
        let table = match file.table() {
            Ok(table) => table,
            Err(error) => {
                let error = Arc::new(error);
                return vec![TaskResults::of_each(boards, |_| Err(Arc::clone(&error)))];
            }
        };
        let entry = |(position, &board): (usize, &Board)| {
            let index = file.index(board).expect("only reachable boards are added");
            (index, to_position(position))
        };
        let mut entries: Vec<Entry> = boards.par_iter().enumerate().map(entry).collect();
        entries.par_sort_unstable();
        let lookup = Lookup { rules: self.rules, cache: &self.cache, file, table, boards };
        let tasks = lookup.tasks(&entries);
        tasks.into_par_iter().map(|task| lookup.run(task)).collect()
    }
}

/// The look-up of boards in one table.
struct Lookup<'d> {
    rules: Rules,
    cache: &'d BlockCache,
    file: &'d LevelFile,
    table: &'d Table,
    /// The level's list.
    boards: &'d [Board],
}

impl Lookup<'_> {
    /// The block of a board, and the board's place in it.
    fn place(&self, &(index, _): &Entry) -> (u32, usize) {
        LevelFile::place(self.table, index)
    }

    fn block(&self, entry: &Entry) -> u64 {
        entry.0 / u64::from(self.table.header().block_boards)
    }

    /// Splits entries in index order between blocks.
    fn tasks<'e>(&self, mut entries: &'e [Entry]) -> Vec<&'e [Entry]> {
        let mut tasks = Vec::with_capacity(entries.len() / TASK_BOARDS + 1);
        while let Some(last) = entries.get(TASK_BOARDS) {
            let same =
                entries[TASK_BOARDS..].iter().take_while(|e| self.block(e) == self.block(last));
            let (task, rest) = entries.split_at(TASK_BOARDS + same.count());
            tasks.push(task);
            entries = rest;
        }
        tasks.push(entries);
        tasks
    }

    /// Looks up boards in index order.
    fn run(&self, entries: &[Entry]) -> TaskResults {
        let answers = Vec::with_capacity(entries.len());
        let mut results = TaskResults { answers, captures: Vec::new() };
        let mut uncached: Vec<(&[Entry], u32, usize)> = Vec::new();
        for entries in entries.chunk_by(|a, b| self.block(a) == self.block(b)) {
            let last = entries.last().expect("a chunk is not empty");
            let (block, last_place) = self.place(last);
            let read = |bytes: &[u8]| -> Vec<u8> {
                entries.iter().map(|entry| bytes[self.place(entry).1]).collect()
            };
            match self.file.cached_block(self.cache, block, read) {
                Some(bytes) => {
                    let stored = bytes.into_iter().map(Stored::from_byte);
                    self.add_stored(entries, stored, &mut results);
                }
                None => uncached.push((entries, block, last_place + 1)),
            }
        }
        // Blocks that are decoded side by side should need about the same number of boards.
        uncached.sort_unstable_by_key(|&(_, block, boards)| (boards, block));
        let blocks: Vec<_> = uncached.iter().map(|&(_, block, boards)| (block, boards)).collect();
        LevelFile::decode_several(self.table, &blocks, |at, numbers| {
            let entries = uncached[at].0;
            match numbers {
                Ok(numbers) => {
                    let numbers = entries.iter().map(|entry| numbers[self.place(entry).1]);
                    let stored = numbers.map(Stored::of_table);
                    self.add_stored(entries, stored, &mut results);
                }
                Err(error) => {
                    let error = Arc::new(error);
                    let failed = |&(_, position)| (position, Err(Arc::clone(&error)));
                    results.answers.extend(entries.iter().map(failed));
                }
            }
        });
        results
    }

    /// Adds what is stored for boards of one block to the results.
    fn add_stored(
        &self,
        entries: &[Entry],
        stored: impl Iterator<Item = Stored>,
        results: &mut TaskResults,
    ) {
        for (&(_, position), Stored { number, resolved }) in entries.iter().zip(stored) {
            let mut value = number;
            if !resolved {
                for outcome in captures(self.rules, self.boards[position as usize]) {
                    // The gain itself if the game ends, otherwise the board to look up for it.
                    match outcome.gain(Err) {
                        Ok(gain) => value = value.max(gain),
                        Err(next) => {
                            results.captures.push((position, outcome.captured(), next));
                        }
                    }
                }
            }
            results.answers.push((position, Ok(value)));
        }
    }
}

impl TaskResults {
    /// The answers of all boards of a level's list.
    fn of_each(boards: &[Board], answer: impl Fn(Board) -> Answer) -> Self {
        let answers = (0..).zip(boards).map(|(position, &board)| (position, answer(board)));
        Self { answers: answers.collect(), captures: Vec::new() }
    }
}

impl Batch {
    fn new() -> Self {
        Self {
            boards: [const { Vec::new() }; LEVELS],
            answers: [const { Vec::new() }; LEVELS],
            captures: [const { Vec::new() }; LEVELS],
            moves: Vec::new(),
        }
    }

    /// Adds a reachable board to the list of its level.
    fn add(&mut self, board: Board) -> Handle {
        let seeds = board.level();
        let list = &mut self.boards[seeds.index()];
        let position = to_position(list.len());
        list.push(board);
        Handle { seeds, position }
    }

    /// Adds the boards after the moves of a board. Returns the range of its moves.
    fn add_moves(&mut self, rules: Rules, board: Board) -> Range<usize> {
        let start = self.moves.len();
        for (pit, outcome) in rules.moves(board) {
            let next = match outcome {
                Outcome::Moved { next, .. } => Some(self.add(next)),
                Outcome::Ended { .. } | Outcome::Illegal => None,
            };
            self.moves.push(RequestedMove { pit, outcome, next });
        }
        start..self.moves.len()
    }

    /// Adds the results of a level with `boards` boards, and the boards after captures.
    fn add_results(&mut self, seeds: Seeds, boards: usize, results: Vec<TaskResults>) {
        let mut answers = vec![None; boards];
        for task in results {
            for (position, answer) in task.answers {
                answers[position as usize] = Some(answer);
            }
            for (parent, captured, next) in task.captures {
                let child = self.add(next);
                self.captures[seeds.index()].push(Capture { parent, captured, child });
            }
        }
        self.answers[seeds.index()] = answers;
    }

    /// Raises the values of a level to those of its captures. The smaller levels have their values.
    fn raise_to_captures(&mut self, seeds: Seeds) {
        let level = seeds.index();
        for Capture { parent, captured, child } in std::mem::take(&mut self.captures[level]) {
            let gain = self.answer(child).clone().map(|value| value.after_capturing(captured));
            let answer = &mut self.answers[level][parent as usize];
            let answer = answer.as_mut().expect("a board with captures is answered");
            match (&mut *answer, gain) {
                (Ok(value), Ok(gain)) => *value = gain.max(*value),
                (Ok(_), Err(error)) => *answer = Err(error),
                (Err(_), _) => {}
            }
        }
    }

    fn answer(&self, Handle { seeds, position }: Handle) -> &Answer {
        let answer = &self.answers[seeds.index()][position as usize];
        answer.as_ref().expect("every board of a level is in one task")
    }

    fn value(&self, handle: Handle) -> Result<Value, DatabaseError> {
        self.answer(handle).as_ref().copied().map_err(|error| DatabaseError::clone(error))
    }

    /// A range of moves, and the values of the boards after them in the same order.
    fn moves(
        &self,
        range: Range<usize>,
    ) -> (impl Iterator<Item = (Pit, Outcome)>, impl FnMut(Board) -> Result<Value, DatabaseError>)
    {
        let moves = &self.moves[range];
        let mut next = moves.iter().filter_map(|requested| requested.next);
        let value_of = move |_| self.value(next.next().expect("one handle per board after a move"));
        (moves.iter().map(|requested| (requested.pit, requested.outcome)), value_of)
    }
}

fn to_position(place: usize) -> u32 {
    u32::try_from(place).expect("a list of 2^32 boards does not fit into memory")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LevelIndex;
    use crate::level::meaningless::meaningless_levels;

    /// Compares values, moves and errors on boards of all kinds, with a level missing.
    #[test]
    fn batch_probes_equal_single_probes() {
        fn text<T: std::fmt::Debug>(result: &Result<T, DatabaseError>) -> String {
            format!("{result:?}")
        }
        for rules in Rules::ALL {
            let mut levels = meaningless_levels(rules, 7);
            levels.remove(5);
            let database = Database::from_levels(rules, levels);
            for seeds in Seeds::of(7).up_to() {
                let level = LevelIndex::new(seeds);
                let boards = level.boards_from(0).step_by(seeds.index() + 1);
                let boards: Vec<_> = boards.flat_map(|board| [board, board.flipped()]).collect();
                let (values, moves) = (database.values(&boards), database.moves_batch(&boards));
                for ((&board, value), moves) in boards.iter().zip(&values).zip(&moves) {
                    assert_eq!(text(value), text(&database.value(board)), "{rules} {board}");
                    assert_eq!(text(moves), text(&database.moves(board)), "{rules} {board}");
                }
            }
        }
    }

    #[test]
    fn values_from_pits_are_those_of_boards_up_to_the_first_that_has_none() {
        let database = Database::from_levels(Rules::Awari, meaningless_levels(Rules::Awari, 6));
        let level = LevelIndex::new(Seeds::of(6));
        let boards: Vec<_> = level.boards_from(0).flat_map(|b| [b, b.flipped()]).collect();
        let mut pits: Vec<_> = boards.iter().map(|board| board.pits()).collect();
        let mut values = vec![99; pits.len()];
        database.values_into(&pits, &mut values).expect("all levels are there");
        let expected: Vec<_> = boards.iter().map(|&board| value(&database, board)).collect();
        assert_eq!(values, expected);

        // A board of a level that is missing: what comes before it is found.
        pits[9] = [1; BOARD_PITS];
        values.fill(99);
        let error = database.values_into(&pits, &mut values).expect_err("no level of 12 seeds");
        assert!(matches!(error, BatchError::Database { at: 9, .. }), "{error}");
        assert_eq!(values[..9], expected[..9]);

        // No board at all, and later: nothing is found.
        pits[20] = [255; BOARD_PITS];
        values.fill(99);
        let error = database.values_into(&pits, &mut values).expect_err("3060 seeds");
        assert!(matches!(error, BatchError::NotABoard { at: 20, .. }), "{error}");
        assert!(values.iter().all(|&value| value == 99));

        let error = database.values_into(&pits, &mut values[1..]).expect_err("one too few");
        assert!(matches!(error, BatchError::Length { .. }), "{error}");
        database.values_into(&[], &mut []).expect("no boards, no values");
    }

    fn value(database: &Database, board: Board) -> i8 {
        database.value(board).expect("the level is there").get()
    }
}
