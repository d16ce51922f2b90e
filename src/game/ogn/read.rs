//! Text as records: one game at a time.

use crate::game::{Game, GameSetup, Record, RecordedMove, move_letter};
use crate::rules::{
    BoardError, BoardText, GameString, MAX_SEEDS, Pit, Rules, Side, parse_board_text,
};

/// The longest text of a game, in bytes.
pub(super) const MAX_GAME_BYTES: usize = 4 << 20;
/// The most moves of a game. Real games are much shorter.
const MAX_MOVES: usize = 10_000;

/// Why a text is not Open Game Notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OgnError {
    /// A tag without a name, quotes or a closing bracket.
    #[error("line {line}: a tag is written [Name \"value\"]")]
    BadTag {
        /// Line, from 1.
        line: u64,
    },
    /// A comment or variation without an end.
    #[error("line {line}: '{opening}' is never closed")]
    Unclosed {
        /// Line, from 1.
        line: u64,
        /// `{` or `(`.
        opening: char,
    },
    /// A word that is not a move, a number or a result.
    #[error("line {line}: '{word}' is not a move, a number, a comment or a result")]
    UnknownWord {
        /// Line, from 1.
        line: u64,
        /// The word.
        word: String,
    },
    /// A move by the side that is not to move.
    #[error("line {line}: move '{word}' is not by the side to move")]
    WrongTurn {
        /// Line, from 1.
        line: u64,
        /// The word.
        word: String,
    },
    /// A move after the result.
    #[error("line {line}: '{word}' comes after the result of the game")]
    AfterResult {
        /// Line, from 1.
        line: u64,
        /// The word.
        word: String,
    },
    /// A game that is longer than any real one.
    #[error("line {line}: the game is too long: games have at most {MAX_MOVES} moves and {} MiB of text", MAX_GAME_BYTES >> 20)]
    TooLong {
        /// Line, from 1.
        line: u64,
    },
    /// The `FEN` tag is not a position.
    #[error("line {line}: tag FEN: {source}")]
    BadPosition {
        /// Line, from 1.
        line: u64,
        /// What is wrong.
        source: BoardError,
    },
    /// The position of the `FEN` tag does not have 48 seeds.
    #[error("line {line}: tag FEN: {seeds} seeds where pits and stores of a game hold 48")]
    WrongSeedCount {
        /// Line, from 1.
        line: u64,
        /// Seeds in pits and stores.
        seeds: u16,
    },
}

/// Parses the text of one game, which begins in line `line` of its file. A text of nothing but blanks
/// and lines to skip is no game.
pub(super) fn parse_game(text: &str, line: u64) -> Result<Option<Record>, OgnError> {
    let mut parser = Parser { rest: text, line, is_line_start: true };
    let first = Game::new(GameSetup::new(Rules::Abapa)).position();
    let record =
        Record { tags: Vec::new(), start: first, comment: None, moves: Vec::new(), result: None };
    let mut game = GameParser { record, turn: first.turn, result: None };
    let mut is_empty = true;
    while let Some(token) = parser.token()? {
        is_empty = false;
        game.take(token)?;
    }
    Ok((!is_empty).then(|| game.finish()))
}

/// A part of the notation.
enum Token<'text> {
    Tag { name: &'text str, value: String, line: u64 },
    Comment(String),
    Variation(String),
    Word { word: &'text str, line: u64 },
}

/// The rest of a text.
struct Parser<'text> {
    rest: &'text str,
    line: u64,
    is_line_start: bool,
}

