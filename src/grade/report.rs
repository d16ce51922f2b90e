//! The report of a grading: all numbers that are printed, written as JSON or drawn.
//!
//! Definitions:
//!
//! - A position is *graded* if its moves are not all equal under the aim; the others are counted
//!   separately.
//! - `accuracy` is the number of perfect answers per graded position, `keeps_result` that of answers
//!   that keep the result (won, drawn or lost). A failed answer is neither.
//! - Losses are in seeds, over the graded positions that were answered.
//! - `safe` and `certainly_wrong` judge by bounds, which hold whatever settles endless play.
//! - `random_accuracy` is the expected accuracy of a uniformly random player on the same positions.
//! - Positions that were not asked are counted in `not_asked` only.
//!
//! Invariant: except for times, the report depends on the responses only.

use super::metrics::{Metrics, Observation, Tally, is_perfect};
use super::oracle::ExactMoves;
use super::player::Times;
use super::runner::Response;
use crate::game::Repetition;
use crate::rules::{BOARD_PITS, GameString, Rules};
use crate::search::Aim;
use crate::uci::{Failure, FailureKind};
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

/// The number of mistakes listed.
pub const MAX_MISTAKES: usize = 20;

/// The number of failures with a transcript.
pub const MAX_TRANSCRIPTS: usize = 20;

/// The number of players of recorded games that are counted by name; the moves of further ones are
/// those of [`OTHER_PLAYERS`].
pub const MAX_PLAYERS: usize = 1000;

/// The name for the players after the first [`MAX_PLAYERS`].
pub const OTHER_PLAYERS: &str = "(others)";

/// A position, the exact values of its moves, and the response to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GradedMove {
    /// The exact values of the moves.
    pub exact: ExactMoves,
    /// The response.
    pub response: Response,
    /// The origin of a recorded move.
    pub origin: Option<MoveOrigin>,
}

impl GradedMove {
    /// A response that does not come from a recorded game.
    #[must_use]
    pub const fn new(exact: ExactMoves, response: Response) -> Self {
        Self { exact, response, origin: None }
    }
}

/// The origin of a recorded move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveOrigin {
    /// The name of the player.
    pub player: String,
    /// The number of the game in its file, from 1.
    pub game: usize,
    /// The number of the move in the game, from 1.
    pub ply: usize,
}

impl fmt::Display for MoveOrigin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, game {}, move {}", self.player, self.game, self.ply)
    }
}

/// The head of a report: the player, the positions and the rules.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GradeHeader {
    /// The rule set.
    pub rules: String,
    /// The aim that defines a perfect move.
    #[serde(serialize_with = "aim_name")]
    pub aim: Aim,
    /// The name of the engine, or its command line if it has none.
    pub engine: String,
    /// The author of the engine.
    pub author: Option<String>,
    /// The command line of the engine.
    pub command: Option<String>,
    /// The limit as arguments of `go`: `depth 4`.
    pub limit: Option<String>,
    /// The division of endless play that the values assume: always `split`.
    pub endless_play: &'static str,
    /// The source of the positions: a sampling method or a file.
    pub source: String,
    /// The seed of the sample.
    pub seed: Option<u64>,
    /// The rules of the game that the engine has no option for, as option and value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules_not_set: Vec<String>,
    /// Games or boards of a file that could not be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u64>,
    /// Whether the run was stopped before its end.
    #[serde(skip_serializing_if = "is_false")]
    pub is_stopped: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

fn aim_name<S: Serializer>(aim: &Aim, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(aim.name())
}

impl GradeHeader {
    /// The header of a report on an engine, or on recorded games, whose positions come from `source`.
    #[must_use]
    pub fn new(
        rules: Rules,
        aim: Aim,
        engine: impl Into<String>,
        source: impl Into<String>,
    ) -> Self {
        Self {
            rules: rules.to_string(),
            aim,
            engine: engine.into(),
            author: None,
            command: None,
            limit: None,
            endless_play: Repetition::Split.name(),
            source: source.into(),
            seed: None,
            rules_not_set: Vec::new(),
            left_out: None,
            is_stopped: false,
        }
    }

    /// Sets the rules of the game that the engine has no option for.
    #[must_use]
    pub fn rules_not_set(mut self, rules: Vec<String>) -> Self {
        self.rules_not_set = rules;
        self
    }

    /// Sets the author of the engine.
    #[must_use]
    pub fn author(mut self, author: Option<String>) -> Self {
        self.author = author;
        self
    }

    /// Sets the command line of the engine.
    #[must_use]
    pub fn command(mut self, command: Option<String>) -> Self {
        self.command = command;
        self
    }

