//! The client side: an external engine that is asked for moves.
//!
//! [`Client`] starts a program, performs the handshake and asks for moves:
//!
//! ```text
//! > uci                               < id name …, id author …, option name …, uciok
//! > setoption name Rules value R        (also Repetition and PlayOn, if they are offered)
//! > setoption name N value V
//! > ucinewgame
//! > isready                           < readyok
//! > position startpos|fen G [moves FfEc]
//! > go depth N | movetime MS          < info …, bestmove F [ponder c] (0000: no move)
//! ```
//!
//! Invariants: every wait has a deadline. A program that failed for good is not used again.
//! `isready` precedes every search, so that a late or repeated answer is never taken for the answer
//! to the next search.

use super::child_process::{CommandLine, NextLine, Process};
use super::engine_group::RunningEngines;
use super::protocol::{Command, Limit, NO_MOVE, OptionDeclaration, Reply, parse_move};
use crate::game::{GameSetup, Repetition};
use crate::rules::{GameString, Pit, Rules};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The most options of an engine that are kept.
const MAX_OPTIONS: usize = 1000;
/// The most characters of a name that are kept.
const MAX_NAME_CHARS: usize = 100;

/// The time after which a silent engine counts as hanging.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Timeouts {
    /// For `uciok`, from the start of the program.
    pub handshake: Duration,
    /// For `readyok`.
    pub ready: Duration,
    /// For `bestmove`, in addition to the time of the search.
    pub answer: Duration,
    /// For the program to exit after `quit`.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self::new()
    }
}

impl Timeouts {
    /// 20 s for the handshake, 10 s for `readyok`, 30 s for `bestmove`, half a second after `quit`.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            handshake: Duration::from_secs(20),
            ready: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            quit: Duration::from_millis(500),
        }
    }

    /// Sets the time for `uciok`.
    #[must_use]
    pub const fn handshake(mut self, handshake: Duration) -> Self {
        self.handshake = handshake;
        self
    }

    /// Sets the time for `readyok`.
    #[must_use]
    pub const fn ready(mut self, ready: Duration) -> Self {
        self.ready = ready;
        self
    }

    /// Sets the time for `bestmove`, in addition to the time of the search.
    #[must_use]
    pub const fn answer(mut self, answer: Duration) -> Self {
        self.answer = answer;
        self
    }

    /// Sets the time for the program to exit after `quit`.
    #[must_use]
    pub const fn quit(mut self, quit: Duration) -> Self {
        self.quit = quit;
        self
    }
}

/// The kind of a [`Failure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FailureKind {
    /// The program could not be started.
    NoStart,
    /// `uciok` did not come in time.
    NoHandshake,
    /// The program exited.
    Crash,
    /// The program closed its standard output but still runs.
    ClosedOutput,
    /// An answer did not come in time.
    Hang,
    /// `bestmove` was not followed by a move.
    Garbage,
    /// The move is against the rules.
    IllegalMove,
    /// The answer was `bestmove 0000` although there is a legal move.
    NoMove,
}

impl FailureKind {
    /// The name used in reports, such as `illegal-move`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoStart => "no-start",
            Self::NoHandshake => "no-handshake",
            Self::Crash => "crash",
            Self::ClosedOutput => "closed-output",
            Self::Hang => "hang",
            Self::Garbage => "garbage",
            Self::IllegalMove => "illegal-move",
            Self::NoMove => "no-move",
        }
    }

    /// Whether the program can be asked again.
    #[must_use]
    pub const fn is_recoverable(self) -> bool {
        matches!(self, Self::Garbage | Self::IllegalMove | Self::NoMove)
    }
}

/// A failure of an external engine.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}: {message}", .kind.name())]
#[non_exhaustive]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// A description in words.
    pub message: String,
    /// The lines exchanged before, as [`Transcript`](super::Transcript) keeps them.
    pub transcript: Vec<String>,
}

/// The name and the author that an engine sends in the handshake, and what it could not be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identity {
    /// The text of `id name`.
    pub name: Option<String>,
    /// The text of `id author`.
    pub author: Option<String>,
    /// The rules of the game that the engine has no option for, as option and value: `Rules awari`.
    /// It must play by them of its own accord.
    pub untold: Vec<String>,
}

/// A move of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The chosen pit.
    pub pit: Pit,
    /// The time from `go` to `bestmove`.
    pub time: Duration,
}

