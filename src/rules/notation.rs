//! Boards, pits and values as text.
//!
//! A board is twelve numbers or a 15-field game string. `Display` and `FromStr` are inverse.

use super::{
    BOARD_PITS, Board, BoardError, MAX_SEEDS, NotAValue, Pit, ROW_PITS, Row, UnknownPit, Value,
};
use std::fmt;
use std::str::FromStr;

/// A side of a game. South owns the pits A–F of a game string, North a–f.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that moves first from the start position.
    South,
    /// The side that moves second.
    North,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    /// The letter in game strings, `S` or `N`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::South => 'S',
            Self::North => 'N',
        }
    }
}

/// A position of a game, written as the Aualé program does:
/// `A-B-C-D-E-F-a-b-c-d-e-f-SouthStore-NorthStore-Turn`.
///
/// The text has the pits of South first in any case. [`board`](Self::board) is seen from the side
/// to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameString {
    /// The board seen from the side to move.
    pub board: Board,
    /// Seeds that South has captured.
    pub south_store: u8,
    /// Seeds that North has captured.
    pub north_store: u8,
    /// The side to move.
    pub turn: Side,
}

impl FromStr for GameString {
    type Err = BoardError;
    fn from_str(text: &str) -> Result<Self, BoardError> {
        let fields = split(text)?.fields;
        let found = fields.len();
        let [numbers @ .., turn] = fields.as_slice() else {
            return Err(BoardError::WrongCount { found });
        };
        if found != 15 {
            return Err(BoardError::WrongCount { found });
        }
        let turn = match *turn {
            "S" => Side::South,
            "N" => Side::North,
            other => return Err(BoardError::BadTurn { turn: other.to_owned() }),
        };
        let counts: [u8; 14] = counts(numbers)?;
        let [pits @ .., south_store, north_store] = counts;
        let south_view = Board::try_from(pits)?;
        let board = match turn {
            Side::South => south_view,
            Side::North => south_view.flipped(),
        };
        Ok(Self { board, south_store, north_store, turn })
    }
}

impl fmt::Display for GameString {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let south_view = match self.turn {
            Side::South => self.board,
            Side::North => self.board.flipped(),
        };
        for seeds in south_view.pits() {
            write!(out, "{seeds}-")?;
        }
        write!(out, "{}-{}-{}", self.south_store, self.north_store, self.turn.letter())
    }
}

/// Parses a board.
///
/// The text is 12 numbers, the mover's row first, separated by single spaces, commas, slashes or
/// dashes, with an optional `|` between the rows; or a 15-field [game string](GameString), whose
/// stores are checked and dropped.
///
/// # Errors
/// [`BoardError`] with the field that is wrong.
pub fn parse_board(text: &str) -> Result<Board, BoardError> {
    let Split { fields, bar_after } = split(text)?;
    match fields.len() {
        12 => {
            if bar_after.is_some_and(|after| after != 6) {
                return Err(BoardError::MisplacedBar);
            }
            let pits: [u8; BOARD_PITS] = counts(&fields)?;
            Board::try_from(pits)
        }
        15 if bar_after.is_some() => Err(BoardError::MisplacedBar),
        15 => text.trim().parse::<GameString>().map(|game| game.board),
        found => Err(BoardError::WrongCount { found }),
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// Parses a board as [`parse_board`] does.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        parse_board(text)
    }
}

impl FromStr for Row {
    type Err = BoardError;

    /// Parses six numbers, separated as those of a board.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        let Split { fields, bar_after } = split(text)?;
        match fields.len() {
            ROW_PITS if bar_after.is_some() => Err(BoardError::MisplacedBar),
            ROW_PITS => Self::try_from(counts::<ROW_PITS>(&fields)?),
            found => Err(BoardError::WrongCount { found }),
        }
    }
}

impl FromStr for Pit {
    type Err = UnknownPit;

    /// Parses a letter as [`Pit::from_letter`] does.
    fn from_str(text: &str) -> Result<Self, UnknownPit> {
        let mut letters = text.chars();
        match (letters.next().and_then(Self::from_letter), letters.next()) {
            (Some(pit), None) => Ok(pit),
            _ => Err(UnknownPit(text.to_owned())),
        }
    }
}

