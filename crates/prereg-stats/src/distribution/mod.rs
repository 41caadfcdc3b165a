//! The few laws that intervals and power need: binomial, normal, Student.

pub mod binomial;
pub mod normal;
pub mod student;

/// Probabilities are kept this far from 0 and 1 before they are turned into quantiles; no bound is
/// computed at a stricter level.
pub(crate) const SMALLEST_P: f64 = 1e-6;
