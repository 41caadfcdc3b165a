//! Body of `preflight`: what was read of a machine before anything was announced there, and whether a run may begin.

use prereg_declaration::Digest;
use serde::{Deserialize, Serialize};

/// Body of `preflight`. It is recorded whether it passes or not, so that trying until it passes shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreflightEvent {
    /// The lock that would be run.
    pub lock: Digest,
    /// The target.
    pub target: String,
    /// Why no run may begin; absent where one may.
    pub refusal: Option<String>,
    /// What was read.
    pub readings: PreflightReadings,
}

/// Readings of a machine. One that the machine does not give is absent, never 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreflightReadings {
    /// What the machine is, in words.
    pub identity: String,
    /// Smallest positive difference between two reads of the clock that steps are timed with, nanoseconds.
    pub timer_resolution_ns: u64,
    /// Mean time of a read of it, nanoseconds.
    pub timer_overhead_ns: f64,
    /// Memory that can be had without swapping, within the control group's limit, bytes.
    pub memory_available_bytes: Option<u64>,
    /// Space on the study's disk, bytes.
    pub disk_available_bytes: Option<u64>,
    /// Read bandwidth of a buffer, the best of a few passes, bytes a second.
    pub read_bandwidth: Option<f64>,
    /// Columns of telemetry that the machine gives, sorted.
    pub counters: Vec<String>,
    /// Instruments whose value was followed for a while.
    pub instruments: Vec<InstrumentReading>,
}

/// How often the value of an instrument changes, which is not how often it can be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstrumentReading {
    /// The column.
    pub column: String,
    /// How often it was asked.
    pub readings: u32,
    /// How often its value had changed.
    pub updates: u32,
    /// Mean time between changes, nanoseconds; absent below two changes.
    pub period_ns: Option<u64>,
    /// From the first to the last reading, nanoseconds.
    pub followed_ns: u64,
}