impl FromStr for Value {
    type Err = NotAValue;

    /// Parses a whole number from −48 to 48.
    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let seeds = text.parse().ok();
        seeds.and_then(Self::new).ok_or_else(|| NotAValue(text.to_owned()))
    }
}

/// The fields of a text, and the number of fields before its bar.
struct Split<'text> {
    fields: Vec<&'text str>,
    bar_after: Option<usize>,
}

/// Splits a text into fields. The gaps between fields are those listed here.
fn split(text: &str) -> Result<Split<'_>, BoardError> {
    let stray = || BoardError::StraySeparator { text: text.to_owned() };
    let mut fields = Vec::new();
    let mut bar_after = None;
    let mut rest = text.trim();
    loop {
        let (field, tail) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
        if field.is_empty() {
            return Err(stray());
        }
        fields.push(field);
        if tail.is_empty() {
            return Ok(Split { fields, bar_after });
        }
        let (gap, next) = tail.split_at(tail.find(|mark| !is_separator(mark)).ok_or_else(stray)?);
        match gap {
            "," | ", " | "/" | "-" | " " | "\t" => {}
            "|" | " |" | "| " | " | " if bar_after.is_none() => bar_after = Some(fields.len()),
            "|" | " |" | "| " | " | " => return Err(BoardError::MisplacedBar),
            _ => return Err(stray()),
        }
        rest = next;
    }
}

fn is_separator(mark: char) -> bool {
    mark.is_whitespace() || matches!(mark, ',' | '/' | '-' | '|')
}

