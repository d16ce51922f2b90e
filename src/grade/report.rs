//! The report of a grading: every number that is printed, written as JSON or drawn.
//!
//! Definitions. A position is *graded* when its moves are not all equal under the aim; the others
//! are counted apart. `accuracy` is perfect answers by graded positions, `keeps_result` answers
//! that keep won, drawn or lost by graded positions; a failed answer counts as neither. Losses are
//! in seeds, over the graded positions that were answered. `random_accuracy` is the accuracy that a
//! uniformly random player can expect on the same positions, from the tables alone. Positions that
//! were not asked any more count nowhere but in `not_asked`.
//!
//! Invariant: the report depends on the answers only; times are the one exception.

use super::metrics::{Metrics, Observation, Tally, is_perfect};
use super::oracle::ExactMoves;
use super::player::Times;
use super::runner::Response;
use crate::rules::{BOARD_PITS, GameString};
use crate::search::Aim;
use crate::uci::{Failure, FailureKind};
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

/// Mistakes listed.
pub const MAX_MISTAKES: usize = 20;

/// Failures whose conversations are kept.
pub const MAX_TRANSCRIPTS: usize = 20;

/// A position, the exact values of its moves, and the response to it.
#[derive(Clone, Debug)]
pub struct GradedMove {
    /// What the tables say.
    pub exact: ExactMoves,
    /// What was answered.
    pub response: Response,
    /// Which recorded move it is, when it is one.
    pub origin: Option<MoveOrigin>,
}

/// Where a recorded move was played and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveOrigin {
    /// The player's name.
    pub player: String,
    /// The game in its file, from 1.
    pub game: usize,
    /// The move in the game, from 1.
    pub ply: usize,
}

impl fmt::Display for MoveOrigin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, game {}, move {}", self.player, self.game, self.ply)
    }
}

/// What was graded and how.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GradeHeader {
    /// The rule set.
    pub rules: String,
    /// What a perfect move is measured by.
    #[serde(serialize_with = "aim_name")]
    pub aim: Aim,
    /// The engine by its own name, or by its command line.
    pub engine: String,
    /// The engine's author, when it tells.
    pub author: Option<String>,
    /// The command line.
    pub command: Option<String>,
    /// The limit, as in `go`: `depth 4`.
    pub limit: Option<String>,
    /// How the values share out endless play: always `split`.
    pub endless_play: &'static str,
    /// Where the positions come from.
    pub source: String,
    /// The seed of the sample.
    pub seed: Option<u64>,
}

fn aim_name<S: Serializer>(aim: &Aim, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(aim.name())
}

impl GradeHeader {
    /// The engine with its limit.
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
pub struct LevelMetrics {
    /// Seeds on the boards.
    pub seeds: u8,
    /// The metrics.
    #[serde(flatten)]
    pub metrics: Metrics,
}

/// The metrics of the positions with one number of perfect moves.
#[derive(Clone, Debug, Serialize)]
pub struct ChoiceMetrics {
    /// Perfect moves available.
    pub perfect_moves: usize,
    /// The metrics.
    #[serde(flatten)]
    pub metrics: Metrics,
}

/// The metrics of one player of recorded games.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerMetrics {
    /// The player's name.
    pub player: String,
    /// The metrics.
    #[serde(flatten)]
    pub metrics: Metrics,
}

/// How often a loss occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LossCount {
    /// Seeds lost.
    pub loss: u8,
    /// Answers that lost so many.
    pub answers: u64,
}

/// A mistake.
#[derive(Clone, Debug, Serialize)]
pub struct Mistake {
    /// Pits, the mover's row first: what `query` reads.
    pub board: [u8; BOARD_PITS],
    /// The position as a game string.
    pub position: String,
    /// The recorded move that it is: player, game, move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Seeds on the board.
    pub seeds: u8,
    /// The mover's pit that was played, `A`–`F`.
    pub answer: String,
    /// The value of that move.
    pub answer_value: i8,
    /// The perfect moves.
    pub best: Vec<String>,
    /// Their value: the board's.
    pub value: i8,
    /// The difference.
    pub loss: u8,
    /// Whether won, drawn or lost stayed what it was.
    pub keeps_result: bool,
}

/// A failure of the engine.
#[derive(Clone, Debug, Serialize)]
pub struct FailureReport {
    /// What went wrong.
    pub kind: FailureKind,
    /// The same in words.
    pub message: String,
    /// The position asked about, as a game string.
    pub position: String,
    /// What was said; `null` after the first [`MAX_TRANSCRIPTS`] failures.
    pub transcript: Option<Vec<String>>,
}

impl FailureReport {
    /// The report of the failure with this number, counted from 0.
    pub(super) fn new(failure: &Failure, position: &GameString, number: usize) -> Self {
        Self {
            kind: failure.kind,
            message: failure.message.clone(),
            position: position.to_string(),
            transcript: (number < MAX_TRANSCRIPTS).then(|| failure.transcript.clone()),
        }
    }
}

