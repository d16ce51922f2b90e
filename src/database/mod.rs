//! The database: the solved levels of one rule set, asked for values, moves and lines.
//!
//! A [`Database`] answers for every board whose level it holds. Tables hold reachable boards
//! only; any other board is answered by one ply of search, all of whose children are reachable
//! and in the same or a smaller level. A board that has ended needs no table.
//!
//! # Opening and asking
//!
//! [`Database::open`] takes a folder and a rule set and reads headers only. [`DatabaseOptions`]
//! chooses how files are read and how much memory decoded blocks may take.
//!
//! ```
//! use oware::database::{Database, LineEnd};
//! use oware::rules::{Board, Rules};
//! # use oware::build::{BuildOptions, build};
//! # let folder = tempfile::tempdir()?;
//! # build(&BuildOptions::new(Rules::Awari, 4, folder.path()), &oware::progress::NoProgress)?;
//!
//! // A folder with tables of up to 4 seeds.
//! let database = Database::open(folder.path(), Rules::Awari)?;
//! assert_eq!(database.levels(), [0, 1, 2, 3, 4]);
//!
//! // The mover's row first: F puts its seed next to the opponent's and takes both.
//! let board: Board = "0 0 0 0 1 1 | 1 0 0 1 0 0".parse()?;
//! let moves = database.moves(board)?;
//! assert_eq!((moves[0].pit.letter(), moves[0].captured), ('F', 2));
//! assert_eq!(database.value(board)?, moves[0].value);
//!
//! let line = database.line(board, 200)?;
//! assert_eq!(line.moves[0], moves[0].pit);
//! assert_ne!(line.end, LineEnd::MaxPlies);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Many boards
//!
//! [`Database::values`] and [`Database::moves_batch`] gather boards by level and block and decode
//! each block once: ask them rather than one board after the other. Who needs a level's values over
//! and over can have it in memory, a byte a board, with [`Database::expand_levels`].
//!
//! # Errors
//!
//! An answer is exact or a [`DatabaseError`], which says in a line what is wrong and what to do:
//!
//! ```
//! use oware::{database::{Database, DatabaseError}, rules::{Board, Rules}, level::LevelValues};
//!
//! // Level 0 has one board, which has ended: nobody gets anything.
//! let level = LevelValues::new(0, vec![1].into()).expect("one board, worth 0");
//! let database = Database::from_levels(Rules::Awari, vec![level]);
//!
//! let board: Board = "1 0 0 0 0 0 | 0 0 0 0 0 1".parse()?;
//! let error = database.value(board).expect_err("level 2 is missing");
//! assert!(matches!(error, DatabaseError::MissingLevel { seeds: 2, .. }));
//! assert_eq!(error.to_string(), "no awari table of 2 seeds");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Threads
//!
//! A database is asked by reference and may be shared between threads; they share the cache of
//! decoded blocks, which has many locks, each held for one look-up.
//!
//! Invariants: an answer is exact or a typed error, never a guess; asking changes nothing but
//! what is kept in the cache.

mod batch;
mod cache;
mod error;
mod expanded;
mod file;
mod line;
mod options;
mod probe;

pub use error::DatabaseError;
pub use line::{Line, LineEnd};
pub use options::DatabaseOptions;
pub use probe::MoveValue;

pub use crate::table::Backend;

use crate::level::LevelValues;
use crate::rules::{MAX_SEEDS, Rules};
use crate::table::{Contents, TableId};
use cache::BlockCache;
use file::LevelFile;
use std::path::{Path, PathBuf};

const LEVELS: usize = MAX_SEEDS as usize + 1;

/// The solved levels of one rule set. See the module's page.
#[derive(Debug)]
pub struct Database {
    rules: Rules,
    /// Empty for a database in memory.
    folder: PathBuf,
    /// By number of seeds.
    levels: Box<[Option<LevelSource>; LEVELS]>,
    /// By number of seeds.
    distances: Box<[Option<LevelFile>; LEVELS]>,
    cache: BlockCache,
}

/// One level's values, however they are kept.
#[derive(Debug)]
enum LevelSource {
    Memory(Box<LevelValues>),
    File(Box<LevelFile>),
}

impl Database {
    /// Opens the tables of a rule set in a folder: mapped, with a small cache of decoded blocks.
    /// [`options`](Self::options) has the other ways. Only headers are read.
    ///
    /// # Errors
    /// When there is no such folder or it cannot be read. A level that is missing or damaged is an
    /// error when it is asked for.
    pub fn open(folder: impl AsRef<Path>, rules: Rules) -> Result<Self, DatabaseError> {
        Self::options().open(folder, rules)
    }

    /// How a database may be opened.
    #[must_use]
    pub fn options() -> DatabaseOptions {
        DatabaseOptions::default()
    }

    /// A database of levels that are in memory already. Of two levels with as many seeds the
    /// later one counts.
    #[must_use]
    pub fn from_levels(rules: Rules, levels: Vec<LevelValues>) -> Self {
        let mut database = Self::empty(rules, PathBuf::new(), BlockCache::new(0));
        for plain in levels {
            let seeds = plain.seeds();
            database.levels[usize::from(seeds)] = Some(LevelSource::Memory(Box::new(plain)));
        }
        database
    }

    fn empty(rules: Rules, folder: PathBuf, cache: BlockCache) -> Self {
        let levels = Box::new([const { None }; LEVELS]);
        let distances = Box::new([const { None }; LEVELS]);
        Self { rules, folder, levels, distances, cache }
    }

    /// The rule set that the values are for.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether boards of `seeds` seeds can be answered, as far as the table's header says.
    #[must_use]
    pub fn has_level(&self, seeds: u8) -> bool {
        match self.level(seeds) {
            None => false,
            Some(LevelSource::Memory(_)) => true,
            Some(LevelSource::File(file)) => file.looks_whole(),
        }
    }

    /// The levels held, smallest first.
    #[must_use]
    pub fn levels(&self) -> Vec<u8> {
        (0..=MAX_SEEDS).filter(|&seeds| self.has_level(seeds)).collect()
    }

    /// Whether boards of `seeds` seeds have distances, as far as the table's header says.
    #[must_use]
    pub fn has_distances(&self, seeds: u8) -> bool {
        self.distance_file(seeds).is_some_and(LevelFile::looks_whole)
    }

    fn level(&self, seeds: u8) -> Option<&LevelSource> {
        self.levels.get(usize::from(seeds))?.as_ref()
    }

    fn distance_file(&self, seeds: u8) -> Option<&LevelFile> {
        self.distances.get(usize::from(seeds))?.as_ref()
    }

    fn missing(&self, contents: Contents, seeds: u8) -> DatabaseError {
        let id = TableId { rules: self.rules, seeds, contents };
        DatabaseError::missing(id, &self.folder)
    }
}
