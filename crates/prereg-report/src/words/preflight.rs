//! What was read of a machine before anything was announced there.

use prereg_ledger::{InstrumentReading, PreflightReadings};
use prereg_units::Dimension;

use crate::markdown::{code, escape};
use crate::number;

const NOT_READ: &str = "not read";

/// Each reading with its name; one that the machine does not give says so.
#[must_use]
pub fn preflight(readings: &PreflightReadings) -> Vec<(&'static str, String)> {
    let number = |value: Option<f64>, dimension| {
        value.map_or_else(
            || NOT_READ.to_owned(),
            |value| number::measured(value, dimension),
        )
    };
    let bytes = |value: Option<u64>| number(value.map(|bytes| bytes as f64), Dimension::DATA);
    let mut read = vec![
        ("machine", escape(&readings.identity)),
        ("clock of prereg", timer(readings)),
        (
            "read bandwidth",
            number(readings.read_bandwidth, Dimension::BANDWIDTH),
        ),
        ("memory available", bytes(readings.memory_available_bytes)),
        ("disk available", bytes(readings.disk_available_bytes)),
        ("telemetry that it gives", counters(&readings.counters)),
    ];
    read.extend(
        readings
            .instruments
            .iter()
            .map(|followed| ("followed", instrument(followed))),
    );
    read
}

fn timer(readings: &PreflightReadings) -> String {
    if readings.timer_resolution_ns == 0 {
        return NOT_READ.to_owned();
    }
    format!(
        "resolution {}, {} a read",
        seconds(readings.timer_resolution_ns as f64),
        seconds(readings.timer_overhead_ns)
    )
}

fn counters(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| code(name)).collect();
    names.join(", ")
}

/// How often the value of an instrument changes, which is not how often it can be asked.
fn instrument(followed: &InstrumentReading) -> String {
    let changes = match followed.updates {
        0 => "did not change".to_owned(),
        1 => "changed once".to_owned(),
        updates => format!("changed {updates} times"),
    };
    let period = followed.period_ns.map_or_else(String::new, |period| {
        format!(", every {}", seconds(period as f64))
    });
    format!(
        "{} {changes} in {} readings over {}{period}",
        code(&followed.column),
        followed.readings,
        seconds(followed.followed_ns as f64)
    )
}

fn seconds(nanoseconds: f64) -> String {
    number::measured(nanoseconds / 1e9, Dimension::TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings() -> PreflightReadings {
        PreflightReadings {
            identity: "Made-up CPU, 2 processors".to_owned(),
            timer_resolution_ns: 30,
            timer_overhead_ns: 21.5,
            ..PreflightReadings::default()
        }
    }

    fn said(readings: &PreflightReadings, what: &str) -> String {
        let read = preflight(readings);
        read.into_iter().find(|(name, _)| *name == what).unwrap().1
    }

    #[test]
    fn a_reading_that_a_machine_does_not_give_is_not_read_and_not_0() {
        assert_eq!(said(&readings(), "read bandwidth"), "not read");
        assert_eq!(said(&readings(), "memory available"), "not read");
        assert_eq!(said(&readings(), "telemetry that it gives"), "none");
        assert_eq!(
            said(&PreflightReadings::default(), "clock of prereg"),
            "not read"
        );
    }

    #[test]
    fn an_instrument_tells_its_changes_beside_its_readings() {
        let mut meter = readings();
        meter.instruments.push(InstrumentReading {
            column: "power".to_owned(),
            readings: 100,
            updates: 4,
            period_ns: Some(495_000_000),
            followed_ns: 2_000_000_000,
        });
        assert_eq!(
            said(&meter, "followed"),
            "`power` changed 4 times in 100 readings over 2 s, every 495 ms"
        );
        meter.instruments[0].updates = 0;
        meter.instruments[0].period_ns = None;
        assert_eq!(
            said(&meter, "followed"),
            "`power` did not change in 100 readings over 2 s"
        );
    }
}
