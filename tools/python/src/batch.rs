//! Arrays of boards to arrays of values.
//!
//! The interpreter's lock is not held while boards are probed, and another thread may write to the
//! array meanwhile. So the boards of a round are copied first, with the lock; what the library sees is
//! that copy.

use crate::arguments::board_of_numbers;
use crate::board::Board;
use crate::errors::{BoardError, of_batch, of_database};
use crate::threads;
use numpy::ndarray::{Axis, Slice};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use oware::database::{BatchError, Database, MoveValue};
use oware::level::LevelValues;
use oware::rules::{BOARD_PITS, ROW_PITS};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::ops::Range;

type Pits = [u8; BOARD_PITS];

/// Boards per copy: 12 MB.
const ROUND_BOARDS: usize = 1 << 20;

/// In place of the value of a move that is not legal.
const NO_MOVE: i8 = i8::MIN;

const EXPECTED: &str =
    "boards are an array of shape (n, 12) and type uint8, or a sequence of boards";

/// The boards of a batch.
enum Boards<'py> {
    Array(Bound<'py, PyArray2<u8>>, usize),
    List(Vec<Pits>),
}

impl<'py> Boards<'py> {
    fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = object.cast::<PyArray2<u8>>() {
            let &[boards, BOARD_PITS] = array.shape() else {
                return Err(wrong_shape(array.shape()));
            };
            return Ok(Self::Array(array.clone(), boards));
        }
        if let Ok(array) = object.cast::<numpy::PyUntypedArray>() {
            let found = format!("found shape {:?} and type {}", array.shape(), array.dtype());
            return Err(PyTypeError::new_err(format!("{EXPECTED}; {found}")));
        }
        let boards = object.try_iter().map_err(|_| PyTypeError::new_err(EXPECTED))?;
        let pits = |board: PyResult<Bound<'py, PyAny>>| {
            let board = board?;
            match board.cast::<Board>() {
                Ok(board) => Ok(board.get().0.pits()),
                Err(_) => board_of_numbers(&board).map(oware::rules::Board::pits),
            }
        };
        boards.map(pits).collect::<PyResult<_>>().map(Self::List)
    }

    fn len(&self) -> usize {
        match self {
            Self::Array(_, boards) => *boards,
            Self::List(boards) => boards.len(),
        }
    }

    /// Copies boards.
    fn copy(&self, range: Range<usize>) -> PyResult<Vec<Pits>> {
        let array = match self {
            Self::Array(array, _) => array.readonly(),
            Self::List(boards) => return Ok(boards[range].to_vec()),
        };
        // Another thread may have given the array another shape.
        let &[boards, BOARD_PITS] = array.shape() else { return Err(wrong_shape(array.shape())) };
        if range.end > boards {
            return Err(PyValueError::new_err("the array of boards lost boards meanwhile"));
        }
        if let Ok(bytes) = array.as_slice() {
            return Ok(bytes.as_chunks::<BOARD_PITS>().0[range].to_vec());
        }
        let rows = array.as_array();
        let rows = rows.slice_axis(Axis(0), Slice::from(range));
        Ok(rows.outer_iter().map(|row| std::array::from_fn(|pit| row[pit])).collect())
    }

    /// Copies the boards round by round, and hands each round with its position to `work`.
    fn each_round(
        &self,
        py: Python<'py>,
        mut work: impl FnMut(usize, Vec<Pits>) -> PyResult<()>,
    ) -> PyResult<()> {
        for start in (0..self.len()).step_by(ROUND_BOARDS) {
            py.check_signals()?;
            let end = self.len().min(start + ROUND_BOARDS);
            work(start, self.copy(start..end)?)?;
        }
        Ok(())
    }
}

fn wrong_shape(shape: &[usize]) -> PyErr {
    PyValueError::new_err(format!("{EXPECTED}; found shape {shape:?}"))
}

