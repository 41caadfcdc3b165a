//! Controls on drawn values: what is true of their quotient is 1.

use std::collections::BTreeMap;

use prereg_declaration::{Control, Declaration};
use prereg_stats::Bound;

use super::scenario::Scenario;
use super::simulation::scaled;
use crate::claim::Evidence;
use crate::control;
use crate::verdict::GateState;

/// One control of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawnControl<'a> {
    pub(super) name: &'a str,
    control: &'a Control,
}

impl<'a> DrawnControl<'a> {
    /// The controls of a plan, by name.
    pub(super) fn all(declaration: &'a Declaration) -> Vec<Self> {
        let controls = declaration.controls.iter();
        controls
            .map(|(name, control)| Self { name, control })
            .collect()
    }

    /// The bounds that decide it, of values with median 1.
    pub(super) fn bounds(&self, evidence: &Evidence<'_>) -> [Bound; 2] {
        evidence.at_alpha_of_pass(&self.control.metric)
    }

    /// Whether those bounds hold it; a claim may take another value than 1 to be true of its metric.
    pub(super) fn holds(&self, bounds: [Bound; 2], scenario: &Scenario) -> bool {
        let value = scenario.get(&self.control.metric).unwrap_or(1.0);
        let bounds = bounds.map(|bound| scaled(bound, value));
        control::state(bounds, self.control.within) == GateState::Held
    }
}

/// The share of experiments in which each was held.
pub(super) fn shares(
    controls: &[DrawnControl<'_>],
    held: impl Fn(usize) -> usize,
    experiments: f64,
) -> BTreeMap<String, f64> {
    let controls = controls.iter().enumerate();
    controls
        .map(|(index, control)| (control.name.to_owned(), held(index) as f64 / experiments))
        .collect()
}
