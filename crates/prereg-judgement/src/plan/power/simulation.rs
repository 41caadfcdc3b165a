//! Simulated experiments, judged by the code that judges.
//!
//! Every experiment draws one number a unit for each metric with an assumed spread, with median 1.
//! All methods are equivariant under a change of unit, so the bounds for any true value are those
//! for 1 times that value: they are computed once. Draws come session by session from one stream an
//! experiment, so a plan with more sessions begins with the draws of one with fewer.

use std::collections::BTreeMap;

use super::Figures;
use super::gates::DrawnGate;
use super::scenario::Scenario;
use crate::claim::{Evidence, comparison};
use crate::level::{self, Leaf, Levels};
use crate::method::Reading;
use crate::metric::Values;
use prereg_declaration::{Claim, Declaration, Stopping};
use prereg_stats::distribution::normal;
use prereg_stats::{Bound, Generator, Method, Seed, Truth, Unbounded};

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

/// The bounds of each comparison, by kill condition.
type OfComparisons = Vec<Vec<[Bound; 2]>>;

/// Experiments of one claim at one number of sessions.
pub(super) struct Simulation<'a> {
    claim: &'a Claim,
    reading: Reading,
    levels: Levels,
    leaves: Vec<Vec<Leaf<'a>>>,
    gates: Vec<DrawnGate<'a>>,
    experiments: Vec<Experiment>,
}

struct Experiment {
    seed: Seed,
    /// With median 1.
    drawn: BTreeMap<String, Values>,
    /// After each number of sessions at which the run could stop, ascending.
    looks: Vec<(usize, OfComparisons)>,
}

/// One experiment at given true values.
struct Outcome {
    any_condition: Truth,
    sessions: usize,
    /// By gate, in the order of the simulation's: 0 or 1, for one that excludes the share of the
    /// sessions that it keeps.
    held: Vec<f64>,
}

