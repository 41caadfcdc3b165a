//! A forest plot in words.

use prereg_units::Dimension;

use crate::figure::subject::{Observed, Results, Subject};
use crate::figure::threshold;
use crate::{number, words};

/// The picture in words: every row, then the limits.
pub(super) fn description(subject: &Subject<'_>, observed: &[Observed<'_>]) -> String {
    let rows: Vec<String> = observed
        .iter()
        .map(|observed| {
            let origin = if observed.is_simulated() {
                ", simulated data"
            } else {
                ""
            };
            let place = match observed.run {
                Some(facts) => format!("{}, {}", facts.part(), facts.id()),
                None => observed.target.to_owned(),
            };
            let said = match &observed.result {
                None => observed.note().unwrap_or_default().to_owned(),
                Some(results) => {
                    let verdict = match subject.verdict(observed) {
                        "none" => "no verdict",
                        word => word,
                    };
                    format!("{verdict}; {}", numbers(subject, *results))
                }
            };
            format!("{place}{origin}: {said}.")
        })
        .collect();
    let limits: Vec<String> = subject
        .region
        .thresholds
        .iter()
        .map(|limit| threshold::label(&subject.region, *limit, subject.dimension))
        .collect();
    format!("{} Limits: {}.", rows.join(" "), limits.join("; "))
}

fn numbers(subject: &Subject<'_>, results: Results<'_>) -> String {
    let dimension = subject.dimension;
    let estimate = results.metric.estimate.map_or_else(
        || "no estimate".to_owned(),
        |estimate| format!("estimate {}", number::measured(estimate, dimension)),
    );
    let states = results.comparisons(subject.metric).map(|comparison| {
        format!(
            "{} {} {} is {}, bounds {} to {}",
            subject.metric,
            comparison.comparison,
            number::measured(comparison.threshold.value(), dimension),
            words::state(comparison.state),
            bound(comparison.bounds.lower, dimension),
            bound(comparison.bounds.upper, dimension),
        )
    });
    std::iter::once(estimate)
        .chain(states)
        .collect::<Vec<_>>()
        .join("; ")
}

fn bound(value: Option<f64>, dimension: Dimension) -> String {
    value.map_or_else(
        || "unbounded".to_owned(),
        |value| number::measured(value, dimension),
    )
}
