//! Lines as commands.

use super::clock::Clock;
use std::time::Duration;

/// A line that a program wrote.
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
        fen: Option<String>,
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

/// What `go` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) depth: Option<u32>,
    pub(super) move_time: Option<Duration>,
    /// Goes on until `stop`.
    pub(super) is_infinite: bool,
    /// Goes on until `stop` or `ponderhit`.
    pub(super) is_pondering: bool,
    pub(super) clock: Clock,
}

impl Command {
    /// Reads a line.
    ///
    /// # Errors
    /// A sentence for people, when the line cannot be understood.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let Some(order) = words.next() else { return Ok(Self::Nothing) };
        let rest: Vec<&str> = words.collect();
        match order {
            "uci" => Ok(Self::Uci),
            "isready" => Ok(Self::IsReady),
            "debug" => Ok(Self::Debug(rest.first() != Some(&"off"))),
            "setoption" => set_option(&rest),
            "ucinewgame" => Ok(Self::NewGame),
            "position" => position(&rest),
            "go" => go(&rest),
            "stop" => Ok(Self::Stop),
            "ponderhit" => Ok(Self::PonderHit),
            "wait" => Ok(Self::Wait),
            "quit" => Ok(Self::Quit),
            other => Err(format!("unknown command '{other}'")),
        }
    }
}

fn set_option(words: &[&str]) -> Result<Command, String> {
    let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let (name, value) = words.split_at(value_at);
    let ["name", name @ ..] = name else {
        return Err("setoption is written: setoption name NAME value VALUE".to_owned());
    };
    let value = value.get(1..).unwrap_or_default();
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}

fn position(words: &[&str]) -> Result<Command, String> {
    let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (place, moves) = words.split_at(moves_at);
    let moves = moves.get(1..).unwrap_or_default().concat();
    match place {
        ["startpos"] => Ok(Command::Position { fen: None, moves }),
        ["fen", fen] => Ok(Command::Position { fen: Some((*fen).to_owned()), moves }),
        _ => Err("position is written: position startpos|fen GAME [moves FfEc]".to_owned()),
    }
}

fn go(words: &[&str]) -> Result<Command, String> {
    let mut asked = Go::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "infinite" => asked.is_infinite = true,
            "ponder" => asked.is_pondering = true,
            "depth" | "movetime" | "wtime" | "btime" | "winc" | "binc" | "movestogo" => {
                let number = words.next().and_then(|text| text.parse::<i64>().ok());
                let number = number.ok_or_else(|| format!("go {word} takes a number"))?;
                // A clock that has run out is shown as a negative time.
                let number = u64::try_from(number).unwrap_or(0);
                let time = Duration::from_millis(number);
                let count = u32::try_from(number).unwrap_or(u32::MAX);
                match word {
                    "depth" => asked.depth = Some(count.max(1)),
                    "movetime" => asked.move_time = Some(time),
                    "wtime" => asked.clock.south = Some(time),
                    "btime" => asked.clock.north = Some(time),
                    "winc" => asked.clock.south_increment = time,
                    "binc" => asked.clock.north_increment = time,
                    _ => asked.clock.moves_to_go = Some(count),
                }
            }
            other => return Err(format!("go does not know '{other}'")),
        }
    }
    Ok(Command::Go(asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood_whatever_the_blanks() {
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
    fn lines_that_make_no_sense_are_explained() {
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
}
