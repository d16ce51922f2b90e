//! Measuring players: how often is a move perfect, how many seeds does it lose, who wins?
//!
//! Read in this order: `player` ([`Entrant`]: a program or a built-in player),
//! [`sampling`](sample) (which positions), [`truth`](Truth) (what the tables say), `asking`
//! ([`ask_all`]: many positions, in parallel), `recorded` (moves of recorded games instead),
//! `statistics`, `figures`, [`report`](Report), `chart` (SVG), `match_play` ([`play_match`]: games instead).
//!
//! Invariants: an engine can do nothing that stops a run or fills memory; the same questions are
//! asked whatever the number of jobs; an answer is judged by exact values only.

mod asking;
mod chart;
mod figures;
mod match_play;
mod openings;
mod player;
mod recorded;
mod report;
mod sampling;
mod statistics;
mod truth;

pub use asking::{AskSettings, MOST_FAILED_STARTS, MOST_FAILURES, Response, Responses, ask_all};
pub use chart::{accuracy_by_choice, accuracy_by_level, losses};
pub use figures::Figures;
pub use match_play::{Match, MatchFailure, MatchGame, MatchPlan, MatchReport, play_match};
pub use player::Entrant;
pub use recorded::{RecordedError, RecordedMoves, look_up_games};
pub use report::{
    ChoiceFigures, FailureReport, Graded, LevelFigures, LossCount, Mistake, PlayerFigures,
    RecordedAs, Report, Subject, TRANSCRIPTS, WORST,
};
pub use sampling::{SamplePlan, Source, fill_stores, sample};
pub use statistics::{Interval, Mean, Share};
pub use truth::{Truth, Verdict};
