//! Where results go, and what becomes of a reader that leaves or a disk that is full.

use crate::program::{left_out, tables_to_9};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

fn query_from_input() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("oware"));
    command.args(["query", "-", "--json", "--tables"]).arg(tables_to_9());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

const LINE: &[u8] = b"1 0 0 0 0 0 0 0 0 0 0 1\n";

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let mut query = query_from_input().spawn().expect("the program starts");
    let mut input = query.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || while input.write_all(LINE).is_ok() {});
    let mut first = String::new();
    let mut output = BufReader::new(query.stdout.take().expect("piped"));
    output.read_line(&mut first).expect("a line");
    assert!(first.starts_with("{\"rules\""), "{first}");
    drop(output);
    let ended = query.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(0));
    assert!(ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
    writer.join().expect("the writer sees the end");
}

#[test]
fn a_program_can_ask_and_read_in_turns() {
    let mut query = query_from_input().spawn().expect("the program starts");
    let mut input = query.stdin.take().expect("piped");
    let mut output = BufReader::new(query.stdout.take().expect("piped"));
    for _ in 0..3 {
        input.write_all(LINE).expect("a question");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("an answer");
        assert!(answer.contains("\"seeds\":2"), "{answer}");
    }
    drop(input);
    assert!(query.wait().expect("it ends").success());
}

#[test]
fn results_that_cannot_be_written_are_a_failure() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return left_out("results that cannot be written: there is no /dev/full");
    };
    let mut command = query_from_input();
    command.stdout(full);
    let mut query = command.spawn().expect("the program starts");
    query.stdin.take().expect("piped").write_all(LINE).expect("a question");
    let ended = query.wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{message}");
    assert!(message.starts_with("oware: ") && message.lines().count() == 1, "{message}");
}
