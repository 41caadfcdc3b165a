//! Gates and calibrated ranges that the assumed spreads say something about.

use std::borrow::Cow;
use std::collections::BTreeMap;

use prereg_declaration::{ConstantName, Declaration, Number, Outcome, Predicate, Scope, Statistic};
use prereg_stats::Truth;
use prereg_units::{Dimension, Quantity};

use super::scenario::Scenario;
use crate::calibrated_range;
use crate::constants::Constants;
use crate::evaluate::{self, Reader, RunReader, Unreadable};
use crate::metric::Values;

/// A gate, or a calibrated range read as one, over nothing but drawn metrics.
#[derive(Clone, Debug)]
pub(super) struct DrawnGate<'a> {
    /// Of the gate; for a range, of its metric.
    pub(super) name: &'a str,
    pub(super) is_range: bool,
    predicate: Cow<'a, Predicate>,
    scope: Scope,
    otherwise: Outcome,
}

/// The gates of a plan that can be read on drawn values, then the calibrated ranges. A metric without a value in the scenario
/// is drawn with median 1, so it is read only where its scale does not matter.
pub(super) fn drawn<'a>(declaration: &'a Declaration, scenario: &Scenario) -> Vec<DrawnGate<'a>> {
    let spreads = &declaration.inference.assumed_cv;
    let is_drawn = |number: &Number| match number {
        Number::Literal(_) => true,
        Number::OverSessions(Statistic::Cv | Statistic::Count, metric) => {
            spreads.contains_key(metric)
        }
        Number::OverSessions(_, metric) | Number::Metric(metric) => {
            spreads.contains_key(metric) && scenario.get(metric).is_some()
        }
        _ => false,
    };
    let gates = declaration.gates.iter().map(|(name, gate)| DrawnGate {
        name,
        is_range: false,
        predicate: Cow::Borrowed(&gate.predicate),
        scope: gate.scope,
        otherwise: gate.otherwise,
    });
    let ranges = declaration.calibrated_range.iter();
    let ranges = ranges.map(|(metric, range)| DrawnGate {
        name: metric,
        is_range: true,
        predicate: Cow::Owned(calibrated_range::predicate(metric, range)),
        scope: Scope::EachSession,
        otherwise: Outcome::Abstain,
    });
    gates
        .chain(ranges)
        .filter(|gate| all(&gate.predicate, &is_drawn))
        .collect()
}

fn all(predicate: &Predicate, is_drawn: &dyn Fn(&Number) -> bool) -> bool {
    match predicate {
        Predicate::Compare(_, left, right) => [left, right].iter().all(|n| all_of(n, is_drawn)),
        Predicate::SameLogits(..) | Predicate::SameOutput(..) | Predicate::FactIs(..) => false,
        Predicate::And(parts) | Predicate::Or(parts) => {
            parts.iter().all(|part| all(part, is_drawn))
        }
        Predicate::Not(part) => all(part, is_drawn),
    }
}

fn all_of(number: &Number, is_drawn: &dyn Fn(&Number) -> bool) -> bool {
    match number {
        Number::Negate(part) => all_of(part, is_drawn),
        Number::Binary(_, left, right) => all_of(left, is_drawn) && all_of(right, is_drawn),
        _ => is_drawn(number),
    }
}

impl DrawnGate<'_> {
    pub(super) fn excludes(&self) -> bool {
        self.otherwise == Outcome::Exclude
    }

    /// Whether it holds of the run.
    pub(super) fn holds(&self, values: &BTreeMap<String, Values>) -> bool {
        if self.scope == Scope::EachSession {
            let sessions = values.values().map(|values| values.by_session.len()).max();
            return (0..sessions.unwrap_or(0))
                .filter(|session| is_there(values, *session))
                .all(|session| self.holds_in(values, session));
        }
        let constants = Constants::default();
        let mut reader = RunReader {
            metrics: values,
            constants: &constants,
        };
        evaluate::predicate(&mut reader, &self.predicate) == Truth::True
    }

    /// Whether it holds in one session.
    pub(super) fn holds_in(&self, values: &BTreeMap<String, Values>, session: usize) -> bool {
        let mut reader = DrawnSession { values, session };
        evaluate::predicate(&mut reader, &self.predicate) == Truth::True
    }
}

fn is_there(values: &BTreeMap<String, Values>, session: usize) -> bool {
    values
        .values()
        .any(|values| values.by_session.get(session).is_some_and(Option::is_some))
}

/// One session of a simulated run.
struct DrawnSession<'a> {
    values: &'a BTreeMap<String, Values>,
    session: usize,
}

impl Reader for DrawnSession<'_> {
    fn constant(&self, _: &ConstantName) -> Result<Quantity, Unreadable> {
        Err(Unreadable::NotObserved)
    }

    fn metric(&mut self, name: &str) -> Result<Quantity, Unreadable> {
        let values = self.values.get(name).ok_or(Unreadable::NotObserved)?;
        let value = values.by_session.get(self.session).copied().flatten();
        let dimension: Dimension = values.dimension;
        Quantity::new(value.ok_or(Unreadable::NotObserved)?, dimension)
            .map_err(|_| Unreadable::NotFinite)
    }
}
