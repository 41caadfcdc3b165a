//! The words of a verdict: what was said, and why.

use serde::Serialize;

/// Verdict of a claim on a target, and of its headline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No kill condition holds, at its α.
    Pass,
    /// A kill condition holds, at its α.
    Falsified,
    /// Neither is shown, or the measurement means nothing.
    Abstained,
}

impl Verdict {
    /// `pass`, `falsified` or `abstained`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Falsified => "falsified",
            Self::Abstained => "abstained",
        }
    }
}

/// Why. Every verdict carries at least one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, strum::VariantNames)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Reason {
    /// All kill conditions are shown false.
    AllConditionsFalse,
    /// A kill condition is shown true.
    ConditionTrue {
        /// Index in the claim's list.
        condition: usize,
    },
    /// A kill condition is neither.
    Undetermined {
        /// Index in the claim's list.
        condition: usize,
        /// Why it is neither.
        cause: UndeterminedCause,
    },
    /// A gate with outcome `abstain` failed.
    GateFailed {
        /// The gate.
        gate: String,
    },
    /// A gate with outcome `abstain` could not be read.
    GateUnobserved {
        /// The gate.
        gate: String,
    },
    /// The interval of a control reaches beyond its bound.
    ControlFailed {
        /// The control.
        control: String,
    },
    /// A control has no interval.
    ControlUnobserved {
        /// The control.
        control: String,
    },
    /// A session lies outside the calibrated range of a metric.
    OutsideCalibratedRange {
        /// The metric.
        metric: String,
    },
    /// A metric with a calibrated range has no number in a session that is there.
    CalibratedRangeUnobserved {
        /// The metric.
        metric: String,
    },
    /// An arm did not run as asked.
    ArmInvalid {
        /// The arm.
        arm: String,
        /// What happened.
        message: String,
    },
    /// No run of record on the target.
    NoData,
    /// Runs that did not see each other are all of record and do not agree.
    FirstRunsDisagree,
}

impl Reason {
    /// Whether it is that a calibrated range was left, or not observed.
    pub(crate) const fn is_of_calibrated_range(&self) -> bool {
        matches!(
            self,
            Self::OutsideCalibratedRange { .. } | Self::CalibratedRangeUnobserved { .. }
        )
    }
}

/// Why a condition is undetermined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum UndeterminedCause {
    /// The threshold lies inside the bounds.
    ThresholdWithinBounds,
    /// Too few sessions for a bound at this α, missing ones counted adversely.
    TooFewSessions,
    /// All session values are equal to rounding: the timer cannot resolve the metric.
    Degenerate,
    /// A bound or a value is not finite.
    NonFinite,
    /// Sessions are missing, and the declared interval cannot count them adversely.
    MissingSessions,
    /// A value is not positive, so it has no logarithm.
    NotPositive,
    /// The claim's conditions share α among so many comparisons that the declared interval cannot be
    /// computed at the share.
    LevelTooSmall,
    /// Leaving out any one session gives the same estimate, so the `BCa` interval is undefined.
    EqualJackknife,
    /// Too many resamples have no spread, so a quantile of the bootstrap-t law is infinite.
    InfiniteQuantile,
}

/// State of a condition on confidence bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Shown to hold.
    True,
    /// Shown not to hold.
    False,
    /// Neither.
    Undetermined,
}
