//! The lines of the protocol, as values: [`Command`] goes to the engine, [`Reply`] comes back.
//!
//! Both types are read with `parse` and written with [`Display`](fmt::Display). A client writes
//! commands and reads replies, a server reads commands and writes replies.
//!
//! Invariant: a command that is written and read again is the same command.

use super::clock::Clock;
use crate::game::{move_letter, moves_text};
use crate::rules::{Board, GameString, Pit, Side};
use crate::search::Certainty;
use std::fmt;
use std::time::Duration;

/// The position that `startpos` stands for.
pub(super) const START: GameString =
    GameString { board: Board::START, south_store: 0, north_store: 0, turn: Side::South };

/// The word in place of a move when there is none.
pub(super) const NO_MOVE: &str = "0000";

/// The limit of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Plies of search.
    Depth(u32),
    /// Time per move.
    MoveTime(Duration),
}

impl fmt::Display for Limit {
    /// The arguments of `go`: `depth 4` or `movetime 100`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(plies) => write!(out, "depth {plies}"),
            Self::MoveTime(time) => write!(out, "movetime {}", time.as_millis()),
        }
    }
}

/// A line from a client to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Uci,
    IsReady,
    Debug(bool),
    SetOption {
        name: String,
        value: String,
    },
    NewGame,
    Position {
        /// `None` for `startpos`.
        fen: Option<String>,
        /// Moves from there, joined: `FfEc`.
        moves: String,
    },
    Go(Go),
    Stop,
    PonderHit,
    Wait,
    Quit,
    /// An empty line.
    Nothing,
}

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) depth: Option<u32>,
    pub(super) move_time: Option<Duration>,
    /// The search runs until `stop`.
    pub(super) is_infinite: bool,
    /// The search runs until `stop` or `ponderhit`.
    pub(super) is_pondering: bool,
    pub(super) clock: Clock,
}

impl From<Limit> for Go {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Depth(plies) => Self { depth: Some(plies), ..Self::default() },
            Limit::MoveTime(time) => Self { move_time: Some(time), ..Self::default() },
        }
    }
}

impl Command {
    /// The position of a game that began at `start` and continued with `moves`.
    pub(super) fn position(start: &GameString, moves: &str) -> Self {
        let fen = (*start != START).then(|| start.to_string());
        Self::Position { fen, moves: moves.to_owned() }
    }

    /// Parses a line.
    ///
    /// # Errors
    /// A sentence that describes the fault of the line.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Ok(Self::Nothing) };
        let rest: Vec<&str> = words.collect();
        match first {
            "uci" => Ok(Self::Uci),
            "isready" => Ok(Self::IsReady),
            "debug" => Ok(Self::Debug(rest.first() != Some(&"off"))),
            "setoption" => parse_set_option(&rest),
            "ucinewgame" => Ok(Self::NewGame),
            "position" => parse_position(&rest),
            "go" => parse_go(&rest),
            "stop" => Ok(Self::Stop),
            "ponderhit" => Ok(Self::PonderHit),
            "wait" => Ok(Self::Wait),
            "quit" => Ok(Self::Quit),
            other => Err(format!("unknown command '{other}'")),
        }
    }
}

fn parse_set_option(words: &[&str]) -> Result<Command, String> {
    let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let (name, value) = words.split_at(value_at);
    let ["name", name @ ..] = name else {
        return Err("setoption is written: setoption name NAME value VALUE".to_owned());
    };
    let value = value.get(1..).unwrap_or_default();
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}

fn parse_position(words: &[&str]) -> Result<Command, String> {
    let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(moves_at);
    let moves = moves.get(1..).unwrap_or_default().concat();
    match start {
        ["startpos"] => Ok(Command::Position { fen: None, moves }),
        ["fen", fen] => Ok(Command::Position { fen: Some((*fen).to_owned()), moves }),
        _ => Err("position is written: position startpos|fen GAME [moves FfEc]".to_owned()),
    }
}

fn parse_go(words: &[&str]) -> Result<Command, String> {
    let mut go = Go::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "infinite" => go.is_infinite = true,
            "ponder" => go.is_pondering = true,
            "depth" | "movetime" | "wtime" | "btime" | "winc" | "binc" | "movestogo" => {
                let number = words.next().and_then(|text| text.parse::<i64>().ok());
                let number = number.ok_or_else(|| format!("go {word} takes a number"))?;
                // A clock that has run out may be negative.
                let number = number.max(0).unsigned_abs();
                let time = Duration::from_millis(number);
                let count = u32::try_from(number.min(u32::MAX.into())).expect("at most u32::MAX");
                match word {
                    "depth" => go.depth = Some(count.max(1)),
                    "movetime" => go.move_time = Some(time),
                    "wtime" => go.clock.south = Some(time),
                    "btime" => go.clock.north = Some(time),
                    "winc" => go.clock.south_increment = time,
                    "binc" => go.clock.north_increment = time,
                    _ => go.clock.moves_to_go = Some(count),
                }
            }
            other => return Err(format!("go does not know '{other}'")),
        }
    }
    Ok(Command::Go(go))
}

