//! Judging a plan before there are data: can it lose, can it win, and with what probability.
//!
//! [`lint`] finds what makes a plan worthless; [`power()`] tabulates what it would decide. Both use
//! the rule that [`crate::judge`] uses: in closed form for one comparison on order statistics, else
//! by simulation with the code that judges.
//!
//! Assumed: the units of inference are independent lognormals with the scenario's values as medians
//! and the assumed spreads as log standard deviations; metrics are independent of each other; no
//! session is missing but by a gate; the quotient of a control is 1. Gates and calibrated ranges on
//! what no scenario gives a value for hold: telemetry, facts, outputs. Where blocks count, a block has the assumed spread and its sessions agree: sessions of one block are no more
//! than one look at it.

mod comparisons;
mod finding;
mod foregone;
mod formula;
mod least;
mod lint;
mod nearest;
mod numbers;
mod power;
mod range;
mod table;
mod terms;
mod threshold;
mod variables;

pub use finding::LintFinding;
pub use lint::lint;
pub use nearest::NearestPlan;
pub use power::{power, power_at};
pub use table::{ClaimPower, EffectRange, Outcome, PowerError, PowerRow, PowerTable};
