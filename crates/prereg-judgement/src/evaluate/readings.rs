//! Statistics of columns without an arm: readings, each of a slot and at a time where that is known.
//!
//! What a meter shows is only as good as its updates: a poll that gives the value of the poll before
//! it is no new observation. Updates are therefore counted between readings of one slot, in the
//! order in which they were taken, and readings outside the slots count for none.

use std::collections::BTreeMap;

use prereg_declaration::Statistic;
use prereg_stats::{Sample, SampleError};
use prereg_units::{Dimension, Quantity};

use super::Unreadable;
use super::statistic::{self, Spread, quantity};
use crate::samples::Reading;

/// The statistic of the readings of a session with so many `slots`; the values have `dimension`.
pub(crate) fn statistic(
    name: Statistic,
    readings: &[Reading],
    dimension: Dimension,
    slots: usize,
) -> Result<Quantity, Unreadable> {
    let by_slot = BySlot::of(readings);
    let value = match name {
        Statistic::Coverage => by_slot.coverage(slots),
        Statistic::Updates => by_slot.updates(),
        Statistic::UpdateRate => by_slot.update_rate(),
        _ => {
            let values: Vec<f64> = readings.iter().map(|reading| reading.value).collect();
            return statistic::statistic(name, &values, dimension, Spread::Plain);
        }
    };
    quantity(value?, name.dimension(dimension))
}

/// The readings that were taken in a slot.
struct BySlot<'a>(BTreeMap<u32, Vec<&'a Reading>>);

impl<'a> BySlot<'a> {
    fn of(readings: &'a [Reading]) -> Self {
        let mut by_slot: BTreeMap<u32, Vec<&Reading>> = BTreeMap::new();
        for reading in readings {
            if let Some(slot) = reading.slot {
                by_slot.entry(slot).or_default().push(reading);
            }
        }
        Self(by_slot)
    }

    /// The share of the slots that have a reading: 0 without any, which is known and not unobserved.
    fn coverage(&self, slots: usize) -> Result<f64, Unreadable> {
        if slots == 0 {
            return Err(Unreadable::NotObserved);
        }
        let covered = self.0.keys().filter(|slot| (**slot as usize) < slots);
        Ok(covered.count() as f64 / slots as f64)
    }

    /// Changes of value between consecutive readings of a slot.
    fn updates(&self) -> Result<f64, Unreadable> {
        let values: Vec<f64> = self.0.values().flatten().map(|r| r.value).collect();
        Sample::new(&values).map_err(|error| match error {
            SampleError::Empty => Unreadable::NotObserved,
            SampleError::NotFinite { .. } => Unreadable::NotFinite,
        })?;
        let pairs = self.0.values().flat_map(|readings| readings.windows(2));
        let changes = pairs.filter(|pair| pair[0].value != pair[1].value);
        Ok(changes.count() as f64)
    }

