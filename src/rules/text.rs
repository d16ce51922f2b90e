//! Text from files and streams: how bytes become text, and what of a line is not data.

use std::borrow::Cow;

/// The mark that some programs put before a text to say that it is UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of some bytes: UTF-8, or else Latin-1, which gives every byte a character, so that nothing
/// is lost and nothing fails. Every reader of this crate takes its text from here.
#[must_use]
pub fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// What a line holds besides a byte-order mark, a comment from `#` on, and the blanks around.
pub(super) fn content_of_line(line: &str) -> &str {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    line.split('#').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_text() {
        assert_eq!(decode_text("d'Où".as_bytes()), "d'Où");
        assert_eq!(decode_text(b"d'O\xf9"), "d'Où");
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode_text(&all).chars().count(), 256);
    }

    #[test]
    fn marks_comments_and_blanks_are_no_content() {
        for line in ["1 2", "\u{feff}1 2\r\n", " 1 2 # three", "1 2#"] {
            assert_eq!(content_of_line(line), "1 2");
        }
        for line in ["", "\u{feff}", "# 1 2", " \t\r\n", "\u{feff}# 1"] {
            assert_eq!(content_of_line(line), "");
        }
    }
}
