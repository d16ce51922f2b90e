//! `Board` and `Move`.

use crate::arguments::{BoardArgument, PitArgument, RulesArgument};
use crate::drawing::svg;
use crate::errors::IllegalMoveError;
use numpy::PyArray1;
use oware::rules::{BOARD_PITS, Outcome, Pit};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Twelve pits seen from the side to move, with at most 48 seeds.
///
/// `Board("2 1 3 4 0 0 | 0 0 0 0 0 2")` and `Board([2, 1, 3, 4, 0, 0, 0, 0, 0, 0, 0, 2])` are the
/// same: the mover's pits A to F in sowing order, then the opponent's a to f. A game string of fifteen
/// fields is a board too. Boards are immutable, hashable and ordered as tuples of their pits. What is
/// not a board raises `BoardError`, which is a `ValueError`.
#[pyclass(module = "oware", frozen, eq, ord, hash, skip_from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Board(pub(crate) oware::rules::Board);

/// A legal move: the pit sown, the seeds that it captures, and the board after it.
#[pyclass(module = "oware", frozen, get_all, skip_from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// The letter of the pit, A to F.
    pit: char,
    /// Seeds that the move captures.
    captured: u8,
    /// Seeds that the opponent takes because the move ends the game; otherwise 0.
    left: u8,
    /// The board afterwards, seen by the next mover; None if the move ends the game.
    board: Option<Board>,
}

impl Move {
    /// `None` for an illegal move.
    fn of(pit: Pit, outcome: Outcome) -> Option<Self> {
        let (captured, left, board) = match outcome {
            Outcome::Illegal => return None,
            Outcome::Moved { captured, next } => (captured, 0, Some(Board(next))),
            Outcome::Ended { captured, left } => (captured, left, None),
        };
        Some(Self { pit: pit.letter(), captured, left, board })
    }
}

#[pymethods]
impl Move {
    fn __repr__(&self) -> String {
        let board = self.board.map_or("None".to_owned(), |board| board.__repr__());
        format!(
            "Move(pit='{}', captured={}, left={}, board={board})",
            self.pit, self.captured, self.left
        )
    }
}

#[pymethods]
impl Board {
    /// A board from its text, twelve numbers, or another board.
    #[new]
    fn new(pits: BoardArgument) -> Self {
        Self(pits.0)
    }

    /// A board from text: twelve numbers, or a game string of fifteen fields.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        let board = oware::rules::parse_board(text);
        Ok(Self(board.map_err(|error| crate::errors::BoardError::new_err(error.to_string()))?))
    }

    /// The board that a game starts from: four seeds in each pit.
    #[staticmethod]
    fn start() -> Self {
        Self(oware::rules::Board::START)
    }

    /// The twelve pits, the mover's row first.
    #[getter]
    fn pits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.pits())
    }

    /// The six pits of the side to move.
    #[getter]
    fn mover<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.mover().pits())
    }

    /// The six pits of the other side.
    #[getter]
    fn opponent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.opponent().pits())
    }

    /// Seeds on the board, which is its level.
    #[getter]
    fn seeds(&self) -> u8 {
        self.0.seeds()
    }

    /// Whether the board can come after a move: the opponent's row has an empty pit.
    #[getter]
    fn is_reachable(&self) -> bool {
        self.0.is_reachable()
    }

    /// The same seeds seen from the other side.
    fn flipped(&self) -> Self {
        Self(self.0.flipped())
    }

    /// The letters of the legal moves, in pit order; none if the game has ended.
    #[pyo3(signature = (rules = RulesArgument(oware::rules::Rules::Awari)))]
    #[pyo3(text_signature = "($self, rules='awari')")]
    fn legal_moves(&self, rules: RulesArgument) -> Vec<char> {
        rules.0.moves(self.0).map(|(pit, _)| pit.letter()).collect()
    }

    /// The legal moves with what they capture and the boards after them, in pit order.
    #[pyo3(signature = (rules = RulesArgument(oware::rules::Rules::Awari)))]
    #[pyo3(text_signature = "($self, rules='awari')")]
    fn moves(&self, rules: RulesArgument) -> Vec<Move> {
        rules.0.moves(self.0).filter_map(|(pit, outcome)| Move::of(pit, outcome)).collect()
    }

    /// Plays a pit (a letter, or a place from 0 to 5). Raises `IllegalMoveError`, a `ValueError`, if
    /// the pit is empty or the rules forbid it.
    #[pyo3(signature = (pit, rules = RulesArgument(oware::rules::Rules::Awari)))]
    #[pyo3(text_signature = "($self, pit, rules='awari')")]
    fn play(&self, pit: PitArgument, rules: RulesArgument) -> PyResult<Move> {
        let PitArgument(pit) = pit;
        Move::of(pit, rules.0.play(self.0, pit)).ok_or_else(|| {
            let legal: String = self.legal_moves(RulesArgument(rules.0)).into_iter().collect();
            IllegalMoveError::new_err(format!(
                "{pit} is not legal on {} ({}): legal are '{legal}'",
                self.0, rules.0
            ))
        })
    }

    /// Why the board has no legal move: `no-seeds`, `cannot-feed` or `only-slams`; None if it has one.
    #[pyo3(signature = (rules = RulesArgument(oware::rules::Rules::Awari)))]
    #[pyo3(text_signature = "($self, rules='awari')")]
    fn end(&self, rules: RulesArgument) -> Option<&'static str> {
        rules.0.end(self.0).map(oware::rules::End::name)
    }

    /// The pits as an array of shape (12,) and type uint8.
    #[expect(clippy::wrong_self_convention, reason = "the usual name in Python")]
    fn to_numpy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, &self.0.pits())
    }

    fn __len__(&self) -> usize {
        BOARD_PITS
    }

    fn __getitem__(&self, place: isize) -> PyResult<u8> {
        let from_end = if place < 0 { BOARD_PITS.cast_signed() } else { 0 };
        let place = usize::try_from(place + from_end).ok();
        let seeds = place.and_then(|place| self.0.pits().get(place).copied());
        seeds.ok_or_else(|| PyIndexError::new_err("a board has the pits 0 to 11"))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.0)
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (String,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.0.to_string(),))
    }

    /// The board drawn, for notebooks.
    fn _repr_svg_(&self) -> String {
        svg(self.0)
    }
}
