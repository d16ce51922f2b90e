//! Boards, pits and rule sets as Python programs write them.

use crate::board::Board;
use crate::errors::{BoardError, IllegalMoveError};
use crate::rules::Rules;
use oware::rules::{BOARD_PITS, Pit, Seeds, parse_board};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A `Rules` or its name.
pub(crate) struct RulesArgument(pub(crate) oware::rules::Rules);

impl<'a, 'py> FromPyObject<'a, 'py> for RulesArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(rules) = object.cast::<Rules>() {
            return Ok(Self(rules.get().0));
        }
        let Ok(name) = object.cast::<PyString>() else {
            return Err(PyTypeError::new_err("rules are a Rules or a name such as 'awari'"));
        };
        let rules = name.to_cow()?.parse();
        Ok(Self(rules.map_err(|error: oware::rules::UnknownRules| {
            PyValueError::new_err(error.to_string())
        })?))
    }
}

/// A `Board`, its text, or twelve numbers.
pub(crate) struct BoardArgument(pub(crate) oware::rules::Board);

impl<'a, 'py> FromPyObject<'a, 'py> for BoardArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(board) = object.cast::<Board>() {
            return Ok(Self(board.get().0));
        }
        if let Ok(text) = object.cast::<PyString>() {
            let board = parse_board(&text.to_cow()?);
            return Ok(Self(board.map_err(|error| BoardError::new_err(error.to_string()))?));
        }
        Ok(Self(board_of_numbers(&object)?))
    }
}

/// The board of twelve Python numbers, the mover's row first.
pub(crate) fn board_of_numbers(object: &Bound<'_, PyAny>) -> PyResult<oware::rules::Board> {
    let numbers: Vec<i64> = object.extract().map_err(|_| {
        PyTypeError::new_err("a board is a Board, a text or twelve numbers, the mover's row first")
    })?;
    let found = numbers.len();
    let pits: [i64; BOARD_PITS] = numbers.try_into().map_err(|_| {
        BoardError::new_err(format!("{found} numbers where a board has {BOARD_PITS}"))
    })?;
    let mut board = [0; BOARD_PITS];
    for (pit, seeds) in board.iter_mut().zip(pits) {
        *pit = u8::try_from(seeds)
            .map_err(|_| BoardError::new_err(format!("a pit cannot hold {seeds} seeds")))?;
    }
    oware::rules::Board::try_from(board).map_err(|error| BoardError::new_err(error.to_string()))
}

/// A letter in either case, or a place from 0 to 5.
pub(crate) struct PitArgument(pub(crate) Pit);

impl<'a, 'py> FromPyObject<'a, 'py> for PitArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            let pit = text.to_cow()?.parse();
            return Ok(Self(pit.map_err(|error: oware::rules::UnknownPit| {
                IllegalMoveError::new_err(error.to_string())
            })?));
        }
        let Ok(place) = object.extract::<i64>() else {
            return Err(PyTypeError::new_err("a move is a letter A to F or a place from 0 to 5"));
        };
        let pit = usize::try_from(place).ok().and_then(Pit::new);
        let unknown = || IllegalMoveError::new_err(format!("{place} is not a pit: 0 to 5"));
        Ok(Self(pit.ok_or_else(unknown)?))
    }
}

/// A number of seeds, 0 to 48.
pub(crate) struct SeedsArgument(pub(crate) Seeds);

impl<'a, 'py> FromPyObject<'a, 'py> for SeedsArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let Ok(number) = object.extract::<i64>() else {
            return Err(PyTypeError::new_err("seeds are a number from 0 to 48"));
        };
        let seeds = u8::try_from(number).ok().and_then(Seeds::new);
        let refused =
            || PyValueError::new_err(format!("{number} is not a number of seeds: 0 to 48"));
        Ok(Self(seeds.ok_or_else(refused)?))
    }
}
