//! One control on one run.

use serde::Serialize;

use super::GateState;

/// One control on one run: an interval of a quotient that should be 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ControlResult {
    /// The metric.
    pub metric: String,
    /// The interval must lie in [1 / (1 + within), 1 + within].
    pub within: f64,
    /// Whether it does; unobserved without an interval.
    pub state: GateState,
    /// Lower bound of the metric by the declared method; `None` is unbounded.
    pub lower: Option<f64>,
    /// Upper bound; `None` is unbounded.
    pub upper: Option<f64>,
    /// One-sided α of each bound, that of pass; 0 under a census.
    pub alpha: f64,
    /// Why a bound is unbounded, if one is.
    pub unbounded: Option<String>,
}
