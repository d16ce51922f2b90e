//! Lines typed on a terminal, with editing and the lines typed before.

use oware::play::PlayInput;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};
use std::io::{self, IsTerminal, Write};

/// Edits lines on the terminal.
pub(crate) struct LineEditor(Editor<(), MemHistory>);

impl LineEditor {
    /// An editor, if both standard input and standard output are terminals that it can drive.
    pub(crate) fn on_terminal() -> Option<Self> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return None;
        }
        let config = Config::builder().auto_add_history(true).build();
        Editor::with_history(config, MemHistory::new()).ok().map(Self)
    }
}

impl PlayInput for LineEditor {
    fn line(&mut self, prompt: &str, output: &mut dyn Write) -> io::Result<Option<String>> {
        output.flush()?;
        match self.0.readline(prompt) {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Eof) => Ok(None),
            Err(ReadlineError::Interrupted) => Err(io::ErrorKind::Interrupted.into()),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}
