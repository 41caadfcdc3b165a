//! What a plan decides, with what probability.

use std::collections::{BTreeMap, BTreeSet};

use prereg_declaration::{Claim, Condition, Declaration};
use prereg_stats::Alpha;
use prereg_units::{Dimension, Quantity};

use super::scenario::{Law, Shown, any_shown};
use super::table::{ClaimPower, PassingRange, PowerError, PowerRow, PowerTable};
use crate::level::Levels;
use crate::significant::rounded;

/// P(falsified | rival) that a plan must reach.
pub(super) const LEAST_FALSIFIED: f64 = 0.8;
/// P(pass | expected) that a plan must reach.
pub(super) const LEAST_PASS: f64 = 0.5;
/// Numbers of sessions beyond this are not proposed.
const MOST_SESSIONS: u32 = 1000;
/// Probabilities that differ by less are the same to a planner.
const SAME: f64 = 1e-3;

/// The power of every claim on one target, in closed form.
///
/// # Errors
/// [`PowerError`] where a spread or a value is missing or cannot be.
pub fn power(declaration: &Declaration) -> Result<PowerTable, PowerError> {
    let plans = declaration
        .claims
        .iter()
        .map(|(name, claim)| Ok((name, ClaimPlan::new(declaration, name, claim)?)))
        .collect::<Result<Vec<_>, PowerError>>()?;
    let sessions = declaration.protocol.sessions;
    let claims = plans
        .iter()
        .map(|(name, plan)| ((*name).clone(), plan.table(sessions)));
    Ok(PowerTable {
        sessions,
        claims: claims.collect(),
        sufficient_sessions: (1..=MOST_SESSIONS)
            .find(|n| plans.iter().all(|(_, plan)| plan.decides(*n))),
        fewer_sessions: fewer(&plans, sessions),
    })
}

