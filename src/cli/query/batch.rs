//! Boards from standard input, answered many at a time.
//!
//! Lines are taken in chunks; a chunk's boards are asked for together, so that the database can
//! group them by block, and answered in input order. A chunk never waits for lines: what has
//! arrived is answered, so that a program can ask, read and ask again through a pipe.

use super::answer::Answer;
use crate::cli::boards;
use crate::cli::failure::{AlreadyTold, tell};
use crate::cli::output::Output;
use anyhow::Context;
use oware::database::{Database, DatabaseError, MoveValue};
use oware::rules::Board;
use rayon::prelude::*;
use serde::Serialize;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// Lines answered together, at most: enough boards a block of a table, little memory.
const CHUNK_LINES: usize = 1 << 17;

/// Bytes read at once, and how many such reads may wait to be answered.
const INPUT_BYTES: usize = 1 << 20;
const READ_AHEAD: usize = 16;

/// What is printed for a line that cannot be answered.
#[derive(Debug, Serialize)]
struct Failure<'a> {
    input_line: u64,
    error: &'a str,
}

/// Lines as read: boards, or why a line is none.
type Lines = Vec<Result<Board, String>>;

/// Answers every line of standard input.
pub(super) fn run(
    database: &Database,
    with_line: bool,
    json: bool,
    output: &mut Output,
) -> anyhow::Result<()> {
    let arriving = read_in_background().context("cannot start a thread to read boards")?;
    let mut lines_before = 0;
    let mut all_answered = true;
    while let Some(chunk) = next_chunk(&arriving).context("cannot read standard input")? {
        let lines = chunk.len() as u64;
        let answers = answer_chunk(database, chunk, with_line);
        all_answered &= answers.iter().all(Result::is_ok);
        write_chunk(&answers, lines_before, json, output)?;
        output.flush()?;
        lines_before += lines;
    }
    if all_answered { Ok(()) } else { Err(AlreadyTold.into()) }
}

/// Reads standard input on a thread that ends with the process.
fn read_in_background() -> io::Result<Receiver<io::Result<Lines>>> {
    let (sender, receiver) = sync_channel(READ_AHEAD);
    thread::Builder::new().name("boards".to_owned()).spawn(move || {
        let mut input = BufReader::with_capacity(INPUT_BYTES, io::stdin().lock());
        loop {
            let lines = read_lines(&mut input);
            let is_last = lines.as_ref().map_or(true, Vec::is_empty);
            if sender.send(lines).is_err() || is_last {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// Waits for a line, then takes those that have arrived with it. Empty at the end.
fn read_lines<R: Read>(input: &mut BufReader<R>) -> io::Result<Lines> {
    let mut lines = Vec::new();
    while lines.is_empty() || input.buffer().contains(&b'\n') {
        match boards::of_line(input)? {
            Some(line) => lines.push(line),
            None => break,
        }
    }
    Ok(lines)
}

/// The lines that have arrived, at least one; `None` at the end.
fn next_chunk(arriving: &Receiver<io::Result<Lines>>) -> io::Result<Option<Lines>> {
    let Ok(first) = arriving.recv() else { return Ok(None) };
    let mut chunk = first?;
    while !chunk.is_empty() && chunk.len() < CHUNK_LINES {
        match arriving.try_recv() {
            Ok(more) => chunk.append(&mut more?),
            Err(_) => break,
        }
    }
    Ok((!chunk.is_empty()).then_some(chunk))
}

type ChunkAnswers = Vec<Result<Answer, String>>;

fn answer_chunk(database: &Database, chunk: Lines, with_line: bool) -> ChunkAnswers {
    if with_line {
        let ask = |line: Result<Board, String>| {
            Answer::ask(database, line?, true).map_err(|error| error.to_string())
        };
        return chunk.into_par_iter().map(ask).collect();
    }
    let boards: Vec<_> = chunk.iter().filter_map(|line| line.as_ref().ok()).copied().collect();
    let mut moves = database.moves_batch(&boards).into_iter();
    let found: Vec<_> =
        chunk.into_iter().map(|line| line.map(|board| (board, moves.next()))).collect();
    found.into_par_iter().map(|line| answer(database, line?)).collect()
}

fn answer(
    database: &Database,
    (board, moves): (Board, Option<Result<Vec<MoveValue>, DatabaseError>>),
) -> Result<Answer, String> {
    let moves = moves.unwrap_or_else(|| database.moves(board));
    let mut answer = Answer::from_moves(database.rules(), board, moves.map_err(|e| e.to_string())?);
    answer.add_distance(database).map_err(|error| error.to_string())?;
    Ok(answer)
}

fn write_chunk(
    answers: &ChunkAnswers,
    lines_before: u64,
    json: bool,
    output: &mut Output,
) -> anyhow::Result<()> {
    let texts: Vec<_> = answers
        .par_iter()
        .enumerate()
        .map(|(place, answer)| text_of(answer, lines_before + place as u64 + 1, json))
        .collect();
    for (text, answer) in texts.iter().zip(answers) {
        match answer {
            Err(_) if !json => tell(text),
            _ => output.write_all(text.as_bytes())?,
        }
    }
    Ok(())
}

fn text_of(answer: &Result<Answer, String>, line: u64, json: bool) -> String {
    let mut text = Vec::new();
    let written = match answer {
        Ok(answer) if json => serde_json::to_writer(&mut text, answer).map_err(io::Error::from),
        Ok(answer) => answer.show_in_one_line(&mut text),
        Err(error) if json => {
            serde_json::to_writer(&mut text, &Failure { input_line: line, error })
                .map_err(io::Error::from)
        }
        Err(error) => write!(text, "line {line}: {error}"),
    };
    debug_assert!(written.is_ok(), "writing to memory does not fail");
    if json {
        text.push(b'\n');
    }
    String::from_utf8_lossy(&text).into_owned()
}
