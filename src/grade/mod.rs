//! Measuring players: the share of perfect moves, the seeds lost per move, the score of a match.
//!
//! Read in this order: `player` ([`Entrant`]: a program or a built-in player),
//! [`sampling`](sample) (the positions), [`oracle`](ExactMoves) (the exact values of their moves),
//! `runner` ([`collect_responses`]: many positions, in parallel), [`recorded`](look_up_games) (the
//! moves of recorded games), `statistics`, [`metrics`](Metrics), [`report`](GradeReport),
//! [`answers`](AnswerReport) (a log of all answers) and
//! [`match_play`](play_match) (games between two players).
//!
//! Invariants: an external engine can neither stop a run nor fill memory. The positions do not depend
//! on the number of jobs. Moves are measured by exact values only.

mod answers;
mod match_play;
mod metrics;
mod oracle;
mod player;
mod recorded;
mod report;
mod runner;
mod sampling;
mod statistics;

pub use answers::AnswerReport;
pub use match_play::{Match, MatchFailure, MatchGame, MatchPlan, MatchReport, play_match};
pub use metrics::Metrics;
pub use oracle::{ByBounds, ExactMoves, Verdict};
pub use player::Entrant;
pub use recorded::{RecordedError, RecordedGame, RecordedMoves, look_up_games};
pub use report::{
    ChoiceMetrics, FailureReport, GradeCounts, GradeHeader, GradeReport, GradedMove, LevelMetrics,
    LossCount, MAX_MISTAKES, MAX_PLAYERS, MAX_TRANSCRIPTS, Mistake, MoveOrigin, OTHER_PLAYERS,
    PlayerMetrics,
};
pub use runner::{
    MAX_FAILED_STARTS, MAX_FAILURES, Response, Responses, RunSettings, collect_responses,
};
pub use sampling::{SampleMethod, SamplePlan, fill_stores, sample};
pub use statistics::{Interval, Mean, Share};
