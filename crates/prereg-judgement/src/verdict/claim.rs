//! One claim on one target, and over all of them.

use std::collections::BTreeMap;

use prereg_units::Quantity;
use serde::Serialize;

use super::{Reason, State, UndeterminedCause, Verdict};

/// One claim on one target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimResult {
    /// Generated from the negated kill conditions: "speedup is at least 1.15 on cpu".
    pub headline: String,
    /// The author's words.
    pub text: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why; never empty: the gates, controls, calibrated ranges and arms that stand in the way, else
    /// conditions in the claim's order.
    pub reasons: Vec<Reason>,
    /// For an abstention by what stands in the way: what the conditions alone would have said.
    pub counterfactual: Option<Verdict>,
    /// Where a calibrated range stands in the way: the verdict with the ranges left out and all else
    /// as it was. Abstained means that abstaining for the range changed nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_calibrated_range: Option<Verdict>,
    /// For an abstention: what would have been said without what stood in the way, a sentence each
    /// ("had gate `steady` held: falsified"). Empty where the claim decided.
    pub counterfactuals: Vec<String>,
    /// The kill conditions, in the claim's order.
    pub conditions: Vec<ConditionResult>,
    /// Which other reported intervals would have decided differently, in words.
    pub disagreement: Option<String>,
    /// Falsified at this claim's share of α over its declared targets: what the headline uses.
    pub falsified_at_share: bool,
    /// For a claim about an absolute value: what one run covers ("within one run on one host; other
    /// days are not covered"). `None` where every metric of the claim compares arms inside a session.
    pub covers: Option<String>,
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

/// One-sided bounds with their own α.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// Lower bound; `None` is unbounded.
    pub lower: Option<f64>,
    /// α of the lower bound; 0 under a census, which infers nothing.
    pub alpha_lower: f64,
    /// Upper bound; `None` is unbounded.
    pub upper: Option<f64>,
    /// α of the upper bound; 0 under a census.
    pub alpha_upper: f64,
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
