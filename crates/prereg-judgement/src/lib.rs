//! From samples to verdicts, and from plans to their power. Pure: no I/O, no clock, no ambient
//! randomness; the same input gives the same bytes on any machine.
//!
//! - [`judge`] evaluates gates, controls, calibrated ranges, metrics and kill conditions of one run on
//!   one target;
//!   [`headline`] joins the targets of a claim; [`family_wise`] bounds the errors of all claims
//!   together. [`on_conditions`] tells when a sequence stops.
//! - [`lint`] refuses plans that cannot lose or cannot win; [`power()`] tabulates what a plan decides.
//!
//! Invariants: a claim starts abstained and moves only on evidence. What was not observed never
//! counts as passed. A session without a number stays in N and counts against the claim and against
//! its opposite.

mod calibrated_range;
mod claim;
mod constants;
mod control;
mod evaluate;
mod family_wise;
mod gate;
mod headline;
mod judge;
mod level;
mod method;
mod metric;
mod plan;
mod reach;
mod samples;
mod significant;
mod telemetry;
mod trace;
mod verdict;

#[cfg(test)]
mod example;

pub use constants::Constants;
pub use family_wise::{FamilyWise, family_wise};
pub use headline::headline;
pub use judge::{JudgeError, judge, on_conditions};
pub use plan::{
    ClaimPower, EffectRange, LintFinding, NearestPlan, Outcome, PowerError, PowerRow, PowerTable,
    lint, power, power_at,
};
pub use reach::{is_absolute, reach_of_absolute};
pub use samples::{Missing, Observations, Reading, Samples, Session, Slot};
pub use telemetry::{ColumnSummary, telemetry};
pub use trace::{Trace, TraceSource, trace};
pub use verdict::{
    Association, Bounds, ClaimResult, ComparisonResult, ConditionResult, ControlResult,
    DeclaredInterval, GateResult, GateState, Headline, Interval, MeasuredCoverage, MetricResult,
    MissingSession, Observed, OrderEffect, RangeResult, Reason, RunJudgement, State,
    UndeterminedCause, Verdict,
};
