//! Paths as words of a shell, for commands in messages that are ready to be pasted.
//!
//! A word is one line of printable text, whatever the path's bytes are, and a POSIX shell reads the
//! path back from it:
//!
//! ```text
//! plain characters only     as it is
//! printable text            'in single quotes', a quote as '\''
//! control characters, or    $'…' with \xHH for a byte (bash, zsh, ksh, POSIX 2024)
//!   bytes that are no text
//! starts with a dash        ./ put before it, so that no option is read into it
//! ```

use std::fmt::Write;
use std::path::Path;

/// A path as a word of a shell, quoted if necessary.
#[must_use]
pub(crate) fn shell_word(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    if bytes.first() == Some(&b'-') {
        return shell_word(&Path::new(".").join(path));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.is_empty() && text.bytes().all(is_plain) => text.to_owned(),
        Ok(text) if !text.chars().any(char::is_control) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        _ => in_escapes(bytes),
    }
}

/// Whether every shell takes a byte literally, in any position.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'@' | b'%' | b'+' | b',')
}

fn in_escapes(bytes: &[u8]) -> String {
    let mut word = "$'".to_owned();
    for &byte in bytes {
        if byte == b' ' || byte.is_ascii_graphic() && !matches!(byte, b'\'' | b'\\') {
            word.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(word, "\\x{byte:02x}");
        }
    }
    word + "'"
}

#[cfg(test)]
mod tests {
    use super::shell_word;
    use std::path::Path;
    use std::process::Command;

    /// Names that a shell would split, expand or misread.
    const AWKWARD: [&str; 14] = [
        "",
        "with blank",
        "it's",
        "''",
        "a\"b",
        "$HOME",
        "`id`",
        "~",
        "*",
        "a;b",
        "back\\slash",
        "Aualé",
        "-n",
        "#x",
    ];

    #[test]
    fn plain_paths_stay_as_they_are() {
        for path in ["tables", "/var/lib/oware-1.0/tables_2", "../x@y:z,1+2%"] {
            assert_eq!(shell_word(Path::new(path)), path);
        }
    }

    #[test]
    fn a_shell_reads_every_path_back() {
        for path in AWKWARD {
            let word = shell_word(Path::new(path));
            let script = format!("printf %s {word}");
            let Ok(output) = Command::new("sh").args(["-c", &script]).output() else { return };
            let read = String::from_utf8(output.stdout).expect("text");
            assert_eq!(read.strip_prefix("./").unwrap_or(&read), path, "{word}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_stay_one_printable_line_that_reads_back() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        for bytes in [&b"\xff"[..], b"two\nlines", b"\x1b[31m 'red' \\", b"-\x07"] {
            let word = shell_word(Path::new(OsStr::from_bytes(bytes)));
            assert!(word.starts_with("$'") && !word.chars().any(char::is_control), "{word}");
            let script = format!("printf %s {word}");
            let Ok(output) = Command::new("bash").args(["-c", &script]).output() else { return };
            let read = output.stdout.strip_prefix(b"./").unwrap_or(&output.stdout);
            assert_eq!(read, bytes, "{word}");
        }
    }
}
