//! Drawn boards: the frames that `query` and `play` print, read back.
//!
//! ```text
//!     f   e   d   c   b   a                      North  12
//!   ┌───┬───┬───┬───┬───┬───┐               f    e    d    c    b    a
//!   │   │   │   │ 3 │ 2 │ 4 │ opponent    ┌────┬────┬────┬────┬────┬────┐
//!   ├───┼───┼───┼───┼───┼───┤             │  4 │  4 │  · │ 12 │  4 │  1 │
//!   │ 1 │ 1 │ 1 │ 1 │ 1 │ 2 │ mover       ├────┼────┼────┼────┼────┼────┤
//!   └───┴───┴───┴───┴───┴───┘             │    │  2 │  4 │  1 │  1 │  3 │
//!     A   B   C   D   E   F               └────┴────┴────┴────┴────┴────┘
//!                                           A    B    C    D    E    F
//!                                       >           South  9
//! ```
//!
//! The upper row is drawn from right to left. The labels tell who is to move; a frame without them is
//! refused, because its rows could be anybody's.

use super::position::{BoardText, GameString, Side};
use super::{Board, BoardError, ROW_PITS};

/// What a line is in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The name and store of a side.
    Label,
    /// The letters of a row.
    Letters,
    /// A row, or a border of the frame.
    Frame,
    /// The lower border.
    Bottom,
}

/// What a line is in a drawing; `None` if it belongs to none.
pub(super) fn part(line: &str) -> Option<Part> {
    match line.chars().next()? {
        '└' => Some(Part::Bottom),
        '┌' | '├' | '│' => Some(Part::Frame),
        '>' | 'N' | 'S' => label(line).map(|_| Part::Label),
        'A'..='F' | 'a'..='f' => is_letters(line).then_some(Part::Letters),
        _ => None,
    }
}

/// Reads a drawing from the contents of its lines.
pub(super) fn read<'text>(
    lines: impl Iterator<Item = &'text str>,
) -> Result<BoardText, BoardError> {
    let mut rows = Vec::new();
    let (mut above, mut below) = (None, None);
    for line in lines {
        match part(line) {
            Some(Part::Label) if rows.is_empty() => above = label(line),
            Some(Part::Label) => below = label(line),
            Some(Part::Frame) if line.starts_with('│') => rows.push(row(line)?),
            Some(Part::Frame | Part::Bottom | Part::Letters) => {}
            None if line.is_empty() => {}
            None => return Err(wrong("it has lines that are none of a drawing")),
        }
    }
    let [(mut upper, upper_name), (lower, lower_name)] =
        <[_; 2]>::try_from(rows).map_err(|_| wrong("a drawn board has two rows"))?;
    upper.reverse();
    match (above, below) {
        (None, None) if (upper_name, lower_name) == ("opponent", "mover") => {
            board(lower, upper).map(BoardText::Board)
        }
        (Some(above), Some(below)) => position(upper, lower, &above, &below),
        _ => Err(wrong("its labels tell who is to move: leave them with it")),
    }
}

/// The name and store of a side, and whether it is to move.
struct Label {
    side: Side,
    store: u32,
    is_to_move: bool,
}

fn label(line: &str) -> Option<Label> {
    let unmarked = line.strip_prefix('>');
    let mut words = unmarked.unwrap_or(line).split_whitespace();
    let side = match words.next()? {
        "South" => Side::South,
        "North" => Side::North,
        _ => return None,
    };
    let store = words.next()?.parse().ok()?;
    words.next().is_none().then_some(Label { side, store, is_to_move: unmarked.is_some() })
}

/// Whether a line holds the six letters of a row, in either case and order.
fn is_letters(line: &str) -> bool {
    let letters: String = line.split_whitespace().collect();
    letters.len() < line.len() && ["ABCDEF", "FEDCBA", "abcdef", "fedcba"].contains(&&*letters)
}

/// The numbers of a row as drawn, and the word after it.
fn row(line: &str) -> Result<([u32; ROW_PITS], &str), BoardError> {
    let mut cells = line.split('│').skip(1);
    let mut row = [0; ROW_PITS];
    for seeds in &mut row {
        let cell = cells.next().ok_or_else(|| wrong("a row has six pits"))?.trim();
        *seeds = match cell {
            "" | "·" => 0,
            number => {
                number.parse().map_err(|_| BoardError::NotANumber { field: number.to_owned() })?
            }
        };
    }
    match (cells.next(), cells.next()) {
        (Some(name), None) => Ok((row, name.trim())),
        _ => Err(wrong("a row has six pits")),
    }
}

fn board(mover: [u32; ROW_PITS], opponent: [u32; ROW_PITS]) -> Result<Board, BoardError> {
    let mut pits = [0; 2 * ROW_PITS];
    for (pit, seeds) in pits.iter_mut().zip(mover.into_iter().chain(opponent)) {
        *pit = u8::try_from(seeds).map_err(|_| BoardError::TooManySeeds { seeds })?;
    }
    Board::try_from(pits)
}

fn position(
    upper: [u32; ROW_PITS],
    lower: [u32; ROW_PITS],
    above: &Label,
    below: &Label,
) -> Result<BoardText, BoardError> {
    if above.side == below.side {
        return Err(wrong("both rows have the same name"));
    }
    let (turn, board) = match (above.is_to_move, below.is_to_move) {
        (true, false) => (above.side, board(upper, lower)?),
        (false, true) => (below.side, board(lower, upper)?),
        _ => return Err(wrong("'>' marks the one side that is to move")),
    };
    let (south, north) = match below.side {
        Side::South => (below.store, above.store),
        Side::North => (above.store, below.store),
    };
    let seeds = u32::from(board.seeds()).saturating_add(south).saturating_add(north);
    match (u8::try_from(south), u8::try_from(north)) {
        (Ok(south_store), Ok(north_store)) if seeds <= u32::from(super::MAX_SEEDS) => {
            Ok(BoardText::Position(GameString { board, south_store, north_store, turn }))
        }
        _ => Err(BoardError::TooManySeeds { seeds }),
    }
}

const fn wrong(why: &'static str) -> BoardError {
    BoardError::BadDrawing { why }
}
