//! Boards as text: twelve numbers, or the 15-field game string.

use super::{BOARD_PITS, Board, MAX_SEEDS};
use std::fmt;
use std::str::FromStr;

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A field is not a number.
    #[error("'{field}' is not a number of seeds: a board is 12 numbers, the mover's row first")]
    NotANumber {
        /// The field as written.
        field: String,
    },
    /// A separator stands where a number should.
    #[error(
        "'{text}' has a stray separator: write single spaces, commas, slashes or dashes between numbers"
    )]
    StraySeparator {
        /// The whole text.
        text: String,
    },
    /// Neither 12 nor 15 fields.
    #[error("{found} {} where a board has 12 numbers (or a game string 15 fields)", if *found == 1 { "field" } else { "fields" })]
    WrongCount {
        /// Fields found.
        found: usize,
    },
    /// `|` stands elsewhere than between the rows.
    #[error("'|' stands between the two rows only, after the sixth number")]
    MisplacedBar,
    /// More than 48 seeds.
    #[error("{seeds} seeds: pits and stores together hold at most 48")]
    TooManySeeds {
        /// Seeds found.
        seeds: u32,
    },
    /// The last field of a game string is not `S` or `N`.
    #[error("'{turn}' is not a turn: the last field of a game string is S or N")]
    BadTurn {
        /// The field as written.
        turn: String,
    },
}

/// South owns the pits A–F of a game string, North a–f.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first from the start position.
    South,
    /// The other side.
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

    /// `S` or `N`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::South => 'S',
            Self::North => 'N',
        }
    }
}

/// Aualé's game string `A-B-C-D-E-F-a-b-c-d-e-f-SouthStore-NorthStore-Turn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameString {
    /// The board seen from the side to move.
    pub board: Board,
    /// South's captures.
    pub south_store: u8,
    /// North's captures.
    pub north_store: u8,
    /// Who is to move.
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
        let south_view = Board::new(pits).ok_or(BoardError::TooManySeeds { seeds: 49 })?;
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

/// Reads a board: 12 numbers, mover's row first, split by spaces, commas, slashes or single
/// dashes, `|` allowed between the rows; or a 15-field game string, whose stores are checked and
/// left out.
///
/// # Errors
/// [`BoardError`] says which field is wrong and what is expected.
pub fn parse_board(text: &str) -> Result<Board, BoardError> {
    let Split { fields, bar_after } = split(text)?;
    match fields.len() {
        12 => {
            if bar_after.is_some_and(|after| after != 6) {
                return Err(BoardError::MisplacedBar);
            }
            let pits: [u8; BOARD_PITS] = counts(&fields)?;
            Board::new(pits).ok_or(BoardError::TooManySeeds { seeds: 49 })
        }
        15 if bar_after.is_some() => Err(BoardError::MisplacedBar),
        15 => text.trim().parse::<GameString>().map(|game| game.board),
        found => Err(BoardError::WrongCount { found }),
    }
}

impl FromStr for Board {
    type Err = BoardError;
    fn from_str(text: &str) -> Result<Self, BoardError> {
        parse_board(text)
    }
}

struct Split<'text> {
    fields: Vec<&'text str>,
    bar_after: Option<usize>,
}

/// Cuts a text into fields. Only the gaps listed here may stand between two fields.
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

fn counts<const N: usize>(fields: &[&str]) -> Result<[u8; N], BoardError> {
    let mut numbers = [0u32; N];
    for (number, field) in numbers.iter_mut().zip(fields) {
        let digits_only = field.bytes().all(|byte| byte.is_ascii_digit());
        let parsed = digits_only.then(|| field.parse().ok()).flatten();
        *number = match parsed {
            Some(count) => count,
            // Digits that overflow are a number all the same, and far too many seeds.
            None if digits_only => u32::MAX,
            None => return Err(BoardError::NotANumber { field: (*field).to_owned() }),
        };
    }
    let seeds = numbers.iter().fold(0u32, |sum, &count| sum.saturating_add(count));
    if seeds > u32::from(MAX_SEEDS) {
        return Err(BoardError::TooManySeeds { seeds });
    }
    Ok(numbers.map(|count| u8::try_from(count).unwrap_or(u8::MAX)))
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
        is("99999999999 0 0 0 0 0 0 0 0 0 0 0", |e| matches!(e, E::TooManySeeds { .. }));
        is("1-1-1-1-1-2-4-2-3-0-0-0-20-13-S", |e| matches!(e, E::TooManySeeds { seeds: 49 }));
        is("1-1-1-1-1-2-4-2-3-0-0-0-20-12-X", |e| matches!(e, E::BadTurn { .. }));
    }

    #[test]
    fn game_strings_come_back_as_written() {
        for text in ["1-0-0-0-2-3-2-1-2-0-0-0-20-17-S", "2-1-1-2-2-2-3-0-0-8-0-1-13-13-N"] {
            assert_eq!(text.parse::<GameString>().expect(text).to_string(), text);
        }
    }
}
