//! The record of the lines exchanged with an external engine.
//!
//! Lines begin with `> ` (sent to the engine), `< ` (received from it) or `! ` (its standard error).
//!
//! Invariant: memory is bounded. The first [`FIRST_LINES`] and the last [`LAST_LINES`] lines are
//! kept, each cut at [`LINE_CHARS`] characters, and the lines between them are counted.

use std::collections::VecDeque;

/// The number of lines kept from the beginning.
pub const FIRST_LINES: usize = 4;
/// The number of lines kept from the end.
pub const LAST_LINES: usize = 16;
/// The number of characters kept per line.
pub const LINE_CHARS: usize = 160;

/// A bounded record of lines.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    first: Vec<String>,
    last: VecDeque<String>,
    left_out: u64,
}

impl Transcript {
    /// Records a line sent to the engine.
    pub fn sent(&mut self, line: &str) {
        self.add('>', line);
    }

    /// Records a line received from the engine.
    pub fn received(&mut self, line: &str) {
        self.add('<', line);
    }

    /// Records a line of the engine's standard error.
    pub fn error_output(&mut self, line: &str) {
        self.add('!', line);
    }

    fn add(&mut self, mark: char, line: &str) {
        let mut entry = format!("{mark} ");
        // Control characters could change the terminal of the reader.
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

    /// The kept lines in order, with a line that counts the others.
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
    fn a_short_transcript_is_kept_whole_and_in_order() {
        let mut transcript = Transcript::default();
        transcript.sent("uci");
        transcript.received("uciok");
        transcript.error_output("warning\u{7}");
        assert_eq!(transcript.lines(), ["> uci", "< uciok", "! warning?"]);
    }

    #[test]
    fn a_long_transcript_keeps_both_ends_and_counts_the_rest() {
        let mut transcript = Transcript::default();
        for number in 0..10_000 {
            transcript.received(&format!("{number} {}", "x".repeat(1000)));
        }
        let lines = transcript.lines();
        assert_eq!(lines.len(), FIRST_LINES + 1 + LAST_LINES);
        assert!(lines[0].starts_with("< 0 x"));
        assert!(lines[FIRST_LINES].contains(&(10_000 - FIRST_LINES - LAST_LINES).to_string()));
        assert!(lines[FIRST_LINES + LAST_LINES].starts_with("< 9999 x"));
        assert!(lines.iter().all(|line| line.chars().count() <= LINE_CHARS + 3));
    }
}
