//! How the number of a metric in one session comes about: its expression as a tree, with the value
//! of every part as the judge reads it.

use std::collections::BTreeMap;

use prereg_declaration::{Column, ConstantName, Declaration, Number, Statistic};
use prereg_units::Quantity;
use serde::Serialize;

use crate::constants::Constants;
use crate::evaluate::{self, SessionReader};
use crate::samples::{Observations, Slot};
use crate::significant::rounded_quantity;

/// One part of an expression.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// The part as written, in canonical spelling; for a slot, the statistic that is taken of it.
    pub expression: String,
    /// Its value in base units; `None` where it was not observed or is not finite.
    pub value: Option<Quantity>,
    /// Where the value comes from.
    pub source: TraceSource,
    /// What it is computed from, left to right.
    pub parts: Vec<Trace>,
}

/// Where the value of a part comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "from", rename_all = "kebab-case")]
pub enum TraceSource {
    /// The declaration's text.
    Declaration,
    /// The lock: a constant of workload or target.
    Lock {
        /// The constant.
        name: String,
        /// Its arm, for constants by arm.
        arm: Option<String>,
    },
    /// Another metric: its expression is the one part.
    Metric,
    /// Arithmetic on the parts.
    Arithmetic,
    /// The mean over the slots of an arm, which are the parts.
    Slots {
        /// The arm.
        arm: String,
    },
    /// The steps of one slot.
    Slot {
        /// Its place in the session, from 0.
        slot: usize,
        /// Steps in it that have a value.
        steps: usize,
    },
    /// Readings over all measured slots at once.
    Readings {
        /// How many.
        readings: usize,
    },
}

/// Traces `metric` in one session; `None` where the declaration has no such metric.
#[must_use]
pub fn trace(
    declaration: &Declaration,
    constants: &Constants,
    observations: &Observations,
    metric: &str,
) -> Option<Trace> {
    let expression = &declaration.metrics.get(metric)?.expression;
    let tracer = Tracer {
        declaration,
        constants,
        observations,
    };
    Some(tracer.metric(metric, expression))
}

struct Tracer<'a> {
    declaration: &'a Declaration,
    constants: &'a Constants,
    observations: &'a Observations,
}

impl Tracer<'_> {
    fn metric(&self, name: &str, expression: &Number) -> Trace {
        Trace {
            expression: name.to_owned(),
            value: self.value(expression, self.observations),
            source: TraceSource::Metric,
            parts: vec![self.number(expression)],
        }
    }

    fn number(&self, number: &Number) -> Trace {
        let (source, parts) = match number {
            Number::Literal(_) => (TraceSource::Declaration, Vec::new()),
            Number::Constant(ConstantName { name, arm }) => (
                TraceSource::Lock {
                    name: name.clone(),
                    arm: arm.clone(),
                },
                Vec::new(),
            ),
            Number::Metric(name) | Number::OverSessions(_, name) => {
                let metric = self.declaration.metrics.get(name);
                let part = metric.map(|metric| self.number(&metric.expression));
                (TraceSource::Metric, part.into_iter().collect())
            }
            Number::OverSteps(statistic, column) => self.over_steps(*statistic, column),
            Number::Negate(operand) => (TraceSource::Arithmetic, vec![self.number(operand)]),
            Number::Binary(_, left, right) => (
                TraceSource::Arithmetic,
                vec![self.number(left), self.number(right)],
            ),
        };
        Trace {
            expression: number.to_string(),
            value: self.value(number, self.observations),
            source,
            parts,
        }
    }

    fn over_steps(&self, statistic: Statistic, column: &Column) -> (TraceSource, Vec<Trace>) {
        let Some(arm) = &column.arm else {
            let readings = self.observations.columns.get(&column.name);
            let readings = readings.map_or(0, Vec::len);
            return (TraceSource::Readings { readings }, Vec::new());
        };
        let slots = self.observations.slots.iter().enumerate();
        let parts = slots
            .filter(|(_, slot)| slot.arm == *arm)
            .map(|(index, slot)| self.slot(index, slot, statistic, column));
        (TraceSource::Slots { arm: arm.clone() }, parts.collect())
    }

    /// The statistic of one slot: what the judge reads where the session has no other.
    fn slot(&self, index: usize, slot: &Slot, statistic: Statistic, column: &Column) -> Trace {
        let number = Number::OverSteps(statistic, column.clone());
        let alone = Observations {
            facts: BTreeMap::new(),
            slots: vec![slot.clone()],
            columns: BTreeMap::new(),
        };
        Trace {
            expression: number.to_string(),
            value: self.value(&number, &alone),
            source: TraceSource::Slot {
                slot: index,
                steps: evaluate::values_of(slot, &column.name).len(),
            },
            parts: Vec::new(),
        }
    }

    fn value(&self, number: &Number, observations: &Observations) -> Option<Quantity> {
        let metrics = &self.declaration.metrics;
        let mut reader = SessionReader::new(metrics, self.constants, observations);
        let value = evaluate::number(&mut reader, number).ok()?;
        Some(rounded_quantity(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{declaration, samples};
    use crate::samples::Session;

    fn traced(metric: &str) -> Option<Trace> {
        let samples = samples(&[1.25]);
        let Session::Complete(observations) = &samples.sessions[0] else {
            panic!("the session is complete")
        };
        trace(&declaration(), &Constants::default(), observations, metric)
    }

    /// Every part of a tree.
    fn parts(trace: &Trace) -> Vec<&Trace> {
        let below = trace.parts.iter().flat_map(parts);
        std::iter::once(trace).chain(below).collect()
    }

    #[test]
    fn a_ratio_of_arms_leads_to_every_slot_of_both() {
        let speedup = traced("speedup").unwrap();
        assert_eq!(speedup.value.map(Quantity::value), Some(1.25));
        let slots: Vec<usize> = parts(&speedup)
            .into_iter()
            .filter_map(|part| match part.source {
                TraceSource::Slot { slot, .. } => Some(slot),
                _ => None,
            })
            .collect();
        let mut sorted = slots.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3], "{slots:?}");
    }

    #[test]
    fn the_value_of_an_arm_is_the_mean_of_its_slots() {
        let speedup = traced("speedup").unwrap();
        for part in parts(&speedup) {
            if let TraceSource::Slots { .. } = part.source {
                let values = part.parts.iter().map(|slot| slot.value.unwrap().value());
                let mean = values.sum::<f64>() / part.parts.len() as f64;
                assert!((part.value.unwrap().value() / mean - 1.0).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn a_metric_that_is_not_declared_has_no_trace() {
        assert_eq!(traced("slowdown"), None);
    }
}
