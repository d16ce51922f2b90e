//! The commands that a person types.

use super::players::PlayerKind;
use crate::rules::{Pit, Side};
use std::path::PathBuf;

/// The text of the command `help`: what can be typed, one command per line or two.
pub const HELP: &str = "What can be typed:
  A … F          sow a pit (a … f also works)
  hint           show every move with its value
  value          show the value of the position
  undo, redo     take back your last move, or play it again
  flip           draw the board from the other side
  moves          show the moves so far
  new            start a new game
  setup BOARD    start from a board: 12 numbers, South's row first, South to move,
                 or a game string A-B-…-f-SouthStore-NorthStore-Turn; a drawn board
                 goes into the lines after setup
  south PLAYER   set the player of South: person, random, greedy, easy, medium,
                 hard, depth-1 to depth-60, or perfect
  north PLAYER   set the player of North
  save FILE      write the game to a file (save! replaces it), with all that the file
                 it was loaded from holds
  load FILE      continue the first game of a file that can be played
  game N         continue game N of that file
  quit           leave";

/// A parsed line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayCommand {
    Move(Pit),
    Hint,
    Value,
    Undo,
    Redo,
    Flip,
    Moves,
    New,
    SetUp(String),
    SetPlayer(Side, PlayerKind),
    Save { file: PathBuf, replaces: bool },
    Load(PathBuf),
    GoToGame(usize),
    Help,
    Quit,
    Empty,
}

impl PlayCommand {
    /// Parses a line.
    ///
    /// # Errors
    /// A message that describes the expected input.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.starts_with('#') {
            return Ok(Self::Empty);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let word = word.to_lowercase();
        let needs = |what: &str| format!("{word} needs {what} after it");
        let command = match word.as_str() {
            "" => Self::Empty,
            "hint" => Self::Hint,
            "value" => Self::Value,
            "undo" => Self::Undo,
            "redo" => Self::Redo,
            "flip" => Self::Flip,
            "moves" => Self::Moves,
            "new" => Self::New,
            "help" | "?" => Self::Help,
            "quit" | "exit" => Self::Quit,
            "setup" => return Ok(Self::SetUp(rest.to_owned())),
            "south" | "north" => {
                let side = if word == "south" { Side::South } else { Side::North };
                let player = rest.parse().map_err(|error| format!("{word}: {error}"))?;
                return Ok(Self::SetPlayer(side, player));
            }
            "save" | "save!" | "load" if rest.is_empty() => return Err(needs("a file's name")),
            "save" | "save!" => {
                return Ok(Self::Save { file: rest.into(), replaces: word == "save!" });
            }
            "load" => return Ok(Self::Load(rest.into())),
            "game" => {
                let number = rest.parse().ok().filter(|&number| number > 0);
                return number.map(Self::GoToGame).ok_or_else(|| needs("the number of a game"));
            }
            _ => {
                let mut letters = word.chars();
                match (letters.next().and_then(Pit::from_letter), letters.next()) {
                    (Some(pit), None) => Self::Move(pit),
                    _ => return Err(format!("'{line}' is no move and no command: type help")),
                }
            }
        };
        if rest.is_empty() {
            Ok(command)
        } else {
            Err(format!("'{word}' stands alone, without '{rest}'"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_commands_are_distinguished() {
        let pit = Pit::from_letter('F').expect("a pit");
        for text in ["F", "f", " f \r\n"] {
            assert_eq!(PlayCommand::parse(text), Ok(PlayCommand::Move(pit)));
        }
        assert_eq!(PlayCommand::parse("flip"), Ok(PlayCommand::Flip));
        assert_eq!(
            PlayCommand::parse("SAVE my game.ogn"),
            Ok(PlayCommand::Save { file: "my game.ogn".into(), replaces: false })
        );
        for text in ["", "# a comment", "\u{feff}\r\n"] {
            assert_eq!(PlayCommand::parse(text), Ok(PlayCommand::Empty), "{text}");
        }
        assert_eq!(PlayCommand::parse("game 3"), Ok(PlayCommand::GoToGame(3)));
        for text in
            ["g", "ff", "save", "game", "game 0", "game x", "hint me", "south", "north ape", "f c"]
        {
            assert!(PlayCommand::parse(text).is_err(), "{text}");
        }
    }
}