/// Parses numbers of seeds, at most [`MAX_SEEDS`] in all.
fn counts<const N: usize>(fields: &[&str]) -> Result<[u8; N], BoardError> {
    let mut numbers = [0u32; N];
    for (number, &field) in numbers.iter_mut().zip(fields) {
        let field_of = || field.to_owned();
        if !field.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(BoardError::NotANumber { field: field_of() });
        }
        // Numbers with a sum that can be named; the others name themselves.
        let count = field.parse::<u16>().map_err(|_| BoardError::HugeNumber { field: field_of() });
        *number = count?.into();
    }
    let seeds: u32 = numbers.iter().sum();
    if seeds > u32::from(MAX_SEEDS) {
        return Err(BoardError::TooManySeeds { seeds });
    }
    Ok(numbers.map(|count| u8::try_from(count).expect("no number is greater than their sum")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_separator_reads_the_same_board() {
        let board = Board::new([1, 1, 1, 1, 1, 2, 4, 2, 3, 0, 0, 0]).expect("16 seeds");
        for text in [
            "1 1 1 1 1 2 4 2 3 0 0 0",
            "1,1,1,1,1,2,4,2,3,0,0,0",
            "1, 1, 1, 1, 1, 2, 4, 2, 3, 0, 0, 0",
            "1/1/1/1/1/2/4/2/3/0/0/0",
            "1-1-1-1-1-2-4-2-3-0-0-0",
            "1 1 1 1 1 2 | 4 2 3 0 0 0",
            "1,1,1,1,1,2|4,2,3,0,0,0",
            "1-1-1-1-1-2-4-2-3-0-0-0-20-12-S",
            "4-2-3-0-0-0-1-1-1-1-1-2-20-12-N",
        ] {
            assert_eq!(parse_board(text), Ok(board), "{text}");
        }
        assert_eq!(board.to_string().parse(), Ok(board));
    }

    #[test]
    fn anything_else_is_a_typed_error() {
        use BoardError as E;
        let is = |text: &str, expected: fn(&E) -> bool| {
            let error = parse_board(text).expect_err(text);
            assert!(expected(&error), "{text}: {error}");
        };
        is("", |e| matches!(e, E::StraySeparator { .. }));
        is("1 2 3", |e| matches!(e, E::WrongCount { found: 3 }));
        is("-1 1 1 1 1 2 4 2 3 0 0 0", |e| matches!(e, E::StraySeparator { .. }));
        is("1--1-1-1-1-2-4-2-3-0-0-0", |e| matches!(e, E::StraySeparator { .. }));
        is("1 1 -1 1 1 2 4 2 3 0 0 0", |e| matches!(e, E::StraySeparator { .. }));
        is("1  1 1 1 1 2 4 2 3 0 0 0", |e| matches!(e, E::StraySeparator { .. }));
        is("1 1 1 1 1 2 | 4 2 3 | 0 0 0", |e| matches!(e, E::MisplacedBar));
        is("1 1 1 1 1 2 4 2 3 0 0 0,", |e| matches!(e, E::StraySeparator { .. }));
        is("1 1 1 1 | 1 2 4 2 3 0 0 0", |e| matches!(e, E::MisplacedBar));
        is("1 1 1 1 1 2 | | 4 2 3 0 0 0", |e| matches!(e, E::StraySeparator { .. }));
        is("1 1 1 x 1 2 4 2 3 0 0 0", |e| matches!(e, E::NotANumber { .. }));
        is("1 1 1 +1 1 2 4 2 3 0 0 0", |e| matches!(e, E::NotANumber { .. }));
        is("48 1 0 0 0 0 0 0 0 0 0 0", |e| matches!(e, E::TooManySeeds { seeds: 49 }));
        for huge in ["65536", "4294967296", "99999999999999999999999"] {
            let error = format!("{huge} 0 0 0 0 0 0 0 0 0 0 0").parse::<Board>();
            let error = error.expect_err("no pit holds them").to_string();
            assert!(error.starts_with(&format!("'{huge}' is not a number of seeds")), "{error}");
        }
        is("65535 65535 0 0 0 0 0 0 0 0 0 0", |e| matches!(e, E::TooManySeeds { seeds: 131_070 }));
        is("1-1-1-1-1-2-4-2-3-0-0-0-20-13-S", |e| matches!(e, E::TooManySeeds { seeds: 49 }));
        is("1-1-1-1-1-2-4-2-3-0-0-0-20-12-X", |e| matches!(e, E::BadTurn { .. }));
    }

    #[test]
    fn text_and_json_round_trip() {
        let row = Row::new([0, 1, 2, 3, 4, 5]).expect("15 seeds");
        let board = Board::from_rows(row, Row::EMPTY).expect("15 seeds");
        assert_eq!(row.to_string().parse(), Ok(row));
        assert_eq!(board.to_string().parse(), Ok(board));
        assert!(Pit::ALL.into_iter().all(|pit| pit.to_string().parse() == Ok(pit)));
        let values = (-48..=48).map(|seeds| Value::new(seeds).expect("in range"));
        assert!(values.into_iter().all(|value| value.to_string().parse() == Ok(value)));

        let whole = (board, row, Pit::ALL, Value::EVEN);
        let json = serde_json::to_string(&whole).expect("serializable");
        assert_eq!(
            json,
            r#"[[0,1,2,3,4,5,0,0,0,0,0,0],[0,1,2,3,4,5],["A","B","C","D","E","F"],0]"#
        );
        assert_eq!(serde_json::from_str::<(Board, Row, [Pit; 6], Value)>(&json).ok(), Some(whole));
    }

    #[test]
    fn what_is_out_of_range_is_a_typed_error() {
        assert_eq!(Board::try_from([5; 12]), Err(BoardError::TooManySeeds { seeds: 60 }));
        assert_eq!(Row::try_from([9; 6]), Err(BoardError::TooManySeeds { seeds: 54 }));
        assert!("1 2 3 | 4 5 6".parse::<Row>().is_err() && "1 2 3".parse::<Row>().is_err());
        assert!(["", "G", "AB"].into_iter().all(|text| text.parse::<Pit>().is_err()));
        assert!(["", "49", "-49", "x"].into_iter().all(|text| text.parse::<Value>().is_err()));
        assert!(Value::try_from(49).is_err() && Value::try_from(-48).is_ok());
        assert!(serde_json::from_str::<Board>("[5,5,5,5,5,5,5,5,5,5,5,5]").is_err());
    }

    #[test]
    fn game_strings_come_back_as_written() {
        for text in ["1-0-0-0-2-3-2-1-2-0-0-0-20-17-S", "2-1-1-2-2-2-3-0-0-8-0-1-13-13-N"] {
            assert_eq!(text.parse::<GameString>().expect(text).to_string(), text);
        }
    }
}