/// The error with the position in the whole batch instead of that in a round.
fn moved_by(error: BatchError, start: usize) -> BatchError {
    match error {
        BatchError::NotABoard { at, source } => BatchError::NotABoard { at: at + start, source },
        BatchError::Database { at, source } => BatchError::Database { at: at + start, source },
        other => other,
    }
}

/// The values of boards.
pub(crate) fn values<'py>(
    py: Python<'py>,
    database: &Database,
    boards: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let boards = Boards::of(boards)?;
    let pool = threads::pool()?;
    let mut values = vec![0; boards.len()];
    boards.each_round(py, |start, pits| {
        let values = &mut values[start..start + pits.len()];
        let found = py.detach(|| pool.install(|| database.values_into(&pits, values)));
        found.map_err(|error| of_batch(&moved_by(error, start)))
    })?;
    Ok(PyArray1::from_vec(py, values))
}

/// The values of the moves of boards, and which of them are legal.
#[expect(clippy::type_complexity, reason = "a pair of arrays")]
pub(crate) fn moves<'py>(
    py: Python<'py>,
    database: &Database,
    boards: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyArray2<i8>>, Bound<'py, PyArray2<bool>>)> {
    let boards = Boards::of(boards)?;
    let pool = threads::pool()?;
    let mut values = vec![NO_MOVE; boards.len() * ROW_PITS];
    boards.each_round(py, |start, pits| {
        let board = |(at, pits): (usize, Pits)| {
            oware::rules::Board::try_from(pits)
                .map_err(|error| BoardError::new_err(format!("board {}: {error}", start + at)))
        };
        let boards = pits.into_iter().enumerate().map(board).collect::<PyResult<Vec<_>>>()?;
        let rows = values[start * ROW_PITS..].as_chunks_mut::<ROW_PITS>().0;
        let found = py.detach(|| pool.install(|| database.moves_batch(&boards)));
        for (row, moves) in rows.iter_mut().zip(found) {
            for MoveValue { pit, value, .. } in moves.map_err(|error| of_database(&error))? {
                row[pit.place()] = value.get();
            }
        }
        Ok(())
    })?;
    let legal: Vec<bool> = values.iter().map(|&value| value != NO_MOVE).collect();
    let shape = [boards.len(), ROW_PITS];
    Ok((
        PyArray1::from_vec(py, values).reshape(shape)?,
        PyArray1::from_vec(py, legal).reshape(shape)?,
    ))
}

/// The boards of a level with their values, in chunks of arrays; made by `Database.iter_level`.
#[pyclass(module = "oware")]
#[derive(Debug)]
pub(crate) struct LevelChunks {
    level: LevelValues,
    next: u64,
    chunk: usize,
}

impl LevelChunks {
    pub(crate) fn new(level: LevelValues, chunk: usize) -> Self {
        Self { level, next: 0, chunk }
    }
}

#[pymethods]
impl LevelChunks {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// Chunks that are left.
    fn __len__(&self) -> PyResult<usize> {
        let left = self.level.index().boards() - self.next;
        Ok(usize::try_from(left.div_ceil(self.chunk as u64))?)
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let start = usize::try_from(self.next)?;
        let values = self.level.bytes().len().min(start.saturating_add(self.chunk));
        if start == values {
            return Ok(None);
        }
        let level = &self.level;
        let (boards, values) = py.detach(|| {
            let boards = level.index().boards_from(start as u64).take(values - start);
            let pits: Vec<u8> = boards.flat_map(oware::rules::Board::pits).collect();
            let value = |index| level.value_at(index as u64).map_or(0, |value| value.get());
            (pits, (start..values).map(value).collect::<Vec<i8>>())
        });
        self.next += values.len() as u64;
        let boards = PyArray1::from_vec(py, boards).reshape([values.len(), BOARD_PITS])?;
        (boards, PyArray1::from_vec(py, values)).into_pyobject(py).map(Some)
    }
}
