//! `Database`: probes of single boards; `MoveValue` and `Line`.

use crate::arguments::{BoardArgument, RulesArgument, SeedsArgument};
use crate::batch::{self, LevelChunks};
use crate::board::Board;
use crate::errors::{of_database, of_memory};
use crate::rules::Rules;
use crate::threads;
use numpy::{PyArray1, PyArray2};
use oware::database::{Backend, DatabaseError, LineEnd};
use oware::rules::{Outcome, Seeds};
use oware::solve::{bounds_in_memory, solve_in_memory};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

const DEFAULT_CACHE_BYTES: u64 = 64 << 20;

/// The exact values of the boards of one rule set, from the tables in a folder or solved in memory.
///
/// ```python
/// with Database.open("tables", "awari") as database:
///     database.value("2 1 3 4 0 0 | 0 0 0 0 0 2")
/// ```
///
/// Threads may share a database. An answer is exact or an exception: `MissingTableError` (a `KeyError`)
/// where there is no table, `TableError` where a table is damaged or does not fit the others, and
/// `OSError` where a file cannot be read. After `close`, probes raise `ValueError`.
#[pyclass(module = "oware", frozen)]
#[derive(Debug)]
pub(crate) struct Database {
    rules: oware::rules::Rules,
    folder: Option<PathBuf>,
    /// `None` once it is closed.
    open: RwLock<Option<Arc<oware::database::Database>>>,
}

/// A legal move and its exact value.
#[pyclass(module = "oware", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct MoveValue {
    /// The letter of the pit, A to F.
    pit: char,
    /// Seeds that the move captures.
    captured: u8,
    /// What the mover gains from here on with this move, the seeds that it captures included.
    value: i8,
    /// The board afterwards, seen by the next mover; None if the move ends the game.
    board: Option<Board>,
}

#[pymethods]
impl MoveValue {
    fn __repr__(&self) -> String {
        format!("MoveValue(pit='{}', captured={}, value={:+})", self.pit, self.captured, self.value)
    }
}

/// A line of best play.
#[pyclass(module = "oware", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct Line {
    /// The letters of the moves, the mover's A to F, the opponent's a to f.
    moves: String,
    /// Why the line stops: `ended`, `repetition` or `max-plies`.
    end: &'static str,
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        format!("Line(moves='{}', end='{}')", self.moves, self.end)
    }
}

impl Database {
    fn new(database: oware::database::Database, folder: Option<PathBuf>) -> Self {
        let rules = database.rules();
        Self { rules, folder, open: RwLock::new(Some(Arc::new(database))) }
    }

    /// The library's database, which lives as long as somebody uses it.
    pub(crate) fn opened(&self) -> PyResult<Arc<oware::database::Database>> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.clone().ok_or_else(|| PyValueError::new_err("the database is closed"))
    }

    fn is_closed(&self) -> bool {
        self.open.read().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Probes without the interpreter's lock.
    fn probe<T: Send>(
        &self,
        py: Python<'_>,
        probe: impl FnOnce(&oware::database::Database) -> Result<T, DatabaseError> + Send,
    ) -> PyResult<T> {
        let database = self.opened()?;
        py.detach(|| probe(&database)).map_err(|error| of_database(&error))
    }
}

#[pymethods]
impl Database {
    /// Opens the tables of a rule set in a folder.
    ///
    /// `backend` is how files are read: `mapped`, `read` (each block when it is needed) or `memory`
    /// (whole files). `cache_bytes` bounds the memory of decoded blocks. Raises `FileNotFoundError` if
    /// there is no folder; a missing or damaged table raises where it is needed.
    #[staticmethod]
    #[pyo3(signature = (folder, rules = RulesArgument(oware::rules::Rules::Awari), *, backend = "mapped", cache_bytes = DEFAULT_CACHE_BYTES))]
    #[pyo3(text_signature = "(folder, rules='awari', *, backend='mapped', cache_bytes=67108864)")]
    fn open(
        py: Python<'_>,
        folder: PathBuf,
        rules: RulesArgument,
        backend: &str,
        cache_bytes: u64,
    ) -> PyResult<Self> {
        let backend = match backend {
            "mapped" => Backend::Mapped,
            "read" => Backend::Read,
            "memory" => Backend::Memory,
            other => {
                let message = format!("unknown backend '{other}': choose mapped, read or memory");
                return Err(PyValueError::new_err(message));
            }
        };
        let options = oware::database::Database::options().backend(backend);
        let options = options.cache_bytes(cache_bytes);
        let opened = py.detach(|| options.open(&folder, rules.0));
        Ok(Self::new(opened.map_err(|error| of_database(&error))?, Some(folder)))
    }

    /// Solves the levels of 0 to `seeds` seeds in memory, with bounds if `bounds` is true: no tables
    /// are needed. 8 seeds take a moment, 12 about a second, and each further level half as much again.
    #[staticmethod]
    #[pyo3(signature = (seeds = SeedsArgument(Seeds::of(8)), rules = RulesArgument(oware::rules::Rules::Awari), *, bounds = false))]
    #[pyo3(text_signature = "(seeds=8, rules='awari', *, bounds=False)")]
    fn solve(
        py: Python<'_>,
        seeds: SeedsArgument,
        rules: RulesArgument,
        bounds: bool,
    ) -> PyResult<Self> {
        let (SeedsArgument(seeds), RulesArgument(rules)) = (seeds, rules);
        let pool = threads::pool()?;
        let solve = || {
            let levels = solve_in_memory(rules, seeds)?;
            let database = oware::database::Database::from_levels(rules, levels);
            Ok(match bounds {
                true => database.with_bounds(bounds_in_memory(rules, seeds)?),
                false => database,
            })
        };
        let solved = py.detach(|| pool.install(solve));
        Ok(Self::new(solved.map_err(|error| of_memory(&error))?, None))
    }