impl fmt::Display for Command {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => out.write_str("uci"),
            Self::IsReady => out.write_str("isready"),
            Self::Debug(on) => write!(out, "debug {}", if *on { "on" } else { "off" }),
            Self::SetOption { name, value } => write!(out, "setoption name {name} value {value}"),
            Self::NewGame => out.write_str("ucinewgame"),
            Self::Position { fen, moves } => {
                match fen {
                    None => out.write_str("position startpos")?,
                    Some(fen) => write!(out, "position fen {fen}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(out, " moves {moves}") }
            }
            Self::Go(go) => write!(out, "go{go}"),
            Self::Stop => out.write_str("stop"),
            Self::PonderHit => out.write_str("ponderhit"),
            Self::Wait => out.write_str("wait"),
            Self::Quit => out.write_str("quit"),
            Self::Nothing => Ok(()),
        }
    }
}

impl fmt::Display for Go {
    /// The arguments, each after a space.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, move_time, is_infinite, is_pondering, clock } = self;
        if *is_infinite {
            out.write_str(" infinite")?;
        }
        if *is_pondering {
            out.write_str(" ponder")?;
        }
        if let Some(plies) = depth {
            write!(out, " {}", Limit::Depth(*plies))?;
        }
        if let Some(time) = move_time {
            write!(out, " {}", Limit::MoveTime(*time))?;
        }
        let increment = |time: Duration| (!time.is_zero()).then_some(time);
        for (word, time) in [
            ("wtime", clock.south),
            ("btime", clock.north),
            ("winc", increment(clock.south_increment)),
            ("binc", increment(clock.north_increment)),
        ] {
            if let Some(time) = time {
                write!(out, " {word} {}", time.as_millis())?;
            }
        }
        clock.moves_to_go.map_or(Ok(()), |moves| write!(out, " movestogo {moves}"))
    }
}

/// A line from an engine to a client.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    Name(String),
    Author(String),
    Option(OptionDeclaration),
    UciOk,
    ReadyOk,
    Info(Info),
    /// `info string`: text for people.
    Remark(String),
    /// The words of a move and of the expected reply. The first is [`NO_MOVE`] if there is no move,
    /// and empty if the line ends before it.
    BestMove {
        chosen: String,
        ponder: Option<String>,
    },
}

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OptionDeclaration {
    pub(super) name: &'static str,
    pub(super) kind: OptionKind,
}

/// The type and the default of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OptionKind {
    Check { default: bool },
    Spin { default: usize, min: usize, max: usize },
    Combo { default: String, choices: Vec<&'static str> },
}

/// The progress of a search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Info {
    pub(super) depth: u32,
    /// The value in hundredths of a seed.
    pub(super) hundredths: i32,
    pub(super) certainty: Certainty,
    pub(super) nodes: u64,
    pub(super) table_hits: u64,
    /// Filled entries of the hash table, per thousand.
    pub(super) hash_filled: u32,
    pub(super) elapsed: Duration,
    /// The side that plays the first move of `line`.
    pub(super) turn: Side,
    pub(super) line: Vec<Pit>,
}

impl Reply {
    /// A chosen move and the expected reply.
    pub(super) fn best_move(turn: Side, chosen: Pit, ponder: Option<Pit>) -> Self {
        Self::BestMove {
            chosen: move_letter(turn, chosen).to_string(),
            ponder: ponder.map(|pit| move_letter(turn.other(), pit).to_string()),
        }
    }

    /// The answer to `go` if there is no move.
    pub(super) fn no_move() -> Self {
        Self::BestMove { chosen: NO_MOVE.to_owned(), ponder: None }
    }

    /// Parses a line; `None` for a line that a client here does not use, such as `info` or `option`.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let text_after = |prefix: &str| {
            let text = line.strip_prefix(prefix)?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let mut words = line.split_whitespace();
        match words.next()? {
            "id" => {
                let name = text_after("id name ").map(Self::Name);
                name.or_else(|| text_after("id author ").map(Self::Author))
            }
            "uciok" => Some(Self::UciOk),
            "readyok" => Some(Self::ReadyOk),
            "bestmove" => {
                let chosen = words.next().unwrap_or_default().to_owned();
                let ponder = (words.next() == Some("ponder")).then(|| words.next()).flatten();
                Some(Self::BestMove { chosen, ponder: ponder.map(str::to_owned) })
            }
            _ => None,
        }
    }
}

