//! A board as SVG: the mover's row below, the letters of the pits beside both rows.

use oware::rules::{Board, ROW_PITS};
use std::fmt::Write;

const PIT: usize = 48;
const MARGIN: usize = 20;
const WIDTH: usize = ROW_PITS * PIT + 2 * MARGIN;
const HEIGHT: usize = 2 * PIT + 2 * MARGIN;

/// The most seeds of a pit that are drawn as dots; the number is there in any case.
const MOST_DOTS: u8 = 12;

/// A document of its own, which a notebook shows as it is.
pub(crate) fn svg(board: Board) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" text-anchor=\"middle\">\
         <title>{board}</title>\
         <rect x=\"1\" y=\"1\" width=\"{}\" height=\"{}\" rx=\"16\" fill=\"#b07d4b\" stroke=\"#5d3a1a\"/>",
        WIDTH - 2,
        HEIGHT - 2
    );
    let rows = [(board.opponent().pits(), 0), (board.mover().pits(), 1)];
    for (pits, row) in rows {
        for (place, seeds) in pits.into_iter().enumerate() {
            // The opponent's pits run from right to left.
            let column = if row == 0 { ROW_PITS - 1 - place } else { place };
            draw_pit(&mut out, column, row, place, seeds).expect("a text takes what is written");
        }
    }
    out.push_str("</svg>");
    out
}

fn draw_pit(
    out: &mut String,
    column: usize,
    row: usize,
    place: usize,
    seeds: u8,
) -> std::fmt::Result {
    let (x, y) = (MARGIN + column * PIT + PIT / 2, MARGIN + row * PIT + PIT / 2);
    let letter = ["abcdef", "ABCDEF"][row].as_bytes()[place] as char;
    let letter_y = if row == 0 { MARGIN - 6 } else { HEIGHT - MARGIN + 14 };
    write!(out, "<text x=\"{x}\" y=\"{letter_y}\" font-size=\"11\" fill=\"#fff\">{letter}</text>")?;
    write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"21\" fill=\"#5d3a1a\"/>")?;
    for seed in 0..seeds.min(MOST_DOTS) {
        let angle = f64::from(seed) * std::f64::consts::TAU / f64::from(seeds.min(MOST_DOTS));
        let (dx, dy) = (15.0 * angle.cos(), 15.0 * angle.sin());
        write!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\" fill=\"#e8d9b5\"/>",
            x as f64 + dx,
            y as f64 + dy
        )?;
    }
    if seeds > 0 {
        let baseline = y + 5;
        write!(
            out,
            "<text x=\"{x}\" y=\"{baseline}\" font-size=\"14\" font-weight=\"bold\" fill=\"#fff\">{seeds}</text>"
        )?;
    }
    Ok(())
}
