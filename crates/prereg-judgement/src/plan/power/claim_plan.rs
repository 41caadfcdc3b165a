//! One claim of a plan, at any number of units.

use std::cell::RefCell;
use std::collections::BTreeMap;

use prereg_declaration::{Claim, Declaration};
use prereg_stats::{Alpha, Method};

use super::closed_form::ClosedForm;
use super::controls::DrawnControl;
use super::gates::drawn;
use super::scenario::Scenario;
use super::simulation::{Simulation, experiments};
use super::{Figures, LEAST_FALSIFIED, LEAST_PASS};
use crate::level::Levels;
use crate::method::Reading;
use crate::plan::comparisons::{Comparison, comparisons};
use crate::plan::table::PowerError;

/// A claim with what its two scenarios say.
pub(in crate::plan) struct ClaimPlan<'a> {
    declaration: &'a Declaration,
    claim: &'a Claim,
    levels: Levels,
    pub(super) expected: Scenario,
    pub(super) rival: Scenario,
    /// What [`power`](Self::power) found, by units: a search asks for the same numbers again.
    found: RefCell<BTreeMap<u32, [f64; 2]>>,
}

/// A claim at a number of units, ready to be asked about any true values.
pub(super) enum Decider<'a> {
    Closed(ClosedForm<'a>),
    Simulated(Box<Simulation<'a>>),
}

impl<'a> ClaimPlan<'a> {
    pub(in crate::plan) fn new(
        declaration: &'a Declaration,
        name: &str,
        claim: &'a Claim,
    ) -> Result<Self, PowerError> {
        let inference = &declaration.inference;
        let mut controls = declaration.controls.values();
        let is_drawn = |metric: &String| inference.assumed_cv.contains_key(metric);
        if let Some(control) = controls.find(|control| !is_drawn(&control.metric)) {
            let metric = control.metric.clone();
            return Err(PowerError::NoSpread { metric });
        }
        let scenario = |scenario, values| Scenario::new(declaration, name, claim, scenario, values);
        Ok(Self {
            declaration,
            claim,
            levels: Levels {
                to_true: Alpha::new(inference.alpha_falsified)?,
                to_false: Alpha::new(inference.alpha_pass)?,
            },
            expected: scenario("expected", &claim.expected)?,
            rival: scenario("rival", &claim.rival)?,
            found: RefCell::default(),
        })
    }

    /// How many experiments are simulated, where there is no closed form.
    pub(super) fn experiments(&self) -> Option<u32> {
        let method = Reading::of(self.declaration).method;
        self.closed_form(1).is_none().then(|| experiments(method))
    }

    /// The comparisons that decide, left to right.
    pub(super) fn comparisons(&self) -> Vec<Comparison<'a>> {
        let kill = self.claim.kill.iter();
        kill.flat_map(|kill| comparisons(&kill.condition)).collect()
    }

    /// The claim decided by that many sessions, or blocks where blocks count. For a simulation this
    /// is what costs: figures for several true values should come from one.
    pub(super) fn at(&self, units: u32) -> Decider<'a> {
        if let Some(closed) = self.closed_form(units) {
            return Decider::Closed(closed);
        }
        let resized = resized(self.declaration, units);
        let gates = drawn(self.declaration, &self.expected);
        Decider::Simulated(Box::new(Simulation::new(
            &resized,
            self.claim,
            self.levels,
            gates,
            DrawnControl::all(self.declaration),
        )))
    }

    fn closed_form(&self, units: u32) -> Option<ClosedForm<'a>> {
        let [comparison] = self.comparisons()[..] else {
            return None;
        };
        let is_order_statistic = Reading::of(self.declaration).method == Method::OrderStatistic;
        let is_guarded = !self.declaration.controls.is_empty()
            || !drawn(self.declaration, &self.expected).is_empty();
        if !is_order_statistic || is_guarded {
            return None;
        }
        Some(ClosedForm {
            comparison,
            alpha_pass: self.levels.to_false,
            alpha_falsified: self.levels.to_true,
            spread: *self
                .declaration
                .inference
                .assumed_cv
                .get(comparison.metric)?,
            units: units as usize,
        })
    }

    /// P(pass | expected) and P(falsified | rival).
    pub(in crate::plan) fn power(&self, units: u32) -> [f64; 2] {
        if let Some(known) = self.found.borrow().get(&units) {
            return *known;
        }
        let decider = self.at(units);
        let power = [
            decider.figures(&self.expected, 1.0).pass,
            decider.figures(&self.rival, 1.0).falsified,
        ];
        self.found.borrow_mut().insert(units, power);
        power
    }

    pub(in crate::plan) fn decides(&self, units: u32) -> bool {
        is_enough(self.power(units))
    }
}

/// Whether P(pass | expected) and P(falsified | rival) reach what a plan must reach.
pub(in crate::plan) fn is_enough([pass, falsified]: [f64; 2]) -> bool {
    pass >= LEAST_PASS && falsified >= LEAST_FALSIFIED
}

/// The declaration with another number of units.
fn resized(declaration: &Declaration, units: u32) -> Declaration {
    let mut resized = declaration.clone();
    let protocol = &mut resized.protocol;
    protocol.sessions = protocol.sessions / protocol.units().max(1) * units;
    if protocol.blocks > 1 {
        protocol.blocks = units;
    }
    resized
}

impl Decider<'_> {
    /// `shift` multiplies the true values for the kill conditions only, which is what dividing
    /// every threshold by it does.
    pub(super) fn figures(&self, scenario: &Scenario, shift: f64) -> Figures {
        match self {
            Self::Closed(closed) => {
                let value = scenario.get(closed.comparison.metric).unwrap_or(1.0);
                closed.figures(value * shift)
            }
            Self::Simulated(simulation) => simulation.figures(scenario, shift),
        }
    }

    /// P(pass) and P(falsified) where gates, controls and calibrated ranges hold.
    pub(super) fn unguarded(&self, scenario: &Scenario, shift: f64) -> [f64; 2] {
        match self {
            Self::Closed(_) => {
                let figures = self.figures(scenario, shift);
                [figures.pass, figures.falsified]
            }
            Self::Simulated(simulation) => simulation.unguarded(scenario, shift),
        }
    }
}
