//! A child process that exchanges lines, with deadlines.
//!
//! Three threads serve the pipes. Two read the standard output and the standard error of the child
//! and pass the lines on through one bounded channel: a child that writes without end blocks on its
//! own pipe and does not fill the memory of this process. Lines are cut at [`MAX_LINE_BYTES`], and
//! are [printable](super::printable). The third writes to the standard input, so that a child that
//! does not read blocks that thread only.
//!
//! Invariants: no call waits past its deadline. Dropping a [`Process`] kills the child with its
//! [group](super::engine_group) and waits for it. The threads end when the pipes of the child close;
//! they are not joined, because a process that has left the group may keep a pipe open.

use super::engine_group::{EngineGroup, RunningEngines};
use super::printable::printable;
use super::transcript::Transcript;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line that is kept whole, in bytes; the rest of a longer line is dropped.
pub const MAX_LINE_BYTES: u64 = 4096;

/// Capacity of the channel, in lines.
const CHANNEL_LINES: usize = 256;

/// The time to wait for the exit status and the last lines on standard error after standard output
/// has closed.
const EXIT_TIMEOUT: Duration = Duration::from_millis(200);

/// The time between two looks at what a child has yet to read.
const POLL: Duration = Duration::from_millis(1);

/// The most bytes that wait for a child to read them. A child that does not read gets no more.
const MAX_UNREAD_BYTES: usize = 1 << 24;

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
    // The pipe to the child closes before the child is waited for.
    input: Option<Input>,
    group: EngineGroup,
    events: Receiver<Event>,
    transcript: Transcript,
}

impl Process {
    /// Starts the program as one of `engines`.
    pub(super) fn start(command: &CommandLine, engines: &RunningEngines) -> io::Result<Self> {
        let mut starting = Command::new(&command.program);
        starting.args(&command.arguments);
        starting.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = engines.spawn(&mut starting)?;
        let (sender, events) = sync_channel(CHANNEL_LINES);
        if let Some(output) = group.child.stdout.take() {
            let sender = sender.clone();
            start_thread(move || {
                forward_lines(output, &sender, Event::Line);
                // Without a receiver there is nothing left to report.
                let _ = sender.send(Event::OutputClosed);
            })?;
        }
        if let Some(errors) = group.child.stderr.take() {
            start_thread(move || forward_lines(errors, &sender, Event::ErrorLine))?;
        }
        let input = group.child.stdin.take().map(Input::new).transpose()?;
        Ok(Self { input, group, events, transcript: Transcript::default() })
    }

    /// The lines exchanged so far.
    pub(super) const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Sends a line. A closed standard input, or one that is not read, is not an error here: the
    /// missing answer will be.
    pub(super) fn send(&mut self, line: &str) {
        self.transcript.sent(line);
        if let Some(input) = &self.input {
            input.send(line);
        }
    }

    /// Whether there are lines that were sent and that the child has left no room for.
    pub(super) fn leaves_lines_unread(&self) -> bool {
        self.input.as_ref().is_some_and(Input::is_behind)
    }

    /// Waits until all lines are on their way to the child. Returns false at the deadline.
    pub(super) fn has_room_by(&self, deadline: Instant) -> bool {
        while self.leaves_lines_unread() {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(POLL);
        }
        true
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
        self.group.status_by(deadline)
    }

    /// Closes standard input and waits for the child to exit, for at most `timeout`.
    pub(super) fn close(&mut self, timeout: Duration) {
        self.input = None;
        self.group.status_by(Instant::now() + timeout);
    }
}

/// The standard input of a child, written by a thread of its own.
#[derive(Debug)]
struct Input {
    lines: Sender<String>,
    /// Bytes of the lines that are not written yet.
    unread: Arc<AtomicUsize>,
}

impl Input {
    fn new(mut pipe: ChildStdin) -> io::Result<Self> {
        let (sender, lines) = channel::<String>();
        let unread = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&unread);
        start_thread(move || {
            for line in lines {
                if pipe.write_all(line.as_bytes()).and_then(|()| pipe.flush()).is_err() {
                    break;
                }
                left.fetch_sub(line.len(), Ordering::AcqRel);
            }
            // What a closed pipe does not take is not waited for.
            left.store(0, Ordering::Release);
        })?;
        Ok(Self { lines: sender, unread })
    }

    fn send(&self, line: &str) {
        let line = format!("{line}\n");
        let bytes = line.len();
        if self.unread.load(Ordering::Acquire) + bytes > MAX_UNREAD_BYTES {
            return;
        }
        self.unread.fetch_add(bytes, Ordering::AcqRel);
        if self.lines.send(line).is_err() {
            self.unread.store(0, Ordering::Release);
        }
    }

    fn is_behind(&self) -> bool {
        self.unread.load(Ordering::Acquire) > 0
    }
}

fn start_thread(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("engine pipe".to_owned()).spawn(work).map(drop)
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

/// Reads one line, cut at [`MAX_LINE_BYTES`] and made printable; `None` at the end of the pipe.
fn read_line(pipe: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if pipe.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') {
        skip_line(pipe)?;
    }
    let line = String::from_utf8_lossy(&bytes);
    Ok(Some(printable(line.trim_end_matches(['\r', '\n']))))
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
