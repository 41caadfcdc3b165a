//! Whether a metric compares arms within a session or claims an absolute value.
//!
//! A ratio of two arms that ran minutes apart cancels what that day and that host did to both. A
//! time, a bandwidth or a share of a measured bandwidth does not, so one run covers one day.

use std::collections::{BTreeMap, BTreeSet};

use prereg_declaration::{Declaration, Metric, Number};

/// Whether `metric` is an absolute value: it has a unit, or reads fewer than two arms.
pub(crate) fn is_absolute(declaration: &Declaration, metric: &str) -> bool {
    let Some(declared) = declaration.metrics.get(metric) else {
        return true;
    };
    let mut arms = BTreeSet::new();
    collect_arms(&declaration.metrics, &declared.expression, &mut arms);
    !declared.dimension.is_none() || arms.len() < 2
}

fn collect_arms<'a>(
    metrics: &'a BTreeMap<String, Metric>,
    number: &'a Number,
    arms: &mut BTreeSet<&'a str>,
) {
    match number {
        Number::Literal(_) | Number::Constant(_) => {}
        Number::Metric(name) | Number::OverSessions(_, name) => {
            if let Some(metric) = metrics.get(name) {
                collect_arms(metrics, &metric.expression, arms);
            }
        }
        Number::OverSteps(_, column) => arms.extend(column.arm.as_deref()),
        Number::Negate(inner) => collect_arms(metrics, inner, arms),
        Number::Binary(_, left, right) => {
            collect_arms(metrics, left, arms);
            collect_arms(metrics, right, arms);
        }
    }
}

#[cfg(test)]
mod tests {
    use prereg_declaration::{Arithmetic, Column, Statistic};
    use prereg_units::Dimension;

    use super::*;

    fn median(name: &str, arm: Option<&str>) -> Number {
        Number::OverSteps(
            Statistic::Median,
            Column {
                name: name.to_owned(),
                arm: arm.map(str::to_owned),
            },
        )
    }

    fn quotient(left: Number, right: Number) -> Number {
        Number::Binary(Arithmetic::Divide, Box::new(left), Box::new(right))
    }

    fn arms(number: &Number, metrics: &BTreeMap<String, Metric>) -> usize {
        let mut arms = BTreeSet::new();
        collect_arms(metrics, number, &mut arms);
        arms.len()
    }

    #[test]
    fn arms_are_counted_through_other_metrics() {
        let eager = Metric {
            source: String::new(),
            expression: median("step_time", Some("eager")),
            dimension: Dimension::TIME,
        };
        let metrics = BTreeMap::from([("eager_step".to_owned(), eager)]);
        let speedup = quotient(
            Number::Metric("eager_step".to_owned()),
            median("step_time", Some("graphed")),
        );
        assert_eq!(arms(&speedup, &metrics), 2);
    }

    #[test]
    fn a_share_of_bandwidth_reads_one_arm() {
        let share = quotient(
            median("read_bandwidth", None),
            Number::Metric("eager_step".to_owned()),
        );
        assert_eq!(arms(&share, &BTreeMap::new()), 0);
        let share = quotient(
            median("step_time", Some("eager")),
            median("read_bandwidth", None),
        );
        assert_eq!(arms(&share, &BTreeMap::new()), 1);
    }
}
