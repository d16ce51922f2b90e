//! A child process that exchanges lines, with deadlines.
//!
//! Two threads read the standard output and the standard error of the child and pass the lines on
//! through one bounded channel. A child that writes without end blocks on its own pipe and does not
//! fill the memory of this process. Lines are cut at [`MAX_LINE_BYTES`].
//!
//! Invariants: no call waits past its deadline. Dropping a [`Process`] kills the child and waits for
//! it. The reading threads end when the pipes of the child close; they are not joined, because a
//! grandchild may keep a pipe open.

use super::transcript::Transcript;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line that is kept whole, in bytes; the rest of a longer line is dropped.
pub const MAX_LINE_BYTES: u64 = 4096;

/// Capacity of the channel, in lines.
const CHANNEL_LINES: usize = 256;

/// The time to wait for the exit status and the last lines on standard error after standard output
/// has closed.
const EXIT_TIMEOUT: Duration = Duration::from_millis(200);

/// The time between two polls of the exit status.
const POLL: Duration = Duration::from_millis(5);

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program: a path, or a name looked up in `PATH`.
    pub program: String,
    /// The arguments.
    pub arguments: Vec<String>,
}

impl fmt::Display for CommandLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.program)?;
        self.arguments.iter().try_for_each(|argument| write!(out, " {argument}"))
    }
}

/// A message of a reading thread.
#[derive(Debug)]
enum Event {
    Line(String),
    ErrorLine(String),
    OutputClosed,
}

/// The result of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextLine {
    /// A line of standard output, without its end.
    Line(String),
    /// No line came before the deadline.
    Timeout,
    /// Standard output is closed.
    Closed,
}

/// A running child process and the transcript of its lines.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    events: Receiver<Event>,
    transcript: Transcript,
}

impl Process {
    /// Starts the program.
    pub(super) fn start(command: &CommandLine) -> io::Result<Self> {
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (sender, events) = sync_channel(CHANNEL_LINES);
        if let Some(output) = child.stdout.take() {
            let sender = sender.clone();
            thread::spawn(move || {
                forward_lines(output, &sender, Event::Line);
                // Without a receiver there is nothing left to report.
                let _ = sender.send(Event::OutputClosed);
            });
        }
        if let Some(errors) = child.stderr.take() {
            thread::spawn(move || forward_lines(errors, &sender, Event::ErrorLine));
        }
        let input = child.stdin.take();
        Ok(Self { child, input, events, transcript: Transcript::default() })
    }

    /// The lines exchanged so far.
    pub(super) const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Sends a line. A closed standard input is not an error here: the missing answer will be.
    pub(super) fn send(&mut self, line: &str) {
        self.transcript.sent(line);
        if let Some(input) = &mut self.input {
            let sent = writeln!(input, "{line}").and_then(|()| input.flush());
            if sent.is_err() {
                self.input = None;
            }
        }
    }

    /// Waits for the next line of standard output.
    pub(super) fn next_line(&mut self, deadline: Instant) -> NextLine {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Line(line)) => {
                    self.transcript.received(&line);
                    return NextLine::Line(line);
                }
                Ok(Event::ErrorLine(line)) => self.transcript.error_output(&line),
                Ok(Event::OutputClosed) | Err(RecvTimeoutError::Disconnected) => {
                    return NextLine::Closed;
                }
                Err(RecvTimeoutError::Timeout) => return NextLine::Timeout,
            }
            // Lines on standard error without a pause must not delay past the deadline.
            if Instant::now() > deadline {
                return NextLine::Timeout;
            }
        }
    }

    /// The exit status of a child whose standard output is closed; `None` if it still runs. Records the
    /// last lines of standard error first.
    pub(super) fn exit_status(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        let left = || deadline.saturating_duration_since(Instant::now());
        while let Ok(event) = self.events.recv_timeout(left()) {
            if let Event::ErrorLine(line) = event {
                self.transcript.error_output(&line);
            }
        }
        // A pipe closes a moment before the exit status is available.
        self.status_by(deadline)
    }

    /// The exit status, if the child exits before the deadline.
    fn status_by(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Closes standard input and waits for the child to exit, for at most `timeout`.
    pub(super) fn close(&mut self, timeout: Duration) {
        self.input = None;
        self.status_by(Instant::now() + timeout);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        // Both fail only if the child has exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends the lines of a pipe to the channel until the pipe or the channel closes.
fn forward_lines(pipe: impl Read, sender: &SyncSender<Event>, event: fn(String) -> Event) {
    let mut pipe = BufReader::new(pipe);
    while let Ok(Some(line)) = read_line(&mut pipe) {
        if sender.send(event(line)).is_err() {
            return;
        }
    }
}

/// Reads one line, cut at [`MAX_LINE_BYTES`]; `None` at the end of the pipe.
fn read_line(pipe: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if pipe.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') {
        skip_line(pipe)?;
    }
    let line = String::from_utf8_lossy(&bytes);
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}

/// Skips the rest of a line.
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
    fn long_lines_are_cut_and_the_next_line_is_kept() {
        let long = "x".repeat(100_000);
        let text = format!("one\r\n\n{long}\nthree\nlast");
        let mut pipe = text.as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut pipe).expect("memory") {
            lines.push(line);
        }
        let cut = "x".repeat(usize::try_from(MAX_LINE_BYTES).expect("small"));
        assert_eq!(lines, ["one", "", &cut, "three", "last"]);
    }

    #[test]
    fn invalid_utf8_does_not_end_the_reading() {
        let mut pipe: &[u8] = b"\xff\xfe\nbestmove F\n";
        assert!(read_line(&mut pipe).expect("memory").is_some());
        assert_eq!(read_line(&mut pipe).expect("memory").as_deref(), Some("bestmove F"));
    }
}
