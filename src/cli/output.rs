//! Standard output, where results go.
//!
//! Output is buffered. Colours are dropped if it is not a terminal or `NO_COLOR` is set. A command
//! whose results are read as they come calls `flush`. A closed pipe is
//! remembered, and is not a failure.

use anstream::AutoStream;
use anyhow::Context;
use serde::Serialize;
use std::io::{self, BufWriter, Stdout, Write};

/// Standard output. Commands write to it with `write!` and `writeln!`.
pub(crate) struct Output {
    stream: BufWriter<AutoStream<Stdout>>,
    reader_left: bool,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Self {
            stream: BufWriter::with_capacity(1 << 16, AutoStream::auto(io::stdout())),
            reader_left: false,
        }
    }

    /// Writes a value as one line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(value).context("cannot put the result as JSON")?;
        line.push(b'\n');
        self.write_all(&line)?;
        Ok(())
    }

    /// Writes lines without styling as they are, without a search for escape sequences.
    pub(crate) fn plain(&mut self, text: &[u8]) -> io::Result<()> {
        self.flush()?;
        let result = io::stdout().write_all(text);
        self.watch(result)
    }

    /// Standard output for bytes that are not text.
    pub(crate) fn raw(&mut self) -> Raw<'_> {
        Raw(self)
    }

    /// Writes out what is buffered, at the end of a command.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        self.flush().context("cannot write to standard output")
    }

    /// Whether the reader of standard output has gone.
    pub(crate) fn reader_left(&self) -> bool {
        self.reader_left
    }

    fn watch<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            self.reader_left = true;
        }
        result
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.stream.write(bytes);
        self.watch(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.stream.flush();
        self.watch(result)
    }
}

/// Standard output for bytes that are not text.
pub(crate) struct Raw<'output>(&'output mut Output);

impl Write for Raw<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.plain(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = io::stdout().flush();
        self.0.watch(result)
    }
}
