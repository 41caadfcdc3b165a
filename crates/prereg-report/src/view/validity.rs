//! Controls and calibrated ranges of a run.

use prereg_judgement::{ControlResult, RangeResult, RunJudgement};
use prereg_units::Dimension;
use serde::Serialize;

use super::{Markdown, markdown};
use crate::{number, words};

/// One control.
#[derive(Debug, Serialize)]
pub(crate) struct ControlRow {
    name: String,
    metric: String,
    allowed: String,
    lower: String,
    upper: String,
    outcome: Markdown,
}

/// One metric with a calibrated range.
#[derive(Debug, Serialize)]
pub(crate) struct RangeRow {
    metric: String,
    from: String,
    to: String,
    /// Sessions outside, each with its value.
    outside: String,
    unobserved: String,
    outcome: Markdown,
}

/// A row for each control.
pub(crate) fn controls(judgement: &RunJudgement) -> Vec<ControlRow> {
    let controls = judgement.controls.iter();
    controls
        .map(|(name, control)| control_row(name, control))
        .collect()
}

fn control_row(name: &str, control: &ControlResult) -> ControlRow {
    let side = |value: Option<f64>| match value {
        Some(value) => words::bound(&number::measured(value, Dimension::NONE), control.alpha),
        None => match &control.unbounded {
            Some(why) => format!("unbounded: {why}"),
            None => "unbounded".to_owned(),
        },
    };
    ControlRow {
        name: name.to_owned(),
        metric: control.metric.clone(),
        allowed: format!(
            "{} (within {})",
            words::allowed(control),
            number::percent(control.within)
        ),
        lower: side(control.lower),
        upper: side(control.upper),
        outcome: markdown(words::outcome(control.state).to_owned()),
    }
}

/// A row for each metric with a calibrated range.
pub(crate) fn ranges(judgement: &RunJudgement) -> Vec<RangeRow> {
    let ranges = judgement.calibrated_range.iter();
    ranges
        .map(|(metric, range)| range_row(judgement, metric, range))
        .collect()
}

fn range_row(judgement: &RunJudgement, metric: &str, range: &RangeResult) -> RangeRow {
    let value = |session: usize| {
        let values = judgement.metrics.get(metric).map(|result| &result.values);
        let value = values.and_then(|values| *values.get(session)?);
        number::measured_or_dash(value, range.from.dimension())
    };
    let outside = range.outside.iter();
    let outside: Vec<String> = outside
        .map(|&session| format!("session {session}: {}", value(session)))
        .collect();
    let unobserved: Vec<String> = range.unobserved.iter().map(usize::to_string).collect();
    RangeRow {
        metric: metric.to_owned(),
        from: number::measured(range.from.value(), range.from.dimension()),
        to: number::measured(range.to.value(), range.to.dimension()),
        outside: listed(&outside),
        unobserved: listed(&unobserved),
        outcome: markdown(words::outcome(range.state).to_owned()),
    }
}

fn listed(parts: &[String]) -> String {
    if parts.is_empty() {
        "none".to_owned()
    } else {
        parts.join(", ")
    }
}

/// For each claim that a calibrated range stood in the way of: whether abstaining changed anything.
pub(crate) fn without_range(judgement: &RunJudgement) -> Vec<(String, &'static str)> {
    let claims = judgement.claims.iter();
    claims
        .filter_map(|(name, claim)| Some((name.clone(), words::without_range(claim)?)))
        .collect()
}
