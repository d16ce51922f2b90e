//! Failures: one line on standard error and an exit status.

use super::advice;
use super::output::Output;
use clap::error::{ContextKind, ErrorKind};
use oware::build::BuildError;
use oware::verify::VerifyError;
use std::error::Error;
use std::io::{self, Write};
use std::num::{ParseFloatError, ParseIntError};
use std::process::ExitCode;

const FAILED: u8 = 1;
const WRONG_USAGE: u8 = 2;
/// What shells report of a program that SIGINT ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// Wrong usage that is found after the arguments have been read: exit status 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WrongUsage(pub(crate) String);

/// A failure whose messages have been written: exit status 1 without a further line.
#[derive(Debug, thiserror::Error)]
#[error("failed")]
pub(crate) struct AlreadyReported;

/// A signal ended the work early: exit status 130. The text says what is kept.
#[derive(Debug, thiserror::Error)]
#[error("stopped: {0}")]
pub(crate) struct Interrupted(pub(crate) String);

/// Writes one line to standard error. A closed standard error is ignored.
pub(crate) fn warn(message: impl std::fmt::Display) {
    let line = one_line(&message.to_string());
    let _ = writeln!(io::stderr().lock(), "oware: {line}");
}

/// The exit status of a command, such as `oware query`. Writes the message of its failure.
pub(crate) fn status(result: anyhow::Result<()>, command: &str, output: &Output) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if output.reader_left() {
        return ExitCode::SUCCESS;
    }
    if error.is::<AlreadyReported>() {
        return ExitCode::from(FAILED);
    }
    let status = status_of(&error);
    let help = if status == WRONG_USAGE { see_help(command) } else { String::new() };
    warn(format!("{}{help}", chain(&error)));
    ExitCode::from(status)
}

fn status_of(error: &anyhow::Error) -> u8 {
    let is_stopped = matches!(error.downcast_ref(), Some(BuildError::Stopped))
        || matches!(error.downcast_ref(), Some(VerifyError::Stopped));
    match () {
        () if error.is::<WrongUsage>() => WRONG_USAGE,
        () if is_stopped || error.is::<Interrupted>() => INTERRUPTED,
        () => FAILED,
    }
}

fn see_help(command: &str) -> String {
    format!(" (see '{command} --help')")
}

/// The exit status when the arguments of a command cannot be parsed, or request help.
pub(crate) fn of_parsing(error: &clap::Error, command: &str) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(WRONG_USAGE)
        }
        _ => {
            warn(format!("{}{}", problem(error, command), see_help(command)));
            ExitCode::from(WRONG_USAGE)
        }
    }
}

/// An error, its causes and advice. A cause that is part of the text before it is left out.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    if let Some(advice) = error.chain().find_map(advice::of) {
        text = format!("{text}: {advice}");
    }
    text
}

/// The message of clap before its usage, in one line.
fn problem(error: &clap::Error, command: &str) -> String {
    let argument = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    if error.kind() == ErrorKind::UnknownArgument
        && argument
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|mark: char| mark.is_ascii_digit()))
    {
        let which = if command == "oware query" { "a board has" } else { "there are" };
        return format!("'{argument}' starts with a dash: {which} no negative numbers");
    }
    if error.kind() == ErrorKind::ValueValidation
        && let Some(reason) = error.source()
    {
        let value =
            error.get(ContextKind::InvalidValue).map(ToString::to_string).unwrap_or_default();
        return format!("{argument}: {}", what_is_wrong(reason, &value));
    }
    if error.kind() == ErrorKind::InvalidValue && argument.starts_with("--tables") {
        return "--tables (or OWARE_TABLES) is empty: name a folder".to_owned();
    }
    let text = error.to_string();
    let before_usage = text.split("\n\nUsage:").next().expect("split gives at least one part");
    let before_usage = before_usage
        .split("\n\nFor more information")
        .next()
        .expect("split gives at least one part");
    let paragraphs = before_usage.split("\n\n").map(one_line);
    let message = paragraphs.collect::<Vec<_>>().join("; ");
    message.strip_prefix("error: ").unwrap_or(&message).to_owned()
}

/// The reason why the value of an argument is invalid. The standard library's messages about numbers
/// do not name the number.
fn what_is_wrong(reason: &(dyn Error + 'static), value: &str) -> String {
    if reason.is::<ParseIntError>() {
        format!("'{value}' is not a whole number, or too large")
    } else if reason.is::<ParseFloatError>() {
        format!("'{value}' is not a number")
    } else {
        reason.to_string()
    }
}

fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}
