//! `telemetry.jsonl`: readings beside the slots. A reading that the device does not give has no
//! line; it is never 0.

use serde::{Deserialize, Serialize};

/// A line of `telemetry.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum TelemetryLine {
    /// A read of all weights, a value of the column `read_bandwidth`.
    Sweep(SweepRecord),
    /// A value of any other column.
    Sample(SampleRecord),
}

/// A timed read-only pass over the weight buffers, in a slot of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepRecord {
    /// Index of the slot that follows; the number of slots for a pass after the last.
    pub before: u32,
    /// Bytes read.
    pub bytes: u64,
    /// Start, monotonic clock.
    pub start_ns: u64,
    /// Duration; kept as read even when it is not positive.
    pub duration_ns: i64,
}

impl SweepRecord {
    /// Read bandwidth in bytes a second; absent when the duration is not positive.
    #[must_use]
    pub fn bytes_per_second(&self) -> Option<f64> {
        (self.duration_ns > 0).then(|| self.bytes as f64 * 1e9 / self.duration_ns as f64)
    }
}

/// One reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleRecord {
    /// The column (`last_level_cache`, `sm_clock`, `power`).
    pub column: String,
    /// Index of the measured slot that it was taken in; absent for facts about the machine.
    pub slot: Option<u32>,
    /// Value in the column's base unit; finite.
    pub value: f64,
    /// When, monotonic clock; absent for facts about the machine.
    pub at_ns: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_without_a_positive_duration_has_no_bandwidth() {
        let sweep = |duration_ns| SweepRecord {
            before: 0,
            bytes: 3_000,
            start_ns: 0,
            duration_ns,
        };
        assert_eq!(sweep(1_000).bytes_per_second(), Some(3e9));
        assert_eq!(sweep(0).bytes_per_second(), None);
        assert_eq!(sweep(-5).bytes_per_second(), None);
    }
}
