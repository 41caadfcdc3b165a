//! Where on the axis of one metric a claim dies.

use prereg_declaration::{Claim, Comparison, Condition};

/// An open stretch of an axis; `None` reaches to the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
}

/// Thresholds and kill region of one metric in one claim.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KillRegion {
    /// Stretches on which a condition about this metric alone holds, ascending.
    pub(crate) stretches: Vec<Stretch>,
    /// Every threshold of the metric, ascending, without repetition.
    pub(crate) thresholds: Vec<f64>,
    /// Whether some condition joins this metric with another, so that no point of this axis alone
    /// can show whether it holds. Such conditions give thresholds and no stretches.
    pub(crate) joined: bool,
}

impl KillRegion {
    pub(crate) fn of(claim: &Claim, metric: &str) -> Self {
        let naming = claim
            .kill
            .iter()
            .map(|kill| &kill.condition)
            .filter(|condition| {
                comparisons(condition)
                    .iter()
                    .any(|(name, _)| *name == metric)
            });
        let (alone, joined): (Vec<_>, Vec<_>) = naming.partition(|condition| {
            comparisons(condition)
                .iter()
                .all(|(name, _)| *name == metric)
        });
        let mut region = Self {
            stretches: Vec::new(),
            thresholds: Vec::new(),
            joined: !joined.is_empty(),
        };
        for condition in alone.iter().chain(&joined) {
            region.thresholds.extend(
                comparisons(condition)
                    .into_iter()
                    .filter(|(name, _)| *name == metric)
                    .map(|(_, threshold)| threshold),
            );
        }
        region.thresholds.sort_by(f64::total_cmp);
        region.thresholds.dedup();
        region.stretches = stretches(&alone, &region.thresholds);
        region
    }

    /// Whether the claim dies just below, and just above, a threshold.
    pub(crate) fn sides(&self, threshold: f64) -> (bool, bool) {
        let below = self.stretches.iter().any(|stretch| {
            stretch.low.is_none_or(|low| low < threshold)
                && stretch.high.is_none_or(|high| threshold <= high)
        });
        let above = self.stretches.iter().any(|stretch| {
            stretch.low.is_none_or(|low| low <= threshold)
                && stretch.high.is_none_or(|high| threshold < high)
        });
        (below, above)
    }
}

/// Between two neighbouring thresholds a condition is constant, so one point stands for each stretch.
fn stretches(conditions: &[&Condition], thresholds: &[f64]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for index in 0..=thresholds.len() {
        let low = index.checked_sub(1).map(|below| thresholds[below]);
        let high = thresholds.get(index).copied();
        let inside = match (low, high) {
            (Some(low), Some(high)) => f64::midpoint(low, high),
            (None, Some(high)) => high - 1.0 - high.abs(),
            (Some(low), None) => low + 1.0 + low.abs(),
            (None, None) => return stretches,
        };
        if !conditions.iter().any(|condition| holds(condition, inside)) {
            continue;
        }
        match stretches.last_mut() {
            Some(last) if last.high == low => last.high = high,
            _ => stretches.push(Stretch { low, high }),
        }
    }
    stretches
}

/// The truth of a condition about one metric, at a value of it.
fn holds(condition: &Condition, value: f64) -> bool {
    match condition {
        Condition::Compare {
            comparison,
            threshold,
            ..
        } => match comparison {
            Comparison::Less => value < threshold.value(),
            Comparison::LessOrEqual => value <= threshold.value(),
            Comparison::Greater => value > threshold.value(),
            Comparison::GreaterOrEqual => value >= threshold.value(),
        },
        Condition::And(parts) => parts.iter().all(|part| holds(part, value)),
        Condition::Or(parts) => parts.iter().any(|part| holds(part, value)),
        Condition::Not(part) => !holds(part, value),
    }
}

/// Metric and threshold of every comparison, left to right.
pub(crate) fn comparisons(condition: &Condition) -> Vec<(&str, f64)> {
    match condition {
        Condition::Compare {
            metric, threshold, ..
        } => vec![(metric, threshold.value())],
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().flat_map(comparisons).collect()
        }
        Condition::Not(part) => comparisons(part),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use prereg_declaration::KillCondition;

    use super::*;

    fn compare(metric: &str, comparison: Comparison, threshold: &str) -> Condition {
        Condition::Compare {
            metric: metric.to_owned(),
            comparison,
            threshold: threshold.parse().unwrap(),
        }
    }

    fn region(conditions: Vec<Condition>) -> KillRegion {
        let claim = Claim {
            text: String::new(),
            on: vec!["cpu".to_owned()],
            expected: BTreeMap::new(),
            rival: BTreeMap::new(),
            kill: conditions
                .into_iter()
                .map(|condition| KillCondition {
                    source: String::new(),
                    condition,
                })
                .collect(),
        };
        KillRegion::of(&claim, "m")
    }

    fn stretch(low: Option<f64>, high: Option<f64>) -> Stretch {
        Stretch { low, high }
    }

    #[test]
    fn a_lower_limit_kills_below_it() {
        let region = region(vec![compare("m", Comparison::Less, "1.15")]);
        assert_eq!(region.stretches, [stretch(None, Some(1.15))]);
        assert_eq!(region.sides(1.15), (true, false));
    }

    #[test]
    fn two_limits_leave_the_middle_alive() {
        let region = region(vec![
            compare("m", Comparison::Greater, "1.05"),
            compare("m", Comparison::Less, "0.95"),
        ]);
        assert_eq!(
            region.stretches,
            [stretch(None, Some(0.95)), stretch(Some(1.05), None)]
        );
        assert_eq!(region.sides(0.95), (true, false));
        assert_eq!(region.sides(1.05), (false, true));
    }

    #[test]
    fn not_and_and_are_followed() {
        let inside = Condition::And(vec![
            compare("m", Comparison::GreaterOrEqual, "1"),
            compare("m", Comparison::LessOrEqual, "2"),
        ]);
        assert_eq!(
            region(vec![inside.clone()]).stretches,
            [stretch(Some(1.0), Some(2.0))]
        );
        assert_eq!(
            region(vec![Condition::Not(Box::new(inside))]).stretches,
            [stretch(None, Some(1.0)), stretch(Some(2.0), None)]
        );
    }

    #[test]
    fn a_condition_with_another_metric_gives_a_threshold_and_no_stretch() {
        let region = region(vec![Condition::And(vec![
            compare("m", Comparison::Less, "1"),
            compare("other", Comparison::Less, "3"),
        ])]);
        assert!(region.stretches.is_empty());
        assert_eq!(region.thresholds, [1.0]);
        assert!(region.joined);
    }
}
