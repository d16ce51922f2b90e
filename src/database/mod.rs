//! Probing: values, moves, lines and distances of boards from the tables of one rule set.
//!
//! A [`Database`] has an answer for every board whose level it holds. Tables hold reachable boards
//! only. The value of any other board is that of its best move; the boards after its moves are
//! reachable. A board on which the game has ended needs no table.
//!
//! # Opening and probing
//!
//! [`Database::open`] takes a folder and a rule set and reads the headers of the tables.
//! [`DatabaseOptions`] sets how files are read and how much memory decoded blocks may take.
//!
//! ```
//! use oware::database::{Database, LineEnd};
//! use oware::rules::{Board, Rules, Seeds};
//! # use oware::build::{BuildOptions, build};
//! # let folder = tempfile::tempdir()?;
//! # build(&BuildOptions::new(Rules::Awari, Seeds::of(4), folder.path()), &oware::progress::NoProgress)?;
//!
//! // A folder with tables of up to 4 seeds.
//! let database = Database::open(folder.path(), Rules::Awari)?;
//! assert_eq!(database.levels().last(), Some(&Seeds::of(4)));
//!
//! // The mover's row comes first. F sows its seed into pit a and captures the two seeds there.
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
//! [`Database::values`] and [`Database::moves_batch`] take many boards and decode each block once,
//! which is several times faster than one probe per board. [`Database::values_into`] takes them from
//! an array of pits. [`Database::expand_levels`] loads levels
//! into memory, one byte per board, for programs that probe them all the time.
//! [`Database::level_values`] gives all boards of a level with their values.
//!
//! # Errors
//!
//! An answer is exact or a [`DatabaseError`], whose message is one line:
//!
//! ```
//! use oware::{database::{Database, DatabaseError}, rules::{Board, Rules, Seeds}, level::LevelValues};
//!
//! // Level 0 has one board, on which the game has ended with value 0.
//! let level = LevelValues::new(Seeds::NONE, vec![1].into()).expect("one board, worth 0");
//! let database = Database::from_levels(Rules::Awari, vec![level]);
//!
//! let board: Board = "1 0 0 0 0 0 | 0 0 0 0 0 1".parse()?;
//! let error = database.value(board).expect_err("level 2 is missing");
//! assert!(matches!(error, DatabaseError::MissingLevel { seeds, .. } if seeds.get() == 2));
//! assert_eq!(error.to_string(), "no awari table of 2 seeds");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Threads
//!
//! Probes take the database by shared reference, so threads can share it. The cache of decoded
//! blocks has many locks, each held for one look-up.
//!
//! Invariants: an answer is exact or a typed error; probes change nothing but the cache.

mod batch;
mod bounds;
mod cache;
mod error;
mod expanded;
mod file;
mod line;
mod options;
mod probe;

pub use error::{BatchError, DatabaseError};
pub use line::{Line, LineEnd};
pub use options::DatabaseOptions;
pub use probe::MoveValue;

pub use crate::table::Backend;

use crate::folder::{RulesStatus, TableStatus};
use crate::level::{LevelBounds, LevelValues};
use crate::rules::{MAX_SEEDS, Rules, Seeds};
use crate::table::{Contents, TableId};
use cache::BlockCache;
use file::LevelFile;
use std::path::{Path, PathBuf};

const LEVELS: usize = MAX_SEEDS as usize + 1;

/// The solved levels of one rule set. See [the module's page](crate::database).
#[derive(Debug)]
pub struct Database {
    rules: Rules,
    /// Empty for a database in memory.
    folder: PathBuf,
    /// By number of seeds.
    levels: Box<[Option<LevelSource>; LEVELS]>,
    /// By number of seeds.
    distances: Box<[Option<LevelFile>; LEVELS]>,
    /// By number of seeds.
    bounds: Box<[Option<BoundsSource>; LEVELS]>,
    /// By number of seeds.
    ranks: Box<[Option<LevelFile>; LEVELS]>,
    cache: BlockCache,
}

/// The values of one level.
#[derive(Debug)]
enum LevelSource {
    Memory(Box<LevelValues>),
    File(Box<LevelFile>),
}

/// The bounds of one level.
#[derive(Debug)]
enum BoundsSource {
    Memory(Box<LevelBounds>),
    File(Box<LevelFile>),
}

