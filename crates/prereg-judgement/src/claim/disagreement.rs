//! Whether the intervals that are reported and do not decide would have decided otherwise.

use std::collections::BTreeMap;

use prereg_declaration::{Claim, Condition, Inference, Interval, Stopping};
use prereg_stats::{Bound, Truth};

use super::comparison::comparison;
use super::evidence::verdict;
use crate::method;
use crate::verdict::{self, MetricResult, Verdict};

/// The intervals that are reported for every metric.
const REPORTED: [(Interval, &str); 2] = [
    (Interval::BootstrapPercentile, "bootstrap"),
    (Interval::OrderStatistic, "order-statistic"),
];

/// Says which reported intervals, read alone at their own level, give another verdict than the
/// bounds that decide. An interval that a metric does not have says nothing.
pub(super) fn sentence(
    claim: &Claim,
    inference: &Inference,
    metrics: &BTreeMap<String, MetricResult>,
    by_conditions: Verdict,
) -> Option<String> {
    let decides =
        |interval| inference.stopping == Stopping::Fixed && inference.interval == interval;
    let others = REPORTED
        .iter()
        .filter(|(interval, _)| !decides(*interval))
        .filter_map(|(interval, name)| {
            let read = |metric: &str| {
                let metric = metrics.get(metric)?;
                match interval {
                    Interval::OrderStatistic => metric.order_statistic,
                    _ => metric.bootstrap_percentile,
                }
            };
            let conditions = claim.kill.iter();
            let truths: Option<Vec<Truth>> = conditions
                .map(|kill| on_intervals(&kill.condition, &read))
                .collect();
            let said = verdict(Truth::any(truths?));
            let differs = said != by_conditions;
            differs.then(|| {
                let said = said.as_str();
                format!("the 95 % {name} intervals would have said {said}")
            })
        });
    let others: Vec<String> = others.collect();
    (!others.is_empty()).then(|| {
        format!(
            "{}; the {} bounds, which decide, say {}",
            others.join(" and "),
            method::name(inference),
            by_conditions.as_str()
        )
    })
}

fn on_intervals(
    condition: &Condition,
    read: &impl Fn(&str) -> Option<verdict::Interval>,
) -> Option<Truth> {
    let all = |parts: &[Condition]| -> Option<Vec<Truth>> {
        parts.iter().map(|part| on_intervals(part, read)).collect()
    };
    Some(match condition {
        Condition::Compare {
            metric,
            comparison: operator,
            threshold,
        } => {
            let interval = read(metric)?;
            let (lower, upper) = (
                Bound::Finite(interval.lower?),
                Bound::Finite(interval.upper?),
            );
            comparison(*operator).decide(lower, upper, threshold.value())
        }
        Condition::And(parts) => Truth::all(all(parts)?),
        Condition::Or(parts) => Truth::any(all(parts)?),
        Condition::Not(part) => !on_intervals(part, read)?,
    })
}
