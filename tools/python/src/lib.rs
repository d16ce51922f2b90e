//! The Python package `oware`: the library's types as Python classes.
//!
//! | file | holds |
//! |---|---|
//! | `arguments` | boards, pits and rule sets as Python programs write them |
//! | `board`, `drawing` | `Board`, `Move`; a board as SVG |
//! | `rules` | `Rules` |
//! | `game` | `Game` |
//! | `database` | `Database`: probes of single boards |
//! | `batch` | arrays of boards to arrays of values; levels in chunks |
//! | `build` | `build` with progress |
//! | `engine` | `Engine` |
//! | `threads` | the threads of the process; work that Ctrl-C stops |
//! | `errors` | errors of the library as exceptions |
//!
//! Invariants: work of any length runs without the lock of the interpreter, and never on memory that
//! Python can reach: arrays are copied in by rounds, and results are moved out.

mod arguments;
mod batch;
mod board;
mod build;
mod database;
mod drawing;
mod engine;
mod errors;
mod game;
mod rules;
mod threads;

/// The compiled half of the package; `oware/__init__.py` has the names that users import.
#[pyo3::pymodule]
mod _oware {
    #[pymodule_export]
    use crate::batch::LevelChunks;
    #[pymodule_export]
    use crate::board::{Board, Move};
    #[pymodule_export]
    use crate::build::{BuildSummary, build};
    #[pymodule_export]
    use crate::database::{Database, Line, MoveValue};
    #[pymodule_export]
    use crate::engine::{Choice, Engine};
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::rules::Rules;
    #[pymodule_export]
    use crate::threads::set_threads;

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python programs look for")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
