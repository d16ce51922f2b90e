//! `Engine`: moves from tables and from search.

use crate::database::Database;
use crate::game::Game;
use crate::threads;
use oware::search::{Certainty, ChoiceSource, Control, EngineOptions, Limits};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

const DEFAULT_HASH_BYTES: usize = 32 << 20;
const DEFAULT_SECONDS: f64 = 1.0;

/// An engine: exact moves where the database holds the board, a search with the database at its
/// leaves above that, and a search alone without a database.
///
/// `aim` is what it maximises: `margin` or `result`. One engine chooses one move at a time.
#[pyclass(module = "oware", frozen)]
#[derive(Debug)]
pub(crate) struct Engine(Mutex<oware::search::Engine>);

/// A chosen move.
#[pyclass(module = "oware", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct Choice {
    /// The letter of the pit, A to F.
    pit: char,
    /// The value of the position for its mover, in seeds from here on.
    value: f64,
    /// What is known about the value: `exact`, `at-least`, `at-most` or `estimate`.
    certainty: &'static str,
    /// The letters of the expected moves, this one first, the mover's A to F, the opponent's a to f.
    line: String,
    /// The origin of the choice: `database` or `search`.
    source: &'static str,
    /// Completed depth in plies; 0 for a choice by the database.
    depth: u32,
    /// Searched nodes.
    nodes: u64,
    /// Nodes whose value the database gave.
    table_hits: u64,
    /// The message of the error that kept the database from choosing, or None.
    problem: Option<String>,
}

#[pymethods]
impl Choice {
    fn __repr__(&self) -> String {
        let Self { pit, value, certainty, line, source, .. } = self;
        format!(
            "Choice(pit='{pit}', value={value:+}, certainty='{certainty}', line='{line}', source='{source}')"
        )
    }
}

impl Choice {
    fn of(choice: oware::search::Choice) -> Self {
        let certainty = match choice.value.certainty {
            Certainty::Exact => "exact",
            Certainty::AtLeast => "at-least",
            Certainty::AtMost => "at-most",
            Certainty::Estimate => "estimate",
        };
        let source = match choice.source {
            ChoiceSource::Database(_) => "database",
            ChoiceSource::Search => "search",
        };
        let letter = |(ply, pit): (usize, &oware::rules::Pit)| match ply % 2 {
            0 => pit.letter(),
            _ => pit.letter().to_ascii_lowercase(),
        };
        Self {
            pit: choice.pit.letter(),
            value: f64::from(choice.value.hundredths) / 100.0,
            certainty,
            line: choice.line.iter().enumerate().map(letter).collect(),
            source,
            depth: choice.depth,
            nodes: choice.nodes,
            table_hits: choice.table_hits,
            problem: choice.problem,
        }
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (database = None, *, aim = "margin", hash_bytes = DEFAULT_HASH_BYTES))]
    #[pyo3(text_signature = "(database=None, *, aim='margin', hash_bytes=33554432)")]
    fn new(database: Option<&Database>, aim: &str, hash_bytes: usize) -> PyResult<Self> {
        let aim = aim
            .parse()
            .map_err(|error: oware::search::UnknownAim| PyValueError::new_err(error.to_string()))?;
        let database = database.map(Database::opened).transpose()?;
        let options = EngineOptions::new().aim(aim).hash_bytes(hash_bytes);
        Ok(Self(Mutex::new(oware::search::Engine::new(database, options))))
    }

    /// Chooses a move; None if the game is over.
    ///
    /// `depth` (plies), `time` (seconds) and `nodes` limit the search; without any of them it takes a
    /// second. Ctrl-C ends it.
    #[pyo3(signature = (game, *, depth = None, time = None, nodes = None))]
    fn choose(
        &self,
        py: Python<'_>,
        game: &Game,
        depth: Option<u32>,
        time: Option<f64>,
        nodes: Option<u64>,
    ) -> PyResult<Option<Choice>> {
        let is_limited = depth.is_some() || time.is_some() || nodes.is_some();
        let seconds = if is_limited { time } else { Some(DEFAULT_SECONDS) };
        let time = seconds.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(|error| PyValueError::new_err(format!("time: {error}")))?;
        let mut limits = Limits::nodes(u64::MAX);
        limits.depth = depth;
        limits.time = time;
        limits.nodes = nodes;
        let mut engine = match self.0.try_lock() {
            Ok(engine) => engine,
            Err(TryLockError::Poisoned(engine)) => engine.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(PyRuntimeError::new_err("the engine is choosing a move already"));
            }
        };
        let game = game.0.clone();
        let control = Arc::new(Control::new());
        let engine = &mut *engine;
        let work = || engine.choose(&game, limits, &control, &mut |_| {});
        let choice = threads::run(py, work, || control.stop(), |_| Ok(()))?;
        Ok(choice.map(Choice::of))
    }
}
