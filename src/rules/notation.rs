//! Boards, pits and values as text.
//!
//! [`parse_board_text`] reads a board in every form that this crate prints; all that read boards use it.
//! `Display` and `FromStr` are inverse.

use super::drawing;
use super::position::{BoardText, GameString, Side};
use super::text::content_of_line;
use super::{
    BOARD_PITS, Board, BoardError, MAX_SEEDS, NotAValue, Pit, ROW_PITS, Row, UnknownPit, Value,
};
use serde::Deserialize;
use std::str::FromStr;

/// Parses a board in any form that this crate prints:
///
/// - 12 numbers, the mover's row first, with blanks, commas, slashes or dashes between them, and a
///   `|` between the rows if wanted; in brackets too, as in JSON;
/// - a 15-field [game string](GameString);
/// - a JSON object with a field `position` (a game string) or `board`;
/// - a drawing, with its labels.
///
/// A byte-order mark, comments from `#` to the end of a line, and blanks around are skipped.
///
/// # Errors
/// [`BoardError`] with the field that is wrong.
pub fn parse_board_text(text: &str) -> Result<BoardText, BoardError> {
    let mut lines = text.lines().map(content_of_line).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let Some(second) = lines.next() else { return parse_line(first) };
    let all = || [first, second].into_iter().chain(lines.clone());
    if all().any(|line| line.starts_with(['┌', '│', '└'])) {
        return drawing::read(all());
    }
    parse_line(&all().collect::<Vec<_>>().join(" "))
}

/// Parses a board of a text that is no drawing.
fn parse_line(line: &str) -> Result<BoardText, BoardError> {
    if line.starts_with('{') {
        return parse_object(line);
    }
    let inside = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let Split { fields, bar_after } = split(inside.map_or(line, str::trim))?;
    match fields.len() {
        12 if bar_after.is_some_and(|after| after != ROW_PITS) => Err(BoardError::MisplacedBar),
        12 => {
            let pits: [u8; BOARD_PITS] = counts(&fields)?;
            Board::try_from(pits).map(BoardText::Board)
        }
        15 if bar_after.is_some() => Err(BoardError::MisplacedBar),
        15 => position_of(&fields).map(BoardText::Position),
        found => Err(BoardError::WrongCount { found }),
    }
}

/// The fields of a JSON object that hold a board.
#[derive(Deserialize)]
struct Fields {
    position: Option<String>,
    board: Option<Vec<u32>>,
}

fn parse_object(line: &str) -> Result<BoardText, BoardError> {
    let fields: Fields = serde_json::from_str(line)
        .map_err(|error| BoardError::BadObject { why: error.to_string() })?;
    match fields {
        Fields { position: Some(position), .. } => parse_line(content_of_line(&position)),
        Fields { board: Some(pits), .. } => {
            let numbers: Vec<_> = pits.iter().map(u32::to_string).collect();
            parse_line(&numbers.join(" "))
        }
        _ => Err(BoardError::BadObject { why: "it has no field 'board'".to_owned() }),
    }
}

/// The position of the 15 fields of a game string.
fn position_of(fields: &[&str]) -> Result<GameString, BoardError> {
    let (turn, numbers) = fields.split_last().ok_or(BoardError::WrongCount { found: 0 })?;
    let turn = match *turn {
        "S" => Side::South,
        "N" => Side::North,
        other => return Err(BoardError::BadTurn { turn: other.to_owned() }),
    };
    let [pits @ .., south_store, north_store] = counts::<14>(numbers)?;
    let south_view = Board::try_from(pits)?;
    let board = match turn {
        Side::South => south_view,
        Side::North => south_view.flipped(),
    };
    Ok(GameString { board, south_store, north_store, turn })
}

/// Parses a board as [`parse_board_text`] does; the stores of a position are checked and dropped.
///
/// # Errors
/// [`BoardError`] with the field that is wrong.
pub fn parse_board(text: &str) -> Result<Board, BoardError> {
    parse_board_text(text).map(BoardText::board)
}

impl FromStr for GameString {
    type Err = BoardError;

    /// Parses a position as [`parse_board_text`] does. A board alone is not one.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        match parse_board_text(text)? {
            BoardText::Position(position) => Ok(position),
            BoardText::Board(_) => Err(BoardError::WrongCount { found: BOARD_PITS }),
        }
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

