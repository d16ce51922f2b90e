//! What a verification found.

use crate::rules::{Board, Rules, Value};
use crate::table::TableError;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Boards listed for a level; more are counted.
const MOST_LISTED: usize = 20;

/// How far a verification goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Every byte of every file, every block, and whether the tables belong together.
    Quick,
    /// Also that every board's value is the best of its moves.
    #[default]
    Moves,
    /// Also that every win takes finitely many plies.
    Deep,
}

impl Depth {
    /// `quick`, `moves` or `deep`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Moves => "moves",
            Self::Deep => "deep",
        }
    }
}

/// A level that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelChecked {
    /// Seeds of its boards.
    pub seeds: u8,
    /// Its boards.
    pub boards: u64,
    /// Whether it has a distance table, which was looked at too.
    pub distances: bool,
    /// How its values were held against the rules.
    pub proof: Proof,
}

/// How a level's values were held against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Not at all: the file only.
    File,
    /// Each value is the best of the board's moves.
    BestMoves,
    /// Also every distance fits those of the board's moves, so that every win is finite.
    Distances,
    /// All values were computed anew.
    Recomputed,
}

impl Proof {
    /// `file`, `best-moves`, `distances` or `recomputed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::BestMoves => "best-moves",
            Self::Distances => "distances",
            Self::Recomputed => "recomputed",
        }
    }
}

/// One thing that is wrong.
#[derive(Debug)]
pub struct Finding {
    /// The table's file.
    pub path: PathBuf,
    /// Seeds of the level.
    pub seeds: u8,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read, is damaged, or does not belong to the others.
    Table(TableError),
    /// There is no table of the level, and larger levels need it.
    Missing,
    /// A board's value is not the best of its moves, or not what the rules give an ended board.
    NotBest {
        /// The board.
        board: Board,
        /// What the table says.
        stored: Value,
        /// What the board's moves give.
        best: Value,
    },
    /// A value computed anew is another.
    NotRecomputed {
        /// The board.
        board: Board,
        /// What the table says.
        stored: Value,
        /// What came out.
        recomputed: Value,
    },
    /// A distance does not fit those of the board's moves.
    WrongDistance {
        /// The board.
        board: Board,
        /// What the table says, in plies.
        stored: Option<u32>,
        /// What the board's moves give; `None` when they give none.
        expected: Option<u32>,
    },
    /// A value differs from another file's.
    Differs {
        /// The board.
        board: Board,
        /// What the table says.
        stored: Value,
        /// What the other file says, which need not be a value.
        other: i8,
    },
    /// As many more boards are wrong in the same way as those listed.
    More {
        /// Boards that were not listed.
        boards: u64,
    },
}

impl Problem {
    /// The board that the problem is at.
    #[must_use]
    pub const fn board(&self) -> Option<Board> {
        match self {
            Self::NotBest { board, .. }
            | Self::NotRecomputed { board, .. }
            | Self::WrongDistance { board, .. }
            | Self::Differs { board, .. } => Some(*board),
            Self::Table(_) | Self::Missing | Self::More { .. } => None,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = |plies: &Option<u32>| match plies {
            Some(plies) => plies.to_string(),
            None => "none".to_owned(),
        };
        match self {
            Self::Table(error) => error.fmt(out),
            Self::Missing => out.write_str("there is no such table, and larger levels need it"),
            Self::NotBest { board, stored, best } => {
                write!(out, "board {board}: the value is {stored}, its moves give {best}")
            }
            Self::NotRecomputed { board, stored, recomputed } => {
                write!(out, "board {board}: the value is {stored}, computed anew {recomputed}")
            }
            Self::WrongDistance { board, stored, expected } => write!(
                out,
                "board {board}: the distance is {}, its moves give {}",
                plies(stored),
                plies(expected)
            ),
            Self::Differs { board, stored, other } => {
                write!(out, "board {board}: the value is {stored}, the other file says {other}")
            }
            Self::More { boards } => write!(out, "{boards} more boards are wrong"),
        }
    }
}

impl fmt::Display for Finding {
    /// One line: file and problem.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            // The error names the file itself.
            Problem::Table(error) => error.fmt(out),
            problem => write!(out, "{}: {problem}", self.path.display()),
        }
    }
}

/// The outcome of a verification.
#[derive(Debug)]
pub struct VerifyReport {
    /// The rule set.
    pub rules: Rules,
    /// How far it went.
    pub depth: Depth,
    /// The levels looked at, smallest first.
    pub levels: Vec<LevelChecked>,
    /// What is wrong, by level. Empty means that all is well.
    pub findings: Vec<Finding>,
    /// What was taken for granted, a sentence each.
    pub assumptions: Vec<String>,
}

impl VerifyReport {
    pub(super) fn new(rules: Rules, depth: Depth) -> Self {
        let (levels, findings, assumptions) = (Vec::new(), Vec::new(), Vec::new());
        Self { rules, depth, levels, findings, assumptions }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// The report as one JSON object: `rules`, `depth`, `ok`, `levels` (`seeds`, `boards`,
    /// `distances`, `proof`), `findings` (`file`, `seeds`, `board` or null, `what`), `assumptions`.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let level = |level: &LevelChecked| {
            serde_json::json!({
                "seeds": level.seeds,
                "boards": level.boards,
                "distances": level.distances,
                "proof": level.proof.name(),
            })
        };
        let finding = |finding: &Finding| {
            serde_json::json!({
                "file": finding.path.display().to_string(),
                "seeds": finding.seeds,
                "board": finding.problem.board().map(Board::pits),
                "what": finding.problem.to_string(),
            })
        };
        serde_json::json!({
            "rules": self.rules.name(),
            "depth": self.depth.name(),
            "ok": self.is_clean(),
            "levels": self.levels.iter().map(level).collect::<Vec<_>>(),
            "findings": self.findings.iter().map(finding).collect::<Vec<_>>(),
            "assumptions": self.assumptions,
        })
    }
}

/// Collects the wrong boards of a level from many threads: counts all, keeps the first few in
/// index order.
#[derive(Debug, Default)]
pub(super) struct WrongBoards(Mutex<(u64, BTreeMap<usize, Problem>)>);

impl WrongBoards {
    pub(super) fn add(&self, index: usize, problem: Problem) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, first) = &mut *held;
        *count += 1;
        first.insert(index, problem);
        if first.len() > MOST_LISTED {
            first.pop_last();
        }
    }

    /// The problems to list.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        let (count, first) = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let more = count - first.len() as u64;
        let rest = (more > 0).then_some(Problem::More { boards: more });
        first.into_values().chain(rest).collect()
    }
}
