//! Exact endgames of Oware (Awari, Wari): solve levels, keep their values in small tables, probe
//! them.
//!
//! A *level* is all boards with the same number of seeds. The crate computes the exact value of
//! every board of a level by retrograde analysis, from 0 seeds up, writes one compressed table per
//! level, and answers from those tables: values, distances, moves and best lines, for seven rule
//! sets.
//!
//! # First steps
//!
//! Build tables of up to 6 seeds, then probe a board:
//!
//! ```
//! use oware::build::{BuildOptions, build};
//! use oware::database::Database;
//! use oware::progress::NoProgress;
//! use oware::rules::{Board, Rules, Seeds};
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//!
//! build(&BuildOptions::new(Rules::Awari, Seeds::of(6), folder), &NoProgress)?;
//!
//! let database = Database::open(folder, Rules::Awari)?;
//! let board: Board = "0 0 0 0 1 1 | 1 0 0 1 0 0".parse()?;
//! assert_eq!(database.value(board)?.get(), 2);
//! for found in database.moves(board)? {
//!     println!("{} captures {}, worth {}", found.pit, found.captured, found.value);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Three jobs
//!
//! - **Probe millions of boards.** [`Database::values`](database::Database::values) takes a slice of
//!   boards and decodes each block once (`examples/probe.rs`).
//! - **Use tables at the leaves of an engine.** A [`Database`](database::Database) is shared between
//!   threads by reference; [`has_level`](database::Database::has_level) and
//!   [`value`](database::Database::value) are the probe (`examples/engine_leaves.rs`).
//! - **Scan a level.** [`LevelValues`](level::LevelValues) holds one byte per board in index order
//!   and iterates over boards with values (`examples/scan_level.rs`).
//!
//! Without tables on disk, [`solve_in_memory`](solve::solve_in_memory) solves small levels in a
//! moment.
//!
//! # Representation
//!
//! A [`Board`](rules::Board) is twelve pits seen from the side to move: the mover's row `A…F`, then
//! the opponent's `a…f`, both counter-clockwise. A [`Value`](rules::Value) is the number of seeds
//! that the mover captures from here on minus those that the opponent captures, both playing
//! perfectly. Levels and tables hold the *reachable* boards, whose opponent's row has an empty pit,
//! in the order of [`index`].
//!
//! # Modules
//!
//! From the bottom up: [`rules`], [`index`], [`level`] (a level in memory), [`table`] (one file),
//! [`folder`] (many files), [`solve`] (one level), [`build`] (many levels), [`verify`],
//! [`database`], [`export`]; with features `game` and `search` (games, the engine), `uci` (the
//! protocol of engines), `grade` (measuring players) and `play` (games in a terminal).
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | none | rules, levels, tables, solving, building, verifying, probing, export |
//! | `search` | games and the engine |
//! | `uci` | the protocol of engines, client and server; implies `search` |
//! | `grade` | measuring players, matches; implies `uci` |
//! | `play` | games in a terminal; implies `search` |
//! | `sample` | random samples of a level for export |
//! | `cli` (default) | all of these and the `oware` command |
//!
//! # Errors
//!
//! An answer is exact or an error. Errors are typed, and their messages are one line that names the
//! file or level and the fault. No function panics because of a file or a board.

pub mod build;
pub mod database;
pub mod export;
pub mod folder;
#[cfg(feature = "search")]
pub mod game;
#[cfg(feature = "grade")]
pub mod grade;
pub mod index;
mod kernels;
pub mod level;
#[cfg(feature = "play")]
pub mod play;
pub mod progress;
pub mod rules;
#[cfg(feature = "search")]
pub mod search;
pub mod solve;
pub mod table;
#[cfg(feature = "uci")]
pub mod uci;
pub mod verify;

/// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the page for Rust compile.
#[cfg(doctest)]
#[doc = include_str!("../docs/rust.md")]
struct RustPage;
