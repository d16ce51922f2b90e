//! Open Game Notation: games as text files, in the format of the program Aualé.
//!
//! ```text
//! [Variant "Oware Abapa"]          tags; every file has the first eight
//! [FEN "…-S"]                      the start, if it is not the usual one
//!
//! 1. F f 2. E c+2 { a comment }    moves; the parser ignores the captured seeds
//! ( E d 3. … ) 3. D 25-23          a variation, and the result (a score, * or nothing)
//! ```
//!
//! A file may hold several games: a tag after moves starts the next one. The parser checks the
//! notation only. [`Record::replay`] checks that the moves are legal.

use super::{Game, GameError, GameSetup, Repetition, move_letter};
use crate::rules::{BoardError, GameString, MAX_SEEDS, Outcome, Pit, Rules, Side};

/// The tags that every file has, in this order.
const ROSTER: [&str; 8] = ["Variant", "Event", "Site", "Date", "Round", "South", "North", "Result"];
/// Maximum width of a line of moves.
const LINE_COLUMNS: usize = 79;

/// Why a text is not Open Game Notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OgnError {
    /// A tag without a name, quotes or a closing bracket.
    #[error("line {line}: a tag is written [Name \"value\"]")]
    BadTag {
        /// Line, from 1.
        line: usize,
    },
    /// A comment or variation without an end.
    #[error("line {line}: '{opening}' is never closed")]
    Unclosed {
        /// Line, from 1.
        line: usize,
        /// `{` or `(`.
        opening: char,
    },
    /// A word that is not a move, a number or a result.
    #[error("line {line}: '{word}' is not a move, a number, a comment or a result")]
    UnknownWord {
        /// Line, from 1.
        line: usize,
        /// The word.
        word: String,
    },
    /// A move by the side that is not to move.
    #[error("line {line}: move '{word}' is not by the side to move")]
    WrongTurn {
        /// Line, from 1.
        line: usize,
        /// The word.
        word: String,
    },
    /// The `FEN` tag is not a position.
    #[error("tag FEN: {0}")]
    BadPosition(BoardError),
    /// The position of the `FEN` tag does not have 48 seeds.
    #[error("tag FEN: {seeds} seeds where pits and stores of a game hold 48")]
    WrongSeedCount {
        /// Seeds in pits and stores.
        seeds: u16,
    },
}

/// A move of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The pit.
    pub pit: Pit,
    /// The comment after the move.
    pub comment: Option<String>,
    /// The variations after the move, without their parentheses.
    pub variations: Vec<String>,
}

impl RecordedMove {
    /// A move without comment or variation.
    #[must_use]
    pub const fn new(pit: Pit) -> Self {
        Self { pit, comment: None, variations: Vec::new() }
    }
}

/// A recorded game: tags and moves, which may be illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Names and values of the tags in file order.
    pub tags: Vec<(String, String)>,
    /// The position that the game started from.
    pub start: GameString,
    /// The comment before the first move.
    pub comment: Option<String>,
    /// The moves.
    pub moves: Vec<RecordedMove>,
}

impl Record {
    /// A record of a game. Tags that do not follow from the game have the value `?`.
    #[must_use]
    pub fn of_game(game: &Game) -> Self {
        let start = game.start();
        let moves = game.moves().iter().map(|&pit| RecordedMove::new(pit)).collect();
        let mut record = Self { tags: Vec::new(), start, comment: None, moves };
        for name in ROSTER {
            record.set_tag(name, "?");
        }
        let setup = game.setup();
        record.set_tag("Variant", &variant_of_rules(setup.rules));
        let result = if game.end().is_some() { game.score().to_string() } else { "*".to_owned() };
        record.set_tag("Result", &result);
        if start != Game::new(setup).position() {
            record.set_tag("FEN", &start.to_string());
        }
        if setup.repetition != Repetition::of_rules(setup.rules) {
            record.set_tag("Repetition", setup.repetition.name());
        }
        if setup.plays_on {
            record.set_tag("PlaysOn", "yes");
        }
        record
    }