/// Parses a move: one letter, upper case for South and lower case for North.
pub(super) fn parse_move(word: &str) -> Option<(Pit, Side)> {
    let mut letters = word.chars();
    let letter = letters.next()?;
    if letters.next().is_some() {
        return None;
    }
    let side = if letter.is_ascii_uppercase() { Side::South } else { Side::North };
    Some((Pit::from_letter(letter)?, side))
}

impl fmt::Display for Reply {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(out, "id name {name}"),
            Self::Author(author) => write!(out, "id author {author}"),
            Self::Option(option) => write!(out, "option {option}"),
            Self::UciOk => out.write_str("uciok"),
            Self::ReadyOk => out.write_str("readyok"),
            Self::Info(info) => write!(out, "info {info}"),
            Self::Remark(text) => write!(out, "info string {text}"),
            Self::BestMove { chosen, ponder } => {
                write!(out, "bestmove {chosen}")?;
                ponder.as_ref().map_or(Ok(()), |reply| write!(out, " ponder {reply}"))
            }
        }
    }
}

impl fmt::Display for OptionDeclaration {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind } = self;
        match kind {
            OptionKind::Check { default } => {
                write!(out, "name {name} type check default {default}")
            }
            OptionKind::Spin { default, min, max } => {
                write!(out, "name {name} type spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(out, "name {name} type combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(out, " var {choice}"))
            }
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.certainty {
            Certainty::AtLeast => " lowerbound",
            Certainty::AtMost => " upperbound",
            Certainty::Exact | Certainty::Estimate => "",
        };
        let millis = self.elapsed.as_millis();
        let per_second = u128::from(self.nodes) * 1000 / millis.max(1);
        write!(
            out,
            "depth {} score cp {}{bound} nodes {} nps {per_second} tbhits {} hashfull {} time {millis} pv {}",
            self.depth,
            self.hundredths,
            self.nodes,
            self.table_hits,
            self.hash_filled,
            moves_text(self.turn, &self.line),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_parse_whatever_the_blanks() {
        let position = Command::Position { fen: None, moves: "FfEc".to_owned() };
        assert_eq!(Command::parse("  position  startpos moves Ff Ec \r"), Ok(position));
        let option = Command::SetOption { name: "Hash".to_owned(), value: "64".to_owned() };
        assert_eq!(Command::parse("setoption name Hash value 64"), Ok(option));
        let Ok(Command::Go(go)) = Command::parse("go depth 0 wtime -5 btime 900 movestogo 3")
        else {
            panic!("a go command");
        };
        assert_eq!((go.depth, go.clock.south), (Some(1), Some(Duration::ZERO)));
        assert_eq!(go.clock.moves_to_go, Some(3));
        assert_eq!(Command::parse(" "), Ok(Command::Nothing));
    }

    #[test]
    fn invalid_commands_are_errors() {
        for line in [
            "hello",
            "go depth",
            "go fast",
            "go movetime x",
            "position",
            "setoption Hash",
            "position fen",
            "position startpos FfEc",
        ] {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn commands_are_written_as_they_are_read() {
        for line in [
            "",
            "uci",
            "isready",
            "debug on",
            "debug off",
            "setoption name Hash value 64",
            "ucinewgame",
            "position startpos",
            "position startpos moves FfEc",
            "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves F",
            "go",
            "go infinite",
            "go ponder wtime 900 btime 800 winc 5 binc 6 movestogo 3",
            "go depth 4",
            "go movetime 100",
            "stop",
            "ponderhit",
            "wait",
            "quit",
        ] {
            assert_eq!(
                Command::parse(line).map(|command| command.to_string()),
                Ok(line.to_owned())
            );
        }
    }

    #[test]
    fn replies_that_clients_use_are_written_as_they_are_read() {
        for line in [
            "id name Oware 1",
            "id author somebody",
            "uciok",
            "readyok",
            "bestmove F",
            "bestmove F ponder c",
            "bestmove 0000",
        ] {
            let reply = Reply::parse(line).map(|reply| reply.to_string());
            assert_eq!(reply.as_deref(), Some(line));
        }
        for line in ["", "id name ", "info depth 1", "option name Hash type spin", "hello"] {
            assert_eq!(Reply::parse(line), None, "{line}");
        }
    }
}