impl<'a> Simulation<'a> {
    /// `declaration` has the sessions and blocks of the simulation; `gates` are those that are read.
    pub(super) fn new(
        declaration: &Declaration,
        claim: &'a Claim,
        levels: Levels,
        gates: Vec<DrawnGate<'a>>,
    ) -> Self {
        let reading = Reading::of(declaration);
        let mut simulation = Self {
            claim,
            reading,
            levels,
            leaves: level::assign(&claim.kill, levels),
            gates,
            experiments: Vec::new(),
        };
        let sessions = declaration.protocol.sessions as usize;
        let looks = match declaration.inference.stopping {
            Stopping::Sequence => first_look(&simulation.leaves).min(sessions)..=sessions,
            Stopping::Fixed => sessions..=sessions,
        };
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
                .filter(|outcome| outcome.any_condition == wanted && self.all_held(&outcome.held));
            hits.count() as f64 / total
        };
        let gates = self.gates.iter().enumerate().map(|(index, gate)| {
            let held: f64 = outcomes.iter().map(|outcome| outcome.held[index]).sum();
            (gate.name.to_owned(), held / total)
        });
        let mut sessions: Vec<usize> = outcomes.iter().map(|outcome| outcome.sessions).collect();
        sessions.sort_unstable();
        let median = sessions.get(sessions.len().saturating_sub(1) / 2);
        Figures {
            pass: share(Truth::False),
            falsified: share(Truth::True),
            gates: gates.collect(),
            median_sessions: median
                .filter(|_| self.reading.method == Method::Sequence)
                .and_then(|sessions| u32::try_from(*sessions).ok()),
        }
    }

    /// P(pass) and P(falsified) where every gate holds.
    pub(super) fn without_gates(&self, scenario: &Scenario, shift: f64) -> [f64; 2] {
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
    fn all_held(&self, held: &[f64]) -> bool {
        let mut gates = self.gates.iter().zip(held);
        gates.all(|(gate, held)| gate.excludes() || *held == 1.0)
    }

    fn outcome(&self, experiment: &Experiment, scenario: &Scenario, shift: f64) -> Outcome {
        if self.gates.is_empty() {
            let (sessions, any_condition) = self.stop(&experiment.looks, scenario, shift);
            return Outcome {
                any_condition,
                sessions,
                held: Vec::new(),
            };
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
        let (sessions, any_condition) = if kept.iter().all(|kept| *kept == 1.0) {
            self.stop(&experiment.looks, scenario, shift)
        } else {
            let unscaled = self.without_missing_of(&experiment.drawn, &values);
            let looks = experiment.looks.iter().map(|(sessions, _)| *sessions);
            let looks = self.look(&unscaled, looks, experiment.seed);
            self.stop(&looks, scenario, shift)
        };
        let at_stop = self.first(&values, sessions);
        let held = self.gates.iter().zip(kept).map(|(gate, kept)| {
            if gate.excludes() {
                kept
            } else {
                f64::from(u8::from(gate.holds(&at_stop)))
            }
        });
        Outcome {
            any_condition,
            sessions,
            held: held.collect(),
        }
    }

    /// The first look at which the claim is decided, else the last.
    fn stop(
        &self,
        looks: &[(usize, OfComparisons)],
        scenario: &Scenario,
        shift: f64,
    ) -> (usize, Truth) {
        let mut last = (0, Truth::Undetermined);
        for (sessions, bounds) in looks {
            last = (*sessions, self.any_condition(bounds, scenario, shift));
            if last.1 != Truth::Undetermined {
                break;
            }
        }
        last
    }

    fn any_condition(&self, bounds: &OfComparisons, scenario: &Scenario, shift: f64) -> Truth {
        let conditions = self.claim.kill.iter().zip(&self.leaves).zip(bounds);
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
    ) -> Vec<(usize, OfComparisons)> {
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
                (sessions, self.leaves.iter().map(of_condition).collect())
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

/// The fewest sessions that give any comparison a bound.
fn first_look(leaves: &[Vec<Leaf<'_>>]) -> usize {
    let alphas = leaves
        .iter()
        .flatten()
        .map(|leaf| leaf.levels.to_true.min(leaf.levels.to_false));
    let needed = alphas.map(|alpha| Method::Sequence.least_sessions(alpha));
    needed.min().unwrap_or(1)
}

fn scaled(bound: Bound, value: f64) -> Bound {
    match bound {
        Bound::Finite(bound) if (bound * value).is_finite() => Bound::Finite(bound * value),
        Bound::Finite(_) => Bound::Unbounded(Unbounded::OutOfRange),
        unbounded @ Bound::Unbounded(_) => unbounded,
    }
}

/// Takes the numbers of the sessions in which the gate does not hold; the share of sessions kept.
fn exclude(gate: &DrawnGate<'_>, values: &mut BTreeMap<String, Values>) -> f64 {
    let sessions = values
        .values()
        .map(|values| values.by_session.len())
        .max()
        .unwrap_or(0);
    let excluded: Vec<usize> = (0..sessions)
        .filter(|session| !gate.holds_in(values, *session))
        .collect();
    for values in values.values_mut() {
        for session in &excluded {
            values.by_session[*session] = None;
        }
    }
    1.0 - excluded.len() as f64 / sessions.max(1) as f64
}

/// One lognormal number a unit with median 1 for every metric with an assumed spread, unit by unit;
/// the sessions of a block share theirs.
fn draw(declaration: &Declaration, reading: Reading, seed: Seed) -> BTreeMap<String, Values> {
    let protocol = &declaration.protocol;
    let units = protocol.units();
    let sessions_per_unit = (protocol.sessions / units.max(1)) as usize;
    let mut generator = Generator::new(seed);
    let mut by_metric: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
    for _ in 0..units {
        for (metric, spread) in &declaration.inference.assumed_cv {
            let uniform = (f64::from(generator.below(1 << 31)) + 0.5) / f64::from(1_u32 << 31);
            let value = libm::exp(spread * normal::quantile(uniform));
            let values = by_metric.entry(metric).or_default();
            values.extend(std::iter::repeat_n(Some(value), sessions_per_unit));
        }
    }
    by_metric
        .into_iter()
        .filter_map(|(name, by_session)| {
            let metric = declaration.metrics.get(name)?;
            Some((
                name.to_owned(),
                Values::new(metric.dimension, by_session, reading),
            ))
        })
        .collect()
}
