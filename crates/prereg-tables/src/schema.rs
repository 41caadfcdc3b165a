//! The tables of a run, version 1.
//!
//! Every session that ended complete is in them, and no other. Rows stand in the order of the
//! JSONL lines: by session, then slot, then step; readings in the order in which they were taken.
//! An absent reading is an absent row or an empty value, never 0. Durations that are not positive
//! stay as read.
//!
//! `slots.parquet`, one row a slot:
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `session` | u32 | index of the session |
//! | `slot` | u32 | index of the slot in its session, in the order of execution |
//! | `arm` | text | the arm that ran |
//! | `steps` | u32 | measured steps, rejected ones included |
//! | `start_ns` | u64 | start mark, monotonic clock |
//! | `slot_ns` | u64 | host time from the start mark to the last end-of-step mark |
//! | `rejected` | u32 | steps whose duration is not positive |
//! | `invalid` | text, may be empty | why the arm did not run as asked |
//! | `captured_launches`, `replays` | u32, may be empty | what a graph captured and how often it was replayed |
//!
//! `steps.parquet`, one row a timed step:
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `session`, `slot`, `arm` | u32, u32, text | the slot |
//! | `step` | u32 | index of the step in its slot |
//! | `step_ns` | i64 | duration |
//! | `tokens` | u32 | tokens that it produced |
//! | `token` | u32 | the token that it chose |
//! | `logits` | 32 bytes | SHA-256 of its logits |
//!
//! `telemetry.parquet`, one row a reading beside the steps:
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `session` | u32 | index of the session |
//! | `column` | text | what was read (`read_bandwidth`, `last_level_cache`, …) |
//! | `slot` | u32, may be empty | slot that it was read in; for `read_bandwidth` the slot that follows |
//! | `value` | f64, may be empty | base units; empty where a pass has no positive duration |
//! | `at_ns` | u64, may be empty | when, monotonic clock |
//! | `bytes`, `duration_ns` | u64, i64, may be empty | what `value` of `read_bandwidth` is computed from |

//!
//! `observations.parquet`, one row for each number or digest that a program reported of a step; the table is there
//! only where programs reported:
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `session`, `slot`, `arm` | u32, u32, text | the slot |
//! | `step` | u32 | index of the step in its slot |
//! | `column` | text | what was reported (`step_time`, `tokens`, `output`, …) |
//! | `step_ns` | i64, may be empty | for `step_time`: the duration as reported |
//! | `value` | f64, may be empty | for other columns of numbers: base units |
//! | `output` | 32 bytes, may be empty | for `output`: its SHA-256 |

use crate::column::{Column, Kind};
use crate::table::Table;

/// One row a slot.
pub(crate) const SLOTS: Table = Table {
    name: "slots/1",
    file: "slots.parquet",
    columns: &[
        Column::required("session", Kind::U32),
        Column::required("slot", Kind::U32),
        Column::required("arm", Kind::Text),
        Column::required("steps", Kind::U32),
        Column::required("start_ns", Kind::U64),
        Column::required("slot_ns", Kind::U64),
        Column::required("rejected", Kind::U32),
        Column::optional("invalid", Kind::Text),
        Column::optional("captured_launches", Kind::U32),
        Column::optional("replays", Kind::U32),
    ],
};

/// One row a timed step.
pub(crate) const STEPS: Table = Table {
    name: "steps/1",
    file: "steps.parquet",
    columns: &[
        Column::required("session", Kind::U32),
        Column::required("slot", Kind::U32),
        Column::required("arm", Kind::Text),
        Column::required("step", Kind::U32),
        Column::required("step_ns", Kind::I64),
        Column::required("tokens", Kind::U32),
        Column::required("token", Kind::U32),
        Column::required("logits", Kind::Bytes),
    ],
};

/// One row a reading beside the steps.
pub(crate) const TELEMETRY: Table = Table {
    name: "telemetry/1",
    file: "telemetry.parquet",
    columns: &[
        Column::required("session", Kind::U32),
        Column::required("column", Kind::Text),
        Column::optional("slot", Kind::U32),
        Column::optional("value", Kind::F64),
        Column::optional("at_ns", Kind::U64),
        Column::optional("bytes", Kind::U64),
        Column::optional("duration_ns", Kind::I64),
    ],
};

/// One row for each number or digest that a program reported of a step.
pub(crate) const OBSERVATIONS: Table = Table {
    name: "observations/1",
    file: "observations.parquet",
    columns: &[
        Column::required("session", Kind::U32),
        Column::required("slot", Kind::U32),
        Column::required("arm", Kind::Text),
        Column::required("step", Kind::U32),
        Column::required("column", Kind::Text),
        Column::optional("step_ns", Kind::I64),
        Column::optional("value", Kind::F64),
        Column::optional("output", Kind::Bytes),
    ],
};