    /// Sets the limit, as arguments of `go`.
    #[must_use]
    pub fn limit(mut self, limit: Option<String>) -> Self {
        self.limit = limit;
        self
    }

    /// Sets the seed of the sample.
    #[must_use]
    pub const fn seed(mut self, seed: Option<u64>) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the number of games or boards of a file that could not be used.
    #[must_use]
    pub const fn left_out(mut self, left_out: Option<u64>) -> Self {
        self.left_out = left_out;
        self
    }

    /// Sets whether the run was stopped before its end.
    #[must_use]
    pub const fn stopped(mut self, is_stopped: bool) -> Self {
        self.is_stopped = is_stopped;
        self
    }

    /// The name of the engine and its limit.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.limit {
            Some(limit) => format!("{}, {limit}", self.engine),
            None => self.engine.clone(),
        }
    }
}

/// The metrics of one level.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LevelMetrics {
    /// Seeds on the boards.
    pub seeds: u8,
    /// The metrics.
    #[serde(flatten)]
    pub metrics: Metrics,
}

/// The metrics of the positions with the same number of perfect moves.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ChoiceMetrics {
    /// The number of perfect moves.
    pub perfect_moves: usize,
    /// The metrics.
    #[serde(flatten)]
    pub metrics: Metrics,
}

/// The metrics of one player of recorded games.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PlayerMetrics {
    /// The name of the player.
    pub player: String,
    /// The metrics.
    #[serde(flatten)]
    pub metrics: Metrics,
}

/// The number of answers with the same loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LossCount {
    /// Seeds lost.
    pub loss: u8,
    /// The number of answers.
    pub answers: u64,
}

/// An imperfect answer.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Mistake {
    /// The pits, the mover's row first.
    pub board: [u8; BOARD_PITS],
    /// The position as a game string.
    pub position: String,
    /// The origin of a recorded move: player, game, move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Seeds on the board.
    pub seeds: u8,
    /// The pit of the move, `A`–`F`.
    pub answer: String,
    /// The value of that move.
    pub answer_value: i8,
    /// The perfect moves.
    pub best: Vec<String>,
    /// The value of the perfect moves and of the board.
    pub value: i8,
    /// The difference of the values.
    pub loss: u8,
    /// Whether the result stayed the same.
    pub keeps_result: bool,
}

/// A failure of an engine.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FailureReport {
    /// The kind of failure.
    pub kind: FailureKind,
    /// A description in words.
    pub message: String,
    /// The position as a game string.
    pub position: String,
    /// The lines exchanged; `null` after the first [`MAX_TRANSCRIPTS`] failures.
    pub transcript: Option<Vec<String>>,
}

impl FailureReport {
    /// The report of failure `number`, counted from 0.
    pub(super) fn new(failure: &Failure, position: &GameString, number: usize) -> Self {
        Self {
            kind: failure.kind,
            message: failure.message.clone(),
            position: position.to_string(),
            transcript: (number < MAX_TRANSCRIPTS).then(|| failure.transcript.clone()),
        }
    }
}

/// The report of a grading.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GradeReport {
    /// The player, the positions and the rules.
    #[serde(flatten)]
    pub header: GradeHeader,
    /// The metrics of all positions.
    #[serde(flatten)]
    pub metrics: Metrics,
    /// Positions that were not asked, because the run stopped.
    pub not_asked: u64,
    /// The mean time per answer, in milliseconds.
    pub time_mean_ms: Option<f64>,
    /// The maximum time of an answer, in milliseconds.
    pub time_longest_ms: Option<f64>,
    /// The metrics by seeds on the board.
    pub by_level: Vec<LevelMetrics>,
    /// The metrics by number of perfect moves, over graded positions.
    pub by_perfect_moves: Vec<ChoiceMetrics>,
    /// The metrics by player of recorded games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_player: Vec<PlayerMetrics>,
    /// The number of answers by loss, over graded positions.
    pub losses: Vec<LossCount>,
    /// The worst mistakes, worst first.
    pub worst: Vec<Mistake>,
    /// The failures of the engine.
    pub failures: Vec<FailureReport>,
}

impl GradeReport {
    /// Computes the report of some responses.
    #[must_use]
    pub fn new(header: GradeHeader, graded: &[GradedMove]) -> Self {
        let mut counts = GradeCounts::new(header.aim);
        graded.iter().for_each(|each| counts.add(each));
        counts.report(header)
    }
}

