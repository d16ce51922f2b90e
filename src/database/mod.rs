//! The database: the solved levels of one rule set, asked for values, moves and lines.
//!
//! A [`Database`] answers for every board whose level it holds. Tables hold reachable boards
//! only; any other board is answered by one ply of search, all of whose children are reachable
//! and in the same or a smaller level. A board that has ended needs no table.
//!
//! Invariants: an answer is exact or a typed error, never a guess. Nothing is changed by asking,
//! so that a database can be shared between threads by reference.
//!
//! ```
//! use oware::{database::Database, rules::{Board, Rules}, table::PlainLevel};
//!
//! // Level 0 has one board, which has ended: nobody gets anything.
//! let level = PlainLevel::new(0, vec![1].into()).expect("one board, worth 0");
//! let database = Database::from_levels(Rules::Awari, vec![level]);
//! let empty: Board = "0 0 0 0 0 0 | 0 0 0 0 0 0".parse()?;
//! assert_eq!(database.value(empty)?.get(), 0);
//!
//! // Other levels are missing, and the error says how to build them.
//! let board: Board = "1 0 0 0 0 0 | 0 0 0 0 0 1".parse()?;
//! let error = database.value(board).expect_err("level 2 is missing");
//! assert!(error.to_string().contains("oware build --seeds 2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod line;
mod probe;

pub use error::DatabaseError;
pub use line::{Line, LineEnd};
pub use probe::MoveValue;

use crate::rules::{Board, MAX_SEEDS, Rules, Value};
use crate::table::PlainLevel;
use std::path::PathBuf;

const LEVELS: usize = MAX_SEEDS as usize + 1;

/// The solved levels of one rule set. See the module's page.
#[derive(Debug)]
pub struct Database {
    rules: Rules,
    /// Empty for a database in memory.
    folder: PathBuf,
    /// By number of seeds.
    levels: Box<[Option<Level>; LEVELS]>,
}

/// One level, however it is kept.
#[derive(Debug)]
struct Level {
    plain: PlainLevel,
}

impl Database {
    /// A database of levels that are in memory already. Of two levels with as many seeds the
    /// later one counts.
    #[must_use]
    pub fn from_levels(rules: Rules, levels: Vec<PlainLevel>) -> Self {
        let mut by_seeds = Box::new([const { None }; LEVELS]);
        for plain in levels {
            let seeds = plain.seeds();
            by_seeds[usize::from(seeds)] = Some(Level { plain });
        }
        Self { rules, folder: PathBuf::new(), levels: by_seeds }
    }

    /// The rule set that the values are for.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether boards of `seeds` seeds can be answered.
    #[must_use]
    pub fn has_level(&self, seeds: u8) -> bool {
        self.level(seeds).is_some()
    }

    /// The levels held, smallest first.
    #[must_use]
    pub fn levels(&self) -> Vec<u8> {
        (0..=MAX_SEEDS).filter(|&seeds| self.has_level(seeds)).collect()
    }

    /// Whether boards of `seeds` seeds have distances.
    #[must_use]
    pub fn has_distances(&self, _seeds: u8) -> bool {
        false
    }

    fn level(&self, seeds: u8) -> Option<&Level> {
        self.levels.get(usize::from(seeds))?.as_ref()
    }

    fn missing_level(&self, seeds: u8) -> DatabaseError {
        DatabaseError::MissingLevel { rules: self.rules, seeds, folder: self.folder.clone() }
    }

    fn missing_distances(&self, seeds: u8) -> DatabaseError {
        DatabaseError::MissingDistances { rules: self.rules, seeds, folder: self.folder.clone() }
    }
}

impl Level {
    /// The value of a board; `None` when it is not reachable.
    fn value(&self, board: Board) -> Option<Value> {
        self.plain.value(board)
    }
}
