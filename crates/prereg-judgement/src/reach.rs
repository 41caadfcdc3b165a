//! How far a claim's verdict reaches: what one run on one host covers, and what it does not.
//!
//! A ratio of two arms that ran minutes apart cancels what that day and that host did to both. A
//! time, a bandwidth or a share of a measured bandwidth does not, so one sitting covers one day.
//! Several blocks, apart in time, with the block as unit, cover more.

use std::collections::{BTreeMap, BTreeSet};

use prereg_declaration::{Claim, Condition, Declaration, Interval, Metric, Number};
use prereg_units::{Dimension, Quantity};

/// Fewer blocks than this support no statement beyond the run.
const ENOUGH_BLOCKS: u32 = 5;

/// What a verdict on an absolute value covers; `None` for a claim of ratios between arms only, and under a census, which
/// speaks of no other day.
pub(crate) fn of_claim(declaration: &Declaration, claim: &Claim) -> Option<String> {
    if declaration.inference.interval == Interval::Census {
        return None;
    }
    let mut conditions = claim.kill.iter().map(|kill| &kill.condition);
    if !conditions.any(|condition| names_absolute(declaration, condition)) {
        return None;
    }
    Some(reach_of_absolute(declaration))
}

/// What a verdict on an absolute value covers: "within one run on one host; other days are not
/// covered", or "over 5 blocks at least 6 h apart on one host".
#[must_use]
pub fn reach_of_absolute(declaration: &Declaration) -> String {
    let protocol = &declaration.protocol;
    if protocol.blocks < ENOUGH_BLOCKS {
        return "within one run on one host; other days are not covered".to_owned();
    }
    let gap = Quantity::new(protocol.min_gap.as_secs_f64(), Dimension::TIME)
        .ok()
        .filter(|gap| gap.value() > 0.0);
    let apart = gap.map_or_else(String::new, |gap| format!(" at least {gap} apart"));
    format!("over {} blocks{apart} on one host", protocol.blocks)
}

fn names_absolute(declaration: &Declaration, condition: &Condition) -> bool {
    match condition {
        Condition::Compare { metric, .. } => is_absolute(declaration, metric),
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().any(|part| names_absolute(declaration, part))
        }
        Condition::Not(part) => names_absolute(declaration, part),
    }
}

/// Whether a metric is an absolute value: it has a unit, or reads fewer than two arms.
#[must_use]
pub fn is_absolute(declaration: &Declaration, metric: &str) -> bool {
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
        Number::Negate(operand) => collect_arms(metrics, operand, arms),
        Number::Binary(_, left, right) => {
            collect_arms(metrics, left, arms);
            collect_arms(metrics, right, arms);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use prereg_declaration::{Arithmetic, Column, Comparison, Statistic};

    use super::*;
    use crate::example::{compare, declaration, kill};

    fn median(name: &str, arm: Option<&str>) -> Number {
        Number::OverSteps(
            Statistic::Median,
            Column {
                name: name.to_owned(),
                arm: arm.map(str::to_owned),
                dimension: Dimension::TIME,
            },
        )
    }

    #[test]
    fn a_census_says_nothing_of_other_days() {
        let mut declaration = declaration();
        let claim = Claim {
            kill: vec![kill(compare("eager_step", Comparison::Less, 1.0))],
            ..declaration.claims["faster"].clone()
        };
        assert!(of_claim(&declaration, &claim).is_some());
        declaration.inference.interval = Interval::Census;
        assert_eq!(of_claim(&declaration, &claim), None);
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

    fn covers(metric: &str, blocks: u32, min_gap: Duration) -> Option<String> {
        let mut declaration = declaration();
        declaration.protocol.blocks = blocks;
        declaration.protocol.min_gap = min_gap;
        let claim = declaration.claims.get_mut("faster").unwrap();
        claim.kill = vec![kill(compare(metric, Comparison::Less, 1.0))];
        of_claim(&declaration, &declaration.claims["faster"])
    }

    #[test]
    fn one_run_covers_one_host_and_day_of_an_absolute_value() {
        let one_run = Some("within one run on one host; other days are not covered".to_owned());
        assert_eq!(covers("eager_step", 1, Duration::ZERO), one_run);
        assert_eq!(covers("eager_step", 4, Duration::from_hours(24)), one_run);
        assert_eq!(covers("speedup", 1, Duration::ZERO), None);
    }

    #[test]
    fn five_blocks_cover_the_time_over_which_they_were_spread() {
        assert_eq!(
            covers("eager_step", 5, Duration::from_hours(6)).as_deref(),
            Some("over 5 blocks at least 6 h apart on one host")
        );
        assert_eq!(
            covers("eager_step", 5, Duration::ZERO).as_deref(),
            Some("over 5 blocks on one host")
        );
    }
}
