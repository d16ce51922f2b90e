//! The identity of a table: rule set, seeds and contents, which determine its file name.

use crate::rules::{Rules, Seeds};
use std::fmt;

const VALUES_SUFFIX: &str = ".oware";
const DISTANCES_SUFFIX: &str = ".distance.oware";

/// The contents of a table: one number per board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contents {
    /// Values, in seeds.
    Values,
    /// Distances to conversion, in plies.
    Distances,
}

impl Contents {
    /// All contents.
    pub const ALL: [Self; 2] = [Self::Values, Self::Distances];

    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Values => 1,
            Self::Distances => 2,
        }
    }

    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|contents| contents.code() == code)
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Values => "values",
            Self::Distances => "distances",
        })
    }
}

/// The identity of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId {
    /// The rule set.
    pub rules: Rules,
    /// Seeds on each board.
    pub seeds: Seeds,
    /// The contents.
    pub contents: Contents,
}

impl TableId {
    /// The table of a level's values.
    #[must_use]
    pub const fn values(rules: Rules, seeds: Seeds) -> Self {
        Self { rules, seeds, contents: Contents::Values }
    }

    /// The table of a level's distances.
    #[must_use]
    pub const fn distances(rules: Rules, seeds: Seeds) -> Self {
        Self { rules, seeds, contents: Contents::Distances }
    }

    /// The name of the table's file: `awari-16.oware`, `awari-16.distance.oware`.
    #[must_use]
    pub fn file_name(self) -> String {
        let suffix = match self.contents {
            Contents::Values => VALUES_SUFFIX,
            Contents::Distances => DISTANCES_SUFFIX,
        };
        format!("{}-{:02}{suffix}", self.rules, self.seeds)
    }

    /// The table with a file name; `None` if it is not the name of a table.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (stem, contents) = match name.strip_suffix(DISTANCES_SUFFIX) {
            Some(stem) => (stem, Contents::Distances),
            None => (name.strip_suffix(VALUES_SUFFIX)?, Contents::Values),
        };
        let (rules, seeds) = stem.rsplit_once('-')?;
        let rules = rules.parse().ok()?;
        let seeds = seeds.parse().ok()?;
        let id = Self { rules, seeds, contents };
        (id.file_name() == name).then_some(id)
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of {} at {} seeds", self.contents, self.rules, self.seeds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_and_ids_are_inverse_and_other_names_are_refused() {
        for rules in Rules::ALL {
            for seeds in Seeds::MAX.up_to() {
                for contents in Contents::ALL {
                    let id = TableId { rules, seeds, contents };
                    assert_eq!(TableId::from_file_name(&id.file_name()), Some(id));
                }
            }
        }
        for name in
            ["awari-5.oware", "awari-49.oware", "awari-+5.oware", "awari.oware", "chess-05.oware"]
        {
            assert_eq!(TableId::from_file_name(name), None, "{name}");
        }
        assert_eq!(
            TableId::distances(Rules::LeaveFirst, Seeds::of(7)).file_name(),
            "leave-first-07.distance.oware"
        );
    }
}
