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
    /// The words after `position`, which [`Position::parse`] reads. A line that cannot be read is a
    /// command too: it takes away the position before it.
    Position(String),
    Go(Go),
    Stop,
    PonderHit,
    Wait,
    Quit,
    /// An empty line.
    Nothing,
}

/// The arguments of `position`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) start: GameString,
    /// Moves from there, joined: `FfEc`.
    pub(super) moves: String,
}

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) move_time: Option<Duration>,
    /// The search runs until `stop`.
    pub(super) is_infinite: bool,
    /// The search runs until `stop` or `ponderhit`.
    pub(super) is_pondering: bool,
    pub(super) clock: Clock,
    /// The words that were not understood.
    pub(super) skipped: Vec<String>,
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
        Self::Position(Position { start: *start, moves: moves.to_owned() }.to_string())
    }

    /// Parses a line. Unknown words before a command are skipped, as the protocol of chess engines
    /// demands.
    ///
    /// # Errors
    /// A sentence that describes the fault of the line.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let commands = (0..words.len()).map(|at| Self::of_words(words[at], &words[at + 1..]));
        match (words.first(), commands.flatten().next()) {
            (None, _) => Ok(Self::Nothing),
            (_, Some(command)) => command,
            (Some(first), None) => Err(format!("unknown command '{first}'")),
        }
    }

    /// The command of a word and those after it; `None` if the word is no command.
    fn of_words(word: &str, rest: &[&str]) -> Option<Result<Self, String>> {
        Some(match word {
            "uci" => Ok(Self::Uci),
            "isready" => Ok(Self::IsReady),
            "debug" => Ok(Self::Debug(rest.first() != Some(&"off"))),
            "setoption" => parse_set_option(rest),
            "ucinewgame" => Ok(Self::NewGame),
            "position" => Ok(Self::Position(rest.join(" "))),
            "go" => Ok(Self::Go(Go::parse(rest))),
            "stop" => Ok(Self::Stop),
            "ponderhit" => Ok(Self::PonderHit),
            "wait" => Ok(Self::Wait),
            "quit" => Ok(Self::Quit),
            _ => return None,
        })
    }
}

fn parse_set_option(words: &[&str]) -> Result<Command, String> {
    let is = |word: &str, key: &str| word.eq_ignore_ascii_case(key);
    let value_at = words.iter().position(|word| is(word, "value")).unwrap_or(words.len());
    let (name, value) = words.split_at(value_at);
    match name {
        [first, name @ ..] if is(first, "name") && !name.is_empty() => {
            let value = value.get(1..).unwrap_or_default();
            Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
        }
        _ => Err("setoption is written: setoption name NAME value VALUE".to_owned()),
    }
}

impl Position {
    /// Parses the words after `position`. The numbers that other programs append to a position (the
    /// plies since a capture, and the number of the move) are read and not used.
    ///
    /// # Errors
    /// A sentence that describes the fault.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (start, moves) = words.split_at(moves_at);
        let moves = moves.get(1..).unwrap_or_default().concat();
        let is_counter = |word: &&str| word.bytes().all(|digit| digit.is_ascii_digit());
        match start {
            ["startpos"] => Ok(Self { start: START, moves }),
            ["fen", fen, counters @ ..]
                if counters.len() <= 2 && counters.iter().all(is_counter) =>
            {
                let start = fen.parse().map_err(|error| format!("fen: {error}"))?;
                Ok(Self { start, moves })
            }
            _ => Err("position is written: position startpos|fen GAME [moves FfEc]".to_owned()),
        }
    }
}

impl Go {
    /// Parses the words after `go`. What is unknown, or is not the number that its word takes, is
    /// skipped, because every `go` is answered.
    fn parse(words: &[&str]) -> Self {
        let mut go = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            let is_known = match word {
                "infinite" => {
                    go.is_infinite = true;
                    true
                }
                "ponder" => {
                    go.is_pondering = true;
                    true
                }
                _ => words.peek().and_then(|text| whole(text)).is_some_and(|number| {
                    let is_known = go.set(word, number);
                    if is_known {
                        words.next();
                    }
                    is_known
                }),
            };
            if !is_known {
                go.skipped.push(word.to_owned());
            }
        }
        go
    }

    /// Sets the argument of a word. Returns false if no such word takes a number.
    fn set(&mut self, word: &str, number: u64) -> bool {
        let time = Duration::from_millis(number);
        let count = u32::try_from(number).unwrap_or(u32::MAX);
        match word {
            "depth" => self.depth = Some(count.max(1)),
            "nodes" => self.nodes = Some(number.max(1)),
            "movetime" => self.move_time = Some(time),
            "wtime" => self.clock.south = Some(time),
            "btime" => self.clock.north = Some(time),
            "winc" => self.clock.south_increment = time,
            "binc" => self.clock.north_increment = time,
            "movestogo" => self.clock.moves_to_go = Some(count),
            _ => return false,
        }
        true
    }
}

