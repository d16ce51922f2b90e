//! Boards from lines of text: one a line, or drawn over several lines.

use super::BoardError;
use super::drawing::{self, Part};
use super::notation::parse_board_text;
use super::position::BoardText;
use super::text::content_of_line;

/// The most lines of a drawn board.
const MOST_LINES: usize = 12;

/// A board of a text, or why there is none, and the number of its first line, from 1.
pub type NumberedBoard = (u64, Result<BoardText, BoardError>);

/// Reads boards from lines, in any of the forms of [`parse_board_text`]. Blank lines, comments from `#`
/// on and a byte-order mark hold no board.
///
/// A drawn board is complete with its lower border, or with its second label if it began with one, so
/// that a program that writes a drawing need not write a further line to be answered.
#[derive(Debug, Default)]
pub struct BoardLines {
    line: u64,
    drawing: Vec<String>,
    first_line: u64,
}

impl BoardLines {
    /// Takes the next line. A line can complete a board, be a part of one, or hold none; one that breaks
    /// a drawing off can give two answers.
    pub fn push(&mut self, line: &str) -> impl Iterator<Item = NumberedBoard> + use<> {
        self.line += 1;
        let content = content_of_line(line);
        let is_plain = content.starts_with(|mark: char| mark.is_ascii_digit() || mark == '[');
        let part = if is_plain { None } else { drawing::part(content) };
        let (broken, own) = match part {
            Some(Part::Letters) => (None, None),
            Some(_) => (None, self.draw(content)),
            None => {
                let own = (!content.is_empty()).then(|| (self.line, parse_board_text(content)));
                (self.finish(), own)
            }
        };
        broken.into_iter().chain(own)
    }

    /// Counts a line that is not a board for a reason outside of it.
    pub fn skip(&mut self) -> u64 {
        self.line += 1;
        self.line
    }

    /// The board that was being drawn when the lines ended, which is not whole.
    pub fn finish(&mut self) -> Option<NumberedBoard> {
        if self.drawing.is_empty() {
            return None;
        }
        let lines = std::mem::take(&mut self.drawing);
        Some((self.first_line, drawing::read(lines.iter().map(String::as_str))))
    }

    fn draw(&mut self, content: &str) -> Option<NumberedBoard> {
        if self.drawing.is_empty() {
            self.first_line = self.line;
        }
        self.drawing.push(content.to_owned());
        let count = |wanted| {
            let parts = self.drawing.iter().map(|line| drawing::part(line));
            parts.filter(|&part| part == Some(wanted)).count()
        };
        let has_labels = drawing::part(&self.drawing[0]) == Some(Part::Label);
        let is_whole = count(Part::Bottom) > 0 && (!has_labels || count(Part::Label) > 1);
        if is_whole || self.drawing.len() == MOST_LINES { self.finish() } else { None }
    }
}
