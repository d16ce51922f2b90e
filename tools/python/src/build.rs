//! `build`: makes tables, with progress and an end by Ctrl-C.

use crate::arguments::{RulesArgument, SeedsArgument};
use crate::errors::of_build;
use crate::threads;
use oware::build::{BuildOptions, Force};
use oware::progress::{Phase, Progress, StopFlag};
use oware::rules::Seeds;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// What a build did.
#[pyclass(module = "oware", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct BuildSummary {
    /// Levels that were solved and written.
    built: Vec<u16>,
    /// Levels that were there and were kept.
    kept: Vec<u16>,
    /// Boards of the levels that were built.
    boards: u64,
    /// Seconds from beginning to end.
    seconds: f64,
}

#[pymethods]
impl BuildSummary {
    fn __repr__(&self) -> String {
        let Self { built, kept, boards, seconds } = self;
        format!(
            "BuildSummary(built={built:?}, kept={kept:?}, boards={boards}, seconds={seconds:.3})"
        )
    }
}

/// What a build reports, until Python is called with it.
#[derive(Debug, PartialEq)]
enum Event {
    Begin(Seeds, Phase, u64),
    Advance(u64),
}

#[derive(Debug, Default)]
struct Events(Mutex<Vec<Event>>);

impl Events {
    fn take(&self) -> Vec<Event> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Progress for Events {
    fn begin(&self, seeds: Seeds, phase: Phase, boards: u64) {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        events.push(Event::Begin(seeds, phase, boards));
    }

    fn advance(&self, boards: u64) {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match events.last_mut() {
            Some(Event::Advance(sum)) => *sum += boards,
            _ => events.push(Event::Advance(boards)),
        }
    }
}

/// The bar of the current phase, made by the caller's function.
struct Bars {
    make: Option<Py<PyAny>>,
    bar: Option<Py<PyAny>>,
}

impl Bars {
    fn show(&mut self, py: Python<'_>, events: Vec<Event>) -> PyResult<()> {
        let Some(make) = self.make.as_ref().map(|make| make.clone_ref(py)) else { return Ok(()) };
        for event in events {
            match event {
                Event::Begin(seeds, phase, boards) => {
                    self.close(py)?;
                    let named = PyDict::new(py);
                    named.set_item("total", (boards > 0).then_some(boards))?;
                    named.set_item("desc", format!("level {seeds} {phase}"))?;
                    named.set_item("unit", "boards")?;
                    named.set_item("unit_scale", true)?;
                    self.bar = Some(make.call(py, (), Some(&named))?);
                }
                Event::Advance(boards) => {
                    if let Some(bar) = &self.bar {
                        bar.call_method1(py, "update", (boards,))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        self.bar.take().map_or(Ok(()), |bar| bar.call_method0(py, "close").map(|_| ()))
    }
}

fn force_of(name: Option<&str>) -> PyResult<Force> {
    match name {
        None => Ok(Force::None),
        Some("damaged") => Ok(Force::Damaged),
        Some("all") => Ok(Force::All),
        Some(other) => {
            let message = format!("unknown force '{other}': choose damaged, all or None");
            Err(PyValueError::new_err(message))
        }
    }
}

/// Makes the tables of a rule set up to `seeds` seeds in `folder`, which is created if its parent
/// exists. Whole tables are kept.
///
/// `distances` and `bounds` make these tables too, `compact` the smallest files. `memory_bytes` limits
/// the memory. `force` replaces tables: `damaged` or `all`. `progress` is a function like `tqdm.tqdm`:
/// it is called with `total`, `desc`, `unit` and `unit_scale` for each phase of a level, and `update(n)`
/// and `close()` of what it returns are called.
///
/// Ctrl-C, or an exception of `progress`, stops the build; whole tables are kept, and the next build goes
/// on from there. Raises `MemoryError` or `OSError` where a level does not fit the machine, and
/// `TableError` where a file under a table's name is not whole.
#[pyfunction]
#[pyo3(signature = (rules, seeds, folder, *, distances = false, bounds = false, compact = false, memory_bytes = None, force = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn build(
    py: Python<'_>,
    rules: RulesArgument,
    seeds: SeedsArgument,
    folder: PathBuf,
    distances: bool,
    bounds: bool,
    compact: bool,
    memory_bytes: Option<u64>,
    force: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<BuildSummary> {
    let stop = StopFlag::default();
    let options = BuildOptions::new(rules.0, seeds.0, folder)
        .distances(distances)
        .bounds(bounds)
        .compact(compact)
        .memory_bytes(memory_bytes)
        .force(force_of(force)?)
        .stop(stop.clone());
    let events = Events::default();
    let mut bars = Bars { make: progress, bar: None };
    let work = || oware::build::build(&options, &events);
    let built = threads::run(py, work, || stop.stop(), |py| bars.show(py, events.take()));
    let closed = bars.close(py);
    let summary = built?.map_err(|error| of_build(&error))?;
    closed?;
    let numbers = |levels: Vec<Seeds>| levels.into_iter().map(|level| level.get().into()).collect();
    Ok(BuildSummary {
        built: numbers(summary.built),
        kept: numbers(summary.kept),
        boards: summary.boards,
        seconds: summary.elapsed.as_secs_f64(),
    })
}
