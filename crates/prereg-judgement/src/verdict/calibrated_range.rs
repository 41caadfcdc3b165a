//! One calibrated range on one run.

use prereg_units::Quantity;
use serde::Serialize;

use super::GateState;

/// The calibrated range of one metric on one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RangeResult {
    /// Smallest value for which claims are made.
    pub from: Quantity,
    /// Largest.
    pub to: Quantity,
    /// Held where every session that is not missing lies in the range.
    pub state: GateState,
    /// Sessions outside of it.
    pub outside: Vec<usize>,
    /// Sessions that are there and in which the metric has no number.
    pub unobserved: Vec<usize>,
}
