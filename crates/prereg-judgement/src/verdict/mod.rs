//! What judging yields: typed, serialisable, the same on any machine.
//!
//! These types are the body of `prereg analyze --json` and all that a report reads. Numbers are in
//! base units, of twelve significant digits. An unbounded side is `None` (JSON `null`), never an
//! infinity. [`Reason`] and [`ConditionResult`] are what the ledger records of a verdict and compares
//! with: for the default method their JSON does not change.

mod calibrated_range;
mod claim;
mod control;
mod gate;
mod metric;
mod reason;
mod run;

pub use calibrated_range::RangeResult;
pub use claim::{Bounds, ClaimResult, ComparisonResult, ConditionResult, Headline};
pub use control::ControlResult;
pub use gate::{GateResult, GateState, Observed};
pub use metric::{
    Association, DeclaredInterval, Interval, MeasuredCoverage, MetricResult, OrderEffect,
};
pub use reason::{Reason, State, UndeterminedCause, Verdict};
pub use run::{MissingSession, RunJudgement};
