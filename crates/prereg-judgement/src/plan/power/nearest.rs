//! The nearest plan that decides: without a gate that costs the power or with a wider calibrated
//! range, else with another number of sessions, else with a wider control, else with another
//! threshold, else with less spread.

use std::collections::BTreeMap;

use prereg_declaration::Declaration;
use prereg_stats::Comparison;
use prereg_units::Quantity;

use super::claim_plan::{ClaimPlan, is_enough};
use crate::plan::nearest::NearestPlan;
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
    if let Some(gate) = costly(declaration, claim, |plan| &mut plan.gates) {
        return Some(NearestPlan::WithoutGate { gate });
    }
    if let Some(metric) = costly(declaration, claim, |plan| &mut plan.calibrated_range) {
        let place = format!("the calibrated range of `{metric}`");
        return Some(NearestPlan::Wider { place });
    }
    if let Some(sessions) = sufficient() {
        return Some(NearestPlan::Sessions { sessions });
    }
    if let Some(control) = costly(declaration, claim, |plan| &mut plan.controls) {
        let place = format!("control `{control}`");
        return Some(NearestPlan::Wider { place });
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

/// The first by name of the plan's gates, ranges or controls without which the claim would decide.
fn costly<T>(
    declaration: &Declaration,
    claim: &str,
    of: for<'d> fn(&'d mut Declaration) -> &'d mut BTreeMap<String, T>,
) -> Option<String> {
    let names: Vec<String> = of(&mut declaration.clone()).keys().cloned().collect();
    let is_costly = |name: &String| {
        decides_after(declaration, claim, |without| {
            of(without).remove(name);
        })
    };
    names.into_iter().find(is_costly)
}

fn decides_after(
    declaration: &Declaration,
    claim: &str,
    change: impl FnOnce(&mut Declaration),
) -> bool {
    let mut changed = declaration.clone();
    change(&mut changed);
    plan(&changed, claim).is_some_and(|plan| plan.decides(declaration.protocol.units()))
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
        decides_after(declaration, claim, |less| {
            for spread in less.inference.assumed_cv.values_mut() {
                *spread *= factor;
            }
        })
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
