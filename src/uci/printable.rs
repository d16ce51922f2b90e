//! Text of another program, made safe for terminals and reports.

/// The text with a `?` in the place of every character that could change a terminal or the order of
/// a line: control characters, line separators and marks of direction. A tabulator is a blank.
pub(super) fn printable(text: &str) -> String {
    let safe = |mark: char| match mark {
        '\t' => ' ',
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => '?',
        mark if mark.is_control() => '?',
        mark => mark,
    };
    text.chars().map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_a_terminal_is_replaced() {
        for (text, safe) in [
            ("Aalina 1.2 – é 走 😀", "Aalina 1.2 – é 走 😀"),
            ("\u{1b}[2J\u{1b}]0;title\u{7}", "?[2J?]0;title?"),
            ("a\tb\rc\nd\0e\u{7f}", "a b?c?d?e?"),
            ("\u{9b}31m", "?31m"),
            ("abc\u{202e}def\u{2066}\u{2028}", "abc?def??"),
        ] {
            assert_eq!(printable(text), safe);
        }
    }
}