    /// Closes the database. Work that other threads have begun is finished first, by them.
    fn close(&self) {
        *self.open.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn __enter__(this: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        this.get().opened()?;
        Ok(this)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close();
    }

    /// The rule set.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.rules)
    }

    /// The folder of the tables; None for a database in memory.
    #[getter]
    fn folder(&self) -> Option<PathBuf> {
        self.folder.clone()
    }

    /// Whether the database is closed.
    #[getter]
    fn closed(&self) -> bool {
        self.is_closed()
    }

    /// The levels that the database holds, by number of seeds.
    fn levels(&self) -> PyResult<Vec<u16>> {
        // Python takes a list of bytes for `bytes`.
        Ok(self.opened()?.levels().into_iter().map(|seeds| seeds.get().into()).collect())
    }

    /// Whether the database holds the values of a level.
    fn has_level(&self, seeds: SeedsArgument) -> PyResult<bool> {
        Ok(self.opened()?.has_level(seeds.0))
    }

    /// Whether the database holds the distances of a level.
    fn has_distances(&self, seeds: SeedsArgument) -> PyResult<bool> {
        Ok(self.opened()?.has_distances(seeds.0))
    }

    /// Whether the database holds the bounds of a level.
    fn has_bounds(&self, seeds: SeedsArgument) -> PyResult<bool> {
        Ok(self.opened()?.has_bounds(seeds.0))
    }

    /// The value of a board: what its mover captures from here on minus what the opponent captures,
    /// both playing perfectly.
    fn value(&self, py: Python<'_>, board: BoardArgument) -> PyResult<i8> {
        self.probe(py, |database| Ok(database.value(board.0)?.get()))
    }

    /// The legal moves with their values, the best first; none if the game has ended.
    fn moves(&self, py: Python<'_>, board: BoardArgument) -> PyResult<Vec<MoveValue>> {
        let moves = self.probe(py, |database| database.moves(board.0))?;
        let converted = moves.into_iter().map(|found| MoveValue {
            pit: found.pit.letter(),
            captured: found.captured,
            value: found.value.get(),
            board: match found.outcome {
                Outcome::Moved { next, .. } => Some(Board(next)),
                Outcome::Ended { .. } | Outcome::Illegal => None,
            },
        });
        Ok(converted.collect())
    }

    /// A line of best play from a board, of at most `plies` moves.
    #[pyo3(signature = (board, plies = 200))]
    fn line(&self, py: Python<'_>, board: BoardArgument, plies: usize) -> PyResult<Line> {
        let line = self.probe(py, |database| database.line(board.0, plies))?;
        let end = match line.end {
            LineEnd::Ended => "ended",
            LineEnd::Repetition => "repetition",
            LineEnd::MaxPlies => "max-plies",
        };
        Ok(Line { moves: line.letters().collect(), end })
    }

    /// The plies to the next capture or the end, the winner hurrying and the loser delaying; None for
    /// a board of value 0 on which the game goes on.
    fn distance(&self, py: Python<'_>, board: BoardArgument) -> PyResult<Option<u32>> {
        self.probe(py, |database| database.distance(board.0))
    }

    /// The least that the mover can be held to and the most that it can hope for, whatever settles
    /// endless play: a tuple (low, high).
    fn bounds(&self, py: Python<'_>, board: BoardArgument) -> PyResult<(i8, i8)> {
        let bounds = self.probe(py, |database| database.bounds(board.0))?;
        Ok((bounds.low().get(), bounds.high().get()))
    }

    /// The values of many boards, on all threads.
    ///
    /// `boards` is an array of shape (n, 12) and type uint8, or a sequence of boards. Returns an array of
    /// shape (n,) and type int8. The array is copied a million boards at a time, so that another thread
    /// may write to it meanwhile. Raises for the first board that has no value; the message has its
    /// position.
    fn values<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        batch::values(py, &*self.opened()?, boards)
    }

    /// The values of the moves of many boards, on all threads.
    ///
    /// `boards` as for `values`. Returns two arrays of shape (n, 6): the values of the moves A to F as
    /// int8, and whether they are legal as bool. The value of a move that is not legal is -128.
    #[expect(clippy::type_complexity, reason = "a pair of arrays")]
    fn moves_batch<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray2<i8>>, Bound<'py, PyArray2<bool>>)> {
        batch::moves(py, &*self.opened()?, boards)
    }

    /// All boards of a level that can come after a move, in chunks, for training and statistics.
    ///
    /// Yields pairs of arrays: boards of shape (k, 12) and type uint8, and their values of shape (k,) and
    /// type int8, with k = `chunk` except for the last. The level is in memory meanwhile, one byte per
    /// board.
    #[pyo3(signature = (seeds, chunk = 65_536))]
    fn iter_level(
        &self,
        py: Python<'_>,
        seeds: SeedsArgument,
        chunk: usize,
    ) -> PyResult<LevelChunks> {
        if chunk == 0 {
            return Err(PyValueError::new_err("a chunk has at least one board"));
        }
        let pool = threads::pool()?;
        let level = self.probe(py, |database| pool.install(|| database.level_values(seeds.0)))?;
        Ok(LevelChunks::new(level, chunk))
    }

    fn __repr__(&self) -> String {
        let name = self.rules.name();
        let folder = self.folder.as_ref().map(|folder| folder.display().to_string());
        let place = folder.map_or("in memory".to_owned(), |folder| format!("in '{folder}'"));
        let closed = if self.is_closed() { ", closed" } else { "" };
        format!("<Database of {name} {place}{closed}>")
    }
}
