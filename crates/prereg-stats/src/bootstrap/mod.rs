//! Session bootstrap: the law of a statistic under resampling, and intervals read from it.
//!
//! The [`Law`] is exact, by enumeration of all multisets, for up to [`EXACT_UP_TO`] values and drawn
//! with [`RESAMPLES`] seeded resamples beyond. A bootstrap knows nothing about missing sessions: it
//! takes the values that are there.

mod bca;
mod enumerate;
mod error;
mod law;
mod percentile;
mod resample;
mod statistic;

pub use bca::{BiasCorrection, bca, bias_correction};
pub use error::BootstrapError;
pub use law::{EXACT_UP_TO, Law, RESAMPLES};
pub use percentile::{basic, expanded, percentile};
pub use statistic::Statistic;
