//! The report of a verification.
//!
//! Reports serialize with serde, with the fields in alphabetical order:
//!
//! ```text
//! report   assumptions, depth, findings, levels, ok, rules
//! level    boards, bounds (where there is a table of them), distances, proof, seeds
//! finding  board (12 numbers or null), file, seeds, what
//! ```

use crate::rules::{Board, Rules, Seeds, Value};
use crate::table::TableError;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The most boards listed per level. Others are counted.
const MOST_LISTED: usize = 20;

/// The depth of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Every byte and block of every file, and whether the tables fit each other.
    Quick,
    /// Also whether every value is the best of the board's moves.
    #[default]
    Moves,
    /// Also whether every win takes finitely many plies.
    Deep,
}

impl Depth {
    /// The name: `quick`, `moves` or `deep`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Moves => "moves",
            Self::Deep => "deep",
        }
    }
}

/// Serializes as the name.
impl Serialize for Depth {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A level that was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LevelChecked {
    /// Boards of the level.
    pub boards: u64,
    /// How the bounds were verified, if the level has a table of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Proof>,
    /// Whether the level has a distance table, which was verified as well.
    pub distances: bool,
    /// How the values were verified.
    pub proof: Proof,
    /// Seeds on each board.
    pub seeds: Seeds,
}

/// How the values or bounds of a level were verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Not at all; only the bytes of the file were.
    File,
    /// Each value is the best of the board's moves.
    BestMoves,
    /// Also, each distance follows from those of the board's moves, so every win is finite.
    Distances,
    /// Also, the ranks of the boards prove each lower bound.
    Ranks,
    /// Each value is the best of the board's moves, and all were computed anew.
    Recomputed,
}

impl Proof {
    /// The name: `file`, `best-moves`, `distances`, `ranks` or `recomputed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::BestMoves => "best-moves",
            Self::Distances => "distances",
            Self::Ranks => "ranks",
            Self::Recomputed => "recomputed",
        }
    }
}

/// Serializes as the name.
impl Serialize for Proof {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A problem and the file that has it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The file of the table.
    pub path: PathBuf,
    /// Seeds of the level.
    pub seeds: Seeds,
    /// The problem.
    pub problem: Problem,
}

/// Something that is wrong with a table.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read, is damaged, or does not fit the others.
    Table(TableError),
    /// There is no table of the level, and larger levels need it.
    Missing,
    /// The value of a board is not the best of its moves, or not the one that the rules give a
    /// board on which the game has ended.
    NotBest {
        /// The board.
        board: Board,
        /// The value in the table.
        stored: Value,
        /// The value by the moves.
        best: Value,
    },
    /// The value of a board differs from the one that was computed anew.
    NotRecomputed {
        /// The board.
        board: Board,
        /// The value in the table.
        stored: Value,
        /// The value computed anew.
        recomputed: Value,
    },
    /// The distance of a board does not follow from those of its moves.
    WrongDistance {
        /// The board.
        board: Board,
        /// The distance in the table, in plies.
        stored: Option<u32>,
        /// The distance by the moves; `None` if they give none.
        expected: Option<u32>,
    },
    /// The lower bound of a board does not follow from its moves, or not when computed anew.
    WrongBound {
        /// The board.
        board: Board,
        /// The lower bound in the table.
        stored: Value,
        /// The lower bound that it should have.
        expected: Value,
    },
    /// The ranks do not prove the lower bound of a board.
    UnprovedBound {
        /// The board.
        board: Board,
        /// The lower bound in the table.
        stored: Value,
    },
    /// The value of a board differs from the one in another file.
    Differs {
        /// The board.
        board: Board,
        /// The value in the table.
        stored: Value,
        /// The number in the other file, which may be out of the range of values.
        other: i8,
    },
    /// More boards of the level are wrong than those listed.
    More {
        /// Boards that are not listed.
        boards: u64,
    },
}

impl Problem {
    /// The board that has the problem.
    #[must_use]
    pub const fn board(&self) -> Option<Board> {
        match self {
            Self::NotBest { board, .. }
            | Self::NotRecomputed { board, .. }
            | Self::WrongDistance { board, .. }
            | Self::WrongBound { board, .. }
            | Self::UnprovedBound { board, .. }
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
            Self::WrongBound { board, stored, expected } => {
                write!(out, "board {board}: the lower bound is {stored}, it should be {expected}")
            }
            Self::UnprovedBound { board, stored } => {
                write!(out, "board {board}: its rank does not prove the lower bound {stored}")
            }
            Self::Differs { board, stored, other } => {
                write!(out, "board {board}: the value is {stored}, in the other file {other}")
            }
            Self::More { boards } => write!(out, "{boards} more boards are wrong"),
        }
    }
}