impl DatabaseOptions {
    /// Opens the tables of a rule set in a folder. This reads their headers; a table is opened by
    /// the first probe that needs it.
    ///
    /// # Errors
    /// When the folder does not exist or cannot be read. A missing or damaged table is an error of
    /// the probes that need it.
    pub fn open(self, folder: impl AsRef<Path>, rules: Rules) -> Result<Database, DatabaseError> {
        let folder = folder.as_ref();
        let status = RulesStatus::of(folder, rules)?;
        let cache = BlockCache::new(self.cache_bytes);
        let mut database = Database::empty(rules, folder.to_owned(), cache);
        let file = |TableStatus { id, state, .. }| match state.into_header() {
            Ok(None) => None,
            Ok(Some(header)) => Some(LevelFile::new(folder, id, Ok(header), self.backend)),
            Err(error) => Some(LevelFile::new(folder, id, Err(error.into()), self.backend)),
        };
        for level in status.levels {
            let place = level.seeds().index();
            database.levels[place] =
                file(level.values).map(|file| LevelSource::File(Box::new(file)));
            database.distances[place] = file(level.distances);
            database.bounds[place] =
                file(level.bounds).map(|file| BoundsSource::File(Box::new(file)));
            database.ranks[place] = file(level.ranks);
        }
        Ok(database)
    }
}

impl Database {
    /// Opens the tables of a rule set in a folder with the default [options](Self::options): mapped
    /// files and a small cache of decoded blocks.
    ///
    /// # Errors
    /// When the folder does not exist or cannot be read. A missing or damaged table is an error of
    /// the probes that need it.
    pub fn open(folder: impl AsRef<Path>, rules: Rules) -> Result<Self, DatabaseError> {
        Self::options().open(folder, rules)
    }

    /// The default options of opening a database.
    #[must_use]
    pub fn options() -> DatabaseOptions {
        DatabaseOptions::default()
    }

    /// A database of levels in memory. Of two levels with the same number of seeds it keeps the
    /// later one.
    #[must_use]
    pub fn from_levels(rules: Rules, levels: Vec<LevelValues>) -> Self {
        let mut database = Self::empty(rules, PathBuf::new(), BlockCache::new(0));
        levels.into_iter().for_each(|level| database.set_level(level));
        database
    }

    fn empty(rules: Rules, folder: PathBuf, cache: BlockCache) -> Self {
        let levels = Box::new([const { None }; LEVELS]);
        let distances = Box::new([const { None }; LEVELS]);
        let bounds = Box::new([const { None }; LEVELS]);
        let ranks = Box::new([const { None }; LEVELS]);
        Self { rules, folder, levels, distances, bounds, ranks, cache }
    }

    /// The rule set.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether the database holds the level of `seeds` seeds. The header of its table was sound and
    /// fit the smaller tables when the database was opened; its blocks may still be damaged.
    #[must_use]
    pub fn has_level(&self, seeds: Seeds) -> bool {
        match self.level(seeds) {
            None => false,
            Some(LevelSource::Memory(_)) => true,
            Some(LevelSource::File(file)) => file.is_whole(),
        }
    }

    /// Checks that the database [has](Self::has_level) a level. Without it, every board of the
    /// level on which the game goes on has this error.
    fn expect_level(&self, seeds: Seeds) -> Result<(), DatabaseError> {
        match self.level(seeds) {
            None => Err(self.missing(Contents::Values, seeds)),
            Some(LevelSource::Memory(_)) => Ok(()),
            Some(LevelSource::File(file)) => file.expect_whole(),
        }
    }

    /// The levels that the database holds, by number of seeds, smallest first.
    #[must_use]
    pub fn levels(&self) -> Vec<Seeds> {
        Seeds::MAX.up_to().filter(|&seeds| self.has_level(seeds)).collect()
    }

    /// Whether the database holds the distances of the level of `seeds` seeds, as
    /// [`has_level`](Self::has_level) for its values.
    #[must_use]
    pub fn has_distances(&self, seeds: Seeds) -> bool {
        self.distance_file(seeds).is_some_and(LevelFile::is_whole)
    }

    fn level(&self, seeds: Seeds) -> Option<&LevelSource> {
        self.levels[seeds.index()].as_ref()
    }

    fn distance_file(&self, seeds: Seeds) -> Option<&LevelFile> {
        self.distances[seeds.index()].as_ref()
    }

    fn missing(&self, contents: Contents, seeds: Seeds) -> DatabaseError {
        let id = TableId { rules: self.rules, seeds, contents };
        DatabaseError::missing(id, &self.folder)
    }
}