/// An external engine, running and ready.
#[derive(Debug)]
pub struct Client {
    process: Process,
    identity: Identity,
    timeouts: Timeouts,
    rules: Rules,
}

impl Client {
    /// Starts a program as one of `engines`, performs the handshake, and sets the rules of the game
    /// and `options` (name and value). The options come last and win.
    ///
    /// # Errors
    /// [`FailureKind::NoStart`], [`FailureKind::NoHandshake`], [`FailureKind::Crash`] or
    /// [`FailureKind::ClosedOutput`].
    pub fn start(
        command: &CommandLine,
        setup: GameSetup,
        options: &[(String, String)],
        timeouts: Timeouts,
        engines: &RunningEngines,
    ) -> Result<Self, Failure> {
        let process = Process::start(command, engines).map_err(|source| Failure {
            kind: FailureKind::NoStart,
            message: format!("cannot start '{}': {source}", command.program),
            transcript: Vec::new(),
        })?;
        let identity = Identity::default();
        let mut client = Self { process, identity, timeouts, rules: setup.rules };
        let offered = client.handshake()?;
        let is_given = |rule: &str| options.iter().any(|(name, _)| name.eq_ignore_ascii_case(rule));
        for rule in rules_of_game(setup).iter().filter(|rule| !is_given(rule.option)) {
            client.tell(rule, &offered);
        }
        for (name, value) in options {
            client.send(&Command::SetOption { name: name.clone(), value: value.clone() });
        }
        Ok(client)
    }

    /// The identity that the engine sent in the handshake.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Begins a new game, unrelated to the searches before.
    pub fn new_game(&mut self) {
        self.send(&Command::NewGame);
    }

    /// Asks for a move in the game that began at `start` and continued with `moves`. `now` is the
    /// position after them, which must have a legal move.
    ///
    /// # Errors
    /// [`Failure`], with the transcript; see [`FailureKind::is_recoverable`].
    pub fn ask(
        &mut self,
        start: &GameString,
        moves: &str,
        now: &GameString,
        limit: Limit,
    ) -> Result<Answer, Failure> {
        self.synchronise()?;
        self.send(&Command::position(start, moves));
        self.send(&Command::Go(limit.into()));
        let began = Instant::now();
        let thinking = match limit {
            Limit::Depth(_) => Duration::ZERO,
            Limit::MoveTime(time) => time,
        };
        let deadline = began + thinking + self.timeouts.answer;
        let chosen = self
            .wait_for(deadline, |reply| match reply {
                Reply::BestMove { chosen, .. } => Some(chosen),
                _ => None,
            })
            .map_err(|silence| self.no_answer(silence, "bestmove", began))?;
        let time = began.elapsed();
        let pit = self.legal_move(&chosen, now)?;
        Ok(Answer { pit, time })
    }

    fn send(&mut self, command: &Command) {
        self.process.send(&command.to_string());
    }

    /// Sets a rule of the game if the engine offers an option for it.
    fn tell(&mut self, rule: &RuleOfGame, offered: &[OptionDeclaration]) {
        let option = offered.iter().find(|option| option.name.eq_ignore_ascii_case(rule.option));
        match option.map(|option| (option, option.kind.spelling(rule.value))) {
            Some((option, Some(value))) => {
                self.send(&Command::SetOption { name: option.name.clone(), value });
            }
            None if rule.is_usual => {}
            None | Some((_, None)) => {
                self.identity.untold.push(format!("{} {}", rule.option, rule.value));
            }
        }
    }

    /// Returns the options that the engine offers.
    fn handshake(&mut self) -> Result<Vec<OptionDeclaration>, Failure> {
        self.send(&Command::Uci);
        let timeout = self.timeouts.handshake;
        let mut identity = Identity::default();
        let mut offered = Vec::new();
        let ended = self.wait_for(Instant::now() + timeout, |reply| match reply {
            Reply::UciOk => Some(()),
            Reply::Name(name) => {
                identity.name = Some(shortened(&name));
                None
            }
            Reply::Author(author) => {
                identity.author = Some(shortened(&author));
                None
            }
            Reply::Option(option) if offered.len() < MAX_OPTIONS => {
                offered.push(option);
                None
            }
            _ => None,
        });
        self.identity = identity;
        ended.map(|()| offered).map_err(|silence| match silence {
            Silence::Timeout => {
                let message = format!("no 'uciok' in {} s", timeout.as_secs_f64());
                self.failure(FailureKind::NoHandshake, message)
            }
            Silence::Closed => self.closed(),
        })
    }