/// The whole part of a decimal number that fits 64 bits with its sign. A negative number is 0: a
/// clock that has run out may be negative.
fn whole(text: &str) -> Option<u64> {
    let (number, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_fraction = fraction.bytes().all(|digit| digit.is_ascii_digit());
    let number: i64 = number.parse().ok().filter(|_| is_fraction)?;
    Some(number.max(0).unsigned_abs())
}

impl fmt::Display for Command {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => out.write_str("uci"),
            Self::IsReady => out.write_str("isready"),
            Self::Debug(on) => write!(out, "debug {}", if *on { "on" } else { "off" }),
            Self::SetOption { name, value } => write!(out, "setoption name {name} value {value}"),
            Self::NewGame => out.write_str("ucinewgame"),
            Self::Position(position) => write!(out, "position {position}"),
            Self::Go(go) => write!(out, "go{go}"),
            Self::Stop => out.write_str("stop"),
            Self::PonderHit => out.write_str("ponderhit"),
            Self::Wait => out.write_str("wait"),
            Self::Quit => out.write_str("quit"),
            Self::Nothing => Ok(()),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start, moves } = self;
        if *start == START {
            out.write_str("startpos")?
        } else {
            write!(out, "fen {start}")?
        }
        if moves.is_empty() { Ok(()) } else { write!(out, " moves {moves}") }
    }
}

impl fmt::Display for Go {
    /// The arguments, each after a space.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, nodes, move_time, is_infinite, is_pondering, clock, skipped: _ } = self;
        if *is_infinite {
            out.write_str(" infinite")?;
        }
        if *is_pondering {
            out.write_str(" ponder")?;
        }
        if let Some(plies) = depth {
            write!(out, " {}", Limit::Depth(*plies))?;
        }
        if let Some(nodes) = nodes {
            write!(out, " nodes {nodes}")?;
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
    pub(super) name: String,
    pub(super) kind: OptionKind,
}

/// The type and the default of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OptionKind {
    Check { default: bool },
    Spin { default: usize, min: usize, max: usize },
    Combo { default: String, choices: Vec<String> },
    Text { default: String },
    Button,
}

impl OptionKind {
    /// The value of a name as the option spells it; `None` if the option does not take it.
    pub(super) fn spelling(&self, wanted: &str) -> Option<String> {
        match self {
            Self::Combo { choices, .. } => {
                choices.iter().find(|choice| choice.eq_ignore_ascii_case(wanted)).cloned()
            }
            Self::Text { .. } => Some(wanted.to_owned()),
            Self::Check { .. } => {
                ["true", "false"].into_iter().find(|&value| value == wanted).map(str::to_owned)
            }
            Self::Spin { .. } | Self::Button => None,
        }
    }
}

impl OptionDeclaration {
    /// Parses the words after `option`; `None` if they declare nothing that is known.
    fn parse(words: &[&str]) -> Option<Self> {
        const KEYS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
        let mut fields: Vec<(&str, String)> = Vec::new();
        for &word in words {
            // The name of an option may be a key, as in `name default type spin`.
            let is_key =
                KEYS.contains(&word) && !matches!(&fields[..], [("name", name)] if name.is_empty());
            match fields.last_mut() {
                _ if is_key => fields.push((word, String::new())),
                Some((_, text)) if text.is_empty() => word.clone_into(text),
                Some((_, text)) => *text += &format!(" {word}"),
                None => return None,
            }
        }
        let all =
            |key| fields.iter().filter(move |(of, _)| *of == key).map(|(_, text)| text.clone());
        let one = |key| all(key).next().unwrap_or_default();
        let number = |key| one(key).parse().ok();
        let kind = match one("type").as_str() {
            "check" => OptionKind::Check { default: one("default").eq_ignore_ascii_case("true") },
            "spin" => OptionKind::Spin {
                default: number("default")?,
                min: number("min")?,
                max: number("max")?,
            },
            "combo" => OptionKind::Combo { default: one("default"), choices: all("var").collect() },
            "string" => OptionKind::Text { default: one("default") },
            "button" => OptionKind::Button,
            _ => return None,
        };
        Some(Self { name: one("name"), kind }).filter(|option| !option.name.is_empty())
    }
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

    /// Parses a line; `None` for a line that a client here does not use, such as `info`.
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
            "option" => OptionDeclaration::parse(&words.collect::<Vec<_>>()).map(Self::Option),
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
            OptionKind::Text { default } => {
                write!(out, "name {name} type string default {default}")
            }
            OptionKind::Button => write!(out, "name {name} type button"),
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

