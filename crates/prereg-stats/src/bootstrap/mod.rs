//! Session bootstrap: the law of a statistic under resampling, and intervals read from it.
//!
//! A [`Law`] is that of a mean, a median or a ratio of medians, a [`StudentisedLaw`] that of the
//! studentised mean. Both are exact, by enumeration of all multisets, for up to [`EXACT_UP_TO`] values
//! and drawn with [`RESAMPLES`] seeded resamples beyond. From them are read one-sided bounds, each at
//! its own α ([`percentile_bounds`], [`bca_bounds`], [`studentised_bounds`]), and two-sided intervals,
//! half of α on each side.
//!
//! A bootstrap knows nothing about missing sessions: it takes the values that are there.

mod atoms;
mod bca;
mod enumerate;
mod error;
mod law;
mod median;
mod paired;
mod percentile;
mod resample;
mod statistic;
mod studentised;

pub use bca::{BiasCorrection, bca, bca_bounds, bias_correction};
pub use error::BootstrapError;
pub use law::{EXACT_UP_TO, Law, RESAMPLES};
pub use percentile::{basic, expanded, percentile, percentile_bounds};
pub use statistic::Statistic;
pub use studentised::{StudentisedLaw, studentised, studentised_bounds};