    /// The value of a tag; `None` if it is absent or `?`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(tag, _)| tag == name)?;
        (value != "?").then_some(value)
    }

    /// Sets a tag.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The setup of the game, from its tags and otherwise from `default`.
    #[must_use]
    pub fn setup(&self, default: GameSetup) -> GameSetup {
        let setup = match self.tag("Variant").and_then(rules_of_variant) {
            Some(rules) if rules != default.rules => GameSetup::new(rules),
            _ => default,
        };
        let repetition = self.tag("Repetition").and_then(|name| name.parse().ok());
        GameSetup {
            repetition: repetition.unwrap_or(setup.repetition),
            plays_on: setup.plays_on || self.tag("PlaysOn") == Some("yes"),
            ..setup
        }
    }

    /// Plays the moves.
    ///
    /// # Errors
    /// [`GameError`] for the first move that cannot be played.
    pub fn replay(&self, setup: GameSetup) -> Result<Game, GameError> {
        let mut game = Game::from_position(setup, self.start)?;
        let pits: Vec<Pit> = self.moves.iter().map(|recorded| recorded.pit).collect();
        game.play_all(&pits)?;
        Ok(game)
    }

    /// The text of the record. Moves carry the seeds that they capture, as long as they are legal
    /// under `rules`.
    #[must_use]
    pub fn to_text(&self, rules: Rules) -> String {
        let mut text = String::new();
        let rest = self.tags.iter().filter(|(name, _)| !ROSTER.contains(&name.as_str()));
        let roster = ROSTER.iter().map(|&name| {
            let value = self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value);
            (name, value.map_or("?", String::as_str))
        });
        for (name, value) in roster.chain(rest.map(|(name, value)| (&**name, &**value))) {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
            text += &format!("[{name} \"{value}\"]\n");
        }
        text.push('\n');
        wrap(&self.words(rules), &mut text);
        text
    }

    /// The words after the tags.
    fn words(&self, rules: Rules) -> Vec<String> {
        let mut words = Vec::new();
        push_comment(&mut words, self.comment.as_deref());
        let (mut turn, mut board) = (self.start.turn, Some(self.start.board));
        for (ply, recorded) in self.moves.iter().enumerate() {
            if ply % 2 == 0 {
                words.push(format!("{}.", ply / 2 + 1));
            }
            let outcome = board.map_or(Outcome::Illegal, |board| rules.play(board, recorded.pit));
            let mut word = move_letter(turn, recorded.pit).to_string();
            if let Outcome::Moved { captured, .. } | Outcome::Ended { captured, .. } = outcome
                && captured > 0
            {
                word += &format!("+{captured}");
            }
            words.push(word);
            push_comment(&mut words, recorded.comment.as_deref());
            for variation in &recorded.variations {
                words.push("(".to_owned());
                words.extend(variation.split_whitespace().map(str::to_owned));
                words.push(")".to_owned());
            }
            board = match outcome {
                Outcome::Moved { next, .. } => Some(next),
                Outcome::Illegal | Outcome::Ended { .. } => None,
            };
            turn = turn.other();
        }
        if let Some(result) = self.tag("Result")
            && result != "*"
        {
            words.push(result.to_owned());
        }
        words
    }
}

fn push_comment(words: &mut Vec<String>, comment: Option<&str>) {
    if let Some(comment) = comment {
        words.push("{".to_owned());
        // A comment cannot contain a closing brace.
        words.extend(comment.replace('}', ")").split_whitespace().map(str::to_owned));
        words.push("}".to_owned());
    }
}

/// Writes words, separated by spaces and broken into lines.
fn wrap(words: &[String], text: &mut String) {
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > LINE_COLUMNS {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    if column > 0 {
        text.push('\n');
    }
}

/// The value of the `Variant` tag for a rule set.
#[must_use]
pub fn variant_of_rules(rules: Rules) -> String {
    match rules {
        Rules::Abapa => "Oware Abapa".to_owned(),
        other => format!("Oware {other}"),
    }
}

/// The rule set of a `Variant` tag. Case does not matter, and `Oware` may precede the name.
#[must_use]
pub fn rules_of_variant(variant: &str) -> Option<Rules> {
    let name = variant.trim().to_ascii_lowercase();
    name.strip_prefix("oware").unwrap_or(&name).trim().parse().ok()
}

/// Parses all games of a text.
///
/// # Errors
/// [`OgnError`] with the line and the problem.
pub fn read_records(text: &str) -> Result<Vec<Record>, OgnError> {
    let mut parser = Parser { text: text.strip_prefix('\u{feff}').unwrap_or(text), at: 0 };
    let mut records = Vec::new();
    while parser.skip_blanks().is_some() {
        records.push(parser.record()?);
    }
    Ok(records)
}

/// A parser: a text and a position in it.
struct Parser<'text> {
    text: &'text str,
    at: usize,
}