    fn go(line: &str) -> Go {
        match Command::parse(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn commands_parse_whatever_the_blanks() {
        let position = Command::Position("startpos moves Ff Ec".to_owned());
        assert_eq!(Command::parse("  position  startpos moves Ff\tEc \r"), Ok(position));
        let option = Command::SetOption { name: "Hash".to_owned(), value: "64".to_owned() };
        assert_eq!(Command::parse("setoption name Hash value 64"), Ok(option.clone()));
        assert_eq!(Command::parse("setoption Name Hash VALUE 64"), Ok(option));
        assert_eq!(Command::parse(" "), Ok(Command::Nothing));
        assert_eq!(Command::parse("joho debug off"), Ok(Command::Debug(false)));
    }

    #[test]
    fn invalid_commands_are_errors() {
        for line in
            ["hello", "hello there", "setoption Hash", "setoption name", "setoption name value 3"]
        {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn what_go_does_not_know_is_skipped_and_the_rest_obeyed() {
        for (line, obeyed, skipped) in [
            (
                "go depth 0 wtime -5 btime 900 movestogo 3",
                "go depth 1 wtime 0 btime 900 movestogo 3",
                0,
            ),
            ("go nodes 9", "go nodes 9", 0),
            ("go nodes 0", "go nodes 1", 0),
            ("go mate 3", "go", 2),
            ("go mate 3 depth 2", "go depth 2", 2),
            ("go searchmoves Aa depth 4", "go depth 4", 2),
            ("go wtime 1000.5 btime 7.", "go wtime 1000 btime 7", 0),
            ("go wtime 1e3", "go", 2),
            ("go movetime", "go", 1),
            ("go movetime depth 3", "go depth 3", 1),
            ("go movetime x depth 3", "go depth 3", 2),
            ("go movetime 9223372036854775808", "go", 2),
            ("go movetime 99999999999999999999999 infinite", "go infinite", 2),
            ("go depth 4294967296", "go depth 4294967295", 0),
            ("go fast ponder", "go ponder", 1),
            ("go 5", "go", 1),
            ("go movetime NaN", "go", 2),
        ] {
            let go = go(line);
            assert_eq!(Command::Go(go.clone()).to_string(), obeyed, "{line}");
            assert_eq!(go.skipped.len(), skipped, "{line}: {:?}", go.skipped);
        }
    }

    #[test]
    fn positions_parse_with_move_counters_and_nothing_else() {
        let game = "4-4-4-4-4-4-4-4-4-4-4-0-4-0-S";
        for (text, moves) in [
            (format!("fen {game}"), ""),
            (format!("fen {game} 0 1"), ""),
            (format!("fen {game} 17 moves F f Ec"), "FfEc"),
            (format!("fen {game} moves"), ""),
        ] {
            let position = Position::parse(&text).expect(&text);
            assert_eq!(
                (position.start.to_string().as_str(), position.moves.as_str()),
                (game, moves)
            );
        }
        assert_eq!(Position::parse("startpos moves Ff").expect("plain").start, START);
        for text in [
            String::new(),
            "fen".to_owned(),
            "nowhere".to_owned(),
            "startpos FfEc".to_owned(),
            "startpos 0 1".to_owned(),
            game.to_owned(),
            format!("fen {game} w"),
            format!("fen {game} 0 1 2"),
            format!("fen {game} -1"),
            "fen 1-2-3".to_owned(),
        ] {
            assert!(Position::parse(&text).is_err(), "{text}");
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
            "go nodes 1000",
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
        for text in ["startpos", "startpos moves FfEc", "fen 4-4-4-4-4-4-4-4-4-4-4-0-4-0-N moves f"]
        {
            let written = Position::parse(text).map(|position| position.to_string());
            assert_eq!(written.as_deref(), Ok(text));
        }
    }

    #[test]
    fn replies_that_clients_use_are_written_as_they_are_read() {
        for line in [
            "id name Oware 1",
            "id author somebody",
            "option name Hash type spin default 32 min 1 max 64",
            "option name Use Leaves type check default true",
            "option name Rules type combo default awari var awari var abapa",
            "option name Book File type string default my book",
            "option name default type button",
            "uciok",
            "readyok",
            "bestmove F",
            "bestmove F ponder c",
            "bestmove 0000",
        ] {
            let reply = Reply::parse(line).map(|reply| reply.to_string());
            assert_eq!(reply.as_deref(), Some(line));
        }
        for line in [
            "",
            "id name ",
            "info depth 1",
            "option name Hash type spin",
            "option type button",
            "hello",
        ] {
            assert_eq!(Reply::parse(line), None, "{line}");
        }
    }

    #[test]
    fn an_option_gives_the_spelling_of_its_own_values() {
        let kind = |line: &str| match Reply::parse(line) {
            Some(Reply::Option(option)) => option.kind,
            other => panic!("{line}: {other:?}"),
        };
        let combo = kind("option name Rules type combo var Abapa var Awari");
        assert_eq!(combo.spelling("awari").as_deref(), Some("Awari"));
        assert_eq!(combo.spelling("wari"), None);
        assert_eq!(kind("option name Rules type string").spelling("wari").as_deref(), Some("wari"));
        assert_eq!(
            kind("option name R type check default false").spelling("true").as_deref(),
            Some("true")
        );
        assert_eq!(kind("option name R type button").spelling("true"), None);
    }
}
