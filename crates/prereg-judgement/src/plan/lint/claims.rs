//! Claims that nothing could kill, or nothing could save.

use std::collections::{BTreeMap, BTreeSet};

use prereg_declaration::{Claim, Condition, Declaration, Number};
use prereg_units::Quantity;

use super::words;
use crate::claim::comparison;
use crate::plan::comparisons::{Comparison, comparisons};
use crate::plan::finding::LintFinding;
use crate::plan::formula::{Formula, Possible};
use crate::plan::threshold::threshold_between;
use crate::plan::variables::Variables;

/// What is wrong with one claim before anything is known of its power.
pub(super) fn lint(declaration: &Declaration, name: &str, claim: &Claim) -> Vec<LintFinding> {
    let mut findings = not_measured(declaration, name, claim);
    let mut variables = Variables::new(declaration, BTreeMap::new());
    let mut formulas = Vec::new();
    for kill in &claim.kill {
        let formula = variables.condition(&kill.condition);
        let (claim_name, condition) = (name.to_owned(), kill.source.clone());
        let nearest = || nearest_of(claim, &kill.condition);
        match formula.possible(variables.ranges()) {
            None => findings.push(LintFinding::TooComplex {
                place: format!("claim `{claim_name}`"),
            }),
            Some(Possible {
                can_hold: false, ..
            }) => findings.push(LintFinding::NeverTrue {
                claim: claim_name,
                condition,
                reason: reason(&kill.condition, &mut variables),
                nearest: nearest(),
            }),
            Some(Possible {
                can_fail: false, ..
            }) => findings.push(LintFinding::NeverFalse {
                claim: claim_name,
                condition,
                reason: reason(&kill.condition, &mut variables),
                nearest: nearest(),
            }),
            Some(_) => {}
        }
        formulas.push(formula);
    }
    if !findings.is_empty() {
        return findings;
    }
    let whole = Formula::Or(formulas).possible(variables.ranges());
    if whole.is_some_and(|possible| !possible.can_fail) {
        return vec![LintFinding::AlwaysKilled {
            claim: name.to_owned(),
            nearest: claim
                .kill
                .iter()
                .find_map(|kill| nearest_of(claim, &kill.condition)),
        }];
    }
    on_the_wrong_side(name, claim)
}

fn not_measured(declaration: &Declaration, name: &str, claim: &Claim) -> Vec<LintFinding> {
    let metrics: BTreeSet<&str> = claim
        .kill
        .iter()
        .flat_map(|kill| comparisons(&kill.condition))
        .map(|comparison| comparison.metric)
        .collect();
    let without_data = metrics.into_iter().filter(|metric| {
        let metric = declaration.metrics.get(*metric);
        metric.is_some_and(|metric| !is_measured(declaration, &metric.expression))
    });
    without_data
        .map(|metric| LintFinding::NothingMeasured {
            claim: name.to_owned(),
            metric: metric.to_owned(),
        })
        .collect()
}

/// Whether the number depends on anything measured.
pub(super) fn is_measured(declaration: &Declaration, number: &Number) -> bool {
    let mut looked_at = BTreeSet::new();
    depends(declaration, number, &mut looked_at)
}

fn depends<'a>(
    declaration: &'a Declaration,
    number: &'a Number,
    looked_at: &mut BTreeSet<&'a str>,
) -> bool {
    match number {
        Number::Literal(_) | Number::Constant(_) => false,
        Number::OverSteps(..) => true,
        Number::Metric(name) | Number::OverSessions(_, name) => {
            looked_at.insert(name)
                && declaration
                    .metrics
                    .get(name)
                    .is_some_and(|metric| depends(declaration, &metric.expression, looked_at))
        }
        Number::Negate(part) => depends(declaration, part, looked_at),
        Number::Binary(_, left, right) => {
            depends(declaration, left, looked_at) || depends(declaration, right, looked_at)
        }
    }
}

/// Why a condition has only one outcome.
fn reason(condition: &Condition, variables: &mut Variables<'_>) -> String {
    match comparisons(condition)[..] {
        [
            Comparison {
                metric, threshold, ..
            },
        ] => words::of_metric(metric, threshold.dimension(), variables),
        _ => "whatever the values are, its parts together come out alike".to_owned(),
    }
}

/// Expected values that kill, rival values that do not.
fn on_the_wrong_side(name: &str, claim: &Claim) -> Vec<LintFinding> {
    let mut findings = Vec::new();
    let kills = |values| {
        let mut kills = claim.kill.iter();
        kills.find(|kill| holds(&kill.condition, values) == Some(true))
    };
    let nearest = || match &claim.kill[..] {
        [kill] => nearest_of(claim, &kill.condition),
        _ => None,
    };
    if let Some(kill) = kills(&claim.expected) {
        findings.push(LintFinding::ExpectedIsKilled {
            claim: name.to_owned(),
            condition: kill.source.clone(),
            nearest: nearest(),
        });
    }
    if kills(&claim.rival).is_none() {
        findings.push(LintFinding::RivalSurvives {
            claim: name.to_owned(),
            nearest: nearest(),
        });
    }
    findings
}

/// A comparison with a threshold between the rival and the expected value, of a condition that has
/// one metric only.
fn nearest_of(claim: &Claim, condition: &Condition) -> Option<String> {
    let comparisons = comparisons(condition);
    let first = comparisons.first()?;
    if comparisons.iter().any(|other| other.metric != first.metric) {
        return None;
    }
    threshold_between(
        first.metric,
        *claim.expected.get(first.metric)?,
        *claim.rival.get(first.metric)?,
    )
}

/// Whether a condition holds for known values; `None` where one is missing that matters.
fn holds(condition: &Condition, values: &BTreeMap<String, Quantity>) -> Option<bool> {
    match condition {
        Condition::Compare {
            metric,
            comparison: operator,
            threshold,
        } => {
            let value = values.get(metric)?.value();
            Some(comparison(*operator).holds(value, threshold.value()))
        }
        Condition::And(parts) => parts
            .iter()
            .try_fold(true, |all, part| Some(all & holds(part, values)?)),
        Condition::Or(parts) => parts
            .iter()
            .try_fold(false, |any, part| Some(any | holds(part, values)?)),
        Condition::Not(part) => holds(part, values).map(|holds| !holds),
    }
}
