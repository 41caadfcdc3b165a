//! What the host did around a slot, read from the kernel's own files before and after it.
//!
//! [`HostCounters`] is one instant; [`between`] makes the readings of a slot out of two. Each source has a module:
//!
//! | column | unit | source |
//! |---|---|---|
//! | `cpu_clock` | Hz | cpufreq, mean over the online processors and the two instants |
//! | `temperature` | K | processors' sensors, else thermal zones; the hottest at either instant |
//! | `power` | W | energy counters of the processor packages (RAPL) over the time between |
//! | `steal` | share | `/proc/stat`: time that a hypervisor kept from all processors |
//! | `cpu_pressure` | share | `/proc/pressure/cpu`: time in which some task waited for a processor |
//! | `context_switches` | Hz | `/proc/stat` |
//! | `foreign_load` | processors | `/proc/stat`: busy time less the session's own |
//!
//! Invariants:
//! - A reading that the host does not give, or gives in a form that is not understood, has no line; it is never 0.
//! - A counter that ran backwards makes its reading absent.
//! - Nothing here runs inside a timed region: instants are taken before and after a slot, by the thread that starts it.

mod counters;
mod energy;
mod frequency;
mod kernel_counts;
mod own_time;
mod pressure;
mod temperature;

#[cfg(test)]
mod tests;

pub use counters::{HostCounters, between};
pub(crate) use energy::Energy;
pub(crate) use frequency::mean_hz;
pub use own_time::{CpuTime, own_cpu_time};
pub(crate) use temperature::hottest_kelvin;

/// The unit in which the kernel reports CPU time to programs, seconds: `USER_HZ` is 100 on every architecture that
/// decode runs on.
const TICK: f64 = 0.01;
