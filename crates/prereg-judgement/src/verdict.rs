//! What judging yields: typed, serialisable, the same on any machine.
//!
//! These types are the body of `prereg analyze --json` and all that a report reads. Numbers are in
//! base units. An unbounded side is `None` (JSON `null`), never an infinity.

use std::collections::BTreeMap;

use prereg_units::Quantity;
use serde::Serialize;

use crate::samples::Missing;

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
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

/// Why a condition is undetermined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UndeterminedCause {
    /// The threshold lies inside the bounds.
    ThresholdWithinBounds,
    /// Too few sessions for a bound at this α, missing ones counted adversely.
    TooFewSessions,
    /// All session values are equal to rounding: the timer cannot resolve the metric.
    Degenerate,
    /// A bound or a value is not finite.
    NonFinite,
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

/// Everything judged from one run on one target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunJudgement {
    /// Target.
    pub target: String,
    /// Locked number of sessions.
    pub sessions: usize,
    /// Sessions without numbers: index and reason.
    pub missing: Vec<MissingSession>,
    /// Metrics by name.
    pub metrics: BTreeMap<String, MetricResult>,
    /// Gates by name.
    pub gates: BTreeMap<String, GateResult>,
    /// Claims judged on this target, by name.
    pub claims: BTreeMap<String, ClaimResult>,
}

/// A session without numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingSession {
    /// Its index.
    pub session: usize,
    /// Why.
    #[serde(flatten)]
    pub missing: Missing,
}

/// One metric over the sessions of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricResult {
    /// The author's text.
    pub expression: String,
    /// Unit of every number here, base units (`s`, `B/s`, `1`).
    pub unit: String,
    /// One entry a session, `null` where missing.
    pub values: Vec<Option<f64>>,
    /// Median of the values present.
    pub estimate: Option<f64>,
    /// Order-statistic interval, two-sided.
    pub order_statistic: Option<Interval>,
    /// Percentile bootstrap of the median, two-sided; not given with missing sessions.
    pub bootstrap_percentile: Option<Interval>,
    /// sqrt(exp(s²) − 1) of the logs.
    pub cv: Option<f64>,
    /// sd / mean.
    pub cv_plain: Option<f64>,
    /// Set when the values are equal to rounding.
    pub degenerate: bool,
}

/// A two-sided interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Nominal level (0.95).
    pub level: f64,
    /// Lower end; `None` is unbounded.
    pub lower: Option<f64>,
    /// Upper end; `None` is unbounded.
    pub upper: Option<f64>,
    /// Exact coverage for any continuous law, where there is one.
    pub exact_coverage: Option<f64>,
}

/// One-sided bounds with their own α.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// Lower bound; `None` is unbounded.
    pub lower: Option<f64>,
    /// α of the lower bound.
    pub alpha_lower: f64,
    /// Upper bound; `None` is unbounded.
    pub upper: Option<f64>,
    /// α of the upper bound.
    pub alpha_upper: f64,
}

/// One gate on one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GateResult {
    /// The author's text.
    pub expression: String,
    /// `each-session` or `across-sessions`.
    pub scope: &'static str,
    /// `abstain` or `exclude`.
    pub otherwise: &'static str,
    /// What it said.
    pub state: GateState,
    /// For `each-session`: one entry a session, `None` where it was not read.
    pub sessions: Vec<Option<bool>>,
    /// Observed values of the numbers in it, in words with units (worst session for
    /// `each-session`): `cv(eager_step) = 3.1 %`.
    pub observed: Vec<Observed>,
}

/// A number that a gate saw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Observed {
    /// The part of the expression.
    pub expression: String,
    /// Its value; `None` when it was not observed.
    pub value: Option<Quantity>,
    /// The session, for `each-session`.
    pub session: Option<usize>,
}

/// Outcome of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GateState {
    /// It held wherever it was read.
    Held,
    /// It failed (for `exclude`: in at least one session, which is then missing).
    Failed,
    /// It could not be read. Not observed is not passed.
    Unobserved,
}

/// One claim on one target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimResult {
    /// Generated from the negated kill conditions: "speedup is at least 1.15 on cpu".
    pub headline: String,
    /// The author's words.
    pub text: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why; never empty: the gates and arms that stand in the way, else conditions in the claim's
    /// order.
    pub reasons: Vec<Reason>,
    /// For an abstention by gate or arm: what the conditions alone would have said.
    pub counterfactual: Option<Verdict>,
    /// The kill conditions, in the claim's order.
    pub conditions: Vec<ConditionResult>,
    /// Whether another reported interval would have decided differently, in words.
    pub disagreement: Option<String>,
    /// Falsified at this claim's share of α over its declared targets: what the headline uses.
    pub falsified_at_share: bool,
}

/// One kill condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionResult {
    /// The author's text.
    pub expression: String,
    /// State of the whole condition.
    pub state: State,
    /// Its comparisons, left to right.
    pub comparisons: Vec<ComparisonResult>,
}

/// One comparison of a metric with a threshold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparisonResult {
    /// The metric.
    pub metric: String,
    /// `<`, `<=`, `>` or `>=`.
    pub comparison: &'static str,
    /// The threshold.
    pub threshold: Quantity,
    /// State on the bounds.
    pub state: State,
    /// The bounds, at the α that the level assignment gave.
    pub bounds: Bounds,
    /// p-value of "the comparison is true".
    pub p_true: Option<f64>,
    /// p-value of "the comparison is false".
    pub p_false: Option<f64>,
    /// The strictest threshold that would still be decided as it was; `None` when undetermined.
    pub margin: Option<Quantity>,
    /// Why it is undetermined, if it is.
    pub cause: Option<UndeterminedCause>,
}

/// A claim over all its declared targets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Headline {
    /// Generated headline, naming every target.
    pub headline: String,
    /// pass iff all pass; falsified iff any is falsified at its share of α; else abstained.
    pub verdict: Verdict,
    /// Verdict by target; a target without a run of record abstains with no data.
    pub targets: BTreeMap<String, Verdict>,
    /// Reasons, by target.
    pub reasons: BTreeMap<String, Vec<Reason>>,
}