    /// Updates a second of the time from the first to the last reading of each slot.
    fn update_rate(&self) -> Result<f64, Unreadable> {
        let spans = self.0.values().map(|readings| {
            let at = |reading: Option<&&Reading>| reading?.at_ns;
            at(readings.last())?.checked_sub(at(readings.first())?)
        });
        let nanoseconds: u64 = spans.sum::<Option<u64>>().ok_or(Unreadable::NotObserved)?;
        if nanoseconds == 0 {
            return Err(Unreadable::NotObserved);
        }
        Ok(self.updates()? / (nanoseconds as f64 * 1e-9))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A reading of a slot, in milliseconds.
    fn at(slot: u32, ms: u64, value: f64) -> Reading {
        Reading {
            slot: Some(slot),
            value,
            at_ns: Some(ms * 1_000_000),
        }
    }

    fn read(name: Statistic, readings: &[Reading]) -> Result<f64, Unreadable> {
        statistic(name, readings, Dimension::POWER, 4).map(Quantity::value)
    }

    #[test]
    fn a_poll_that_repeats_the_last_value_is_no_update() {
        // Polled every 20 ms, changed every 40 ms.
        let polled: Vec<Reading> = (0..6).map(|i| at(0, 20 * i, (i / 2) as f64)).collect();
        assert_eq!(read(Statistic::Count, &polled), Ok(6.0));
        assert_eq!(read(Statistic::Updates, &polled), Ok(2.0));
        assert_eq!(read(Statistic::UpdateRate, &polled), Ok(20.0));
    }

    proptest! {
        #[test]
        fn polling_more_often_than_a_meter_changes_shows_nothing_new(
            meter in prop::collection::vec((0..3_u32, 0..4_u32), 1..40),
            repeats in 1..5_usize,
        ) {
            let mut meter = meter;
            meter.sort_by_key(|(slot, _)| *slot);
            let readings: Vec<Reading> = (0..)
                .zip(&meter)
                .map(|(ms, (slot, value))| at(*slot, ms, f64::from(*value)))
                .collect();
            let polled: Vec<Reading> = readings
                .iter()
                .flat_map(|reading| std::iter::repeat_n(*reading, repeats))
                .collect();
            for name in [Statistic::Updates, Statistic::UpdateRate, Statistic::Coverage] {
                prop_assert_eq!(read(name, &polled), read(name, &readings));
            }
        }
    }

    #[test]
    fn a_change_between_slots_is_no_update() {
        let readings = [at(0, 0, 1.0), at(0, 10, 1.0), at(1, 500, 2.0)];
        assert_eq!(read(Statistic::Updates, &readings), Ok(0.0));
        assert_eq!(read(Statistic::UpdateRate, &readings), Ok(0.0));
    }

    #[test]
    fn the_time_between_slots_does_not_slow_a_meter_down() {
        let readings = [
            at(0, 0, 1.0),
            at(0, 100, 2.0),
            at(1, 5000, 3.0),
            at(1, 5100, 4.0),
        ];
        assert_eq!(read(Statistic::UpdateRate, &readings), Ok(10.0));
    }

    #[test]
    fn readings_outside_the_slots_are_neither_updates_nor_coverage() {
        let outside = [(0, 1.0), (10, 2.0)].map(|(ms, value)| Reading {
            slot: None,
            ..at(0, ms, value)
        });
        assert_eq!(read(Statistic::Coverage, &outside), Ok(0.0));
        let unread = Err(Unreadable::NotObserved);
        assert_eq!(read(Statistic::Updates, &outside), unread);
        assert_eq!(read(Statistic::Max, &outside), Ok(2.0));
    }

    #[test]
    fn coverage_is_the_share_of_slots_with_a_reading() {
        let readings = [at(0, 0, 1.0), at(0, 10, 1.0), at(2, 20, 1.0)];
        assert_eq!(read(Statistic::Coverage, &readings), Ok(0.5));
        assert_eq!(read(Statistic::Coverage, &[]), Ok(0.0));
    }

    #[test]
    fn a_rate_without_times_or_without_two_readings_is_not_observed() {
        let unread = Err(Unreadable::NotObserved);
        assert_eq!(read(Statistic::UpdateRate, &[]), unread);
        assert_eq!(read(Statistic::UpdateRate, &[at(0, 5, 1.0)]), unread);
        let untimed = Reading {
            at_ns: None,
            ..at(0, 0, 1.0)
        };
        assert_eq!(
            read(Statistic::UpdateRate, &[untimed, at(0, 9, 2.0)]),
            unread
        );
        let backwards = [at(0, 9, 1.0), at(0, 5, 2.0)];
        assert_eq!(read(Statistic::UpdateRate, &backwards), unread);
    }

    #[test]
    fn a_reading_that_is_no_number_leaves_no_updates() {
        let readings = [at(0, 0, 1.0), at(0, 10, f64::NAN)];
        assert_eq!(
            read(Statistic::Updates, &readings),
            Err(Unreadable::NotFinite)
        );
    }

    #[test]
    fn the_unsteadiness_of_readings_takes_them_in_their_order() {
        let readings = [1.0, 9.0, 2.0].map(|value| at(0, 0, value));
        let unsteadiness = read(Statistic::Unsteadiness, &readings).unwrap();
        assert!((unsteadiness - std::f64::consts::LN_2).abs() < 1e-15);
    }
}
