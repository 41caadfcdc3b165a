//! Columns without an arm over the sessions of a run, for readers. No verdict comes from here.

use std::collections::BTreeMap;

use prereg_declaration::Statistic;
use prereg_units::{Dimension, Quantity};
use serde::Serialize;

use crate::evaluate::statistic_of_readings;
use crate::samples::{Observations, Reading, Samples, Session};

/// What was read of a column in the complete sessions of a run, in the column's base unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ColumnSummary {
    /// Sessions that have a reading.
    pub sessions: usize,
    /// Readings, over these sessions.
    pub readings: usize,
    /// The smallest of them.
    pub smallest: f64,
    /// Their median.
    pub median: f64,
    /// The largest of them.
    pub largest: f64,
    /// Changes of value a second: the least over the sessions in which readings of one slot lie apart in time. Absent
    /// where there is none.
    pub update_rate: Option<f64>,
}

/// A summary of every column that was read.
#[must_use]
pub fn telemetry(samples: &Samples) -> BTreeMap<String, ColumnSummary> {
    let complete: Vec<&Observations> = samples
        .sessions
        .iter()
        .filter_map(|session| match session {
            Session::Complete(observations) => Some(observations),
            Session::Missing(_) => None,
        })
        .collect();
    let names = complete.iter().flat_map(|session| session.columns.keys());
    let mut summaries = BTreeMap::new();
    for name in names {
        if !summaries.contains_key(name)
            && let Some(summary) = summary(name, &complete)
        {
            summaries.insert(name.clone(), summary);
        }
    }
    summaries
}

fn summary(name: &str, complete: &[&Observations]) -> Option<ColumnSummary> {
    let read: Vec<(&[Reading], usize)> = complete
        .iter()
        .filter_map(|session| Some((session.columns.get(name)?.as_slice(), session.slots.len())))
        .filter(|(readings, _)| !readings.is_empty())
        .collect();
    let all: Vec<Reading> = read
        .iter()
        .flat_map(|(one, _)| one.iter().copied())
        .collect();
    let of_all = |statistic| of(statistic, &all, 1);
    Some(ColumnSummary {
        sessions: read.len(),
        readings: all.len(),
        smallest: of_all(Statistic::Min)?,
        median: of_all(Statistic::Median)?,
        largest: of_all(Statistic::Max)?,
        update_rate: read
            .iter()
            .filter_map(|(readings, slots)| of(Statistic::UpdateRate, readings, *slots))
            .min_by(f64::total_cmp),
    })
}

fn of(statistic: Statistic, readings: &[Reading], slots: usize) -> Option<f64> {
    statistic_of_readings(statistic, readings, Dimension::NONE, slots)
        .ok()
        .map(Quantity::value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Missing;

    fn session(readings: &[(u32, f64, u64)]) -> Session {
        let readings = readings.iter().map(|&(slot, value, at_ms)| Reading {
            slot: Some(slot),
            value,
            at_ns: Some(at_ms * 1_000_000),
        });
        Session::Complete(Observations {
            slots: Vec::new(),
            columns: BTreeMap::from([("power".to_owned(), readings.collect())]),
            facts: BTreeMap::new(),
        })
    }

    #[test]
    fn a_column_is_summed_up_over_the_readings_of_complete_sessions() {
        let samples = Samples {
            sessions: vec![
                session(&[(0, 10.0, 0), (0, 30.0, 500)]),
                Session::Missing(Missing::Torn),
                session(&[(0, 20.0, 0), (0, 20.0, 500), (0, 70.0, 1000)]),
            ],
        };
        let power = telemetry(&samples)["power"];
        assert_eq!((power.sessions, power.readings), (2, 5));
        assert_eq!(
            (power.smallest, power.median, power.largest),
            (10.0, 20.0, 70.0)
        );
    }

    #[test]
    fn the_rate_of_updates_is_that_of_the_session_that_changed_least_often() {
        let samples = Samples {
            sessions: vec![
                session(&[(0, 1.0, 0), (0, 2.0, 250), (0, 3.0, 500)]),
                session(&[(0, 1.0, 0), (0, 1.0, 250), (0, 3.0, 500)]),
            ],
        };
        assert_eq!(telemetry(&samples)["power"].update_rate, Some(2.0));
    }

    #[test]
    fn readings_of_one_a_slot_have_no_rate_and_a_column_without_readings_no_summary() {
        let one_a_slot = Samples {
            sessions: vec![session(&[(0, 1.0, 0), (1, 2.0, 500)])],
        };
        assert_eq!(telemetry(&one_a_slot)["power"].update_rate, None);
        let none = Samples {
            sessions: vec![session(&[])],
        };
        assert!(telemetry(&none).is_empty());
    }
}
