//! `steps.jsonl`: what the arms did, a line for each step and a line for each slot after its steps.
//!
//! A step is timed here (`step`), or it is what a program reported of itself (`observation`).
//!
//! Times are integer nanoseconds of the monotonic clock, as read. A step whose duration is not
//! positive is kept as read and counted as rejected; nothing is clamped.

use std::collections::BTreeMap;

use prereg_declaration::Digest;
use serde::{Deserialize, Serialize};

/// A line of `steps.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum StepLine {
    /// One timed step.
    Step(StepRecord),
    /// One step, as reported by the program that made it.
    Observation(ObservationRecord),
    /// One slot; follows its steps.
    Slot(SlotRecord),
}

/// One timed step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepRecord {
    /// Index of the slot in the session, from 0.
    pub slot: u32,
    /// The arm.
    pub arm: String,
    /// Index of the step in the slot, from 0.
    pub step: u32,
    /// Duration: difference of consecutive end-of-step marks.
    pub step_ns: i64,
    /// Tokens that it produced.
    pub tokens: u32,
    /// The token that it chose.
    pub token: u32,
    /// Digest of its logits, computed outside the timed region.
    pub logits: Digest,
}

/// One step, as reported by the program that made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObservationRecord {
    /// Index of the slot in the session, from 0.
    pub slot: u32,
    /// The arm.
    pub arm: String,
    /// Index of the step in the slot, from 0.
    pub step: u32,
    /// Duration, rounded to nanoseconds; kept as reported even when it is not positive. Absent where the program
    /// reports none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_ns: Option<i64>,
    /// Values of its other columns, in base units; finite.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, f64>,
    /// Digest of its output; absent where the program reports none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Digest>,
}

/// One slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotRecord {
    /// Index of the slot in the session, from 0.
    pub slot: u32,
    /// The arm.
    pub arm: String,
    /// Number of measured steps, rejected ones included.
    pub steps: u32,
    /// Start mark, monotonic clock; of a program, just before its process was started.
    pub start_ns: u64,
    /// Host time from the start mark to the last end-of-step mark; of a program, to the end of its process.
    pub slot_ns: u64,
    /// Steps whose duration is not positive.
    pub rejected: u32,
    /// Why the arm did not run as asked; absent when it did.
    pub invalid: Option<String>,
    /// What was captured and replayed; absent for an arm without a graph.
    pub graph: Option<GraphRecord>,
}

/// Proof that a graph was captured and replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphRecord {
    /// Kernel launches in the captured graph.
    pub captured_launches: u32,
    /// Times that it was replayed in measured steps.
    pub replays: u32,
}
