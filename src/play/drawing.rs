//! Draws the board of a game in characters, with labels for both rows.
//!
//! ```text
//!               North  12
//!       f    e    d    c    b    a
//!     ┌────┬────┬────┬────┬────┬────┐
//!     │  4 │  4 │  0 │ 12 │  4 │  1 │
//!     ├────┼────┼────┼────┼────┼────┤
//!     │    │  2 │  4 │  1 │  1 │  3 │
//!     └────┴────┴────┴────┴────┴────┘
//!       A    B    C    D    E    F
//!   >           South  9
//! ```

use crate::game::{Game, move_letter};
use crate::rules::{Pit, ROW_PITS, Row, Side};
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

const LAST_MOVE: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Cyan))).bold();
const TO_MOVE: Style = Style::new().bold();

/// Draws the position of a game, with the row of `below` at the bottom.
pub(super) fn draw(out: &mut dyn Write, game: &Game, below: Side) -> io::Result<()> {
    let above = below.other();
    label(out, game, above)?;
    letters(out, above, true)?;
    line(out, "┌", "┬", "┐")?;
    row(out, game, above, true)?;
    line(out, "├", "┼", "┤")?;
    row(out, game, below, false)?;
    line(out, "└", "┴", "┘")?;
    letters(out, below, false)?;
    label(out, game, below)
}

fn label(out: &mut dyn Write, game: &Game, side: Side) -> io::Result<()> {
    let is_to_move = game.end().is_none() && game.turn() == side;
    let (mark, style) = if is_to_move { ('>', TO_MOVE) } else { (' ', Style::new()) };
    let name = super::words::name(side);
    writeln!(out, "{style}{mark}           {name}  {}{style:#}", game.store(side))
}

fn letters(out: &mut dyn Write, side: Side, reversed: bool) -> io::Result<()> {
    let mut letters = Pit::ALL.map(|pit| move_letter(side, pit));
    if reversed {
        letters.reverse();
    }
    let spaced: Vec<String> = letters.iter().map(|letter| format!("  {letter}  ")).collect();
    writeln!(out, "     {}", spaced.concat().trim_end())
}

fn line(out: &mut dyn Write, left: &str, middle: &str, right: &str) -> io::Result<()> {
    writeln!(out, "    {left}{}{right}", ["────"; ROW_PITS].join(middle))
}

fn row(out: &mut dyn Write, game: &Game, side: Side, reversed: bool) -> io::Result<()> {
    let seeds = row_of(game, side);
    let last = game.moves().last().filter(|_| game.turn() != side);
    let mut pits = Pit::ALL;
    if reversed {
        pits.reverse();
    }
    write!(out, "    │")?;
    for pit in pits {
        let style = if last == Some(&pit) { LAST_MOVE } else { Style::new() };
        match seeds.pit(pit.place()) {
            0 if last == Some(&pit) => write!(out, "{style}  · {style:#}│")?,
            0 => write!(out, "    │")?,
            count => write!(out, "{style}{count:>3} {style:#}│")?,
        }
    }
    writeln!(out)
}

/// The row of a side.
fn row_of(game: &Game, side: Side) -> Row {
    let board = game.board();
    if game.turn() == side { board.mover() } else { board.opponent() }
}
