//! Simulated experiments, judged by the code that judges.
//!
//! Every experiment draws one number a unit for each metric with an assumed spread, with median 1.
//! All methods are equivariant under a change of unit, so the bounds for any true value are those
//! for 1 times that value: they are computed once. Draws come session by session from one stream an
//! experiment, so a plan with more sessions begins with the draws of one with fewer.

mod draw;
mod look;

use std::collections::BTreeMap;

use self::draw::{draw, exclude};
use self::look::Look;
pub(super) use self::look::scaled;
use super::Figures;
use super::controls::{self, DrawnControl};
use super::gates::DrawnGate;
use super::scenario::Scenario;
use crate::claim::{Evidence, comparison};
use crate::level::{self, Leaf, Levels};
use crate::method::Reading;
use crate::metric::Values;
use prereg_declaration::{Claim, Declaration};
use prereg_stats::{Method, Seed, Truth};

/// The seed of every simulation.
const SEED: [u8; 32] = *b"prereg: power of a plan, rules 1";

/// How many experiments are simulated: a share of 0.8 has a standard error of 0.009 among 2 000.
/// A bootstrap costs a thousand times more than other bounds, so it gets 200 (0.028).
pub(super) const fn experiments(method: Method) -> u32 {
    match method {
        Method::Bootstrap(..) => 200,
        _ => 2000,
    }
}

/// Experiments of one claim at one number of sessions.
pub(super) struct Simulation<'a> {
    claim: &'a Claim,
    reading: Reading,
    levels: Levels,
    leaves: Vec<Vec<Leaf<'a>>>,
    gates: Vec<DrawnGate<'a>>,
    controls: Vec<DrawnControl<'a>>,
    experiments: Vec<Experiment>,
}

struct Experiment {
    seed: Seed,
    /// With median 1.
    drawn: BTreeMap<String, Values>,
    /// By sessions, ascending.
    looks: Vec<Look>,
}

/// One experiment at given true values.
struct Outcome {
    any_condition: Truth,
    sessions: usize,
    /// By gate, in the order of the simulation's: 0 or 1, for one that excludes the share of the
    /// sessions that it keeps.
    gates: Vec<f64>,
    /// By control, in the order of the simulation's.
    controls: Vec<bool>,
}

impl<'a> Simulation<'a> {
    /// `declaration` has the sessions and blocks of the simulation; `gates` are those that are read,
    /// `controls` all that there are.
    pub(super) fn new(
        declaration: &Declaration,
        claim: &'a Claim,
        levels: Levels,
        gates: Vec<DrawnGate<'a>>,
        controls: Vec<DrawnControl<'a>>,
    ) -> Self {
        let reading = Reading::of(declaration);
        let mut simulation = Self {
            claim,
            reading,
            levels,
            leaves: level::assign(&claim.kill, levels),
            gates,
            controls,
            experiments: Vec::new(),
        };
        let looks = look::sessions(declaration, &simulation.leaves);
        let numbers = 0..experiments(reading.method);
        simulation.experiments = numbers
            .map(|number| {
                let mut seed = SEED;
                seed[..4].copy_from_slice(&number.to_le_bytes());
                let seed = Seed(seed);
                let drawn = draw(declaration, reading, seed);
                let looks = simulation.look(&drawn, looks.clone(), seed);
                Experiment { seed, drawn, looks }
            })
            .collect();
        simulation
    }

    /// What the experiments come to in a scenario. `shift` multiplies the true values for the kill
    /// conditions only, which is what another threshold does.
    pub(super) fn figures(&self, scenario: &Scenario, shift: f64) -> Figures {
        let outcomes: Vec<Outcome> = self
            .experiments
            .iter()
            .map(|experiment| self.outcome(experiment, scenario, shift))
            .collect();
        let total = outcomes.len().max(1) as f64;
        let share = |wanted: Truth| {
            let hits = outcomes
                .iter()
                .filter(|outcome| outcome.any_condition == wanted && self.all_held(outcome));
            hits.count() as f64 / total
        };
        let gates = |of_ranges: bool| {
            let gates = self.gates.iter().enumerate();
            let wanted = gates.filter(move |(_, gate)| gate.is_range == of_ranges);
            let shares = wanted.map(|(index, gate)| {
                let held: f64 = outcomes.iter().map(|outcome| outcome.gates[index]).sum();
                (gate.name.to_owned(), held / total)
            });
            shares.collect()
        };
        let of_control = |index: usize| {
            let held = outcomes.iter().filter(|outcome| outcome.controls[index]);
            held.count()
        };
        let mut sessions: Vec<usize> = outcomes.iter().map(|outcome| outcome.sessions).collect();
        sessions.sort_unstable();
        let median = sessions.get(sessions.len().saturating_sub(1) / 2);
        Figures {
            pass: share(Truth::False),
            falsified: share(Truth::True),
            gates: gates(false),
            controls: controls::shares(&self.controls, of_control, total),
            calibrated_range: gates(true),
            median_sessions: median
                .filter(|_| self.reading.method == Method::Sequence)
                .and_then(|sessions| u32::try_from(*sessions).ok()),
        }
    }

    /// P(pass) and P(falsified) where gates, controls and calibrated ranges hold.
    pub(super) fn unguarded(&self, scenario: &Scenario, shift: f64) -> [f64; 2] {
        let mut hits = [0_u32; 2];
        for experiment in &self.experiments {
            match self.stop(&experiment.looks, scenario, shift).1 {
                Truth::False => hits[0] += 1,
                Truth::True => hits[1] += 1,
                Truth::Undetermined => {}
            }
        }
        hits.map(|hits| f64::from(hits) / self.experiments.len().max(1) as f64)
    }