/// Splits a text into fields. Between two fields there are blanks, or one of the marks `,` `/` `-` `|`
/// with blanks around it; but not around a dash, which could be the sign of a number. A slash that
/// stands alone is a bar.
fn split(text: &str) -> Result<Split<'_>, BoardError> {
    let stray = || BoardError::StraySeparator { text: text.to_owned() };
    let (mut fields, mut bars, mut slashes) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (field, tail) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
        if field.is_empty() {
            return Err(stray());
        }
        fields.push(field);
        if tail.is_empty() {
            break;
        }
        let (gap, next) = tail.split_at(tail.find(|mark| !is_separator(mark)).ok_or_else(stray)?);
        match gap.trim() {
            "-" if gap != "-" => return Err(stray()),
            "" | "," | "-" => {}
            "/" => slashes.push(fields.len()),
            "|" => bars.push(fields.len()),
            _ => return Err(stray()),
        }
        rest = next;
    }
    if let [alone] = slashes[..] {
        bars.push(alone);
    }
    match bars[..] {
        [] => Ok(Split { fields, bar_after: None }),
        [after] => Ok(Split { fields, bar_after: Some(after) }),
        _ => Err(BoardError::MisplacedBar),
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
            "1 1 1 1 1 2  4 2 3 0 0 0",
            "1 1 1 1 1 2 / 4 2 3 0 0 0",
            "1\t1  1 1 1 2\n4 2 3 0 0 0\r\n",
            "[1,1,1,1,1,2,4,2,3,0,0,0]",
            "[ 1, 1, 1, 1, 1, 2, 4, 2, 3, 0, 0, 0 ]",
            "1 , 1 , 1 , 1 , 1 , 2 | 4 , 2 , 3 , 0 , 0 , 0",
            "\u{feff}1 1 1 1 1 2 4 2 3 0 0 0 # a comment\r\n",
            "# a comment\n\n1 1 1 1 1 2 4 2 3 0 0 0\n",
            r#"{"rules":"awari","board":[1,1,1,1,1,2,4,2,3,0,0,0],"value":5}"#,
            r#"{"board":null,"position":"4-2-3-0-0-0-1-1-1-1-1-2-20-12-N"}"#,
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
        is("", |e| matches!(e, E::WrongCount { found: 0 }));
        is("# nothing", |e| matches!(e, E::WrongCount { found: 0 }));
        is("[1 1 1 1 1 2 4 2 3 0 0 0", |e| matches!(e, E::NotANumber { .. }));
        is("[[1,1,1,1,1,2],[4,2,3,0,0,0]]", |e| matches!(e, E::NotANumber { .. }));
        is("1 1 1 1 / 1 2 4 2 3 0 0 0", |e| matches!(e, E::MisplacedBar));
        is("1 1 1 1 1 2 - 4 2 3 0 0 0", |e| matches!(e, E::StraySeparator { .. }));
        is(r#"{"input_line":3,"error":"x"}"#, |e| matches!(e, E::BadObject { .. }));
        is(r#"{"board":[1,1,-1]}"#, |e| matches!(e, E::BadObject { .. }));
        is(r#"{"board":[1,1]}"#, |e| matches!(e, E::WrongCount { found: 2 }));
        is("1 2 3", |e| matches!(e, E::WrongCount { found: 3 }));
        is("-1 1 1 1 1 2 4 2 3 0 0 0", |e| matches!(e, E::StraySeparator { .. }));
        is("1--1-1-1-1-2-4-2-3-0-0-0", |e| matches!(e, E::StraySeparator { .. }));
        is("1 1 -1 1 1 2 4 2 3 0 0 0", |e| matches!(e, E::StraySeparator { .. }));
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

    const QUERY: &str = "\
    f   e   d   c   b   a
  ┌───┬───┬───┬───┬───┬───┐
  │   │   │   │ 3 │ 2 │ 4 │ opponent
  ├───┼───┼───┼───┼───┼───┤
  │ 1 │ 1 │ 1 │ 1 │ 1 │ 2 │ mover
  └───┴───┴───┴───┴───┴───┘
    A   B   C   D   E   F
";
    const PLAY: &str = "\
>           South  20
       F    E    D    C    B    A
    ┌────┬────┬────┬────┬────┬────┐
    │  2 │  1 │  1 │  1 │  1 │  1 │
    ├────┼────┼────┼────┼────┼────┤
    │  4 │  2 │  3 │  · │    │    │
    └────┴────┴────┴────┴────┴────┘
       a    b    c    d    e    f
            North  12
";

    #[test]
    fn drawings_are_read_if_they_tell_who_is_to_move() {
        let board = "1 1 1 1 1 2 4 2 3 0 0 0".parse().expect("a board");
        let position = "1-1-1-1-1-2-4-2-3-0-0-0-20-12-S".parse().expect("a position");
        assert_eq!(parse_board_text(QUERY), Ok(BoardText::Board(board)));
        assert_eq!(parse_board_text(PLAY), Ok(BoardText::Position(position)));
        let north = PLAY.replace('>', " ").replace("            North", ">           North");
        let position = GameString { board: board.flipped(), turn: Side::North, ..position };
        assert_eq!(parse_board_text(&north), Ok(BoardText::Position(position)));
        for unclear in [
            PLAY.replace('>', " "),
            PLAY.replace("     North", ">    North"),
            PLAY.replace("North  12", ""),
            PLAY.replace("North", "South"),
            QUERY.replace(" mover", ""),
            QUERY.replace("│ 4 │", "│ 4"),
            QUERY.replace("│ 4 │", "│ 4 │ 4 │"),
            QUERY.replace("│ opponent", "│ opponent\n│ │ │ │ │ │ │"),
            QUERY.replace(" 4 ", " x "),
            QUERY.replace(" 4 ", " 90 "),
        ] {
            assert!(parse_board_text(&unclear).is_err(), "{unclear}");
        }
    }

    #[test]
    fn lines_are_boards_in_any_form_and_a_bad_one_costs_only_itself() {
        let text = format!(
            "\u{feff}# boards\r\n0 0 0 0 0 1  0 0 0 0 0 0\r\n\n{QUERY}x\n{PLAY}{}\n[0,0,0,0,0,2,0,0,0,0,0,0]\n{}",
            "   │ 1 │",
            &PLAY[..PLAY.len() / 2]
        );
        let mut lines = crate::rules::BoardLines::default();
        let mut found = Vec::new();
        for line in text.split('\n') {
            found.extend(lines.push(line));
        }
        found.extend(lines.finish());
        let seeds = found
            .iter()
            .map(|(line, read)| (*line, read.as_ref().ok().map(|text| text.board().seeds())));
        let expected = [
            (2, Some(1)),
            (5, Some(16)),
            (11, None),
            (12, Some(16)),
            (21, None),
            (22, Some(2)),
            (23, None),
        ];
        assert_eq!(seeds.collect::<Vec<_>>(), expected, "{found:?}");
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
