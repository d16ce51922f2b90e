//! A board drawn in characters.

use oware::rules::{Board, ROW_PITS};
use std::io::{self, Write};

/// Draws a board with the mover's row below, and labels both rows:
///
/// ```text
///     f   e   d   c   b   a
///   ┌───┬───┬───┬───┬───┬───┐
///   │ 0 │ 0 │ 0 │ 3 │ 2 │ 4 │ opponent
///   ├───┼───┼───┼───┼───┼───┤
///   │ 1 │ 1 │ 1 │ 1 │ 1 │ 2 │ mover
///   └───┴───┴───┴───┴───┴───┘
///     A   B   C   D   E   F
/// ```
pub(crate) fn draw(out: &mut impl Write, board: Board) -> io::Result<()> {
    let pits = board.pits();
    let (mover, opponent) = pits.split_at(ROW_PITS);
    letters(out, ('a'..='f').rev())?;
    writeln!(out, "  ┌{}┐", ["───"; ROW_PITS].join("┬"))?;
    row(out, opponent.iter().rev(), "opponent")?;
    writeln!(out, "  ├{}┤", ["───"; ROW_PITS].join("┼"))?;
    row(out, mover.iter(), "mover")?;
    writeln!(out, "  └{}┘", ["───"; ROW_PITS].join("┴"))?;
    letters(out, 'A'..='F')
}

fn letters(out: &mut impl Write, letters: impl Iterator<Item = char>) -> io::Result<()> {
    let spaced: Vec<_> = letters.map(|letter| format!("  {letter}")).collect();
    writeln!(out, "  {}", spaced.join(" "))
}

fn row<'a>(out: &mut impl Write, pits: impl Iterator<Item = &'a u8>, name: &str) -> io::Result<()> {
    write!(out, "  │")?;
    for seeds in pits {
        match seeds {
            0 => write!(out, "   │")?,
            _ => write!(out, "{seeds:>2} │")?,
        }
    }
    writeln!(out, " {name}")
}
