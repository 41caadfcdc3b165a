//! The probability that conditions are shown true, or shown false, for given true values.

use std::collections::BTreeMap;

use prereg_declaration::{Condition, KillCondition};
use prereg_stats::distribution::normal;
use prereg_stats::order_statistic;

use crate::claim::comparison;
use crate::level::{self, Leaf, Levels};

/// True value (median) and log standard deviation over sessions of a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Law {
    pub(super) median: f64,
    pub(super) spread: f64,
}

/// Probabilities of being shown true and of being shown false: lower bounds where several
/// comparisons meet, by the inequalities of Fréchet, exact for one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shown {
    pub(super) as_true: f64,
    pub(super) as_false: f64,
}

/// Of "any kill condition holds": shown true is falsified, shown false is pass.
pub(super) fn any_shown(
    kill: &[KillCondition],
    levels: Levels,
    sessions: usize,
    laws: &BTreeMap<String, Law>,
) -> Shown {
    let each = level::assign(kill, levels)
        .into_iter()
        .zip(kill)
        .map(|(leaves, kill)| {
            let mut leaves = leaves.iter().map(|leaf| leaf_shown(leaf, sessions, laws));
            shown(&kill.condition, &mut leaves)
        });
    any(each)
}

fn shown(condition: &Condition, leaves: &mut impl Iterator<Item = Shown>) -> Shown {
    match condition {
        Condition::Compare { .. } => leaves.next().unwrap_or(Shown {
            as_true: 0.0,
            as_false: 0.0,
        }),
        Condition::Or(parts) => any(parts.iter().map(|part| shown(part, leaves))),
        Condition::And(parts) => {
            swapped(any(parts.iter().map(|part| swapped(shown(part, leaves)))))
        }
        Condition::Not(part) => swapped(shown(part, leaves)),
    }
}

fn any(parts: impl Iterator<Item = Shown>) -> Shown {
    let start = Shown {
        as_true: 0.0,
        as_false: 1.0,
    };
    parts.fold(start, |any, part| Shown {
        as_true: any.as_true.max(part.as_true),
        as_false: (any.as_false + part.as_false - 1.0).max(0.0),
    })
}

fn swapped(shown: Shown) -> Shown {
    Shown {
        as_true: shown.as_false,
        as_false: shown.as_true,
    }
}

fn leaf_shown(leaf: &Leaf<'_>, sessions: usize, laws: &BTreeMap<String, Law>) -> Shown {
    let Some(law) = laws.get(leaf.metric) else {
        return Shown {
            as_true: 0.0,
            as_false: 0.0,
        };
    };
    let below = law.below(leaf.threshold.value());
    let upper_limit = comparison(leaf.comparison).is_upper_limit();
    let holds = if upper_limit { below } else { 1.0 - below };
    Shown {
        as_true: order_statistic::power(sessions, leaf.levels.to_true, holds),
        as_false: order_statistic::power(sessions, leaf.levels.to_false, 1.0 - holds),
    }
}

impl Law {
    /// P(one session's value < threshold) under the lognormal law.
    fn below(self, threshold: f64) -> f64 {
        if threshold <= 0.0 || self.median <= 0.0 || self.spread <= 0.0 {
            return if self.median < threshold { 1.0 } else { 0.0 };
        }
        normal::cdf(libm::log(threshold / self.median) / self.spread)
    }
}
