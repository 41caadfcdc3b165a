//! What an abstention would have been without what stood in the way.

use prereg_declaration::Claim;
use prereg_units::Quantity;

use super::evidence::Evidence;
use crate::verdict::{
    ComparisonResult, ConditionResult, Reason, State, UndeterminedCause, Verdict,
};

/// The sentences of one claim; none where it decided, and none where nothing but other data would
/// have helped (equal values, values that are not finite).
pub(super) fn sentences(
    evidence: &Evidence<'_>,
    claim: &Claim,
    obstacles: &[Reason],
    conditions: &[ConditionResult],
    by_conditions: Verdict,
) -> Vec<String> {
    let mut absent: Vec<String> = obstacles.iter().filter_map(without).collect();
    let mut sentences = Vec::new();
    if !absent.is_empty() {
        sentences.push(had(&absent, by_conditions));
    }
    let of_ranges = obstacles.iter().filter(|o| o.is_of_calibrated_range());
    let ranges: Vec<String> = of_ranges.filter_map(without).collect();
    if !ranges.is_empty() && ranges.len() < absent.len() {
        // What else stands in the way still does.
        sentences.push(had(&ranges, Verdict::Abstained));
    }
    if by_conditions != Verdict::Abstained {
        return sentences;
    }
    if let Some(verdict) = without_missing(evidence, claim, conditions) {
        absent.push("the missing sessions not counted".to_owned());
        sentences.push(had(&absent, verdict));
    }
    let undetermined = conditions
        .iter()
        .filter(|condition| condition.state == State::Undetermined);
    let comparisons = undetermined.flat_map(|condition| &condition.comparisons);
    sentences.extend(comparisons.filter_map(other_thresholds));
    sentences
}

/// "had gate `steady` held and arm `graphed` run as asked: falsified".
fn had(absent: &[String], verdict: Verdict) -> String {
    let listed = match absent {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => absent.concat(),
    };
    format!("had {listed}: {}", verdict.as_str())
}

fn without(obstacle: &Reason) -> Option<String> {
    match obstacle {
        Reason::GateFailed { gate } => Some(format!("gate `{gate}` held")),
        Reason::GateUnobserved { gate } => Some(format!("gate `{gate}` been observed and held")),
        Reason::ControlFailed { control } => Some(format!("control `{control}` held")),
        Reason::ControlUnobserved { control } => {
            Some(format!("control `{control}` been observed and held"))
        }
        Reason::OutsideCalibratedRange { metric }
        | Reason::CalibratedRangeUnobserved { metric } => {
            Some(format!("the calibrated range of `{metric}` been left out"))
        }
        Reason::ArmInvalid { arm, .. } => Some(format!("arm `{arm}` run as asked")),
        Reason::AllConditionsFalse
        | Reason::ConditionTrue { .. }
        | Reason::Undetermined { .. }
        | Reason::NoData
        | Reason::FirstRunsDisagree => None,
    }
}

/// The verdict on the units that have numbers, as if the plan had had no others; `None` where none
/// is missing.
fn without_missing(
    evidence: &Evidence<'_>,
    claim: &Claim,
    conditions: &[ConditionResult],
) -> Option<Verdict> {
    let comparisons = conditions
        .iter()
        .flat_map(|condition| &condition.comparisons);
    let metrics: Vec<&str> = comparisons
        .map(|comparison| comparison.metric.as_str())
        .collect();
    let missing = |metric: &&str| evidence.counted(metric).missing() > 0;
    if !metrics.iter().any(missing) {
        return None;
    }
    let present = metrics.into_iter().filter_map(|metric| {
        let values = evidence.values.get(metric)?;
        Some((metric.to_owned(), values.without_missing()))
    });
    let values = present.collect();
    let present = Evidence {
        values: &values,
        ..*evidence
    };
    Some(present.verdict(claim))
}

/// The thresholds at which a comparison whose threshold lies within the bounds would have been
/// shown true or false.
fn other_thresholds(comparison: &ComparisonResult) -> Option<String> {
    if comparison.cause != Some(UndeterminedCause::ThresholdWithinBounds) {
        return None;
    }
    let quantity =
        |bound: Option<f64>| Quantity::new(bound?, comparison.threshold.dimension()).ok();
    let lower = quantity(comparison.bounds.lower)?;
    let upper = quantity(comparison.bounds.upper)?;
    // As the bounds decide: `θ < c` is true iff upper < c and false iff lower >= c.
    let (below, below_is, above, above_is) = match comparison.comparison {
        "<" => ("at most", "false", "above", "true"),
        "<=" => ("below", "false", "at least", "true"),
        ">" => ("below", "true", "at least", "false"),
        _ => ("at most", "true", "above", "false"),
    };
    Some(format!(
        "had the threshold of `{} {} {:.12}` been {below} {lower:.6}: shown {below_is}; {above} \
         {upper:.6}: shown {above_is}",
        comparison.metric, comparison.comparison, comparison.threshold
    ))
}
