//! Measuring players: how often is a move perfect, how many seeds does it lose, who wins?
//!
//! Read in this order: `player` ([`Entrant`]: a program or a built-in player),
//! [`sampling`](sample) (which positions), [`truth`](ExactMoves) (what the tables say), `asking`
//! ([`collect_responses`]: many positions, in parallel), `recorded` (moves of recorded games instead),
//! `statistics`, `figures`, [`report`](GradeReport), `chart` (SVG), `match_play` ([`play_match`]: games instead).
//!
//! Invariants: an engine can do nothing that stops a run or fills memory; the same questions are
//! asked whatever the number of jobs; an answer is judged by exact values only.

mod match_play;
mod metrics;
mod openings;
mod oracle;
mod player;
mod recorded;
mod report;
mod runner;
mod sampling;
mod statistics;

pub use match_play::{Match, MatchFailure, MatchGame, MatchPlan, MatchReport, play_match};
pub use metrics::Metrics;
pub use oracle::{ExactMoves, Verdict};
pub use player::Entrant;
pub use recorded::{RecordedError, RecordedMoves, look_up_games};
pub use report::{
    ChoiceMetrics, FailureReport, GradeHeader, GradeReport, GradedMove, LevelMetrics, LossCount,
    MAX_MISTAKES, MAX_TRANSCRIPTS, Mistake, MoveOrigin, PlayerMetrics,
};
pub use runner::{
    MAX_FAILED_STARTS, MAX_FAILURES, Response, Responses, RunSettings, collect_responses,
};
pub use sampling::{SampleMethod, SamplePlan, fill_stores, sample};
pub use statistics::{Interval, Mean, Share};
