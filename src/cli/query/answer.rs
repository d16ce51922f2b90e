//! The answer for one board, for people and for programs.

use crate::cli::drawing;
use anstyle::{AnsiColor, Style};
use oware::database::{Database, DatabaseError, LineEnd, MoveValue};
use oware::rules::{Board, Bounds, End, Outcome, Pit, Rules, Value};
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
    /// What either side secures, whatever settles endless play, if the level has a table of bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
}

/// Whether an answer has bounds where tables have them: they take some forty look-ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WithBounds {
    Yes,
    No,
}

/// A legal move and its value for the mover, captures included.
#[derive(Debug, Serialize)]
struct Move {
    #[serde(rename = "move")]
    pit: char,
    captured: u8,
    #[serde(serialize_with = "seeds_of")]
    value: Value,
    /// For the one who makes the move, captures included.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
}

impl Answer {
    /// Looks a board up in a database, with a line of best play if `with_line`.
    pub(super) fn ask(
        database: &Database,
        board: Board,
        with_line: bool,
        with_bounds: WithBounds,
    ) -> Result<Self, DatabaseError> {
        let mut answer = Self::of_moves(database, board, &database.moves(board)?, with_bounds)?;
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
        with_bounds: WithBounds,
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
        let has_bounds = with_bounds == WithBounds::Yes && database.has_bounds(board.level());
        let (bounds, of_moves) = match has_bounds {
            true => (Some(database.bounds(board)?), database.bounds_of_moves(moves)?),
            false => (None, Vec::new()),
        };
        let of_moves = of_moves.into_iter().map(Some).chain(std::iter::repeat(None));
        Ok(Self {
            rules,
            board,
            seeds,
            value,
            best: best.map(|found| found.pit.letter()).collect(),
            moves: moves.iter().zip(of_moves).map(Move::from).collect(),
            line: None,
            line_end: None,
            end: end.map(End::name),
            distance,
            bounds,
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
        if let Some(bounds) = self.bounds {
            writeln!(out, "{}", self.bounds_in_words(bounds))?;
        }
        self.show_moves(out)?;
        self.show_line(out)
    }

    fn bounds_in_words(&self, bounds: Bounds) -> String {
        let seeds = self.board.level();
        let (secured, contested) = (bounds.secured(seeds), bounds.contested());
        let rest = match contested {
            0 => "none contested".to_owned(),
            _ => format!("{contested} contested"),
        };
        format!("secures at least {secured} of {seeds} seeds, whatever the repetition rule; {rest}")
    }

    fn show_moves(&self, out: &mut impl Write) -> io::Result<()> {
        if self.moves.is_empty() {
            return Ok(());
        }
        let good = Style::new().bold().fg_color(Some(AnsiColor::Green.into()));
        let seeds = self.board.level();
        let columns = if self.bounds.is_some() { "  secures  contested" } else { "" };
        writeln!(out, "\nmove  captures  value{columns}")?;
        for found in &self.moves {
            let Move { pit, captured, value, bounds } = found;
            let text = signed(*value);
            let bounds = bounds.map_or_else(String::new, |bounds| {
                format!("  {:>7}  {:>9}", bounds.secured(seeds), bounds.contested())
            });
            if *value == self.value {
                let cost = match self.given_up(found) {
                    0 => String::new(),
                    seeds => format!(", but gives up {seeds} secured"),
                };
                writeln!(
                    out,
                    "{good}{pit:<4}  {captured:>8}  {text:>5}{good:#}{bounds}  best{cost}"
                )?;
            } else {
                writeln!(out, "{pit:<4}  {captured:>8}  {text:>5}{bounds}")?;
            }
        }
        Ok(())
    }

    /// The secured seeds that a move gives up.
    fn given_up(&self, found: &Move) -> u8 {
        let seeds = self.board.level();
        let secured = |bounds: Option<Bounds>| bounds.map_or(0, |bounds| bounds.secured(seeds));
        secured(self.bounds).saturating_sub(secured(found.bounds))
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

impl From<(&MoveValue, Option<Bounds>)> for Move {
    fn from((found, bounds): (&MoveValue, Option<Bounds>)) -> Self {
        let MoveValue { captured, value, .. } = *found;
        Self { pit: found.pit.letter(), captured, value, bounds }
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
