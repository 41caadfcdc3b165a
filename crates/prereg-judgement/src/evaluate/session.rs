//! One session: steps, telemetry, facts and metrics.

use std::collections::BTreeMap;

use prereg_declaration::{Column, ConstantName, Metric, Statistic};
use prereg_stats::Truth;
use prereg_units::Quantity;

use super::statistic::{Spread, quantity, statistic};
use super::{Reader, Unreadable, number, readings};
use crate::constants::Constants;
use crate::samples::{Observations, Slot};

/// Reads one complete session. Each metric is evaluated once.
pub(crate) struct SessionReader<'a> {
    metrics: &'a BTreeMap<String, Metric>,
    constants: &'a Constants,
    observations: &'a Observations,
    known: BTreeMap<String, Result<Quantity, Unreadable>>,
}

impl<'a> SessionReader<'a> {
    pub(crate) fn new(
        metrics: &'a BTreeMap<String, Metric>,
        constants: &'a Constants,
        observations: &'a Observations,
    ) -> Self {
        Self {
            metrics,
            constants,
            observations,
            known: BTreeMap::new(),
        }
    }

    fn slots_of(&self, arm: &str) -> impl Iterator<Item = &'a Slot> {
        self.observations
            .slots
            .iter()
            .filter(move |slot| slot.arm == arm)
    }
}

impl Reader for SessionReader<'_> {
    fn constant(&self, name: &ConstantName) -> Result<Quantity, Unreadable> {
        self.constants.get(name).ok_or(Unreadable::NotObserved)
    }

    fn metric(&mut self, name: &str) -> Result<Quantity, Unreadable> {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let metric = self.metrics.get(name).ok_or(Unreadable::NotObserved)?;
        let value = number(self, &metric.expression);
        self.known.insert(name.to_owned(), value);
        value
    }

    /// For a column by arm: the statistic of each of the arm's slots, then their mean, so that a
    /// drift over the session cancels. For a column without arm: over all its values at once.
    fn over_steps(&self, name: Statistic, column: &Column) -> Result<Quantity, Unreadable> {
        let dimension = column.dimension;
        let Some(arm) = &column.arm else {
            let found = self.observations.columns.get(&column.name);
            let slots = self.observations.slots.len();
            return readings::statistic(name, found.map_or(&[], Vec::as_slice), dimension, slots);
        };
        let by_slot: Vec<Quantity> = self
            .slots_of(arm)
            .map(|slot| {
                let values = values_of(slot, &column.name);
                statistic(name, values, dimension, Spread::Plain)
            })
            .collect::<Result<_, _>>()?;
        let first = by_slot.first().ok_or(Unreadable::NotObserved)?;
        let values: Vec<f64> = by_slot.iter().map(|value| value.value()).collect();
        let mean = statistic(Statistic::Mean, &values, first.dimension(), Spread::Plain)?;
        quantity(mean.value(), first.dimension())
    }

    /// Whether every slot of both arms gave the same logits, or outputs, at every step. Where one slot
    /// has fewer digests than another, some step was not compared.
    fn same_digests(&self, left: &str, right: &str) -> Truth {
        let has_slots = |arm| self.slots_of(arm).next().is_some();
        if !has_slots(left) || !has_slots(right) {
            return Truth::Undetermined;
        }
        let mut sequences = self
            .slots_of(left)
            .chain(self.slots_of(right))
            .map(|slot| &slot.logits)
            .peekable();
        let Some(first) = sequences.peek().copied() else {
            return Truth::Undetermined;
        };
        Truth::all(sequences.map(|logits| {
            if logits.is_empty() || logits.len() != first.len() {
                Truth::Undetermined
            } else {
                (logits == first).into()
            }
        }))
    }

    fn fact_is(&self, fact: &str, text: &str) -> Truth {
        match self.observations.facts.get(fact) {
            Some(answer) => (answer == text).into(),
            None => Truth::Undetermined,
        }
    }
}

/// The values of a column by arm in a slot; none where it was not reported.
pub(crate) fn values_of<'a>(slot: &'a Slot, column: &str) -> &'a [f64] {
    match column {
        "step_time" => &slot.step_time,
        "tokens" => &slot.tokens,
        reported => slot.columns.get(reported).map_or(&[], Vec::as_slice),
    }
}

#[cfg(test)]
mod tests {
    use prereg_units::Dimension;

    use super::*;
    use crate::samples::Reading;

    fn slot(arm: &str, step_time: &[f64], logits: &[u8]) -> Slot {
        Slot {
            arm: arm.to_owned(),
            invalid: None,
            step_time: step_time.to_vec(),
            tokens: vec![1.0; step_time.len()],
            logits: logits.iter().map(|byte| [*byte; 32]).collect(),
            columns: BTreeMap::new(),
        }
    }

