//! Parsing of boards from arguments and from lines of a file.

use super::failure::WrongUsage;
use oware::rules::{
    BOARD_PITS, Board, BoardLines, BoardText, NumberedBoard, decode_text, parse_board,
};
use std::io::{self, BufRead, Read};

/// Parses the boards of a command's arguments. Each argument is a board, or all of them together are
/// the words of one board.
pub(crate) fn of_arguments(arguments: &[String]) -> Result<Vec<Board>, WrongUsage> {
    if let Some(negative) = arguments.iter().find(|text| text.starts_with('-')) {
        let why = "starts with a dash: a board has no negative numbers";
        return Err(WrongUsage(format!("'{}' {why}", shorten(negative))));
    }
    let read = |text: &str| {
        parse_board(text).map_err(|error| WrongUsage(format!("board '{}': {error}", shorten(text))))
    };
    if arguments.iter().all(|text| read(text).is_err()) {
        return Ok(vec![read(&arguments.join(" "))?]);
    }
    arguments.iter().map(|text| read(text)).collect()
}

/// Formats a board as arguments of `query`, with a gap between the rows.
pub(crate) fn to_arguments(board: &[u8; BOARD_PITS]) -> String {
    let row = |pits: &[u8]| pits.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    let (mover, opponent) = board.split_at(BOARD_PITS / 2);
    format!("{}  {}", row(mover), row(opponent))
}

/// The longest line that can hold a board, in bytes: a JSON object of an answer. The rest of a longer
/// line is dropped.
const LONGEST_LINE: usize = 1 << 14;

/// A board of a file with the number of its first line, or the reason why there is none.
pub(crate) type FoundBoard = (u64, Result<BoardText, String>);

/// Reads the boards of a file or stream line by line. The memory in use does not grow with the lines.
pub(crate) struct BoardReader<R> {
    input: R,
    lines: BoardLines,
}

impl<R: BufRead> BoardReader<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, lines: BoardLines::default() }
    }

    /// The input, of which no byte of a further line has been taken.
    pub(crate) const fn input(&self) -> &R {
        &self.input
    }

    /// Reads a line and adds the boards that it completes. Returns false at the end.
    pub(crate) fn read_line(&mut self, found: &mut Vec<FoundBoard>) -> io::Result<bool> {
        let mut line = Vec::new();
        let length =
            self.input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line)?;
        let named = |(line, read): NumberedBoard| (line, read.map_err(|error| error.to_string()));
        if length == 0 {
            found.extend(self.lines.finish().map(named));
        } else if length > LONGEST_LINE && line.last() != Some(&b'\n') {
            self.input.skip_until(b'\n')?;
            found.push((self.lines.skip(), Err("the line is too long to be a board".to_owned())));
        } else {
            found.extend(self.lines.push(&decode_text(&line)).map(named));
        }
        Ok(length > 0)
    }
}

/// Shortens a text for a message.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(80) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(words: &[&str]) -> Result<Vec<String>, String> {
        let words: Vec<_> = words.iter().map(|&word| word.to_owned()).collect();
        let boards = of_arguments(&words).map_err(|error| error.to_string())?;
        Ok(boards.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_board_is_one_argument_or_twelve() {
        let board = "1 1 1 1 1 2 | 4 2 3 0 0 0";
        let twelve = ["1", "1", "1", "1", "1", "2", "4", "2", "3", "0", "0", "0"];
        assert_eq!(arguments(&twelve), Ok(vec![board.to_owned()]));
        let bar = ["1", "1", "1", "1", "1", "2", "|", "4", "2", "3", "0", "0", "0"];
        assert_eq!(arguments(&bar), Ok(vec![board.to_owned()]));
        let two = ["1-1-1-1-1-2-4-2-3-0-0-0", "1 1 1 1 1 2 | 4 2 3 0 0 0"];
        assert_eq!(arguments(&two), Ok(vec![board.to_owned(), board.to_owned()]));
        let rows = ["1,1,1,1,1,2", "4,2,3,0,0,0"];
        assert_eq!(arguments(&rows), Ok(vec![board.to_owned()]));
        let json = ["[1,", "1,", "1,", "1,", "1,", "2,", "4,", "2,", "3,", "0,", "0,", "0]"];
        assert_eq!(arguments(&json), Ok(vec![board.to_owned()]));
        let good_and_bad = ["1 1 1 1 1 2  4 2 3 0 0 0", "1 2 3"];
        for wrong in [&["1"; 24] as &[&str], &[""], &good_and_bad, &["1"; 11]] {
            assert!(arguments(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_bad_line_does_not_spoil_the_next() {
        let long = "1 ".repeat(LONGEST_LINE);
        let mut text = format!("{long}\n\n0 0 0 0 0 0 0 0 0 0 0 1\r\n# none\nx\n").into_bytes();
        text.extend(b"\xff\n0 0 0 0 0 1  0 0 0 0 0 0");
        let mut reader = BoardReader::new(&text[..]);
        let mut found = Vec::new();
        while reader.read_line(&mut found).expect("reading from memory") {}
        let good: Vec<_> = found.iter().map(|(line, read)| (*line, read.is_ok())).collect();
        assert_eq!(good, [(1, false), (3, true), (5, false), (6, false), (7, true)]);
    }
}
