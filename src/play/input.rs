//! Where the lines that a person types come from.

use crate::rules::decode_text;
use std::io::{self, BufRead, Write};

/// A source of lines: any buffered reader, or a line editor on a terminal.
pub trait PlayInput {
    /// Shows a prompt on the output of the session and gives the next line, without its end; `None` at
    /// the end of the input.
    ///
    /// # Errors
    /// When the input cannot be read or the output cannot be written.
    fn line(&mut self, prompt: &str, output: &mut dyn Write) -> io::Result<Option<String>>;
}

impl<Input: BufRead> PlayInput for Input {
    fn line(&mut self, prompt: &str, output: &mut dyn Write) -> io::Result<Option<String>> {
        write!(output, "{prompt}")?;
        output.flush()?;
        let mut line = Vec::new();
        if self.read_until(b'\n', &mut line)? == 0 {
            // The prompt has no line of its own yet.
            writeln!(output)?;
            return Ok(None);
        }
        Ok(Some(decode_text(&line).trim().to_owned()))
    }
}
