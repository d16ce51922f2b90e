//! What was said between us and an engine: the beginning and the newest lines.
//!
//! Lines begin with `> ` (we said), `< ` (the engine said) or `! ` (the engine complained on its
//! standard error). Invariant: memory is bounded however much an engine says: the first
//! [`FIRST_LINES`] and the last [`LAST_LINES`] lines are kept, each of at most [`LINE_CHARS`]
//! characters, with a count of what was left out.

use std::collections::VecDeque;

/// Lines kept from the beginning of a conversation.
pub const FIRST_LINES: usize = 4;
/// Lines kept from its end.
pub const LAST_LINES: usize = 16;
/// Characters kept of a line.
pub const LINE_CHARS: usize = 160;

/// A bounded record of one conversation.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    first: Vec<String>,
    last: VecDeque<String>,
    left_out: u64,
}

impl Transcript {
    /// Records what we said.
    pub fn said(&mut self, line: &str) {
        self.add('>', line);
    }

    /// Records what the engine answered.
    pub fn heard(&mut self, line: &str) {
        self.add('<', line);
    }

    /// Records what the engine wrote to its standard error.
    pub fn complained(&mut self, line: &str) {
        self.add('!', line);
    }

    fn add(&mut self, mark: char, line: &str) {
        let mut entry = format!("{mark} ");
        // An engine's control characters have no business on our reader's terminal.
        entry.extend(line.chars().take(LINE_CHARS).map(|c| if c.is_control() { '?' } else { c }));
        if line.chars().nth(LINE_CHARS).is_some() {
            entry.push('…');
        }
        if self.first.len() < FIRST_LINES {
            self.first.push(entry);
            return;
        }
        if self.last.len() == LAST_LINES {
            self.last.pop_front();
            self.left_out += 1;
        }
        self.last.push_back(entry);
    }

    /// The lines kept, in order.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.first.clone();
        if self.left_out > 0 {
            lines.push(format!("… {} lines left out …", self.left_out));
        }
        lines.extend(self.last.iter().cloned());
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_conversation_is_kept_whole_and_in_order() {
        let mut transcript = Transcript::default();
        transcript.said("uci");
        transcript.heard("uciok");
        transcript.complained("warning\u{7}");
        assert_eq!(transcript.lines(), ["> uci", "< uciok", "! warning?"]);
    }

    #[test]
    fn a_flood_keeps_both_ends_and_says_how_much_is_missing() {
        let mut transcript = Transcript::default();
        for number in 0..10_000 {
            transcript.heard(&format!("{number} {}", "x".repeat(1000)));
        }
        let lines = transcript.lines();
        assert_eq!(lines.len(), FIRST_LINES + 1 + LAST_LINES);
        assert!(lines[0].starts_with("< 0 x"));
        assert!(lines[FIRST_LINES].contains(&(10_000 - FIRST_LINES - LAST_LINES).to_string()));
        assert!(lines[FIRST_LINES + LAST_LINES].starts_with("< 9999 x"));
        assert!(lines.iter().all(|line| line.chars().count() <= LINE_CHARS + 3));
    }
}