/// The whole report.
#[derive(Clone, Debug, Serialize)]
pub struct GradeReport {
    /// What was graded and how.
    #[serde(flatten)]
    pub header: GradeHeader,
    /// The metrics of all positions.
    #[serde(flatten)]
    pub metrics: Metrics,
    /// Positions that were not asked because the engine kept failing.
    pub not_asked: u64,
    /// Mean time of an answer, in milliseconds.
    pub time_mean_ms: Option<f64>,
    /// Longest time of an answer, in milliseconds.
    pub time_longest_ms: Option<f64>,
    /// By seeds on the board.
    pub by_level: Vec<LevelMetrics>,
    /// By number of perfect moves, graded positions only.
    pub by_perfect_moves: Vec<ChoiceMetrics>,
    /// By player, when recorded moves are graded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_player: Vec<PlayerMetrics>,
    /// How often each loss occurred, graded positions only.
    pub losses: Vec<LossCount>,
    /// The worst mistakes, the worst first.
    pub worst: Vec<Mistake>,
    /// The engine's failures.
    pub failures: Vec<FailureReport>,
}

impl GradeReport {
    /// Counts what was answered.
    #[must_use]
    pub fn new(header: GradeHeader, graded: &[GradedMove]) -> Self {
        let aim = header.aim;
        let mut all = Tally::default();
        let mut by_level: BTreeMap<u8, Tally> = BTreeMap::new();
        let mut by_choice: BTreeMap<usize, Tally> = BTreeMap::new();
        let mut by_player: BTreeMap<&str, Tally> = BTreeMap::new();
        let mut losses: BTreeMap<u8, u64> = BTreeMap::new();
        let mut times = Times::default();
        let mut not_asked = 0;
        for each in graded {
            let verdict = match &each.response {
                Response::NotAsked => {
                    not_asked += 1;
                    continue;
                }
                Response::Failed(_) => None,
                Response::Move(answer) => {
                    if header.limit.is_some() {
                        times.add(answer.time);
                    }
                    each.exact.judge(answer.pit)
                }
            };
            let seen = Observation::new(&each.exact, verdict, aim);
            all.count(&seen);
            by_level.entry(each.exact.position().board.seeds()).or_default().count(&seen);
            if let Some(origin) = &each.origin {
                by_player.entry(&origin.player).or_default().count(&seen);
            }
            if seen.all_equal {
                continue;
            }
            by_choice.entry(each.exact.perfect(aim).count()).or_default().count(&seen);
            if let Some(verdict) = verdict {
                *losses.entry(verdict.loss).or_default() += 1;
            }
        }
        Self {
            header,
            metrics: all.metrics(),
            not_asked,
            time_mean_ms: times.mean(),
            time_longest_ms: times.longest(),
            by_level: by_level
                .into_iter()
                .map(|(seeds, tally)| LevelMetrics { seeds, metrics: tally.metrics() })
                .collect(),
            by_perfect_moves: by_choice
                .into_iter()
                .map(|(perfect_moves, tally)| ChoiceMetrics {
                    perfect_moves,
                    metrics: tally.metrics(),
                })
                .collect(),
            by_player: by_player
                .into_iter()
                .map(|(player, tally)| PlayerMetrics {
                    player: player.to_owned(),
                    metrics: tally.metrics(),
                })
                .collect(),
            losses: losses.into_iter().map(|(loss, answers)| LossCount { loss, answers }).collect(),
            worst: worst(graded, aim),
            failures: failures(graded),
        }
    }
}

/// The mistakes that lost most: under [`Aim::Result`] those that lost the result come first.
fn worst(graded: &[GradedMove], aim: Aim) -> Vec<Mistake> {
    let mut mistakes: Vec<Mistake> = graded
        .iter()
        .filter_map(|each| {
            let Response::Move(answer) = &each.response else { return None };
            let verdict = each.exact.judge(answer.pit)?;
            if is_perfect(verdict, aim) {
                return None;
            }
            let position = each.exact.position();
            Some(Mistake {
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
        })
        .collect();
    // A stable sort: mistakes of one size stay in the order of the questions.
    mistakes.sort_by_key(|of| Reverse((aim == Aim::Result && !of.keeps_result, of.loss)));
    mistakes.truncate(MAX_MISTAKES);
    mistakes
}

fn failures(graded: &[GradedMove]) -> Vec<FailureReport> {
    graded
        .iter()
        .filter_map(|each| match &each.response {
            Response::Failed(failure) => Some((each.exact.position(), failure)),
            Response::Move(_) | Response::NotAsked => None,
        })
        .enumerate()
        .map(|(number, (position, failure))| FailureReport::new(failure, position, number))
        .collect()
}
