//! The metrics of a run over its sessions.

use prereg_judgement::{DeclaredInterval, Interval, MetricResult};
use prereg_units::Dimension;
use serde::Serialize;

use crate::number;

/// One metric over the sessions.
#[derive(Debug, Serialize)]
pub(super) struct MetricRow {
    name: String,
    expression: String,
    estimate: String,
    declared: String,
    order_statistic: String,
    bootstrap: String,
    cv: String,
    cv_plain: String,
    present: String,
    absolute: bool,
}

/// A metric's numbers; `absolute` where the report says how far an absolute value reaches.
pub(super) fn metric_row(
    name: &str,
    result: &MetricResult,
    dimension: Dimension,
    absolute: bool,
) -> MetricRow {
    let present = result.values.iter().flatten().count();
    let cv = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number::percent);
    MetricRow {
        name: name.to_owned(),
        expression: result.expression.clone(),
        estimate: number::measured_or_dash(result.estimate, dimension),
        declared: declared(result.declared.as_ref(), dimension),
        order_statistic: interval(result.order_statistic, dimension),
        bootstrap: interval(result.bootstrap_percentile, dimension),
        cv: cv(result.cv),
        cv_plain: cv(result.cv_plain),
        present: format!("{present} of {}", result.values.len()),
        absolute,
    }
}

/// The declared interval, with what was measured of its coverage right beside it.
fn declared(declared: Option<&DeclaredInterval>, dimension: Dimension) -> String {
    let Some(declared) = declared else {
        return "–".to_owned();
    };
    let mut parts = vec![interval(Some(declared.interval), dimension)];
    if let Some(coverage) = declared.measured_coverage {
        parts.push(format!(
            "coverage measured for so many values: {} to {} over five laws",
            number::percent(coverage.worst),
            number::percent(coverage.best)
        ));
    }
    parts.extend(
        declared
            .unbounded
            .as_ref()
            .map(|why| format!("unbounded: {why}")),
    );
    parts.join("; ")
}

fn interval(interval: Option<Interval>, dimension: Dimension) -> String {
    let Some(interval) = interval else {
        return "–".to_owned();
    };
    let side = |bound: Option<f64>| {
        bound.map_or_else(
            || "unbounded".to_owned(),
            |bound| number::measured(bound, dimension),
        )
    };
    let level = match interval.exact_coverage {
        Some(exact) => format!(
            " (level {}, exact {})",
            number::percent(interval.level),
            number::percent(exact)
        ),
        None if interval.level < 1.0 => format!(" (level {})", number::percent(interval.level)),
        // Of a census, which has no level.
        None => String::new(),
    };
    format!(
        "{} to {}{level}",
        side(interval.lower),
        side(interval.upper)
    )
}
