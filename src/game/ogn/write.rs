//! Records as text.

use crate::game::record::ROSTER;
use crate::game::{Game, Record, RecordedMove, move_letter};
use crate::rules::{Board, Outcome, Rules, Side};

/// Maximum width of a line of moves.
const LINE_COLUMNS: usize = 79;

impl Record {
    /// The text of the record. Moves carry the seeds that they capture, as long as they are legal
    /// under `rules`.
    #[must_use]
    pub fn to_text(&self, rules: Rules) -> String {
        let mut text = String::new();
        let rest = self.tags.iter().filter(|(name, _)| !ROSTER.contains(&name.as_str()));
        for name in ROSTER {
            let mut found = self.tags.iter().filter(|(tag, _)| tag == name).peekable();
            if found.peek().is_none() {
                push_tag(name, "?", &mut text);
            }
            found.for_each(|(_, value)| push_tag(name, value, &mut text));
        }
        rest.for_each(|(name, value)| push_tag(name, value, &mut text));
        text.push('\n');
        wrap(&self.words(rules), &mut text);
        text
    }

    /// The words after the tags.
    fn words(&self, rules: Rules) -> Vec<String> {
        let mut words = Vec::new();
        push_comment(&mut words, self.comment.as_deref());
        let mut writer = MoveWriter { rules, turn: self.start.turn, board: Some(self.start.board) };
        writer.push_moves(&self.moves, 0, &mut words);
        let result = self.result.as_deref().or(self.tag("Result").filter(|&result| result != "*"));
        match result {
            Some(result) => words.push(result.to_owned()),
            // Without a word the next game's tags would be taken for more tags of this one.
            None if words.is_empty() => words.push("*".to_owned()),
            None => {}
        }
        words
    }

    /// The record of a game that was replayed from this one, and may have been taken back and played
    /// on since. Nothing that this record holds is lost: moves that were taken back stay at the end, or
    /// become a variation of the move that was played instead.
    #[must_use]
    pub fn updated(&self, game: &Game) -> Self {
        let played = game.moves();
        let same = self.moves.iter().zip(played).take_while(|(old, new)| old.pit == **new).count();
        if same == played.len() {
            return self.clone();
        }
        let mut record = self.clone();
        let tail = record.moves.split_off(same);
        record.moves.extend(played[same..].iter().map(|&pit| RecordedMove::new(pit)));
        if !tail.is_empty() {
            let fork = game.positions().nth(same);
            let mut words = Vec::new();
            let mut writer = MoveWriter {
                rules: game.setup().rules,
                turn: fork.map_or(self.start.turn, |position| position.turn),
                board: fork.map(|position| position.board),
            };
            writer.push_moves(&tail, same, &mut words);
            record.moves[same].variations.push(words.join(" "));
        }
        for (name, value) in Self::of_game(game).tags {
            if name == "Result" || record.tag(&name).is_none() && value != "?" {
                record.set_tag(&name, &value);
            }
        }
        record.result = None;
        record
    }
}

fn push_tag(name: &str, value: &str, text: &mut String) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let value = value.replace(['\n', '\r'], " ");
    *text += &format!("[{name} \"{value}\"]\n");
}

/// Writes moves with their numbers and captures.
struct MoveWriter {
    rules: Rules,
    turn: Side,
    /// `None` after an illegal move.
    board: Option<Board>,
}

impl MoveWriter {
    /// Adds moves, the first of which is number `before`, counted from 0.
    fn push_moves(&mut self, moves: &[RecordedMove], before: usize, words: &mut Vec<String>) {
        for (at, recorded) in moves.iter().enumerate() {
            let ply = before + at;
            if ply.is_multiple_of(2) {
                words.push(format!("{}.", ply / 2 + 1));
            } else if at == 0 {
                words.push(format!("{}...", ply / 2 + 1));
            }
            words.push(self.step(recorded));
            words.extend(recorded.annotations.iter().map(|number| format!("${number}")));
            push_comment(words, recorded.comment.as_deref());
            for variation in &recorded.variations {
                words.push("(".to_owned());
                words.extend(variation.split_whitespace().map(str::to_owned));
                words.push(")".to_owned());
            }
        }
    }

    /// The word of a move, after which the other side is to move.
    fn step(&mut self, recorded: &RecordedMove) -> String {
        let outcome =
            self.board.map_or(Outcome::Illegal, |board| self.rules.play(board, recorded.pit));
        let mut word = move_letter(self.turn, recorded.pit).to_string();
        if let Outcome::Moved { captured, .. } | Outcome::Ended { captured, .. } = outcome
            && captured > 0
        {
            word += &format!("+{captured}");
        }
        self.board = match outcome {
            Outcome::Moved { next, .. } => Some(next),
            Outcome::Illegal | Outcome::Ended { .. } => None,
        };
        self.turn = self.turn.other();
        word + &recorded.marks
    }
}

/// Adds a comment: in braces, or to the end of a line if it has a closing brace in it.
fn push_comment(words: &mut Vec<String>, comment: Option<&str>) {
    let Some(comment) = comment else { return };
    let parts = comment.split_whitespace();
    if comment.contains('}') {
        words.push(format!("; {}\n", parts.collect::<Vec<_>>().join(" ")));
    } else {
        words.push("{".to_owned());
        words.extend(parts.map(str::to_owned));
        words.push("}".to_owned());
    }
}

/// Writes words, separated by spaces and broken into lines. A word that would mean something else at
/// the beginning of a line does not begin one.
fn wrap(words: &[String], text: &mut String) {
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        let may_begin = !word.starts_with(['%', '[']);
        if column > 0 && column + 1 + width > LINE_COLUMNS && may_begin {
            text.push('\n');
            column = 0;
        }
        if column > 0 || !may_begin {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column = if word.ends_with('\n') { 0 } else { column + width };
    }
    if column > 0 {
        text.push('\n');
    }
}
