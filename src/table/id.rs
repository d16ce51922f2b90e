//! The identity of a table: rule set, seeds and contents, which determine its file name.

use crate::rules::{Rules, Seeds};
use std::fmt;

/// The contents of a table: one number per board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Contents {
    /// Values, in seeds.
    Values,
    /// Distances to conversion, in plies.
    Distances,
    /// Bounds that hold whatever settles endless play, in seeds below the values.
    Bounds,
    /// Ranks of lower bounds, in plies.
    Ranks,
}

impl Contents {
    /// All contents.
    pub const ALL: [Self; 4] = [Self::Values, Self::Distances, Self::Bounds, Self::Ranks];

    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Values => 1,
            Self::Distances => 2,
            Self::Bounds => 3,
            Self::Ranks => 4,
        }
    }

    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|contents| contents.code() == code)
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Values => "values",
            Self::Distances => "distances",
            Self::Bounds => "bounds",
            Self::Ranks => "ranks",
        }
    }

    /// The end of a file's name.
    const fn suffix(self) -> &'static str {
        match self {
            Self::Values => ".oware",
            Self::Distances => ".distance.oware",
            Self::Bounds => ".bounds.oware",
            Self::Ranks => ".ranks.oware",
        }
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
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

    /// The name of the table's file: `awari-16.oware`, `awari-16.distance.oware`,
    /// `awari-16.bounds.oware` or `awari-16.ranks.oware`.
    #[must_use]
    pub fn file_name(self) -> String {
        format!("{}-{:02}{}", self.rules, self.seeds, self.contents.suffix())
    }

    /// The table with a file name; `None` if it is not the name of a table.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let id = |contents: Contents| {
            let (rules, seeds) = name.strip_suffix(contents.suffix())?.rsplit_once('-')?;
            let id = Self { rules: rules.parse().ok()?, seeds: seeds.parse().ok()?, contents };
            (id.file_name() == name).then_some(id)
        };
        Contents::ALL.into_iter().find_map(id)
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
