//! The games of a file, one at a time.

use super::read::{MAX_GAME_BYTES, OgnError, parse_game};
use crate::game::Record;
use crate::rules::decode_text;
use std::io::{self, BufRead, Read};

/// The text of one game of a file.
#[derive(Clone, Debug)]
pub struct RecordText {
    /// The number of its first line, from 1.
    pub line: u64,
    /// The bytes from the end of the game before to the end of this one; all games in order are the
    /// file. Of a game that is too long, the first part.
    pub bytes: Vec<u8>,
    /// Whether the game is longer than any real one.
    pub is_too_long: bool,
}

impl RecordText {
    /// Whether there is more in the text than blanks and lines to skip, well formed or not.
    #[must_use]
    pub fn holds_a_game(&self) -> bool {
        let mut lines = self.bytes.split(|&byte| byte == b'\n');
        let mark = [0xef, 0xbb, 0xbf];
        lines.any(|line| {
            let line = line.strip_prefix(&mark).unwrap_or(line);
            !line.starts_with(b"%") && !line.trim_ascii().is_empty()
        })
    }

    /// Parses the game; `None` if the text is nothing but blanks and lines to skip.
    ///
    /// # Errors
    /// [`OgnError`] with the line of the file.
    pub fn parse(&self) -> Result<Option<Record>, OgnError> {
        if self.is_too_long {
            return Err(OgnError::TooLong { line: self.line });
        }
        parse_game(&decode_text(&self.bytes), self.line)
    }
}

/// Parses all games of a text.
///
/// # Errors
/// [`OgnError`] with the line and the problem.
pub fn read_records(text: &str) -> Result<Vec<Record>, OgnError> {
    let mut records = Vec::new();
    for game in RecordReader::new(text.as_bytes()) {
        // Reading from memory does not fail.
        let Ok(game) = game else { break };
        records.extend(game.parse()?);
    }
    Ok(records)
}

/// Reads the games of a file. The memory in use is that of the longest game.
#[derive(Debug)]
pub struct RecordReader<R> {
    input: R,
    line: u64,
    /// Bytes that have been read and belong to the next game.
    ahead: Vec<u8>,
    state: State,
}

/// Where in the notation of a game a byte is.
#[derive(Clone, Debug, Default)]
struct State {
    place: Place,
    /// Whether there was anything but tags and comments.
    has_moves: bool,
    /// The name of the first tag, with which no other begins.
    first_tag: Vec<u8>,
    after_blank_line: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Between,
    Tag,
    /// In the quotes of a tag.
    Value,
    Comment,
}

impl<R: BufRead> RecordReader<R> {
    /// The games of an input.
    pub fn new(input: R) -> Self {
        Self { input, line: 1, ahead: Vec::new(), state: State::default() }
    }

    /// Reads to the end of a line, or as much of it as a game may have.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<()> {
        if self.ahead.is_empty() {
            self.input.by_ref().take(MAX_GAME_BYTES as u64).read_until(b'\n', line)?;
        } else {
            std::mem::swap(line, &mut self.ahead);
        }
        Ok(())
    }

    fn game(&mut self) -> io::Result<Option<RecordText>> {
        let mut game = RecordText { line: self.line, bytes: Vec::new(), is_too_long: false };
        self.state = State::default();
        loop {
            let mut line = Vec::new();
            self.read_line(&mut line)?;
            if line.is_empty() {
                let is_any = !game.bytes.is_empty();
                return Ok(is_any.then_some(game));
            }
            let is_line_start = game.bytes.last().is_none_or(|&byte| byte == b'\n');
            if let Some(next_game) = self.state.scan(&line, is_line_start) {
                self.ahead = line.split_off(next_game);
                game.push(&line);
                return Ok(Some(game));
            }
            self.line += u64::from(line.last() == Some(&b'\n'));
            game.push(&line);
        }
    }
}

impl RecordText {
    fn push(&mut self, bytes: &[u8]) {
        if self.bytes.len() + bytes.len() > MAX_GAME_BYTES {
            self.is_too_long = true;
            // The scan needs to know whether a line has ended.
            if let (Some(kept), Some(last)) = (self.bytes.last_mut(), bytes.last()) {
                *kept = *last;
            }
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = io::Result<RecordText>;

    fn next(&mut self) -> Option<Self::Item> {
        self.game().transpose()
    }
}

impl State {
    /// Goes through a line. Returns where in it the next game begins.
    fn scan(&mut self, line: &[u8], is_line_start: bool) -> Option<usize> {
        if is_line_start && self.place == Place::Comment && self.breaks_comment(line) {
            return Some(0);
        }
        if is_line_start && self.place == Place::Between && line.starts_with(b"%") {
            return None;
        }
        let mut is_escaped = false;
        for (at, &byte) in line.iter().enumerate() {
            match (self.place, byte) {
                (Place::Comment, b'}') => self.place = Place::Between,
                (Place::Comment, _) => {}
                // A tag ends with its line.
                (Place::Tag | Place::Value, b'\n') | (Place::Tag, b']') => {
                    self.place = Place::Between;
                }
                (Place::Tag, b'"') => self.place = Place::Value,
                (Place::Tag, _) => {}
                (Place::Value, _) if is_escaped => is_escaped = false,
                (Place::Value, b'\\') => is_escaped = true,
                (Place::Value, b'"') => self.place = Place::Tag,
                (Place::Value, _) => {}
                (Place::Between, b'[') => {
                    if self.has_moves || self.is_first_again(&line[at..]) {
                        return Some(at);
                    }
                    self.place = Place::Tag;
                    if self.first_tag.is_empty() {
                        self.first_tag = tag_name(&line[at..]).to_vec();
                    }
                }
                (Place::Between, b'{') => self.place = Place::Comment,
                (Place::Between, b';') => break,
                (Place::Between, _) if byte.is_ascii_whitespace() => {}
                // The bytes of a byte-order mark.
                (Place::Between, 0xef | 0xbb | 0xbf) => {}
                (Place::Between, _) => self.has_moves = true,
            }
        }
        self.after_blank_line = line.trim_ascii().is_empty();
        None
    }

    /// Whether a tag is the first one of a game once more, after a blank line: a game without moves
    /// came before.
    fn is_first_again(&self, tag: &[u8]) -> bool {
        self.after_blank_line && !self.first_tag.is_empty() && tag_name(tag) == self.first_tag
    }

    /// Whether a line in a comment is the first tag of the next game, because the comment was never
    /// closed.
    fn breaks_comment(&self, line: &[u8]) -> bool {
        let name = tag_name(line);
        let line = line.trim_ascii_end();
        let is_tag =
            line.ends_with(b"\"]") && line[name.len() + 1..].trim_ascii().starts_with(b"\"");
        let begins_games = matches!(name, b"Variant" | b"Event") || name == self.first_tag;
        is_tag && !name.is_empty() && (begins_games || self.after_blank_line)
    }
}

/// The name of the tag that a text begins with; empty if it begins with none.
fn tag_name(text: &[u8]) -> &[u8] {
    let Some(inside) = text.strip_prefix(b"[") else { return &[] };
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = inside.iter().position(|byte| !is_of_name(byte)).unwrap_or(inside.len());
    &inside[..end]
}