impl<'text> Parser<'text> {
    /// Takes a number of bytes.
    fn take(&mut self, bytes: usize) -> &'text str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count() as u64;
        if let Some(last) = taken.bytes().next_back() {
            self.is_line_start = last == b'\n';
        }
        self.rest = rest;
        taken
    }

    /// Takes the rest of the line.
    fn take_line(&mut self) -> &'text str {
        self.take(self.rest.find('\n').unwrap_or(self.rest.len()))
    }

    /// Skips white space and lines that begin with `%`, and returns the next character.
    fn skip_blanks(&mut self) -> Option<char> {
        loop {
            self.take(self.rest.len() - self.rest.trim_start_matches(is_blank).len());
            match self.rest.chars().next() {
                Some('%') if self.is_line_start => self.take_line(),
                next => return next,
            };
        }
    }

    fn token(&mut self) -> Result<Option<Token<'text>>, OgnError> {
        let Some(mark) = self.skip_blanks() else { return Ok(None) };
        Ok(Some(match mark {
            '[' => self.tag()?,
            '{' => Token::Comment(self.comment()?),
            ';' => Token::Comment(joined(&self.take_line()[1..])),
            '(' => Token::Variation(self.variation()?),
            _ => Token::Word { line: self.line, word: self.word() },
        }))
    }

    fn tag(&mut self) -> Result<Token<'text>, OgnError> {
        let line = self.line;
        let bad = || OgnError::BadTag { line };
        let inside = &self.rest[1..self.rest.find('\n').unwrap_or(self.rest.len())];
        let (name, value_on) = inside.split_once('"').ok_or_else(bad)?;
        let name = name.trim();
        if name.is_empty() || !name.chars().all(|mark| mark.is_alphanumeric() || mark == '_') {
            return Err(bad());
        }
        let mut value = String::new();
        let mut marks = value_on.chars();
        loop {
            match marks.next().ok_or_else(bad)? {
                '"' => break,
                '\\' => match marks.next().ok_or_else(bad)? {
                    mark @ ('"' | '\\') => value.push(mark),
                    mark => value.extend(['\\', mark]),
                },
                mark => value.push(mark),
            }
        }
        let after = marks.as_str().trim_start().strip_prefix(']').ok_or_else(bad)?;
        self.take(1 + inside.len() - after.len());
        Ok(Token::Tag { name, value, line })
    }

    fn comment(&mut self) -> Result<String, OgnError> {
        let unclosed = OgnError::Unclosed { line: self.line, opening: '{' };
        let end = self.rest.find('}').ok_or(unclosed)?;
        Ok(joined(&self.take(end + 1)[1..end]))
    }

    /// A variation, which may contain variations and comments. Comments to the end of a line become
    /// comments in braces.
    fn variation(&mut self) -> Result<String, OgnError> {
        let unclosed = OgnError::Unclosed { line: self.line, opening: '(' };
        let mut words: Vec<String> = Vec::new();
        let mut open = 0u32;
        while let Some(mark) = self.skip_blanks() {
            match mark {
                '{' => words.push(format!("{{ {} }}", self.comment()?)),
                ';' => {
                    let comment = joined(&self.take_line()[1..]).replace('}', ")");
                    words.push(format!("{{ {comment} }}"));
                }
                '(' | ')' => {
                    open = if mark == '(' { open + 1 } else { open - 1 };
                    words.push(self.take(1).to_owned());
                    if open == 0 {
                        let inside = &words[1..words.len() - 1];
                        return Ok(joined(&inside.join(" ")));
                    }
                }
                '[' => words.push(self.take(1).to_owned()),
                _ => words.push(self.word().to_owned()),
            }
        }
        Err(unclosed)
    }

    /// A word. It is not empty.
    fn word(&mut self) -> &'text str {
        let ends =
            |mark: char| mark.is_whitespace() || matches!(mark, '{' | '(' | '[' | ';' | '$' | ')');
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let rest = &self.rest[first..];
        let end = rest.find(ends).unwrap_or(rest.len());
        self.take(first + end)
    }
}

/// Whether a character is white space, or a byte-order mark, which files that were joined have inside.
fn is_blank(mark: char) -> bool {
    mark.is_whitespace() || mark == '\u{feff}'
}

/// A text with single blanks between its words.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A record under construction.
struct GameParser {
    record: Record,
    turn: Side,
    result: Option<String>,
}

impl GameParser {
    fn take(&mut self, token: Token<'_>) -> Result<(), OgnError> {
        match token {
            Token::Tag { name, value, line } => {
                if name == "FEN" {
                    self.record.start = whole_position(&value, line)?;
                    self.turn = self.record.start.turn;
                }
                self.record.tags.push((name.to_owned(), value));
            }
            Token::Comment(comment) => self.comment(&comment),
            Token::Variation(variation) => match self.record.moves.last_mut() {
                Some(last) => last.variations.push(variation),
                None => self.comment(&format!("( {variation} )").replace('}', ")")),
            },
            Token::Word { word, line } => self.word(word, line)?,
        }
        Ok(())
    }

