//! An engine's process: lines in, lines out, with deadlines.
//!
//! Two threads read the engine's standard output and standard error and hand lines over through one
//! bounded channel, so that an engine that floods us waits in its own pipe instead of filling our
//! memory. A line is cut at [`MOST_LINE_BYTES`]. Invariants: no call waits past its deadline, and
//! dropping a [`Process`] ends the child and waits for it. The reading threads end when the child's
//! pipes close; they are never waited for, since a grandchild may hold a pipe open.

use super::transcript::Transcript;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of a line that are read; the rest of it is dropped.
pub const MOST_LINE_BYTES: u64 = 4096;

/// Lines waiting to be looked at.
const WAITING_LINES: usize = 256;

/// How long a dying engine's last words are waited for.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Between two looks at whether a process has ended.
const POLL: Duration = Duration::from_millis(5);

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program: a path, or a name looked up in `PATH`.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.program)?;
        self.arguments.iter().try_for_each(|argument| write!(out, " {argument}"))
    }
}

/// What a reading thread met.
#[derive(Debug)]
enum Heard {
    Line(String),
    Complaint(String),
    OutputClosed,
}

/// What the next line turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A line of the engine's standard output, without its end.
    Line(String),
    /// Nothing came before the deadline.
    Late,
    /// The engine closed its standard output.
    Closed,
}

/// A running engine and what was said so far.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Heard>,
    pub(super) transcript: Transcript,
}

impl Process {
    /// Starts the program.
    pub(super) fn start(command: &EngineCommand) -> io::Result<Self> {
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (sender, heard) = sync_channel(WAITING_LINES);
        if let Some(output) = child.stdout.take() {
            let sender = sender.clone();
            thread::spawn(move || {
                listen(output, &sender, Heard::Line);
                // The receiver may be gone; then nobody cares.
                let _ = sender.send(Heard::OutputClosed);
            });
        }
        if let Some(errors) = child.stderr.take() {
            thread::spawn(move || listen(errors, &sender, Heard::Complaint));
        }
        let input = child.stdin.take();
        Ok(Self { child, input, heard, transcript: Transcript::default() })
    }

    /// Says a line. A deaf engine is no error here: its silence will be.
    pub(super) fn say(&mut self, line: &str) {
        self.transcript.said(line);
        if let Some(input) = &mut self.input {
            let sent = writeln!(input, "{line}").and_then(|()| input.flush());
            if sent.is_err() {
                self.input = None;
            }
        }
    }

    /// The next line of the engine's standard output.
    pub(super) fn next(&mut self, deadline: Instant) -> Next {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.heard.recv_timeout(left) {
                Ok(Heard::Line(line)) => {
                    self.transcript.heard(&line);
                    return Next::Line(line);
                }
                Ok(Heard::Complaint(line)) => self.transcript.complained(&line),
                Ok(Heard::OutputClosed) | Err(RecvTimeoutError::Disconnected) => {
                    return Next::Closed;
                }
                Err(RecvTimeoutError::Timeout) => return Next::Late,
            }
            // A flood of complaints must not keep us past the deadline.
            if Instant::now() > deadline {
                return Next::Late;
            }
        }
    }

    /// How a process whose output is closed ended, in words, once its last complaints are heard.
    /// `None` when it still runs.
    pub(super) fn ending(&mut self) -> Option<String> {
        let deadline = Instant::now() + LAST_WORDS;
        let left = || deadline.saturating_duration_since(Instant::now());
        while let Ok(heard) = self.heard.recv_timeout(left()) {
            if let Heard::Complaint(line) = heard {
                self.transcript.complained(&line);
            }
        }
        // A pipe closes a moment before its process can be asked for its status.
        self.status_by(deadline).map(|status| status.to_string())
    }

    /// The exit status, if the process ends before the deadline.
    fn status_by(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Gives the engine `patience` to end by itself after `quit`.
    pub(super) fn part(&mut self, patience: Duration) {
        self.say("quit");
        self.input = None;
        self.status_by(Instant::now() + patience);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        // Both fail only for a child that is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands over the lines of a pipe until it closes or nobody listens.
fn listen(pipe: impl Read, sender: &SyncSender<Heard>, heard: fn(String) -> Heard) {
    let mut pipe = BufReader::new(pipe);
    while let Ok(Some(line)) = read_line(&mut pipe) {
        if sender.send(heard(line)).is_err() {
            return;
        }
    }
}

/// Reads one line, at most [`MOST_LINE_BYTES`] of it; `None` at the end.
fn read_line(pipe: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if pipe.by_ref().take(MOST_LINE_BYTES).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') {
        skip_line(pipe)?;
    }
    let line = String::from_utf8_lossy(&bytes);
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}

/// Drops everything up to the next line.
fn skip_line(pipe: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffered = pipe.fill_buf()?;
        let length = buffered.len();
        let end = buffered.iter().position(|&byte| byte == b'\n');
        pipe.consume(end.map_or(length, |place| place + 1));
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_and_overlong_ones_are_cut_without_losing_the_next() {
        let long = "x".repeat(100_000);
        let text = format!("one\r\n\n{long}\nthree\nlast");
        let mut pipe = text.as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut pipe).expect("memory") {
            lines.push(line);
        }
        let cut = "x".repeat(usize::try_from(MOST_LINE_BYTES).expect("small"));
        assert_eq!(lines, ["one", "", &cut, "three", "last"]);
    }

    #[test]
    fn bytes_that_are_no_text_do_not_stop_the_reading() {
        let mut pipe: &[u8] = b"\xff\xfe\nbestmove F\n";
        assert!(read_line(&mut pipe).expect("memory").is_some());
        assert_eq!(read_line(&mut pipe).expect("memory").as_deref(), Some("bestmove F"));
    }
}