fn fewer(plans: &[(&String, ClaimPlan<'_>)], sessions: u32) -> Option<u32> {
    let declared: Vec<[f64; 2]> = plans.iter().map(|(_, plan)| plan.power(sessions)).collect();
    let as_well = |n: u32| {
        plans.iter().zip(&declared).all(|((_, plan), declared)| {
            plan.power(n)
                .iter()
                .zip(declared)
                .all(|(found, declared)| found + SAME >= *declared)
        })
    };
    (1..sessions.min(MOST_SESSIONS)).find(|n| as_well(*n))
}

/// A claim with the laws of its metrics in both scenarios.
struct ClaimPlan<'a> {
    claim: &'a Claim,
    levels: Levels,
    expected: BTreeMap<String, Law>,
    rival: BTreeMap<String, Law>,
    dimensions: BTreeMap<String, Dimension>,
}

impl<'a> ClaimPlan<'a> {
    fn new(declaration: &Declaration, name: &str, claim: &'a Claim) -> Result<Self, PowerError> {
        let inference = &declaration.inference;
        let mut leaves = Vec::new();
        claim
            .kill
            .iter()
            .for_each(|kill| collect(&kill.condition, &mut leaves));
        let metrics: BTreeSet<&str> = leaves.iter().map(|(metric, _)| *metric).collect();
        let laws = |scenario, values: &BTreeMap<String, Quantity>| {
            let law = |metric: &&str| {
                let metric = (*metric).to_owned();
                let spread = inference.assumed_cv.get(&metric).copied();
                let spread = spread.ok_or(PowerError::NoSpread {
                    metric: metric.clone(),
                })?;
                let claim = name.to_owned();
                match values.get(&metric).map(|value| value.value()) {
                    None => Err(PowerError::NoValue {
                        claim,
                        scenario,
                        metric,
                    }),
                    Some(median) if median > 0.0 => Ok((metric, Law { median, spread })),
                    Some(_) => Err(PowerError::NotPositive {
                        claim,
                        scenario,
                        metric,
                    }),
                }
            };
            metrics
                .iter()
                .map(law)
                .collect::<Result<BTreeMap<_, _>, _>>()
        };
        Ok(Self {
            claim,
            levels: Levels {
                to_true: Alpha::new(inference.alpha_falsified)?,
                to_false: Alpha::new(inference.alpha_pass)?,
            },
            expected: laws("expected", &claim.expected)?,
            rival: laws("rival", &claim.rival)?,
            dimensions: leaves
                .iter()
                .map(|(metric, threshold)| ((*metric).to_owned(), threshold.dimension()))
                .collect(),
        })
    }

    fn shown(&self, laws: &BTreeMap<String, Law>, sessions: u32) -> Shown {
        any_shown(&self.claim.kill, self.levels, sessions as usize, laws)
    }

    /// P(pass | expected) and P(falsified | rival).
    fn power(&self, sessions: u32) -> [f64; 2] {
        [
            self.shown(&self.expected, sessions).as_false,
            self.shown(&self.rival, sessions).as_true,
        ]
    }

    fn decides(&self, sessions: u32) -> bool {
        let [pass, falsified] = self.power(sessions);
        pass >= LEAST_PASS && falsified >= LEAST_FALSIFIED
    }

    fn row(&self, laws: &BTreeMap<String, Law>, sessions: u32) -> PowerRow {
        let shown = self.shown(laws, sessions);
        PowerRow {
            values: laws
                .iter()
                .filter_map(|(metric, law)| {
                    Some((metric.clone(), self.quantity(metric, law.median)?))
                })
                .collect(),
            pass: rounded(shown.as_false),
            falsified: rounded(shown.as_true),
        }
    }

    fn quantity(&self, metric: &str, value: f64) -> Option<Quantity> {
        Quantity::new(rounded(value), self.dimensions.get(metric).copied()?).ok()
    }

    fn table(&self, sessions: u32) -> ClaimPower {
        let single = self.single_metric();
        ClaimPower {
            expected: self.row(&self.expected, sessions),
            rival: self.row(&self.rival, sessions),
            rows: single.map_or_else(Vec::new, |(metric, _)| self.rows(metric, sessions)),
            passing: single.and_then(|(metric, law)| self.passing(metric, law, sessions)),
        }
    }

    fn single_metric(&self) -> Option<(&String, Law)> {
        let mut metrics = self.expected.iter();
        let (metric, law) = metrics.next()?;
        metrics.next().is_none().then_some((metric, *law))
    }

    fn at(metric: &str, law: Law, median: f64) -> BTreeMap<String, Law> {
        BTreeMap::from([(metric.to_owned(), Law { median, ..law })])
    }

    /// Rival, expected, the thresholds, and a value between each two of them.
    fn rows(&self, metric: &str, sessions: u32) -> Vec<PowerRow> {
        let (Some(expected), Some(rival)) = (self.expected.get(metric), self.rival.get(metric))
        else {
            return Vec::new();
        };
        let mut leaves = Vec::new();
        self.claim
            .kill
            .iter()
            .for_each(|kill| collect(&kill.condition, &mut leaves));
        let thresholds = leaves.iter().map(|(_, threshold)| threshold.value());
        let mut values: Vec<f64> = thresholds
            .filter(|value| *value > 0.0)
            .chain([expected.median, rival.median])
            .collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let between: Vec<f64> = values
            .windows(2)
            .map(|pair| f64::midpoint(pair[0], pair[1]))
            .collect();
        values.extend(between);
        values.sort_by(f64::total_cmp);
        let row = |value| self.row(&Self::at(metric, *expected, value), sessions);
        values.into_iter().map(row).collect()
    }

    /// P(pass) falls away on both sides of its top, so each end is found by halving.
    fn passing(&self, metric: &str, law: Law, sessions: u32) -> Option<PassingRange> {
        let passes = |median: f64| {
            self.shown(&Self::at(metric, law, median), sessions)
                .as_false
                >= LEAST_PASS
        };
        if !passes(law.median) {
            return None;
        }
        let end = |farthest: f64| {
            if passes(law.median * farthest) {
                return None;
            }
            let (mut inside, mut outside) = (law.median, law.median * farthest);
            for _ in 0..60 {
                let middle = libm::sqrt(inside) * libm::sqrt(outside);
                if passes(middle) {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            self.quantity(metric, inside)
        };
        Some(PassingRange {
            from: end(1e-3),
            to: end(1e3),
        })
    }
}

fn collect<'a>(condition: &'a Condition, found: &mut Vec<(&'a str, Quantity)>) {
    match condition {
        Condition::Compare {
            metric, threshold, ..
        } => found.push((metric, *threshold)),
        Condition::And(parts) | Condition::Or(parts) => {
            for part in parts {
                collect(part, found);
            }
        }
        Condition::Not(part) => collect(part, found),
    }
}

#[cfg(test)]
mod tests;