    fn finish(self) -> Record {
        let Self { mut record, result, .. } = self;
        record.result = result.filter(|result| record.tag("Result").unwrap_or("*") != result);
        record
    }

    fn comment(&mut self, comment: &str) {
        let place = match self.record.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.record.comment,
        };
        match place {
            Some(earlier) => {
                earlier.push(' ');
                earlier.push_str(comment);
            }
            None => *place = Some(comment.to_owned()),
        }
    }

    /// Takes a move, a number, an annotation or a result.
    fn word(&mut self, word: &str, line: u64) -> Result<(), OgnError> {
        // A number may precede its move without a space: `1.F`.
        let after_digits = word.trim_start_matches(is_digit);
        let after_dots = after_digits.trim_start_matches(['.', '…']);
        let is_number = after_dots.len() < after_digits.len() && !after_dots.starts_with(is_digit);
        let word = if is_number { after_dots } else { word };
        if word.is_empty() {
            return Ok(());
        }
        if let Some(number) = word.strip_prefix('$').and_then(|number| number.parse().ok()) {
            match self.record.moves.last_mut() {
                Some(last) => last.annotations.push(number),
                None => self.comment(word),
            }
            return Ok(());
        }
        if is_result(word) {
            self.result = Some(word.to_owned());
            return Ok(());
        }
        self.play(word, line)
    }

    fn play(&mut self, word: &str, line: u64) -> Result<(), OgnError> {
        let unknown = || OgnError::UnknownWord { line, word: shortened(word) };
        let letter = word.chars().next().ok_or_else(unknown)?;
        let pit = Pit::from_letter(letter).ok_or_else(unknown)?;
        let marks = marks_of(&word[1..]).ok_or_else(unknown)?;
        if self.result.is_some() {
            return Err(OgnError::AfterResult { line, word: word.to_owned() });
        }
        if move_letter(self.turn, pit) != letter {
            return Err(OgnError::WrongTurn { line, word: word.to_owned() });
        }
        if self.record.moves.len() == MAX_MOVES {
            return Err(OgnError::TooLong { line });
        }
        self.record.moves.push(RecordedMove { marks: marks.to_owned(), ..RecordedMove::new(pit) });
        self.turn = self.turn.other();
        Ok(())
    }
}

/// A word as a message shows it.
fn shortened(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

/// Parses a position of 48 seeds.
fn whole_position(fen: &str, line: u64) -> Result<GameString, OgnError> {
    let read = parse_board_text(fen).map(BoardText::position);
    let start = read.map_err(|source| OgnError::BadPosition { line, source })?;
    let stores = u16::from(start.south_store) + u16::from(start.north_store);
    let seeds = u16::from(start.board.seeds()) + stores;
    if seeds == u16::from(MAX_SEEDS) {
        Ok(start)
    } else {
        Err(OgnError::WrongSeedCount { line, seeds })
    }
}

const fn is_digit(mark: char) -> bool {
    mark.is_ascii_digit()
}

/// Whether a word is a result: `*`, `25-23`, `24.5-23.5`, `1/2-1/2`.
fn is_result(word: &str) -> bool {
    let is_number = |text: &str| {
        text.starts_with(is_digit) && text.chars().all(|mark| is_digit(mark) || mark == '.')
            || matches!(text, "1/2" | "½")
    };
    word == "*"
        || word.split_once('-').is_some_and(|(south, north)| is_number(south) && is_number(north))
}

/// The marks of the text after a pit: exclamation and question marks, after `+` and a number or alone.
/// `None` if the text is something else.
fn marks_of(text: &str) -> Option<&str> {
    let marks = text.strip_prefix('+').map_or(text, |count| count.trim_start_matches(is_digit));
    let has_count = marks.len() == text.len() || marks.len() + 1 < text.len();
    (has_count && marks.chars().all(|mark| matches!(mark, '!' | '?'))).then_some(marks)
}
