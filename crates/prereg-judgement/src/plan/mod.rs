//! Judging a plan before there are data: can it lose, can it win, and with what probability.
//!
//! [`lint`] finds what makes a plan worthless; [`power()`] tabulates what it would decide. Both use
//! the rule that [`crate::judge`] uses, in closed form: the bounds of the order-statistic interval
//! fall on one side of a threshold with a binomial probability. Sessions are taken as lognormal with
//! the assumed spread, none missing and every gate held.

mod domain;
mod finding;
mod foregone;
mod formula;
mod lint;
mod power;
mod scenario;
mod table;

pub use finding::LintFinding;
pub use lint::lint;
pub use power::power;
pub use table::{ClaimPower, PassingRange, PowerError, PowerRow, PowerTable};
