//! `Game`: a board with stores, a history and an end.

use crate::arguments::{PitArgument, RulesArgument};
use crate::board::Board;
use crate::errors::{BoardError, IllegalMoveError};
use crate::rules::Rules;
use oware::game::{GameEnd, GameError, GameSetup};
use oware::rules::{GameString, Side};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A game with both stores, its history and its end.
///
/// `position` is a game string of fifteen fields, South's pits first in any case; without it the game
/// starts with four seeds in each pit. `repetition` is what a repeated position gives: `split` (each
/// side half) or `own-side` (each side its row); the default is the rule set's own. With `plays_on` the
/// game does not end at more than half of the seeds.
#[pyclass(module = "oware", eq, skip_from_py_object)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Game(pub(crate) oware::game::Game);

fn of_game(error: &GameError) -> PyErr {
    IllegalMoveError::new_err(error.to_string())
}

const fn side(side: Side) -> &'static str {
    match side {
        Side::South => "S",
        Side::North => "N",
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules = RulesArgument(oware::rules::Rules::Awari), *, position = None, repetition = None, plays_on = false))]
    #[pyo3(text_signature = "(rules='awari', *, position=None, repetition=None, plays_on=False)")]
    fn new(
        rules: RulesArgument,
        position: Option<&str>,
        repetition: Option<&str>,
        plays_on: bool,
    ) -> PyResult<Self> {
        let mut setup = GameSetup::new(rules.0);
        setup.plays_on = plays_on;
        if let Some(name) = repetition {
            setup.repetition = name.parse().map_err(|error: oware::game::UnknownRepetition| {
                PyValueError::new_err(error.to_string())
            })?;
        }
        let Some(text) = position else { return Ok(Self(oware::game::Game::new(setup))) };
        let start: GameString = text
            .parse()
            .map_err(|error: oware::rules::BoardError| BoardError::new_err(error.to_string()))?;
        let game = oware::game::Game::from_position(setup, start);
        Ok(Self(game.map_err(|error| BoardError::new_err(error.to_string()))?))
    }

    /// The rule set.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.setup().rules)
    }

    /// The rule for repeated positions: `split` or `own-side`.
    #[getter]
    fn repetition(&self) -> &'static str {
        self.0.setup().repetition.name()
    }

    /// The board, seen from the side to move.
    #[getter]
    fn board(&self) -> Board {
        Board(self.0.board())
    }

    /// The position as a game string of fifteen fields.
    #[getter]
    fn position(&self) -> String {
        self.0.position().to_string()
    }

    /// The side to move, `S` or `N`.
    #[getter]
    fn turn(&self) -> &'static str {
        side(self.0.turn())
    }

    /// The seeds that South and North have captured.
    #[getter]
    fn stores(&self) -> (u8, u8) {
        (self.0.store(Side::South), self.0.store(Side::North))
    }

    /// The moves played so far, South's A to F, North's a to f.
    #[getter]
    fn moves(&self) -> String {
        oware::game::moves_text(self.0.start().turn, self.0.moves())
    }

    /// Why the game is over: `more-than-half`, `no-seeds`, `cannot-feed`, `only-slams`, `slam` or
    /// `repetition`; None while it goes on.
    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.0.end().map(GameEnd::name)
    }

    /// The seeds of South and North: their stores, and what the end of the game gives them.
    #[getter]
    fn score(&self) -> (f64, f64) {
        let score = self.0.score();
        (score.south.seeds(), score.north.seeds())
    }

    /// The letters A to F of the legal moves, in pit order; none if the game is over.
    fn legal_moves(&self) -> Vec<char> {
        self.0.legal_moves().iter().map(|(pit, _)| pit.letter()).collect()
    }

    /// Plays a pit: a letter in either case, or a place from 0 to 5. Returns the seeds captured. Raises
    /// `IllegalMoveError` if it cannot be played; the game is then unchanged.
    fn play(&mut self, pit: PitArgument) -> PyResult<u8> {
        Ok(self.0.play(pit.0).map_err(|error| of_game(&error))?.captured())
    }

    /// Plays moves such as `FfEc`, South's in upper case. Raises `IllegalMoveError` for the first that
    /// cannot be played; those before it are played.
    fn play_text(&mut self, moves: &str) -> PyResult<()> {
        self.0.play_text(moves).map_err(|error| of_game(&error))
    }

    /// Takes a move back. False at the start.
    fn undo(&mut self) -> bool {
        self.0.undo()
    }

    /// Plays a move that was taken back. False if there is none.
    fn redo(&mut self) -> bool {
        self.0.redo()
    }

    /// A game of its own with the same history.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Game of {} at {}>", self.0.setup().rules, self.0.position())
    }

    /// The board drawn, for notebooks.
    fn _repr_svg_(&self) -> String {
        crate::drawing::svg(self.0.board())
    }
}
