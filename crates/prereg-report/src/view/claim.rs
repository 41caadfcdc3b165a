//! A claim's kill conditions with their numbers.

use std::collections::BTreeMap;

use prereg_declaration::Claim;
use prereg_judgement::{ComparisonResult, ConditionResult, State};
use prereg_units::Quantity;
use serde::Serialize;

use super::FigureView;
use crate::input::{ReportInput, RunFacts};
use crate::{number, words};

/// One claim.
#[derive(Debug, Serialize)]
pub(crate) struct ClaimView {
    name: String,
    /// Values of metrics if the claim is right, as `metric = value`.
    expected: Vec<String>,
    /// The same if it is wrong.
    rival: Vec<String>,
    rows: Vec<Row>,
    /// Whether some condition joins several comparisons.
    composite: bool,
    strips: Vec<FigureView>,
}

/// One comparison on one run of record.
#[derive(Debug, Serialize)]
struct Row {
    run: String,
    condition: String,
    condition_state: &'static str,
    comparison: String,
    state: &'static str,
    threshold: String,
    lower: String,
    upper: String,
    p: String,
    margin: String,
}

impl ClaimView {
    pub(crate) fn new(
        input: &ReportInput<'_>,
        name: &str,
        claim: &Claim,
        strips: Vec<FigureView>,
    ) -> Self {
        let mut rows = Vec::new();
        let mut composite = false;
        for run in claim.on.iter().flat_map(|target| input.of_record(target)) {
            let Some(result) = run
                .judgement
                .as_ref()
                .and_then(|judged| judged.claims.get(name))
            else {
                continue;
            };
            for condition in &result.conditions {
                composite |= condition.comparisons.len() > 1;
                rows.extend(
                    condition
                        .comparisons
                        .iter()
                        .map(|comparison| row(run, condition, comparison)),
                );
            }
        }
        Self {
            name: name.to_owned(),
            expected: values(&claim.expected),
            rival: values(&claim.rival),
            rows,
            composite,
            strips,
        }
    }
}

fn values(values: &BTreeMap<String, Quantity>) -> Vec<String> {
    values
        .iter()
        .map(|(metric, value)| {
            format!(
                "{metric} = {}",
                number::measured(value.value(), value.dimension())
            )
        })
        .collect()
}

fn row(run: &RunFacts, condition: &ConditionResult, comparison: &ComparisonResult) -> Row {
    let threshold = comparison.threshold;
    let [lower, upper] = words::each_bound(comparison);
    Row {
        run: run.id().to_owned(),
        condition: condition.expression.clone(),
        condition_state: words::state(condition.state),
        comparison: format!("{} {}", comparison.metric, comparison.comparison),
        state: words::state(comparison.state),
        threshold: number::measured(threshold.value(), threshold.dimension()),
        lower,
        upper,
        p: p_values(comparison),
        margin: words::margin(comparison).unwrap_or_else(|| "–".to_owned()),
    }
}

/// The p-value of what was shown; both where nothing was.
fn p_values(comparison: &ComparisonResult) -> String {
    let p = |value: Option<f64>, of: &str| {
        value.map(|value| format!("{of}: {}", number::probability(value)))
    };
    let of_true = p(comparison.p_true, "true");
    let of_false = p(comparison.p_false, "false");
    let parts = match comparison.state {
        State::True => vec![of_true],
        State::False => vec![of_false],
        State::Undetermined => vec![of_true, of_false],
    };
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        "–".to_owned()
    } else {
        parts.join(", ")
    }
}
