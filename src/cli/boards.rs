//! Parsing of boards from arguments and from lines of a file.

use super::failure::WrongUsage;
use oware::rules::{BOARD_PITS, Board, parse_board};
use std::io::{self, BufRead, Read};

/// Parses the boards of a command's arguments. Each argument is a board, or all of them together are
/// the numbers of one board.
pub(crate) fn of_arguments(arguments: &[String]) -> Result<Vec<Board>, WrongUsage> {
    let is_single =
        |text: &String| text.trim() == "|" || !text.trim().contains([' ', ',', '/', '-', '|']);
    let read = |text: &str| {
        parse_board(text).map_err(|error| WrongUsage(format!("board '{}': {error}", shorten(text))))
    };
    if let Some(negative) = arguments.iter().find(|text| text.starts_with('-')) {
        let why = "starts with a dash: a board has no negative numbers";
        return Err(WrongUsage(format!("'{}' {why}", shorten(negative))));
    }
    if arguments.iter().all(is_single) {
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

/// The longest line that can hold a board, in bytes. The rest of a longer line is dropped.
const LONGEST_LINE: usize = 1000;

/// Reads the next line of a file of boards: `None` at its end, otherwise the board or the reason why
/// the line is not one. The memory in use does not grow with the line.
pub(crate) fn of_line(input: &mut impl BufRead) -> io::Result<Option<Result<Board, String>>> {
    let mut line = Vec::new();
    let length = input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line)?;
    if length == 0 {
        return Ok(None);
    }
    if length > LONGEST_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Err("the line is too long to be a board".to_owned())));
    }
    let Ok(text) = std::str::from_utf8(&line) else {
        return Ok(Some(Err("the line is not UTF-8 text".to_owned())));
    };
    if text.trim().is_empty() {
        return Ok(Some(Err("the line is empty: a board is 12 numbers".to_owned())));
    }
    Ok(Some(parse_board(text).map_err(|error| error.to_string())))
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
        for wrong in [&["1"; 24] as &[&str], &[""], &["1,1,1,1,1,2", "4,2,3,0,0,0"], &["1"; 11]] {
            assert!(arguments(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_bad_line_does_not_spoil_the_next() {
        let long = "1 ".repeat(5000);
        let text = format!("{long}\n\n0 0 0 0 0 0 0 0 0 0 0 1\r\n\nx\n0 0 0 0 0 1 0 0 0 0 0 0");
        let mut input = text.as_bytes();
        let mut good = Vec::new();
        while let Some(line) = of_line(&mut input).expect("reading from memory") {
            good.push(line.is_ok());
        }
        assert_eq!(good, [false, false, true, false, false, true]);
    }
}