/// The running counts of a grading: what [`GradeReport`] needs of each response, so that the responses
/// need not be kept.
#[derive(Default)]
pub struct GradeCounts {
    aim: Aim,
    all: Tally,
    by_level: BTreeMap<u8, Tally>,
    by_choice: BTreeMap<usize, Tally>,
    by_player: BTreeMap<String, Tally>,
    losses: BTreeMap<u8, u64>,
    times: Times,
    not_asked: u64,
    worst: Vec<Mistake>,
    failures: Vec<FailureReport>,
}

impl fmt::Debug for GradeCounts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("GradeCounts").field("aim", &self.aim).finish_non_exhaustive()
    }
}

impl GradeCounts {
    /// No responses yet.
    #[must_use]
    pub fn new(aim: Aim) -> Self {
        Self { aim, ..Self::default() }
    }

    /// Counts a response.
    pub fn add(&mut self, each: &GradedMove) {
        let verdict = match &each.response {
            Response::NotAsked => {
                self.not_asked += 1;
                return;
            }
            Response::Failed(failure) => {
                let (position, number) = (each.exact.position(), self.failures.len());
                self.failures.push(FailureReport::new(failure, position, number));
                None
            }
            Response::Move(answer) => {
                self.times.add(answer.time);
                each.exact.judge(answer.pit)
            }
        };
        let seen = Observation::new(&each.exact, verdict, self.aim);
        self.all.count(&seen);
        self.by_level.entry(each.exact.position().board.seeds()).or_default().count(&seen);
        if let Some(origin) = &each.origin {
            self.tally_of_player(&origin.player).count(&seen);
        }
        self.worst.extend(Mistake::of(each, self.aim));
        if self.worst.len() > 2 * MAX_MISTAKES {
            self.keep_worst();
        }
        if seen.all_equal {
            return;
        }
        self.by_choice.entry(each.exact.perfect(self.aim).count()).or_default().count(&seen);
        if let Some(verdict) = verdict {
            *self.losses.entry(verdict.loss).or_default() += 1;
        }
    }

    fn tally_of_player(&mut self, player: &str) -> &mut Tally {
        let is_kept = self.by_player.len() < MAX_PLAYERS || self.by_player.contains_key(player);
        let name = if is_kept { player } else { OTHER_PLAYERS };
        self.by_player.entry(name.to_owned()).or_default()
    }

    /// Sorts the mistakes, worst first, and drops what is not listed. Under [`Aim::Result`] those that
    /// changed the result come first. The sort is stable: equal mistakes stay in the order of the
    /// positions.
    fn keep_worst(&mut self) {
        let aim = self.aim;
        self.worst.sort_by_key(|of| Reverse((aim == Aim::Result && !of.keeps_result, of.loss)));
        self.worst.truncate(MAX_MISTAKES);
    }

    /// The report. Times are those of searches with a limit.
    #[must_use]
    pub fn report(mut self, header: GradeHeader) -> GradeReport {
        self.keep_worst();
        let times = if header.limit.is_some() { self.times } else { Times::default() };
        let by_level = self.by_level.into_iter();
        let by_choice = self.by_choice.into_iter();
        let by_player = self.by_player.into_iter();
        GradeReport {
            header,
            metrics: self.all.metrics(),
            not_asked: self.not_asked,
            time_mean_ms: times.mean(),
            time_longest_ms: times.longest(),
            by_level: by_level
                .map(|(seeds, tally)| LevelMetrics { seeds, metrics: tally.metrics() })
                .collect(),
            by_perfect_moves: by_choice
                .map(|(perfect_moves, tally)| ChoiceMetrics {
                    perfect_moves,
                    metrics: tally.metrics(),
                })
                .collect(),
            by_player: by_player
                .map(|(player, tally)| PlayerMetrics { player, metrics: tally.metrics() })
                .collect(),
            losses: self
                .losses
                .into_iter()
                .map(|(loss, answers)| LossCount { loss, answers })
                .collect(),
            worst: self.worst,
            failures: self.failures,
        }
    }
}

impl Mistake {
    /// The mistake of a response; `None` if it is perfect or no move.
    fn of(each: &GradedMove, aim: Aim) -> Option<Self> {
        let Response::Move(answer) = &each.response else { return None };
        let verdict = each.exact.judge(answer.pit)?;
        if is_perfect(verdict, aim) {
            return None;
        }
        let position = each.exact.position();
        Some(Self {
            board: position.board.pits(),
            position: position.to_string(),
            origin: each.origin.as_ref().map(MoveOrigin::to_string),
            seeds: position.board.seeds(),
            answer: answer.pit.to_string(),
            answer_value: verdict.value.get(),
            best: each.exact.perfect(aim).map(|pit| pit.to_string()).collect(),
            value: each.exact.best().get(),
            loss: verdict.loss,
            keeps_result: verdict.keeps_result,
        })
    }
}