    fn column(name: &str, arm: Option<&str>) -> Column {
        Column {
            name: name.to_owned(),
            arm: arm.map(str::to_owned),
            dimension: match name {
                "step_time" => Dimension::TIME,
                "power" => Dimension::POWER,
                _ => Dimension::FREQUENCY,
            },
        }
    }

    fn read<T>(slots: Vec<Slot>, read: impl FnOnce(&mut SessionReader<'_>) -> T) -> T {
        let clock = [3.0, 1.0, 2.0].map(|value| Reading {
            slot: Some(0),
            value,
            at_ns: None,
        });
        let observations = Observations {
            slots,
            columns: BTreeMap::from([("sm_clock".to_owned(), clock.into())]),
            facts: BTreeMap::from([("tool".to_owned(), "tool 1.2".to_owned())]),
        };
        let (metrics, constants) = (BTreeMap::new(), Constants::default());
        read(&mut SessionReader::new(&metrics, &constants, &observations))
    }

    #[test]
    fn a_statistic_is_taken_per_slot_and_averaged_so_that_drift_cancels() {
        // Each slot slower than the one before: a, b, b, a in mirror order.
        let slots = vec![
            slot("a", &[1.0, 1.0, 9.0], &[1]),
            slot("b", &[2.0, 2.0, 2.0], &[1]),
            slot("b", &[3.0, 3.0, 3.0], &[1]),
            slot("a", &[4.0, 4.0, 4.0], &[1]),
        ];
        let medians = read(slots, |reader| {
            ["a", "b"].map(|arm| {
                reader
                    .over_steps(Statistic::Median, &column("step_time", Some(arm)))
                    .unwrap()
                    .value()
            })
        });
        assert_eq!(medians, [2.5, 2.5]);
    }

    #[test]
    fn a_column_without_arm_is_read_over_all_slots_at_once() {
        let median = read(Vec::new(), |reader| {
            reader
                .over_steps(Statistic::Median, &column("sm_clock", None))
                .unwrap()
        });
        assert_eq!(
            (median.value(), median.dimension()),
            (2.0, Dimension::FREQUENCY)
        );
    }

    #[test]
    fn a_column_that_was_never_read_is_not_observed() {
        let power = read(Vec::new(), |reader| {
            reader.over_steps(Statistic::Min, &column("power", None))
        });
        assert_eq!(power, Err(Unreadable::NotObserved));
    }

    #[test]
    fn a_fact_holds_by_its_whole_answer_and_one_without_an_answer_is_not_observed() {
        let is = |fact: &str, text: &str| read(Vec::new(), |reader| reader.fact_is(fact, text));
        assert_eq!(is("tool", "tool 1.2"), Truth::True);
        assert_eq!(is("tool", "tool 1"), Truth::False);
        assert_eq!(is("driver", "tool 1.2"), Truth::Undetermined);
    }

    #[test]
    fn a_column_that_a_program_reports_is_read_like_step_times() {
        let mut first = slot("a", &[1.0], &[]);
        first.columns.insert("clock".to_owned(), vec![2.0, 4.0]);
        let mut second = first.clone();
        second.columns.insert("clock".to_owned(), vec![7.0, 7.0]);
        let mean = |slots| {
            read(slots, |reader| {
                reader.over_steps(Statistic::Mean, &column("clock", Some("a")))
            })
        };
        let both = mean(vec![first.clone(), second]).unwrap();
        assert_eq!(
            (both.value(), both.dimension()),
            (5.0, Dimension::FREQUENCY)
        );
        let without = slot("a", &[1.0], &[]);
        assert_eq!(mean(vec![first, without]), Err(Unreadable::NotObserved));
    }

    #[test]
    fn an_arm_without_slots_is_not_observed() {
        let time = read(Vec::new(), |reader| {
            reader.over_steps(Statistic::Min, &column("step_time", Some("a")))
        });
        assert_eq!(time, Err(Unreadable::NotObserved));
    }

    #[test]
    fn logits_are_the_same_only_if_every_slot_agrees_at_every_step() {
        let same = |slots| read(slots, |reader| reader.same_digests("a", "b"));
        let (a, b) = (slot("a", &[1.0], &[1, 2]), slot("b", &[1.0], &[1, 2]));
        assert_eq!(
            same(vec![a.clone(), b.clone(), b.clone(), a.clone()]),
            Truth::True
        );
        let late = slot("b", &[1.0], &[1, 3]);
        assert_eq!(
            same(vec![a.clone(), b.clone(), late, a.clone()]),
            Truth::False
        );
        let short = slot("b", &[1.0], &[1]);
        assert_eq!(same(vec![a.clone(), short]), Truth::Undetermined);
        let unread = slot("b", &[1.0], &[]);
        assert_eq!(same(vec![a.clone(), unread]), Truth::Undetermined);
        assert_eq!(same(vec![a]), Truth::Undetermined);
        assert_eq!(same(Vec::new()), Truth::Undetermined);
    }
}