impl<'text> Parser<'text> {
    fn rest(&self) -> &'text str {
        &self.text[self.at..]
    }

    fn line(&self) -> usize {
        1 + self.text[..self.at].matches('\n').count()
    }

    /// Skips white space and returns the next character.
    fn skip_blanks(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn record(&mut self) -> Result<Record, OgnError> {
        let mut tags: Vec<(String, String)> = Vec::new();
        while self.skip_blanks() == Some('[') {
            let (name, value) = self.tag()?;
            match tags.iter_mut().find(|(tag, _)| *tag == name) {
                Some((_, old)) => *old = value,
                None => tags.push((name, value)),
            }
        }
        let start = match tags.iter().find(|(name, _)| name == "FEN") {
            Some((_, fen)) => whole_position(fen)?,
            None => Game::new(GameSetup::new(Rules::Abapa)).position(),
        };
        let mut record = Record { tags, start, comment: None, moves: Vec::new() };
        let mut turn = start.turn;
        while let Some(mark) = self.skip_blanks() {
            match mark {
                '[' => break,
                '{' => self.comment_into(&mut record)?,
                '(' => {
                    let variation = self.variation()?;
                    if let Some(last) = record.moves.last_mut() {
                        last.variations.push(variation);
                    }
                }
                _ => {
                    if let Some(pit) = self.word(turn)? {
                        record.moves.push(RecordedMove::new(pit));
                        turn = turn.other();
                    }
                }
            }
        }
        Ok(record)
    }

    fn tag(&mut self) -> Result<(String, String), OgnError> {
        let bad = OgnError::BadTag { line: self.line() };
        let inside = &self.rest()[1..];
        let Some((name, value_on)) = inside.split_once('"') else { return Err(bad) };
        let name = name.trim();
        if name.is_empty() || !name.chars().all(|mark| mark.is_alphanumeric() || mark == '_') {
            return Err(bad);
        }
        let mut value = String::new();
        let mut marks = value_on.char_indices();
        let value_end = loop {
            match marks.next() {
                None => return Err(bad),
                Some((at, '"')) => break at + 1,
                Some((_, '\\')) => match marks.next() {
                    Some((_, mark @ ('"' | '\\'))) => value.push(mark),
                    Some((_, mark)) => value.extend(['\\', mark]),
                    None => return Err(bad),
                },
                Some((_, mark)) => value.push(mark),
            }
        };
        let after = value_on[value_end..].trim_start();
        let Some(after) = after.strip_prefix(']') else { return Err(bad) };
        self.at = self.text.len() - after.len();
        Ok((name.to_owned(), value))
    }

    fn comment_into(&mut self, record: &mut Record) -> Result<(), OgnError> {
        let unclosed = OgnError::Unclosed { line: self.line(), opening: '{' };
        let (comment, after) = self.rest()[1..].split_once('}').ok_or(unclosed)?;
        self.at = self.text.len() - after.len();
        let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
        let place = match record.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut record.comment,
        };
        match place {
            Some(earlier) => *earlier = format!("{earlier} {comment}"),
            None => *place = Some(comment),
        }
        Ok(())
    }

    /// A variation, which may contain variations and comments.
    fn variation(&mut self) -> Result<String, OgnError> {
        let unclosed = OgnError::Unclosed { line: self.line(), opening: '(' };
        let mut open = 0u32;
        let mut in_comment = false;
        let rest = self.rest();
        for (at, mark) in rest.char_indices() {
            match mark {
                '}' => in_comment = false,
                _ if in_comment => {}
                '{' => in_comment = true,
                '(' => open += 1,
                ')' if open == 1 => {
                    self.at += at + 1;
                    return Ok(rest[1..at].split_whitespace().collect::<Vec<_>>().join(" "));
                }
                ')' => open -= 1,
                _ => {}
            }
        }
        Err(unclosed)
    }

    /// A move, or `None` for a number or a result.
    fn word(&mut self, turn: Side) -> Result<Option<Pit>, OgnError> {
        let rest = self.rest();
        let ends = |mark: char| mark.is_whitespace() || matches!(mark, '{' | '(' | '[');
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        // A number may precede its move without a space: `1.F`.
        let digits = word.trim_start_matches(|mark: char| mark.is_ascii_digit());
        let dots = digits.trim_start_matches('.');
        if digits.len() < word.len() && dots.len() < digits.len() && !dots.starts_with(is_digit) {
            self.at += word.len() - dots.len();
            return Ok(None);
        }
        let line = self.line();
        self.at += word.len();
        if is_result(word) {
            return Ok(None);
        }
        let unknown = || OgnError::UnknownWord { line, word: word.to_owned() };
        let letter = word.chars().next().ok_or_else(unknown)?;
        let pit = Pit::from_letter(letter).ok_or_else(unknown)?;
        if !is_move_suffix(&word[1..]) {
            return Err(unknown());
        }
        if move_letter(turn, pit) != letter {
            return Err(OgnError::WrongTurn { line, word: word.to_owned() });
        }
        Ok(Some(pit))
    }
}

/// Parses a position of 48 seeds.
fn whole_position(fen: &str) -> Result<GameString, OgnError> {
    let start: GameString = fen.parse().map_err(OgnError::BadPosition)?;
    let stores = u16::from(start.south_store) + u16::from(start.north_store);
    let seeds = u16::from(start.board.seeds()) + stores;
    if seeds == u16::from(MAX_SEEDS) { Ok(start) } else { Err(OgnError::WrongSeedCount { seeds }) }
}

const fn is_digit(mark: char) -> bool {
    mark.is_ascii_digit()
}

/// Whether a word is a result: `*`, `25-23`, `24.5-23.5`.
fn is_result(word: &str) -> bool {
    let is_number =
        |text: &str| !text.is_empty() && text.chars().all(|mark| is_digit(mark) || mark == '.');
    word == "*"
        || word.split_once('-').is_some_and(|(south, north)| is_number(south) && is_number(north))
}

/// Whether a text may follow a pit: nothing, `+` and a number, exclamation and question marks.
fn is_move_suffix(text: &str) -> bool {
    let text = text.trim_end_matches(['!', '?']);
    text.is_empty()
        || text
            .strip_prefix('+')
            .is_some_and(|count| !count.is_empty() && count.chars().all(is_digit))
}
