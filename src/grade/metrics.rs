//! The metrics of a set of answers.
//!
//! A position is *graded* if its moves are not all equal under the aim; the others are counted
//! separately. A failed answer is not perfect, does not keep the result and has no loss.

use super::oracle::{ExactMoves, Verdict};
use super::statistics::{Interval, Mean, Share};
use crate::search::Aim;
use serde::Serialize;

/// The metrics of a set of positions.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Metrics {
    /// The number of positions.
    pub positions: u64,
    /// Positions whose moves are all equal.
    pub all_equal: u64,
    /// Graded positions: the others.
    pub graded: u64,
    /// Perfect answers to graded positions.
    pub perfect: u64,
    /// Perfect answers per graded position.
    pub accuracy: Option<f64>,
    /// 95 % interval of the accuracy (Wilson).
    pub accuracy_interval: Option<Interval>,
    /// Answers that keep the result, per graded position.
    pub keeps_result: Option<f64>,
    /// 95 % interval of the share that keeps the result (Wilson).
    pub keeps_result_interval: Option<Interval>,
    /// Seeds lost per answered graded position.
    pub loss_mean: Option<f64>,
    /// 95 % interval of the mean loss (normal).
    pub loss_interval: Option<Interval>,
    /// The expected accuracy of a uniformly random player.
    pub random_accuracy: Option<f64>,
    /// Failed answers to positions of both kinds.
    pub failed: u64,
    /// Answers that were judged by bounds, to positions of both kinds.
    #[serde(skip_serializing_if = "is_zero")]
    pub bounded: u64,
    /// Of these, the share that keeps the seeds secured whatever settles endless play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safe: Option<f64>,
    /// Of these, the share that is certainly wrong: another move secures more than they can bring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainly_wrong: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The properties of one answer that are counted.
pub(super) struct Observation {
    pub(super) all_equal: bool,
    perfect: bool,
    random_accuracy: f64,
    verdict: Option<Verdict>,
}

impl Observation {
    pub(super) fn new(exact: &ExactMoves, verdict: Option<Verdict>, aim: Aim) -> Self {
        let perfect = verdict.is_some_and(|verdict| is_perfect(verdict, aim));
        Self {
            all_equal: exact.all_equal(aim),
            perfect,
            random_accuracy: exact.random_accuracy(aim),
            verdict,
        }
    }
}

pub(super) const fn is_perfect(verdict: Verdict, aim: Aim) -> bool {
    match aim {
        Aim::Margin | Aim::Secure => verdict.loss == 0,
        Aim::Result => verdict.keeps_result,
    }
}

/// The running counts from which [`Metrics`] are computed.
#[derive(Default)]
pub(super) struct Tally {
    positions: u64,
    failed: u64,
    perfect: Share,
    keeps_result: Share,
    loss: Mean,
    random_accuracy: Mean,
    safe: Share,
    certainly_wrong: Share,
}

impl Tally {
    pub(super) fn count(&mut self, answer: &Observation) {
        self.positions += 1;
        self.failed += u64::from(answer.verdict.is_none());
        if let Some(by_bounds) = answer.verdict.and_then(|verdict| verdict.by_bounds) {
            self.safe.count(by_bounds.is_safe);
            self.certainly_wrong.count(by_bounds.is_certainly_wrong);
        }
        if answer.all_equal {
            return;
        }
        self.perfect.count(answer.perfect);
        self.keeps_result.count(answer.verdict.is_some_and(|verdict| verdict.keeps_result));
        self.random_accuracy.add(answer.random_accuracy);
        if let Some(verdict) = answer.verdict {
            self.loss.add(verdict.loss.into());
        }
    }

    pub(super) fn metrics(&self) -> Metrics {
        Metrics {
            positions: self.positions,
            all_equal: self.positions - self.perfect.trials,
            graded: self.perfect.trials,
            perfect: self.perfect.hits,
            accuracy: self.perfect.rate(),
            accuracy_interval: self.perfect.interval(),
            keeps_result: self.keeps_result.rate(),
            keeps_result_interval: self.keeps_result.interval(),
            loss_mean: self.loss.value(),
            loss_interval: self.loss.interval(),
            random_accuracy: self.random_accuracy.value(),
            failed: self.failed,
            bounded: self.safe.trials,
            safe: self.safe.rate(),
            certainly_wrong: self.certainly_wrong.rate(),
        }
    }
}
