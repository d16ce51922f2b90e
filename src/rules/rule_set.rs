//! The seven rule sets: one table, one row per rule set.
//!
//! A rule set decides two things, the path of a sowing and the fate of a slam. Everything else is
//! shared. [`Rules`] is a `Copy` value; functions that depend on it take it as an argument and
//! branch where they meet a slam or a turning path. Both are rare, so the branches cost nothing
//! measurable (`cargo bench --bench rules`, `--bench solve`).
//!
//! To add a rule set, add a variant and a row of [`TABLE`], rows of `data/oracle_histograms.csv` and
//! a section of `docs/rules.md`. A new kind of slam also needs its case in `settle` (`moves`), which
//! the compiler asks for, and a look at every `slam()`: `git grep "slam()"`.

use super::Path;
use std::fmt;
use std::str::FromStr;

/// A rule set. It is part of the identity of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
pub enum Rules {
    /// A slam is illegal.
    #[default]
    Awari,
    /// A slam captures nothing.
    Abapa,
    /// A slam captures.
    Wari,
    /// A slam leaves the first pit of its run.
    LeaveFirst,
    /// A slam leaves the last pit of its run.
    LeaveLast,
    /// A slam ends the game, and the opponent takes the rest.
    OpponentTakesRest,
    /// As `awari`, but the sowing goes back and forth.
    TwoLap,
}

/// The fate of a move that would capture all of the opponent's seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slam {
    /// The move is illegal.
    Illegal,
    /// The move captures nothing.
    CapturesNothing,
    /// The move captures, unless the opponent had no seeds before it.
    Captures,
    /// The move captures all but the pit of the run that comes first in sowing order.
    LeavesFirst,
    /// The move captures all but the pit of the last seed.
    LeavesLast,
    /// The move captures and ends the game: the opponent takes the seeds that are left.
    EndsGame,
}

/// One rule set.
struct RuleSet {
    rules: Rules,
    name: &'static str,
    path: Path,
    slam: Slam,
}

/// All rule sets. The position of a row is the rule set's number in files and never changes.
#[rustfmt::skip]
static TABLE: [RuleSet; 7] = [
    RuleSet { rules: Rules::Awari,             name: "awari",               path: Path::Circle,  slam: Slam::Illegal },
    RuleSet { rules: Rules::Abapa,             name: "abapa",               path: Path::Circle,  slam: Slam::CapturesNothing },
    RuleSet { rules: Rules::Wari,              name: "wari",                path: Path::Circle,  slam: Slam::Captures },
    RuleSet { rules: Rules::LeaveFirst,        name: "leave-first",         path: Path::Circle,  slam: Slam::LeavesFirst },
    RuleSet { rules: Rules::LeaveLast,         name: "leave-last",          path: Path::Circle,  slam: Slam::LeavesLast },
    RuleSet { rules: Rules::OpponentTakesRest, name: "opponent-takes-rest", path: Path::Circle,  slam: Slam::EndsGame },
    RuleSet { rules: Rules::TwoLap,            name: "two-lap",             path: Path::Turning, slam: Slam::Illegal },
];

impl Rules {
    /// All rule sets, the default first.
    pub const ALL: [Self; 7] = {
        let mut all = [Self::Awari; 7];
        let mut row = 0;
        while row < TABLE.len() {
            assert!(TABLE[row].rules as usize == row, "a row stands at its rule set's number");
            all[row] = TABLE[row].rules;
            row += 1;
        }
        all
    };

    const fn row(self) -> &'static RuleSet {
        &TABLE[self as usize]
    }

    /// The name in command lines and file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The path of a sowing.
    #[must_use]
    pub const fn path(self) -> Path {
        self.row().path
    }

    /// The fate of a slam.
    #[must_use]
    pub const fn slam(self) -> Slam {
        self.row().slam
    }

    /// The number of the rule set in files, 0..7. It never changes.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The rule set with a number; `None` if there is none.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// Serializes as the name.
impl serde::Serialize for Rules {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Deserializes from the name.
impl<'de> serde::Deserialize<'de> for Rules {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// The text is not the name of a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown rule set '{0}': choose awari, abapa, wari, leave-first, leave-last, opponent-takes-rest or two-lap"
)]
pub struct UnknownRules(String);

impl FromStr for Rules {
    type Err = UnknownRules;
    fn from_str(name: &str) -> Result<Self, UnknownRules> {
        Self::ALL
            .into_iter()
            .find(|rules| rules.name() == name)
            .ok_or_else(|| UnknownRules(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_files_never_change() {
        let names = [
            "awari",
            "abapa",
            "wari",
            "leave-first",
            "leave-last",
            "opponent-takes-rest",
            "two-lap",
        ];
        for (code, name) in (0..).zip(names) {
            let rules: Rules = name.parse().expect("a rule set");
            assert_eq!((rules.code(), Rules::from_code(code)), (code, Some(rules)));
        }
        assert_eq!(Rules::from_code(7), None);
    }

    #[test]
    fn the_error_of_an_unknown_name_lists_all_names() {
        let error = "chess".parse::<Rules>().expect_err("no rule set").to_string();
        assert!(Rules::ALL.iter().all(|rules| error.contains(rules.name())), "{error}");
    }
}
