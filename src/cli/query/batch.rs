//! Boards from standard input, answered in chunks.
//!
//! The boards of a chunk are looked up together, so that the database groups them by block, and
//! answered in input order. The program waits for more lines only when they come in bulk, so that
//! another program can write a board, read its answer, and go on.

use super::answer::{Answer, WithBounds};
use crate::cli::advice;
use crate::cli::boards::{BoardReader, FoundBoard};
use crate::cli::failure::{AlreadyReported, warn};
use crate::cli::output::Output;
use anyhow::Context;
use oware::database::{Database, DatabaseError, MoveValue};
use oware::rules::{Board, BoardText};
use rayon::prelude::*;
use serde::Serialize;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

/// Most boards that are looked up together. More boards share each decoded block, and take half a
/// kilobyte of memory each.
const CHUNK_LINES: usize = 1 << 19;
/// Lines that are formatted and written together.
const PORTION_LINES: usize = 1 << 14;
/// Lines that one thread formats at a time.
const TEXT_LINES: usize = 1 << 8;

/// Bytes per read, and the number of reads that may wait for their answers.
const INPUT_BYTES: usize = 1 << 20;
const READ_AHEAD: usize = 16;
/// This many lines at once are bulk, and the program waits a moment for more.
const BULK_LINES: usize = 1 << 10;
const BULK_WAIT: Duration = Duration::from_millis(50);

/// The object that is printed for a line without an answer.
#[derive(Debug, Serialize)]
struct Failure<'a> {
    input_line: u64,
    error: &'a str,
}

/// The moves of a board, if they were looked up.
type Moves = Option<Result<Vec<MoveValue>, DatabaseError>>;

/// The number of a line, and its board with its moves or the reason why it has none.
type LookedUp = (u64, Result<(Board, Moves), String>);

/// The form of the answers.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// With a line of best play.
    pub(super) with_line: bool,
    /// With bounds where tables have them.
    pub(super) with_bounds: WithBounds,
    pub(super) json: bool,
}

/// Answers every line of standard input.
pub(super) fn run(database: &Database, manner: Manner, output: &mut Output) -> anyhow::Result<()> {
    let arriving = read_in_background().context("cannot start a thread to read boards")?;
    let mut all_answered = true;
    while let Some(chunk) = next_chunk(&arriving).context("cannot read standard input")? {
        for portion in look_up(database, chunk, manner).chunks(PORTION_LINES) {
            all_answered &= write_portion(database, portion, manner, output)?;
        }
        output.flush()?;
    }
    if all_answered { Ok(()) } else { Err(AlreadyReported.into()) }
}

/// Reads standard input on a thread that ends with the process.
fn read_in_background() -> io::Result<Receiver<io::Result<Vec<FoundBoard>>>> {
    let (sender, receiver) = sync_channel(READ_AHEAD);
    thread::Builder::new().name("boards".to_owned()).spawn(move || {
        let input = BufReader::with_capacity(INPUT_BYTES, io::stdin().lock());
        let mut reader = BoardReader::new(input);
        loop {
            let lines = read_boards(&mut reader);
            let is_last = lines.as_ref().map_or(true, Vec::is_empty);
            if sender.send(lines).is_err() || is_last {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// Waits for a board, and returns it with those that have arrived with it; empty at the end.
fn read_boards<R: Read>(reader: &mut BoardReader<BufReader<R>>) -> io::Result<Vec<FoundBoard>> {
    let mut found = Vec::new();
    while found.is_empty() || reader.input().buffer().contains(&b'\n') {
        if !reader.read_line(&mut found)? {
            break;
        }
    }
    Ok(found)
}

/// The lines that have arrived, at least one; `None` at the end.
fn next_chunk(
    arriving: &Receiver<io::Result<Vec<FoundBoard>>>,
) -> io::Result<Option<Vec<FoundBoard>>> {
    let Ok(first) = arriving.recv() else { return Ok(None) };
    let mut chunk = first?;
    let wait = if chunk.len() < BULK_LINES { Duration::ZERO } else { BULK_WAIT };
    while !chunk.is_empty() && chunk.len() < CHUNK_LINES {
        match arriving.recv_timeout(wait) {
            Ok(more) => chunk.append(&mut more?),
            Err(_) => break,
        }
    }
    Ok((!chunk.is_empty()).then_some(chunk))
}

/// Looks up the moves of all boards of a chunk, unless each needs a line of play.
fn look_up(database: &Database, chunk: Vec<FoundBoard>, manner: Manner) -> Vec<LookedUp> {
    let mut moves = Vec::new();
    if !manner.with_line {
        let boards: Vec<_> = chunk
            .iter()
            .filter_map(|(_, read)| read.as_ref().ok())
            .map(|text| text.board())
            .collect();
        moves = database.moves_batch(&boards);
    }
    let mut moves = moves.into_iter();
    let mut with_moves = |text: BoardText| (text.board(), moves.next());
    chunk.into_iter().map(|(line, read)| (line, read.map(&mut with_moves))).collect()
}

/// Formats and writes some lines. Returns whether all of them have answers.
fn write_portion(
    database: &Database,
    portion: &[LookedUp],
    manner: Manner,
    output: &mut Output,
) -> anyhow::Result<bool> {
    let texts: Vec<_> = portion
        .par_chunks(TEXT_LINES)
        .map(|looked_up| Text::of(database, looked_up, manner))
        .collect();
    for text in &texts {
        output.plain(&text.answers)?;
        text.failures.iter().for_each(warn);
    }
    Ok(texts.iter().all(|text| text.all_answered))
}

/// The output for some lines.
struct Text {
    /// To standard output.
    answers: Vec<u8>,
    /// To standard error.
    failures: Vec<String>,
    all_answered: bool,
}

impl Text {
    fn of(database: &Database, lines: &[LookedUp], manner: Manner) -> Self {
        let mut text = Self { answers: Vec::new(), failures: Vec::new(), all_answered: true };
        for (line, looked_up) in lines {
            let (line, answer) = (*line, answer(database, looked_up, manner));
            text.all_answered &= answer.is_ok();
            match (answer, manner.json) {
                (Ok(answer), true) => text.put_json(&answer),
                (Err(error), true) => text.put_json(&Failure { input_line: line, error: &error }),
                (Ok(answer), false) => {
                    let written = answer.show_in_one_line(&mut text.answers);
                    debug_assert!(written.is_ok(), "writing to memory does not fail");
                }
                (Err(error), false) => text.failures.push(format!("line {line}: {error}")),
            }
        }
        text
    }

    fn put_json(&mut self, value: &impl Serialize) {
        let written = serde_json::to_writer(&mut self.answers, value);
        debug_assert!(written.is_ok(), "writing to memory does not fail");
        self.answers.push(b'\n');
    }
}

fn answer(
    database: &Database,
    looked_up: &Result<(Board, Moves), String>,
    manner: Manner,
) -> Result<Answer, String> {
    let (board, moves) = looked_up.as_ref().map_err(Clone::clone)?;
    let answer = match moves {
        None => Answer::ask(database, *board, manner.with_line, manner.with_bounds),
        Some(Ok(moves)) => Answer::of_moves(database, *board, moves, manner.with_bounds),
        Some(Err(error)) => return Err(advice::explain(error)),
    };
    answer.map_err(|error| advice::explain(&error))
}
