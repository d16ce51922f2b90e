//! The conversation with an engine, in the dialect of UCI that oware programs speak.
//!
//! The dialect is that of Joan Sala's engines (joansalasoler/samurai, `com.joansala.uci`):
//!
//! ```text
//! > uci                               < id name …, id author …, option name …, uciok
//! > setoption name N value V
//! > ucinewgame
//! > isready                           < readyok
//! > position startpos|fen G [moves FfEc]
//! > go depth N | movetime MS          < info …, bestmove F [ponder c] (0000: no move)
//! ```
//!
//! `G` is a 15-field game string; South's moves are `A`–`F`, North's `a`–`f`. Invariants: every
//! wait has a deadline; an engine that failed is not spoken to again; `isready` stands before every
//! question, so that a late or doubled answer is never taken for the answer to the next one.

use super::process::{EngineCommand, Next, Process};
use crate::rules::{Board, GameString, Pit, Rules, Side};
use serde::Serialize;
use std::fmt;
use std::time::{Duration, Instant};

/// How long an engine may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Plies of search.
    Depth(u32),
    /// Time for a move.
    MoveTime(Duration),
}

impl fmt::Display for Limit {
    /// The arguments of `go`: `depth 4` or `movetime 100`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(plies) => write!(out, "depth {plies}"),
            Self::MoveTime(time) => write!(out, "movetime {}", time.as_millis()),
        }
    }
}

/// How long we wait before an engine counts as hanging.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For `uciok`, from the start of the program.
    pub handshake: Duration,
    /// For `readyok`.
    pub ready: Duration,
    /// For `bestmove`, beyond the time given to think.
    pub answer: Duration,
    /// For the program to end after `quit`.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            handshake: Duration::from_secs(20),
            ready: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            quit: Duration::from_millis(500),
        }
    }
}

/// What went wrong with an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FailureKind {
    /// The program could not be started.
    NoStart,
    /// No `uciok` in time.
    NoHandshake,
    /// The program ended.
    Crash,
    /// The program runs on but closed its standard output.
    ClosedOutput,
    /// No answer in time.
    Hang,
    /// `bestmove` without a move that can be read.
    Garbage,
    /// A move that the rules forbid.
    IllegalMove,
    /// `bestmove 0000` although there is a legal move.
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

    /// Whether the engine is still in step with us and can be asked again.
    #[must_use]
    pub const fn leaves_engine_usable(self) -> bool {
        matches!(self, Self::Garbage | Self::IllegalMove | Self::NoMove)
    }
}

/// A failure of an engine, with what was said before.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}: {message}", .kind.name())]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// The same in words.
    pub message: String,
    /// The conversation, as [`Transcript`](super::Transcript) keeps it.
    pub transcript: Vec<String>,
}

/// How an engine introduces itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its `id name`.
    pub name: Option<String>,
    /// Its `id author`.
    pub author: Option<String>,
}

/// A move and the time it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The pit chosen.
    pub pit: Pit,
    /// From `go` to `bestmove`.
    pub time: Duration,
}

/// A running engine that has introduced itself.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    identity: Identity,
    patience: Patience,
    rules: Rules,
}

impl Engine {
    /// Starts a program, waits for its introduction and sets `options` (name and value).
    ///
    /// # Errors
    /// [`FailureKind::NoStart`], [`FailureKind::NoHandshake`], [`FailureKind::Crash`] or
    /// [`FailureKind::ClosedOutput`].
    pub fn start(
        command: &EngineCommand,
        rules: Rules,
        options: &[(String, String)],
        patience: Patience,
    ) -> Result<Self, Failure> {
        let process = Process::start(command).map_err(|source| Failure {
            kind: FailureKind::NoStart,
            message: format!("cannot start '{}': {source}", command.program),
            transcript: Vec::new(),
        })?;
        let mut engine = Self { process, identity: Identity::default(), patience, rules };
        engine.introduce()?;
        for (name, value) in options {
            engine.process.say(&format!("setoption name {name} value {value}"));
        }
        Ok(engine)
    }

    /// How the engine introduced itself.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Tells the engine that what follows has nothing to do with what was before.
    pub fn new_game(&mut self) {
        self.process.say("ucinewgame");
    }

