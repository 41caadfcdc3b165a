//! From samples to verdicts, and from plans to their power. Pure: no I/O, no clock, no ambient
//! randomness; the same input gives the same bytes on any machine.
//!
//! - [`judge`] evaluates gates, metrics and kill conditions of one run on one target;
//!   [`headline`] joins the targets of a claim.
//! - [`lint`] refuses plans that cannot lose or cannot win; [`power()`] tabulates what a plan decides.
//!
//! Invariants: a claim starts abstained and moves only on evidence. What was not observed never
//! counts as passed. A session without a number stays in N and counts against the claim and against
//! its opposite.

mod claim;
mod constants;
mod evaluate;
mod gate;
mod headline;
mod judge;
mod level;
mod metric;
mod plan;
mod samples;
mod significant;
mod verdict;

#[cfg(test)]
mod example;

pub use constants::Constants;
pub use headline::headline;
pub use judge::{JudgeError, judge};
pub use plan::{
    ClaimPower, LintFinding, PassingRange, PowerError, PowerRow, PowerTable, lint, power,
};
pub use samples::{Missing, Observations, Samples, Session, Slot};
pub use verdict::{
    Bounds, ClaimResult, ComparisonResult, ConditionResult, GateResult, GateState, Headline,
    Interval, MetricResult, MissingSession, Observed, Reason, RunJudgement, State,
    UndeterminedCause, Verdict,
};
