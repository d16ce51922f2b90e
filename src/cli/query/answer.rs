//! The answer for one board, for people and for programs.

use crate::cli::drawing;
use anstyle::{AnsiColor, Style};
use oware::database::{Database, DatabaseError, LineEnd, MoveValue};
use oware::rules::{Board, End, Outcome, Pit, Rules, Value};
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// Plies after which a line stops.
const LONGEST_LINE: usize = 200;

/// Everything that the tables hold about a board. Serialised, it is the object that `query --json`
/// prints.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    #[serde(serialize_with = "name_of")]
    rules: Rules,
    #[serde(serialize_with = "pits_of")]
    board: Board,
    seeds: u8,
    #[serde(serialize_with = "seeds_of")]
    value: Value,
    /// Legal moves, best first, equal ones in pit order.
    moves: Vec<Move>,
    best: Vec<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<char>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_end: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'static str>,
    /// Outer: whether the level has a distance table. Inner: a board of value 0 has no distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<Option<u32>>,
}

/// A legal move and its value for the mover, captures included.
#[derive(Debug, Serialize)]
struct Move {
    #[serde(rename = "move")]
    pit: char,
    captured: u8,
    #[serde(serialize_with = "seeds_of")]
    value: Value,
}

impl Answer {
    /// Looks a board up in a database, with a line of best play if `with_line`.
    pub(super) fn ask(
        database: &Database,
        board: Board,
        with_line: bool,
    ) -> Result<Self, DatabaseError> {
        let mut answer = Self::of_moves(database, board, &database.moves(board)?)?;
        if with_line {
            let line = database.line(board, LONGEST_LINE)?;
            answer.line = Some(line.letters().collect());
            answer.line_end = match line.end {
                LineEnd::Ended => None,
                LineEnd::Repetition => Some("repetition"),
                LineEnd::MaxPlies => Some("max-plies"),
            };
        }
        Ok(answer)
    }

    /// The answer from the values of the legal moves of a board, best first, without a line.
    pub(super) fn of_moves(
        database: &Database,
        board: Board,
        moves: &[MoveValue],
    ) -> Result<Self, DatabaseError> {
        let (rules, seeds) = (database.rules(), board.seeds());
        let end = if moves.is_empty() { rules.end(board) } else { None };
        let value = match (end, moves.first()) {
            (Some(end), _) => end.value(seeds),
            (None, Some(first)) => first.value,
            (None, None) => Value::EVEN,
        };
        let best = moves.iter().filter(|found| found.value == value);
        let distance = match database.has_distances(board.level()) {
            true => Some(database.distance(board)?),
            false => None,
        };
        Ok(Self {
            rules,
            board,
            seeds,
            value,
            best: best.map(|found| found.pit.letter()).collect(),
            moves: moves.iter().map(Move::from).collect(),
            line: None,
            line_end: None,
            end: end.map(End::name),
            distance,
        })
    }

    /// Writes the answer for a person, with the board drawn.
    pub(super) fn show(&self, out: &mut impl Write) -> io::Result<()> {
        let strong = Style::new().bold();
        drawing::draw(out, self.board)?;
        writeln!(out)?;
        writeln!(out, "{strong}value {}{strong:#}: {}", signed(self.value), self.in_words())?;
        if let Some(Some(plies)) = self.distance {
            writeln!(out, "distance {plies}: plies to the next capture or the end")?;
        }
        self.show_moves(out)?;
        self.show_line(out)
    }

    fn show_moves(&self, out: &mut impl Write) -> io::Result<()> {
        if self.moves.is_empty() {
            return Ok(());
        }
        let good = Style::new().bold().fg_color(Some(AnsiColor::Green.into()));
        writeln!(out, "\nmove  captures  value")?;
        for Move { pit, captured, value } in &self.moves {
            let text = signed(*value);
            if *value == self.value {
                writeln!(out, "{good}{pit:<4}  {captured:>8}  {text:>5}{good:#}  best")?;
            } else {
                writeln!(out, "{pit:<4}  {captured:>8}  {text:>5}")?;
            }
        }
        Ok(())
    }

    fn show_line(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(line) = self.line.as_ref().filter(|line| !line.is_empty()) else { return Ok(()) };
        let end = match self.line_end {
            None => "the game is over",
            Some("repetition") => "and so on without end",
            Some(_) => "…",
        };
        writeln!(out, "\nline  {}  {end}", self.with_captures(line).join(" "))
    }

    /// The moves of a line, each with the seeds that it captures: `F+3`.
    fn with_captures(&self, line: &[char]) -> Vec<String> {
        let mut board = self.board;
        let mut shown = Vec::with_capacity(line.len());
        for &letter in line {
            let outcome = Pit::from_letter(letter).map(|pit| self.rules.play(board, pit));
            let captured = match outcome {
                Some(Outcome::Moved { captured, next }) => {
                    board = next;
                    captured
                }
                Some(Outcome::Ended { captured, .. }) => captured,
                Some(Outcome::Illegal) | None => 0,
            };
            shown.push(match captured {
                0 => letter.to_string(),
                _ => format!("{letter}+{captured}"),
            });
        }
        shown
    }

    fn in_words(&self) -> String {
        let seeds = self.seeds;
        match (self.end, self.value.get()) {
            (Some("no-seeds"), _) => {
                format!(
                    "the game is over, the mover has no seeds: the opponent takes the rest, {seeds}"
                )
            }
            (Some("cannot-feed"), _) => {
                format!(
                    "the game is over, no move would feed the opponent: the mover takes the rest, {seeds}"
                )
            }
            (Some(_), _) => {
                format!(
                    "the game is over, every move would capture all: the mover takes the rest, {seeds}"
                )
            }
            (None, 0) => "both sides will take as many seeds from here on".to_owned(),
            (None, won @ 1..) => format!("the mover will take {won} more than the opponent"),
            (None, lost) => format!("the opponent will take {} more than the mover", -lost),
        }
    }

    /// Writes the answer as one line: value, best moves, board.
    pub(super) fn show_in_one_line(&self, out: &mut impl Write) -> io::Result<()> {
        let best: String = self.best.iter().collect();
        let why = self.end.unwrap_or(&best);
        writeln!(out, "{:>3}  {why:<6}  {}", signed(self.value), self.board)
    }
}

impl From<&MoveValue> for Move {
    fn from(found: &MoveValue) -> Self {
        Self { pit: found.pit.letter(), captured: found.captured, value: found.value }
    }
}

fn signed(value: Value) -> String {
    match value.get() {
        0 => "0".to_owned(),
        seeds => format!("{seeds:+}"),
    }
}

fn name_of<S: Serializer>(rules: &Rules, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rules.name())
}

fn pits_of<S: Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    board.pits().serialize(serializer)
}

fn seeds_of<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i8(value.get())
}
