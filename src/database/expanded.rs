//! Levels in memory, expanded from their tables.

use super::{Database, DatabaseError, LevelSource};
use crate::index::LevelIndex;
use crate::level::{Bytes, LevelValues};
use crate::rules::Seeds;
use crate::table::{Contents, expand_from};
use std::borrow::Borrow;

/// A level in memory, of the database or expanded from its table.
enum Expanded<'d> {
    OfDatabase(&'d LevelValues),
    FromTable(Box<LevelValues>),
}

impl Borrow<LevelValues> for Expanded<'_> {
    fn borrow(&self) -> &LevelValues {
        match self {
            Self::OfDatabase(level) => level,
            Self::FromTable(level) => level,
        }
    }
}

impl Expanded<'_> {
    fn into_values(self) -> LevelValues {
        match self {
            Self::OfDatabase(level) => {
                let bytes = Bytes::from(level.bytes().to_vec());
                LevelValues::from_solved(LevelIndex::new(level.seeds()), bytes)
            }
            Self::FromTable(level) => *level,
        }
    }
}

impl Database {
    /// Loads the levels of 0 to `most_seeds` seeds into memory, where a look-up takes some 50 ns.
    /// They take one byte per board ([`reachable_boards`](crate::index::reachable_boards)), and
    /// each is compared with the digest of its table.
    ///
    /// # Errors
    /// When one of these levels is missing or damaged. The database is then unchanged.
    pub fn expand_levels(&mut self, most_seeds: Seeds) -> Result<(), DatabaseError> {
        let levels = self.expanded(most_seeds)?;
        let loaded: Vec<_> = levels
            .into_iter()
            .filter_map(|level| match level {
                Expanded::OfDatabase(_) => None,
                Expanded::FromTable(level) => Some(*level),
            })
            .collect();
        loaded.into_iter().for_each(|level| self.set_level(level));
        Ok(())
    }

    /// Loads the level of `seeds` seeds into memory, as [`expand_levels`](Self::expand_levels)
    /// does. The values of captures come from the smaller levels: while the level is expanded, all
    /// of them are in memory.
    ///
    /// # Errors
    /// When the level or a smaller one is missing or damaged. The database is then unchanged.
    pub fn expand_level(&mut self, seeds: Seeds) -> Result<(), DatabaseError> {
        let level = self.level_values(seeds)?;
        self.set_level(level);
        Ok(())
    }

    /// The values of all boards of the level of `seeds` seeds. The values of captures come from the
    /// smaller levels: while the level is expanded, all of them are in memory.
    ///
    /// ```
    /// # use oware::build::{BuildOptions, build};
    /// # use oware::{database::Database, rules::{Rules, Seeds}};
    /// # let folder = tempfile::tempdir()?;
    /// # build(&BuildOptions::new(Rules::Awari, Seeds::of(4), folder.path()), &oware::progress::NoProgress)?;
    /// let database = Database::open(folder.path(), Rules::Awari)?;
    /// let level = database.level_values(Seeds::of(4))?;
    /// for (board, value) in level.iter().step_by(100) {
    ///     assert_eq!(database.value(board)?, value);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the level or a smaller one is missing or damaged.
    #[expect(clippy::missing_panics_doc, reason = "the level itself is among those expanded")]
    pub fn level_values(&self, seeds: Seeds) -> Result<LevelValues, DatabaseError> {
        let level = self.expanded(seeds)?.pop().expect("one level per number of seeds");
        Ok(level.into_values())
    }

    /// The values of all boards of the levels of 0 to `most_seeds` seeds, by number of seeds.
    ///
    /// # Errors
    /// When one of these levels is missing or damaged.
    pub fn level_values_to(&self, most_seeds: Seeds) -> Result<Vec<LevelValues>, DatabaseError> {
        Ok(self.expanded(most_seeds)?.into_iter().map(Expanded::into_values).collect())
    }

    /// The levels of 0 to `most_seeds` seeds in memory.
    fn expanded(&self, most_seeds: Seeds) -> Result<Vec<Expanded<'_>>, DatabaseError> {
        // If several levels are missing, the error names the largest wanted: a build up to it makes
        // the others too.
        if self.level(most_seeds).is_none() {
            return Err(self.missing(Contents::Values, most_seeds));
        }
        let mut levels: Vec<Expanded<'_>> = Vec::new();
        for seeds in most_seeds.up_to() {
            levels.push(match self.level(seeds) {
                Some(LevelSource::File(file)) => {
                    let level = expand_from(file.table()?, levels.as_slice())?;
                    Expanded::FromTable(Box::new(level))
                }
                Some(LevelSource::Memory(level)) => Expanded::OfDatabase(level),
                None => return Err(self.missing(Contents::Values, seeds)),
            });
        }
        Ok(levels)
    }

    pub(super) fn set_level(&mut self, level: LevelValues) {
        let seeds = level.seeds().index();
        self.levels[seeds] = Some(LevelSource::Memory(Box::new(level)));
    }
}
