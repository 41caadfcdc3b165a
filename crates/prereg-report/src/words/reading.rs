//! How numbers are read: estimand, interval, census.

use prereg_declaration::{Declaration, Estimand, Interval, Stopping};
use prereg_judgement::{Interval as JudgedInterval, MetricResult};

/// The number over sessions that a claim is about.
pub(crate) const fn estimand(estimand: Estimand) -> &'static str {
    match estimand {
        Estimand::Median => "median",
        Estimand::GeometricMean => "geometric mean",
        Estimand::Mean => "mean",
    }
}

/// What conditions are read on: "median over sessions".
pub(crate) fn read_on(declaration: &Declaration) -> String {
    let units = match declaration.protocol.blocks {
        1 => "sessions",
        _ => "blocks",
    };
    format!("{} over {units}", estimand(declaration.inference.estimand))
}

/// Whether the sessions are all there are, so that nothing is inferred from them.
pub(crate) fn is_census(declaration: &Declaration) -> bool {
    declaration.inference.interval == Interval::Census
}

/// The two-sided interval that decides.
pub(crate) fn interval(declaration: &Declaration) -> String {
    let name = match declaration.inference.stopping {
        Stopping::Sequence => Stopping::Sequence.name(),
        Stopping::Fixed if is_census(declaration) => {
            return "smallest to largest of the sessions".to_owned();
        }
        Stopping::Fixed => declaration.inference.interval.name(),
    };
    format!("two-sided {name} interval")
}

/// What conditions are compared with.
pub(crate) fn bound_kind(declaration: &Declaration) -> &'static str {
    if is_census(declaration) {
        "smallest and largest session, which decide"
    } else {
        "one-sided bounds that decide, at their α"
    }
}

/// How a kill condition is read, as a sentence.
pub(crate) fn condition_rule(declaration: &Declaration) -> String {
    let read_on = read_on(declaration);
    if is_census(declaration) {
        return format!(
            "The sessions are all there are: a condition is read on the smallest and the largest of them, beside the \
             {read_on}, and nothing is inferred."
        );
    }
    format!("A condition is read on one-sided bounds for the {read_on}, each at its own α.")
}

/// The deciding interval of a metric, two-sided.
pub(crate) fn deciding(metric: &MetricResult) -> Option<JudgedInterval> {
    match &metric.declared {
        Some(declared) => Some(declared.interval),
        None => metric.order_statistic,
    }
}
