//! What a plan decides, with what probability.

mod claim_plan;
mod closed_form;
mod controls;
mod effects;
mod gates;
mod nearest;
mod scenario;
mod search;
mod simulation;

use std::collections::BTreeMap;

use prereg_declaration::Declaration;
use prereg_units::Quantity;

pub(super) use self::claim_plan::ClaimPlan;
use self::claim_plan::Decider;
pub(super) use self::nearest::nearest;
use self::scenario::Scenario;
pub(super) use self::search::sufficient_sessions;
use super::table::{ClaimPower, PowerError, PowerRow, PowerTable};
use crate::method::Reading;
use crate::significant::{rounded, rounded_quantity};
use crate::verdict::MeasuredCoverage;

/// P(falsified | rival) that a plan must reach.
pub(super) const LEAST_FALSIFIED: f64 = 0.8;
/// P(pass | expected) that a plan must reach.
pub(super) const LEAST_PASS: f64 = 0.5;

/// What a claim comes to for given true values.
#[derive(Clone, Debug, PartialEq)]
struct Figures {
    pass: f64,
    falsified: f64,
    /// P(held) by gate.
    gates: BTreeMap<String, f64>,
    /// P(held) by control.
    controls: BTreeMap<String, f64>,
    /// P(held) by metric with a calibrated range.
    calibrated_range: BTreeMap<String, f64>,
    /// Of a sequence.
    median_sessions: Option<u32>,
}

impl Figures {
    /// With nothing to guard them, at a fixed number of sessions.
    const fn certain(pass: f64, falsified: f64) -> Self {
        Self {
            pass,
            falsified,
            gates: BTreeMap::new(),
            controls: BTreeMap::new(),
            calibrated_range: BTreeMap::new(),
            median_sessions: None,
        }
    }

    fn row(self, scenario: &Scenario) -> PowerRow {
        let values = scenario.values().iter();
        let shares = |held: BTreeMap<String, f64>| {
            let shares = held.into_iter();
            shares.map(|(name, share)| (name, rounded(share))).collect()
        };
        PowerRow {
            values: values
                .map(|(metric, value)| (metric.clone(), rounded_quantity(*value)))
                .collect(),
            pass: rounded(self.pass),
            falsified: rounded(self.falsified),
            gates: shares(self.gates),
            controls: shares(self.controls),
            calibrated_range: shares(self.calibrated_range),
            median_sessions: self.median_sessions,
        }
    }
}

/// The power of every claim on one target.
///
/// Each claim is taken alone: a sequence is followed until this claim is decided.
///
/// # Errors
/// [`PowerError`] where a spread or a value is missing or cannot be.
pub fn power(declaration: &Declaration) -> Result<PowerTable, PowerError> {
    let plans = plans(declaration)?;
    let units = declaration.protocol.units();
    let claims = plans
        .iter()
        .map(|(name, plan)| ((*name).clone(), table(plan, &plan.at(units))));
    Ok(PowerTable {
        sessions: declaration.protocol.sessions,
        experiments: plans.iter().find_map(|(_, plan)| plan.experiments()),
        claims: claims.collect(),
        sufficient_sessions: sufficient_sessions(declaration, &plans),
        fewer_sessions: search::fewer_sessions(declaration, &plans),
        measured_coverage: Reading::of(declaration)
            .method
            .measured_coverage(units as usize)
            .map(|(worst, best)| MeasuredCoverage { worst, best }),
    })
}

/// The same at other spreads than assumed: log standard deviations over sessions by metric, as a
/// pilot measured them. Metrics that are not named keep the assumed one.
///
/// # Errors
/// Those of [`power`].
pub fn power_at(
    declaration: &Declaration,
    spreads: &BTreeMap<String, f64>,
) -> Result<PowerTable, PowerError> {
    let mut declaration = declaration.clone();
    let assumed = &mut declaration.inference.assumed_cv;
    assumed.extend(
        spreads
            .iter()
            .map(|(metric, spread)| (metric.clone(), *spread)),
    );
    power(&declaration)
}

/// Claims by name, each with its plan.
pub(super) type Plans<'a> = Vec<(&'a String, ClaimPlan<'a>)>;

pub(super) fn plans(declaration: &Declaration) -> Result<Plans<'_>, PowerError> {
    let claims = declaration.claims.iter();
    claims
        .map(|(name, claim)| Ok((name, ClaimPlan::new(declaration, name, claim)?)))
        .collect()
}

fn table(plan: &ClaimPlan<'_>, decider: &Decider<'_>) -> ClaimPower {
    let row = |scenario: &Scenario| decider.figures(scenario, 1.0).row(scenario);
    ClaimPower {
        expected: row(&plan.expected),
        rival: row(&plan.rival),
        rows: between(plan).iter().map(row).collect(),
        effects: effects::effects(plan, decider),
    }
}

/// For a claim on one metric: rival, expected, the thresholds, and a value between each two of
/// them.
fn between(plan: &ClaimPlan<'_>) -> Vec<Scenario> {
    let (Some((metric, expected)), Some((_, rival))) =
        (plan.expected.single(), plan.rival.single())
    else {
        return Vec::new();
    };
    let thresholds = plan.comparisons().into_iter().map(|c| c.threshold.value());
    let mut values: Vec<f64> = thresholds
        .filter(|value| *value > 0.0)
        .chain([expected.value(), rival.value()])
        .collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let middles: Vec<f64> = values
        .windows(2)
        .map(|pair| f64::midpoint(pair[0], pair[1]))
        .collect();
    values.extend(middles);
    values.sort_by(f64::total_cmp);
    values
        .into_iter()
        .filter_map(|value| Quantity::new(value, expected.dimension()).ok())
        .map(|value| Scenario::of(metric, value))
        .collect()
}

#[cfg(test)]
mod tests;