    /// Gates that exclude have had their effect on the bounds.
    fn all_held(&self, outcome: &Outcome) -> bool {
        let mut gates = self.gates.iter().zip(&outcome.gates);
        gates.all(|(gate, held)| gate.excludes() || *held == 1.0)
            && outcome.controls.iter().all(|held| *held)
    }

    fn outcome(&self, experiment: &Experiment, scenario: &Scenario, shift: f64) -> Outcome {
        if self.gates.is_empty() {
            return self.stopped(&experiment.looks, scenario, shift);
        }
        let mut values = self.scaled(&experiment.drawn, scenario);
        let kept: Vec<f64> = self
            .gates
            .iter()
            .map(|gate| {
                if gate.excludes() {
                    exclude(gate, &mut values)
                } else {
                    1.0
                }
            })
            .collect();
        let stopped = if kept.iter().all(|kept| *kept == 1.0) {
            self.stopped(&experiment.looks, scenario, shift)
        } else {
            let unscaled = self.without_missing_of(&experiment.drawn, &values);
            let looks = experiment.looks.iter().map(|look| look.sessions);
            let looks = self.look(&unscaled, looks, experiment.seed);
            self.stopped(&looks, scenario, shift)
        };
        let at_stop = self.first(&values, stopped.sessions);
        let gates = self.gates.iter().zip(kept).map(|(gate, kept)| {
            if gate.excludes() {
                kept
            } else {
                f64::from(u8::from(gate.holds(&at_stop)))
            }
        });
        Outcome {
            gates: gates.collect(),
            ..stopped
        }
    }

    /// The outcome but for the gates.
    fn stopped(&self, looks: &[Look], scenario: &Scenario, shift: f64) -> Outcome {
        let (look, any_condition) = self.stop(looks, scenario, shift);
        let controls = self.controls.iter().enumerate().map(|(index, control)| {
            look.is_some_and(|look| control.holds(look.of_controls[index], scenario))
        });
        Outcome {
            any_condition,
            sessions: look.map_or(0, |look| look.sessions),
            gates: Vec::new(),
            controls: controls.collect(),
        }
    }

    /// The first look at which the claim is decided, else the last.
    fn stop<'l>(
        &self,
        looks: &'l [Look],
        scenario: &Scenario,
        shift: f64,
    ) -> (Option<&'l Look>, Truth) {
        let mut last = (None, Truth::Undetermined);
        for look in looks {
            last = (Some(look), self.any_condition(look, scenario, shift));
            if last.1 != Truth::Undetermined {
                break;
            }
        }
        last
    }

    fn any_condition(&self, look: &Look, scenario: &Scenario, shift: f64) -> Truth {
        let conditions = self.claim.kill.iter().zip(&self.leaves);
        let conditions = conditions.zip(&look.of_comparisons);
        Truth::any(conditions.map(|((kill, leaves), bounds)| {
            let mut truths = leaves.iter().zip(bounds).map(|(leaf, bounds)| {
                let value = scenario.get(leaf.metric).unwrap_or(1.0) * shift;
                let [lower, upper] = bounds.map(|bound| scaled(bound, value));
                comparison(leaf.comparison).decide(lower, upper, leaf.threshold.value())
            });
            level::combine(&kill.condition, &mut truths)
        }))
    }

    fn look(
        &self,
        drawn: &BTreeMap<String, Values>,
        looks: impl Iterator<Item = usize>,
        seed: Seed,
    ) -> Vec<Look> {
        looks
            .map(|sessions| {
                let values = self.first(drawn, sessions);
                let evidence = Evidence {
                    reading: self.reading,
                    levels: self.levels,
                    values: &values,
                    seed_of: &|_| seed,
                };
                let of_condition = |leaves: &Vec<Leaf<'_>>| {
                    leaves.iter().map(|leaf| evidence.bounds(leaf)).collect()
                };
                let controls = self.controls.iter();
                Look {
                    sessions,
                    of_comparisons: self.leaves.iter().map(of_condition).collect(),
                    of_controls: controls.map(|c| c.bounds(&evidence)).collect(),
                }
            })
            .collect()
    }

    /// The first sessions of a run.
    fn first(
        &self,
        values: &BTreeMap<String, Values>,
        sessions: usize,
    ) -> BTreeMap<String, Values> {
        self.each(values, |_, values| {
            values.by_session[..sessions.min(values.by_session.len())].to_vec()
        })
    }

    fn scaled(
        &self,
        drawn: &BTreeMap<String, Values>,
        scenario: &Scenario,
    ) -> BTreeMap<String, Values> {
        self.each(drawn, |metric, values| {
            let value = scenario.get(metric).unwrap_or(1.0);
            values
                .by_session
                .iter()
                .map(|drawn| drawn.map(|drawn| drawn * value))
                .collect()
        })
    }

    /// The same draws where the excluded values are.
    fn without_missing_of(
        &self,
        drawn: &BTreeMap<String, Values>,
        values: &BTreeMap<String, Values>,
    ) -> BTreeMap<String, Values> {
        self.each(drawn, |metric, drawn| {
            let kept = values
                .get(metric)
                .map_or(&[][..], |values| &values.by_session);
            drawn
                .by_session
                .iter()
                .zip(kept)
                .map(|(drawn, kept)| kept.and(*drawn))
                .collect()
        })
    }

    fn each(
        &self,
        values: &BTreeMap<String, Values>,
        by_session: impl Fn(&str, &Values) -> Vec<Option<f64>>,
    ) -> BTreeMap<String, Values> {
        values
            .iter()
            .map(|(metric, values)| {
                let sessions = by_session(metric, values);
                (
                    metric.clone(),
                    Values::new(values.dimension, sessions, self.reading),
                )
            })
            .collect()
    }
}
