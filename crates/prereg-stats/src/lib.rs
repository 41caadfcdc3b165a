//! Estimators, intervals, seeded resampling and three-valued logic: numbers in, numbers out.
//!
//! - [`Sample`] is a checked slice: finite and not empty. [`Sessions`] is what inference counts: the
//!   values observed, and how many sessions are missing.
//! - [`Method`] is what a verdict reads: bounds, p-value and estimate, by [`order_statistic`] (exact
//!   under any continuous law, missing sessions counted adversely), [`student_t`], [`bootstrap`], the
//!   confidence [`sequence`], or a [`census`], which infers nothing. [`unpaired`] compares two targets.
//! - [`permutation`] tests for drift, effects of order and serial dependence.
//! - [`Comparison::decide`] turns bounds into a [`Truth`], which combines by strong Kleene logic.
//! - [`Generator`] is the one source of randomness: `ChaCha8`, with an own bounded-integer step.
//!
//! Invariants: no result is NaN or infinite (an unbounded side is a [`Bound::Unbounded`] with its
//! reason); every result is the same on every platform, in any order of the input; α is carried,
//! never 1 − α.

mod alpha;
pub mod bootstrap;
mod bound;
pub mod census;
mod comparison;
mod coverage;
pub mod distribution;
pub mod estimate;
mod generator;
mod method;
pub mod order_statistic;
pub mod permutation;
mod sample;
mod scale;
pub mod sequence;
pub mod student_t;
mod truth;
pub mod unpaired;

pub use alpha::{Alpha, AlphaError};
pub use bound::{Bound, Interval, Unbounded};
pub use comparison::Comparison;
pub use generator::{Generator, Seed};
pub use method::{BootstrapInterval, Center, Method};
pub use sample::{Sample, SampleError, Sessions};
pub use scale::Scale;
pub use truth::Truth;
