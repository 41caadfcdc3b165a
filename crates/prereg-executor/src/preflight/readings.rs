//! What a machine says before a run.

use std::path::Path;
use std::time::Duration;

use prereg_ledger::{InstrumentReading, PreflightReadings};
use rustix::fs::statvfs;

use crate::bandwidth;
use crate::environment::{Machine, host};
use crate::instrument::{Instrument, instruments, timer};
use crate::telemetry::{HostCounters, between, own_cpu_time};

/// Time for which the machine's instruments are followed: a meter that changes twice a second changes four times.
const FOLLOWED: Duration = Duration::from_secs(2);

pub(super) fn read(readings: &mut PreflightReadings, study: &Path, machine: &Machine) {
    let timer = timer();
    readings.timer_resolution_ns = timer.resolution_ns;
    readings.timer_overhead_ns = timer.overhead_ns;
    let limit = machine.limits().memory_bytes;
    let available = machine.memory_available_bytes().into_iter().chain(limit);
    readings.memory_available_bytes = available.min();
    let disk = statvfs(study).ok();
    readings.disk_available_bytes = disk.map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    let before = HostCounters::now(machine, own_cpu_time());
    let passes = bandwidth::sweeps(0);
    readings.read_bandwidth = passes
        .iter()
        .filter_map(prereg_runs::SweepRecord::bytes_per_second)
        .max_by(f64::total_cmp);
    readings.instruments = instruments(machine, FOLLOWED)
        .into_iter()
        .map(record)
        .collect();
    let after = HostCounters::now(machine, own_cpu_time());
    let counted = between(&before, &after, 0).into_iter();
    readings.counters = counted.map(|sample| sample.column).collect();
    if !passes.is_empty() {
        readings.counters.push("read_bandwidth".to_owned());
    }
    if host_cache(machine).is_some() {
        readings.counters.push("last_level_cache".to_owned());
    }
    readings.counters.sort();
}

fn host_cache(machine: &Machine) -> Option<u64> {
    host(machine, "", 0).last_level_cache_bytes()
}

pub(super) fn record(instrument: Instrument) -> InstrumentReading {
    InstrumentReading {
        column: instrument.column,
        readings: instrument.readings,
        updates: instrument.updates,
        period_ns: instrument.period.map(|period| period.as_nanos() as u64),
        followed_ns: instrument.polled_for.as_nanos() as u64,
    }
}
