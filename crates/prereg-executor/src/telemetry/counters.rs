//! The host's counters at an instant, and what two instants say of the time between them.

use std::time::Duration;

use prereg_runs::SampleRecord;

use super::{CpuTime, Energy, TICK, frequency, kernel_counts::KernelCounts, pressure, temperature};
use crate::environment::{Machine, monotonic_ns};

/// The host at one instant. What it does not count is absent.
#[derive(Clone, Debug)]
pub struct HostCounters {
    at_ns: u64,
    own: Option<CpuTime>,
    clock_hz: Option<f64>,
    temperature_kelvin: Option<f64>,
    energy: Option<Energy>,
    kernel: Option<KernelCounts>,
    pressure: Option<Duration>,
}

impl HostCounters {
    /// Reads the counters of `machine`. `own` is the CPU time that the session has used so far
    /// ([`own_cpu_time`](super::own_cpu_time)), taken just before; without it there is no foreign load.
    #[must_use]
    pub fn now(machine: &Machine, own: Option<CpuTime>) -> Self {
        Self::at(monotonic_ns(), machine, own)
    }

    /// Reads them as those of `at_ns`.
    pub(super) fn at(at_ns: u64, machine: &Machine, own: Option<CpuTime>) -> Self {
        Self {
            at_ns,
            own,
            kernel: KernelCounts::read(machine),
            pressure: pressure::waited(machine),
            energy: Energy::read(machine),
            clock_hz: frequency::mean_hz(machine),
            temperature_kelvin: temperature::hottest_kelvin(machine),
        }
    }
}

/// The readings of slot `slot`, which ran between the two instants, in base units; their time is that of `after`.
/// Those that the host does not give are left out; without time between the instants there are none.
#[must_use]
pub fn between(before: &HostCounters, after: &HostCounters, slot: u32) -> Vec<SampleRecord> {
    let Some(elapsed_ns @ 1..) = after.at_ns.checked_sub(before.at_ns) else {
        return Vec::new();
    };
    let span = Span {
        before,
        after,
        seconds: elapsed_ns as f64 * 1e-9,
    };
    let readings = [
        ("cpu_clock", span.clock()),
        ("temperature", span.temperature()),
        ("power", span.power()),
        ("steal", span.steal()),
        ("cpu_pressure", span.pressure()),
        ("context_switches", span.context_switches()),
        ("foreign_load", span.foreign_load()),
    ];
    let present = readings
        .into_iter()
        .filter_map(|(column, value)| Some((column, value?)));
    present
        .map(|(column, value)| SampleRecord {
            column: column.to_owned(),
            slot: Some(slot),
            value,
            at_ns: Some(after.at_ns),
        })
        .collect()
}

/// Two instants with time between them.
struct Span<'a> {
    before: &'a HostCounters,
    after: &'a HostCounters,
    /// Positive.
    seconds: f64,
}

impl Span<'_> {
    fn clock(&self) -> Option<f64> {
        Some(f64::midpoint(self.before.clock_hz?, self.after.clock_hz?))
    }

    fn temperature(&self) -> Option<f64> {
        let (before, after) = (self.before, self.after);
        Some(before.temperature_kelvin?.max(after.temperature_kelvin?))
    }

    fn power(&self) -> Option<f64> {
        let (before, after) = (self.before.energy.as_ref()?, self.after.energy.as_ref()?);
        Some(before.joules_until(after, self.seconds)? / self.seconds)
    }

    fn kernel(&self) -> Option<(KernelCounts, KernelCounts)> {
        self.before.kernel.zip(self.after.kernel)
    }

    /// Over the processors' time by the clock: the kernel's own count of idle time may run backwards.
    fn steal(&self) -> Option<f64> {
        let (before, after) = self.kernel()?;
        let ticks = after.steal.checked_sub(before.steal)?;
        let processors = (before.processors == after.processors).then_some(after.processors)?;
        Some(ticks as f64 * TICK / (self.seconds * f64::from(processors)))
    }

    fn pressure(&self) -> Option<f64> {
        let waited = self.after.pressure?.checked_sub(self.before.pressure?)?;
        Some(waited.as_secs_f64() / self.seconds)
    }

    fn context_switches(&self) -> Option<f64> {
        let (before, after) = self.kernel()?;
        let switches = after
            .context_switches?
            .checked_sub(before.context_switches?)?;
        Some(switches as f64 / self.seconds)
    }

    /// Busy time less own time, in processors' worth. Time that the kernel spends for nobody, such as interrupts, is
    /// foreign.
    ///
    /// Both are sums of counts that are rounded down to whole ticks: five of busy time, four of own time. Where the
    /// kernel charges a processor's whole tick to the task that it finds at the tick, each processor's busy time is off
    /// by up to another. A difference that lies below zero by no more than all of these together reads 0; one that lies
    /// further below says that the two do not count the same thing, and there is no reading.
    fn foreign_load(&self) -> Option<f64> {
        let (before, after) = self.kernel()?;
        let busy = after.busy.checked_sub(before.busy)?;
        let own = self.after.own?.since(self.before.own?)?;
        let resolution = u64::from(after.processors.max(before.processors)) + 5 + 4;
        let ticks = match busy.checked_sub(own) {
            Some(foreign) => foreign,
            None if own - busy <= resolution => 0,
            None => return None,
        };
        Some(ticks as f64 * TICK / self.seconds)
    }
}