    fn synchronise(&mut self) -> Result<(), Failure> {
        self.send(&Command::IsReady);
        let began = Instant::now();
        self.wait_for(began + self.timeouts.ready, |reply| (reply == Reply::ReadyOk).then_some(()))
            .map_err(|silence| self.no_answer(silence, "readyok", began))
    }

    /// Reads lines until `wanted` accepts one.
    fn wait_for<T>(
        &mut self,
        deadline: Instant,
        mut wanted: impl FnMut(Reply) -> Option<T>,
    ) -> Result<T, Silence> {
        loop {
            let line = match self.process.next_line(deadline) {
                NextLine::Line(line) => line,
                NextLine::Timeout => return Err(Silence::Timeout),
                NextLine::Closed => return Err(Silence::Closed),
            };
            if let Some(found) = Reply::parse(&line).and_then(&mut wanted) {
                // What comes before the question is no answer to it.
                let is_asked = self.process.has_room_by(deadline);
                return if is_asked { Ok(found) } else { Err(Silence::Timeout) };
            }
            // An engine that writes without a pause never lets `next_line` time out.
            if Instant::now() > deadline {
                return Err(Silence::Timeout);
            }
        }
    }

    /// The pit that the word after `bestmove` stands for.
    fn legal_move(&self, word: &str, now: &GameString) -> Result<Pit, Failure> {
        let fail = |kind, message| Err(self.failure(kind, message));
        if word.is_empty() {
            return fail(FailureKind::Garbage, "'bestmove' without a move".to_owned());
        }
        if word == NO_MOVE {
            let message = format!("'bestmove {NO_MOVE}' although there is a legal move");
            return fail(FailureKind::NoMove, message);
        }
        let Some((pit, side)) = parse_move(word) else {
            let word = shortened(word);
            return fail(FailureKind::Garbage, format!("'bestmove {word}' is not a move"));
        };
        if side != now.turn {
            let message = format!("'{word}' is a pit of {side:?}'s, who is not to move");
            return fail(FailureKind::IllegalMove, message);
        }
        if !self.rules.moves(now.board).any(|(legal, _)| legal == pit) {
            let message = format!("'{word}' is not a legal move of {}", self.rules);
            return fail(FailureKind::IllegalMove, message);
        }
        Ok(pit)
    }

    /// The failure of a program that did not send the line that begins with `word`.
    fn no_answer(&mut self, silence: Silence, word: &str, began: Instant) -> Failure {
        match silence {
            Silence::Timeout => {
                let waited = began.elapsed().as_secs_f64();
                let why = match self.process.leaves_lines_unread() {
                    true => ": the engine does not read its input",
                    false => "",
                };
                self.failure(FailureKind::Hang, format!("no '{word}' in {waited:.1} s{why}"))
            }
            Silence::Closed => self.closed(),
        }
    }

    /// The failure of a program whose standard output has ended.
    fn closed(&mut self) -> Failure {
        match self.process.exit_status() {
            Some(status) => self.failure(FailureKind::Crash, format!("the engine ended: {status}")),
            None => {
                let message = "the engine closed its standard output".to_owned();
                self.failure(FailureKind::ClosedOutput, message)
            }
        }
    }

    fn failure(&self, kind: FailureKind, message: String) -> Failure {
        Failure { kind, message, transcript: self.process.transcript().lines() }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.send(&Command::Quit);
        self.process.close(self.timeouts.quit);
    }
}

/// A rule of the game that an engine may have an option for.
struct RuleOfGame {
    option: &'static str,
    value: &'static str,
    /// Whether an engine without the option can be expected to play by it.
    is_usual: bool,
}

fn rules_of_game(setup: GameSetup) -> [RuleOfGame; 3] {
    let GameSetup { rules, repetition, plays_on, .. } = setup;
    [
        RuleOfGame { option: "Rules", value: rules.name(), is_usual: false },
        RuleOfGame {
            option: "Repetition",
            value: repetition.name(),
            is_usual: repetition == Repetition::of_rules(rules),
        },
        RuleOfGame {
            option: "PlayOn",
            value: if plays_on { "true" } else { "false" },
            is_usual: !plays_on,
        },
    ]
}

/// The beginning of a text of an engine, for one line of a report.
fn shortened(text: &str) -> String {
    let mut start: String = text.chars().take(MAX_NAME_CHARS).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

/// The reason why an expected line did not come.
enum Silence {
    Timeout,
    Closed,
}
