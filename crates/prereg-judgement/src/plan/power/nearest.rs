//! The nearest plan that decides: without a gate that costs the power, else with another number of
//! sessions, else with another threshold, else with less spread.

use prereg_declaration::Declaration;
use prereg_stats::Comparison;
use prereg_units::Quantity;

use super::claim_plan::{ClaimPlan, is_enough};
use crate::plan::finding::NearestPlan;
use crate::plan::threshold::{in_digits, spelled};

/// Thresholds tried between the rival and the expected value.
const TRIED: u32 = 60;
/// Halvings in the search for a spread.
const HALVINGS: usize = 10;

/// The change that makes a claim decide. `sufficient` gives the number of sessions at which the
/// whole plan does.
pub(in crate::plan) fn nearest(
    declaration: &Declaration,
    claim: &str,
    sufficient: impl FnOnce() -> Option<u32>,
) -> Option<NearestPlan> {
    if let Some(gate) = costly_gate(declaration, claim) {
        return Some(NearestPlan::WithoutGate { gate });
    }
    if let Some(sessions) = sufficient() {
        return Some(NearestPlan::Sessions { sessions });
    }
    let sessions = declaration.protocol.sessions;
    if let Some(condition) = threshold(&plan(declaration, claim)?, declaration.protocol.units()) {
        return Some(NearestPlan::Threshold {
            condition,
            sessions,
        });
    }
    let factor = spread(declaration, claim)?;
    Some(NearestPlan::Spread { factor, sessions })
}

/// The gate without which the claim would decide.
fn costly_gate(declaration: &Declaration, claim: &str) -> Option<String> {
    let units = declaration.protocol.units();
    let is_costly = |gate: &&String| {
        let mut without = declaration.clone();
        without.gates.remove(*gate);
        plan(&without, claim).is_some_and(|plan| plan.decides(units))
    };
    declaration.gates.keys().find(is_costly).cloned()
}

fn plan<'a>(declaration: &'a Declaration, claim: &str) -> Option<ClaimPlan<'a>> {
    let (name, claim) = declaration.claims.get_key_value(claim)?;
    ClaimPlan::new(declaration, name, claim).ok()
}

/// The kill condition with the threshold nearest to the declared one at which the claim decides;
/// only for one comparison.
fn threshold(plan: &ClaimPlan<'_>, units: u32) -> Option<String> {
    let [comparison] = plan.comparisons()[..] else {
        return None;
    };
    let declared = comparison.threshold.value();
    let (expected, rival) = (
        plan.expected.get(comparison.metric)?,
        plan.rival.get(comparison.metric)?,
    );
    let at_units = plan.at(units);
    let decides = |threshold: &f64| {
        let shift = declared / threshold;
        is_enough([
            at_units.figures(&plan.expected, shift).pass,
            at_units.figures(&plan.rival, shift).falsified,
        ])
    };
    let ratio = libm::log(expected / rival);
    let step = |i| rival * libm::exp(ratio * f64::from(i) / f64::from(TRIED));
    let mut tried: Vec<f64> = (1..TRIED).map(|i| in_digits(step(i), 4)).collect();
    let distance = |threshold: f64| libm::log(threshold / declared).abs();
    tried.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    let found = tried.into_iter().find(decides)?;
    let threshold = Quantity::new(found, comparison.threshold.dimension()).ok()?;
    let operator = symbol(comparison.operator);
    Some(format!(
        "{} {operator} {}",
        comparison.metric,
        spelled(threshold)
    ))
}

const fn symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    }
}

/// The greatest part of the assumed spreads at which the claim decides, in two digits.
fn spread(declaration: &Declaration, claim: &str) -> Option<f64> {
    let decides = |factor: f64| {
        let mut less = declaration.clone();
        for spread in less.inference.assumed_cv.values_mut() {
            *spread *= factor;
        }
        plan(&less, claim).is_some_and(|plan| plan.decides(declaration.protocol.units()))
    };
    let (mut enough, mut too_much) = (0.01, 1.0);
    if !decides(enough) {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(enough, too_much);
        if decides(middle) {
            enough = middle;
        } else {
            too_much = middle;
        }
    }
    Some((enough * 100.0).floor() / 100.0)
}
