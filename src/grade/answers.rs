//! One graded answer as an object, for a log of all answers.

use super::metrics::is_perfect;
use super::report::GradedMove;
use super::runner::Response;
use crate::rules::BOARD_PITS;
use crate::search::Aim;
use crate::uci::FailureKind;
use serde::Serialize;

/// One answer and what the tables say about it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AnswerReport {
    /// The name of the engine, or of the player of a recorded game.
    pub engine: String,
    /// The limit as arguments of `go`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// The number of the position, or of the recorded game, from 1.
    pub number: usize,
    /// The number of the move in a recorded game, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// The pits, the mover's row first.
    pub board: [u8; BOARD_PITS],
    /// The position as a game string.
    pub position: String,
    /// Seeds on the board.
    pub seeds: u8,
    /// The value of the board and of the perfect moves.
    pub value: i8,
    /// The perfect moves.
    pub best: Vec<char>,
    /// Whether all moves are perfect, so that the answer is not graded.
    pub all_equal: bool,
    /// The pit of the move, `A`–`F`; `null` after a failure.
    pub answer: Option<char>,
    /// The value of the move.
    pub answer_value: Option<i8>,
    /// The seeds that it loses.
    pub loss: Option<u8>,
    /// Whether it keeps the result.
    pub keeps_result: Option<bool>,
    /// Whether it is perfect.
    pub perfect: bool,
    /// The time of the answer in milliseconds; of recorded moves there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<f64>,
    /// The kind of failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureKind>,
    /// The failure in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl AnswerReport {
    /// The report of answer `number` of an engine with a limit; a recorded move names its own player
    /// and game. `None` for a position that was not asked.
    #[must_use]
    pub fn of(
        graded: &GradedMove,
        aim: Aim,
        engine: &str,
        limit: Option<&str>,
        number: usize,
    ) -> Option<Self> {
        let exact = &graded.exact;
        let (answer, failure) = match &graded.response {
            Response::NotAsked => return None,
            Response::Move(answer) => (Some(answer), None),
            Response::Failed(failure) => (None, Some(failure)),
        };
        let verdict = answer.and_then(|answer| exact.judge(answer.pit));
        let origin = graded.origin.as_ref();
        let position = exact.position();
        Some(Self {
            engine: origin.map_or(engine, |origin| &origin.player).to_owned(),
            limit: limit.map(str::to_owned),
            number: origin.map_or(number, |origin| origin.game),
            ply: origin.map(|origin| origin.ply),
            board: position.board.pits(),
            position: position.to_string(),
            seeds: position.board.seeds(),
            value: exact.best().get(),
            best: exact.perfect(aim).map(|pit| pit.letter()).collect(),
            all_equal: exact.all_equal(aim),
            answer: answer.map(|answer| answer.pit.letter()),
            answer_value: verdict.map(|verdict| verdict.value.get()),
            loss: verdict.map(|verdict| verdict.loss),
            keeps_result: verdict.map(|verdict| verdict.keeps_result),
            perfect: verdict.is_some_and(|verdict| is_perfect(verdict, aim)),
            time_ms: answer
                .filter(|_| origin.is_none())
                .map(|answer| answer.time.as_secs_f64() * 1000.0),
            failure: failure.map(|failure| failure.kind),
            message: failure.map(|failure| failure.message.clone()),
        })
    }
}
