//! How often an instrument has something new to say.

use std::time::{Duration, Instant};

use crate::environment::{Machine, monotonic_ns};
use crate::telemetry::{Energy, hottest_kelvin, mean_hz};

/// How an instrument behaved while it was polled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instrument {
    /// Its column.
    pub column: String,
    /// Polls that gave a value.
    pub readings: u32,
    /// Polls whose value differed from the one before.
    pub updates: u32,
    /// Mean time from one change to the next, as seen by the polls; absent with fewer than two changes.
    pub period: Option<Duration>,
    /// Time from the first reading to the last.
    pub polled_for: Duration,
}

/// What an instrument of the host says now, as a number that changes when its reading does.
type Poll = fn(&Machine) -> Option<f64>;

/// Columns whose instruments can be polled. Power is a difference of energy counters, so those are what is polled.
const POLLS: [(&str, Poll); 3] = [
    ("cpu_clock", mean_hz),
    ("temperature", hottest_kelvin),
    ("power", |machine| {
        Energy::read(machine).map(|energy| energy.counted())
    }),
];

/// Polls the instruments of `machine` in turn for `poll_for`, as fast as their files can be read. One that gives no
/// value to begin with is not there.
#[must_use]
pub fn instruments(machine: &Machine, poll_for: Duration) -> Vec<Instrument> {
    let mut polled: Vec<(Poll, Watch)> = POLLS
        .into_iter()
        .filter(|(_, poll)| poll(machine).is_some())
        .map(|(column, poll)| (poll, Watch::of(column)))
        .collect();
    let start = Instant::now();
    while !polled.is_empty() {
        for (poll, watch) in &mut polled {
            if let Some(value) = poll(machine) {
                watch.read(monotonic_ns(), value);
            }
        }
        if start.elapsed() >= poll_for {
            break;
        }
    }
    polled.into_iter().map(|(_, watch)| watch.end()).collect()
}

/// The instrument behind the readings of a column, in their order, each with its time on the monotonic clock in ns.
#[must_use]
pub fn instrument(column: &str, samples: &[(u64, f64)]) -> Instrument {
    let mut watch = Watch::of(column);
    for &(at_ns, value) in samples {
        watch.read(at_ns, value);
    }
    watch.end()
}

/// What is kept of an instrument while it is polled.
struct Watch {
    column: String,
    readings: u32,
    updates: u32,
    value: Option<f64>,
    read: Times,
    changed: Times,
}

impl Watch {
    fn of(column: &str) -> Self {
        Self {
            column: column.to_owned(),
            readings: 0,
            updates: 0,
            value: None,
            read: Times::default(),
            changed: Times::default(),
        }
    }

    fn read(&mut self, at_ns: u64, value: f64) {
        self.readings = self.readings.saturating_add(1);
        self.read.add(at_ns);
        if self
            .value
            .replace(value)
            .is_some_and(|before| before != value)
        {
            self.updates = self.updates.saturating_add(1);
            self.changed.add(at_ns);
        }
    }

    fn end(self) -> Instrument {
        let gaps = self.updates.saturating_sub(1);
        Instrument {
            column: self.column,
            readings: self.readings,
            updates: self.updates,
            period: (gaps > 0).then(|| self.changed.span() / gaps),
            polled_for: self.read.span(),
        }
    }
}

/// First and last of a sequence of times, ns.
#[derive(Default)]
struct Times(Option<(u64, u64)>);

impl Times {
    fn add(&mut self, at_ns: u64) {
        let first = self.0.map_or(at_ns, |(first, _)| first);
        self.0 = Some((first, at_ns));
    }

    fn span(&self) -> Duration {
        let (first, last) = self.0.unwrap_or_default();
        Duration::from_nanos(last.saturating_sub(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::fake::machine;

    const MILLISECOND: u64 = 1_000_000;

    /// A meter whose value changes every `period` ms, polled every `tick` ms for `length` ms.
    fn meter(period: u64, tick: u64, length: u64) -> Instrument {
        let samples: Vec<(u64, f64)> = (0..length / tick)
            .map(|poll| (poll * tick * MILLISECOND, (poll * tick / period) as f64))
            .collect();
        instrument("power", &samples)
    }

    #[test]
    fn a_meter_is_as_fast_as_its_changes_and_not_as_its_polls() {
        let meter = meter(495, 20, 10_000);
        assert_eq!((meter.readings, meter.updates), (500, 20));
        let period = meter.period.unwrap();
        assert!(
            period.abs_diff(Duration::from_millis(495)) < Duration::from_millis(20),
            "{period:?}"
        );
    }

    #[test]
    fn a_meter_that_is_faster_than_its_polls_shows_their_period() {
        assert_eq!(meter(3, 20, 10_000).period, Some(Duration::from_millis(20)));
    }

    #[test]
    fn one_change_has_no_period() {
        let meter = meter(495, 20, 900);
        assert_eq!((meter.updates, meter.period), (1, None));
    }

    #[test]
    fn a_value_that_comes_back_is_a_change_each_time() {
        let samples = [(0, 1.0), (10, 2.0), (20, 1.0), (30, 1.0), (40, 2.0)];
        let meter = instrument("power", &samples);
        assert_eq!(
            (meter.updates, meter.period),
            (3, Some(Duration::from_nanos(15)))
        );
    }

    #[test]
    fn no_readings_are_no_changes_in_no_time() {
        let meter = instrument("power", &[]);
        assert_eq!(
            (meter.readings, meter.updates, meter.polled_for),
            (0, 0, Duration::ZERO)
        );
    }

    #[test]
    fn a_host_has_the_instruments_that_answer() {
        let some = machine(&[
            ("sys/class/thermal/thermal_zone0/temp", "41000\n"),
            ("sys/class/powercap/intel-rapl:0/name", "package-0\n"),
            ("sys/class/powercap/intel-rapl:0/energy_uj", "unreadable\n"),
        ]);
        let instruments = instruments(&some, Duration::ZERO);
        let expected = Instrument {
            column: "temperature".to_owned(),
            readings: 1,
            updates: 0,
            period: None,
            polled_for: Duration::ZERO,
        };
        assert_eq!(instruments, [expected]);
    }

    #[test]
    fn a_host_without_instruments_has_none() {
        assert!(instruments(&machine(&[]), Duration::from_hours(1)).is_empty());
    }
}
