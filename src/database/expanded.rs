//! Levels expanded in memory: one byte a board, some 50 ns a look-up.

use super::{Database, DatabaseError, LevelSource};
use crate::index::LevelIndex;
use crate::level::{Bytes, LevelValues};
use crate::table::{Contents, expand};

impl Database {
    /// Replaces the levels of 0 to `most_seeds` seeds by their values in memory, a byte a board,
    /// and checks each against its table's digest on the way.
    ///
    /// # Errors
    /// When one of these levels is missing or damaged; the database is then as it was.
    pub fn expand_levels(&mut self, most_seeds: u8) -> Result<(), DatabaseError> {
        for plain in self.plain_levels(most_seeds)? {
            let place = usize::from(plain.seeds());
            self.levels[place] = Some(LevelSource::Memory(Box::new(plain)));
        }
        Ok(())
    }

    /// The values of every board of levels 0 to `most_seeds`, in index order. They take a byte a
    /// board ([`reachable_boards`](crate::index::reachable_boards) says how many).
    ///
    /// # Errors
    /// When one of these levels is missing or damaged.
    pub fn plain_levels(&self, most_seeds: u8) -> Result<Vec<LevelValues>, DatabaseError> {
        // The largest first: the command that builds it builds all.
        if self.level(most_seeds).is_none() {
            return Err(self.missing(Contents::Values, most_seeds));
        }
        let mut expanded = Vec::new();
        for seeds in 0..=most_seeds {
            let level = match self.level(seeds) {
                Some(LevelSource::File(file)) => expand(file.table()?, &expanded)?,
                Some(LevelSource::Memory(plain)) => {
                    let bytes = Bytes::from(plain.bytes().to_vec());
                    LevelValues::from_solved(LevelIndex::new(seeds), bytes)
                }
                None => return Err(self.missing(Contents::Values, seeds)),
            };
            expanded.push(level);
        }
        Ok(expanded)
    }
}