impl fmt::Display for Finding {
    /// Writes one line: file and problem.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            // The error has the path in its message.
            Problem::Table(error) => error.fmt(out),
            problem => write!(out, "{}: {problem}", self.path.display()),
        }
    }
}

/// Serializes as `{"board", "file", "seeds", "what"}`; `board` is null for a problem of a file.
impl Serialize for Finding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields {
            board: Option<Board>,
            file: String,
            seeds: Seeds,
            what: String,
        }
        let Self { path, seeds, problem } = self;
        let (board, file) = (problem.board(), path.display().to_string());
        Fields { board, file, seeds: *seeds, what: problem.to_string() }.serialize(serializer)
    }
}

/// The outcome of a verification.
#[derive(Debug)]
#[non_exhaustive]
pub struct VerifyReport {
    /// The rule set.
    pub rules: Rules,
    /// The depth.
    pub depth: Depth,
    /// The levels verified, smallest first.
    pub levels: Vec<LevelChecked>,
    /// The problems found, by level.
    pub findings: Vec<Finding>,
    /// The assumptions made, one sentence each.
    pub assumptions: Vec<String>,
}

impl VerifyReport {
    pub(super) fn new(rules: Rules, depth: Depth) -> Self {
        let (levels, findings, assumptions) = (Vec::new(), Vec::new(), Vec::new());
        Self { rules, depth, levels, findings, assumptions }
    }

    /// Whether no problem was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Serializes as `{"assumptions", "depth", "findings", "levels", "ok", "rules"}`; `ok` is
/// [`is_clean`](VerifyReport::is_clean).
impl Serialize for VerifyReport {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'report> {
            assumptions: &'report [String],
            depth: Depth,
            findings: &'report [Finding],
            levels: &'report [LevelChecked],
            ok: bool,
            rules: Rules,
        }
        let Self { rules, depth, levels, findings, assumptions } = self;
        let (rules, depth, ok) = (*rules, *depth, self.is_clean());
        Fields { assumptions, depth, findings, levels, ok, rules }.serialize(serializer)
    }
}

/// The wrong boards of a level, from many threads: the number of all, and the first few in index
/// order.
#[derive(Debug, Default)]
pub(super) struct WrongBoards(Mutex<(u64, BTreeMap<usize, Problem>)>);

impl WrongBoards {
    pub(super) fn add(&self, index: usize, problem: Problem) {
        let mut wrong = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, first) = &mut *wrong;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_of_a_report_is_pinned() {
        let mut report = VerifyReport::new(Rules::Awari, Depth::Moves);
        report.assumptions.push("all is well".to_owned());
        let proof = Proof::BestMoves;
        report.levels.push(LevelChecked {
            boards: 12,
            bounds: None,
            distances: false,
            proof,
            seeds: Seeds::of(1),
        });
        let board = Board::new([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).expect("one seed");
        let problems = [
            Problem::NotBest { board, stored: Value::EVEN, best: Value::all(1, true) },
            Problem::Missing,
        ];
        for problem in problems {
            report.findings.push(Finding {
                path: "awari-01.oware".into(),
                seeds: Seeds::of(1),
                problem,
            });
        }
        let expected = concat!(
            r#"{"assumptions":["all is well"],"depth":"moves","findings":["#,
            r#"{"board":[1,0,0,0,0,0,0,0,0,0,0,0],"file":"awari-01.oware","seeds":1,"#,
            r#""what":"board 1 0 0 0 0 0 | 0 0 0 0 0 0: the value is 0, its moves give 1"},"#,
            r#"{"board":null,"file":"awari-01.oware","seeds":1,"#,
            r#""what":"there is no such table, and larger levels need it"}],"#,
            r#""levels":[{"boards":12,"distances":false,"proof":"best-moves","seeds":1}],"#,
            r#""ok":false,"rules":"awari"}"#
        );
        assert_eq!(serde_json::to_string(&report).expect("serializable"), expected);
    }
}
