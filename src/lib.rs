//! Exact endgames of Oware (Awari, Wari): solve levels, store their values in small tables, ask.
//!
//! Data flows one way: [`rules`] → [`index`] → solver → tables → database → commands.

pub mod build;
pub mod database;
pub mod export;
pub mod folder;
pub mod game;
pub mod grade;
pub mod index;
mod kernels;
pub mod level;
#[cfg(feature = "cli")]
pub mod play;
pub mod progress;
pub mod rules;
pub mod search;
pub mod solve;
pub mod table;
pub mod uci;
pub mod verify;

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