    /// Asks for a move in the game that began at `start` and went on with `moves`; `turn` is the
    /// board and side to move now, which must have a legal move.
    ///
    /// # Errors
    /// The [`Failure`], with the conversation; see [`FailureKind::leaves_engine_usable`].
    pub fn ask(
        &mut self,
        start: &GameString,
        moves: &str,
        now: &GameString,
        limit: Limit,
    ) -> Result<Answer, Failure> {
        self.synchronise()?;
        self.process.say(&position_command(start, moves));
        self.process.say(&format!("go {limit}"));
        let asked = Instant::now();
        let thinking = match limit {
            Limit::Depth(_) => Duration::ZERO,
            Limit::MoveTime(time) => time,
        };
        let words = self.wait_for("bestmove", asked + thinking + self.patience.answer)?;
        let time = asked.elapsed();
        let pit = self.read_move(&words, now)?;
        Ok(Answer { pit, time })
    }

    fn introduce(&mut self) -> Result<(), Failure> {
        let deadline = Instant::now() + self.patience.handshake;
        self.process.say("uci");
        loop {
            let line = match self.process.next(deadline) {
                Next::Line(line) => line,
                Next::Late => {
                    let waited = self.patience.handshake.as_secs_f64();
                    return Err(
                        self.failure(FailureKind::NoHandshake, format!("no 'uciok' in {waited} s"))
                    );
                }
                Next::Closed => return Err(self.gone()),
            };
            let line = line.trim();
            if line.split_whitespace().next() == Some("uciok") {
                return Ok(());
            }
            let told = |key: &str| {
                let text = line.strip_prefix(key)?.trim();
                (!text.is_empty()).then(|| text.to_owned())
            };
            if let Some(name) = told("id name ") {
                self.identity.name = Some(name);
            } else if let Some(author) = told("id author ") {
                self.identity.author = Some(author);
            }
        }
    }

    fn synchronise(&mut self) -> Result<(), Failure> {
        self.process.say("isready");
        self.wait_for("readyok", Instant::now() + self.patience.ready).map(drop)
    }

    /// Skips lines until one begins with `word`; returns the rest of that line, in words.
    fn wait_for(&mut self, word: &str, deadline: Instant) -> Result<Vec<String>, Failure> {
        let began = Instant::now();
        loop {
            match self.process.next(deadline) {
                Next::Line(line) => {
                    let mut words = line.split_whitespace();
                    if words.next() == Some(word) {
                        return Ok(words.map(str::to_owned).collect());
                    }
                    // A flood without a pause never comes to the deadline by waiting.
                    if Instant::now() > deadline {
                        return Err(self.hanging(word, began));
                    }
                }
                Next::Late => return Err(self.hanging(word, began)),
                Next::Closed => return Err(self.gone()),
            }
        }
    }

    fn read_move(&self, words: &[String], now: &GameString) -> Result<Pit, Failure> {
        let fail = |kind, message| Err(self.failure(kind, message));
        let Some(word) = words.first() else {
            return fail(FailureKind::Garbage, "'bestmove' without a move".to_owned());
        };
        if word == "0000" {
            let message = "'bestmove 0000' although there is a legal move".to_owned();
            return fail(FailureKind::NoMove, message);
        }
        let Some((pit, side)) = read_pit(word) else {
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

    fn hanging(&self, word: &str, began: Instant) -> Failure {
        let waited = began.elapsed().as_secs_f64();
        self.failure(FailureKind::Hang, format!("no '{word}' in {waited:.1} s"))
    }

    /// The failure of an engine whose output has ended.
    fn gone(&mut self) -> Failure {
        match self.process.ending() {
            Some(how) => self.failure(FailureKind::Crash, format!("the engine ended: {how}")),
            None => {
                let message = "the engine closed its standard output".to_owned();
                self.failure(FailureKind::ClosedOutput, message)
            }
        }
    }

    fn failure(&self, kind: FailureKind, message: String) -> Failure {
        Failure { kind, message, transcript: self.process.transcript.lines() }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.process.part(self.patience.quit);
    }
}

/// The position that `startpos` means.
const START: GameString =
    GameString { board: Board::START, south_store: 0, north_store: 0, turn: Side::South };

/// The `position` line for a game that began at `start` and went on with `moves`.
fn position_command(start: &GameString, moves: &str) -> String {
    let mut line = String::from("position ");
    if *start == START {
        line.push_str("startpos");
    } else {
        line.push_str("fen ");
        line.push_str(&start.to_string());
    }
    if !moves.is_empty() {
        line.push_str(" moves ");
        line.push_str(moves);
    }
    line
}

/// Reads a move: one letter, South's large and North's small.
fn read_pit(word: &str) -> Option<(Pit, Side)> {
    let mut letters = word.chars();
    let letter = letters.next()?;
    if letters.next().is_some() {
        return None;
    }
    let side = if letter.is_ascii_uppercase() { Side::South } else { Side::North };
    Some((Pit::from_letter(letter)?, side))
}
