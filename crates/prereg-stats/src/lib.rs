//! Estimators, intervals, seeded resampling and three-valued logic: numbers in, numbers out.
//!
//! - [`Sample`] is a checked slice: finite and not empty. [`Sessions`] is what inference counts: the
//!   values observed, and how many sessions are missing.
//! - [`order_statistic`] gives exact bounds on the median under any continuous law, with missing
//!   sessions counted adversely; [`student_t`] gives bounds on a mean; [`bootstrap`] gives
//!   percentile, expanded, basic and `BCa` intervals.
//! - [`Comparison::decide`] turns bounds into a [`Truth`], which combines by strong Kleene logic.
//! - [`Generator`] is the one source of randomness: `ChaCha8`, with an own bounded-integer step.
//!
//! Invariants: no result is NaN or infinite (an unbounded side is a [`Bound::Unbounded`] with its
//! reason); every result is the same on every platform, in any order of the input; α is carried,
//! never 1 − α.

mod alpha;
pub mod bootstrap;
mod bound;
mod comparison;
pub mod distribution;
pub mod estimate;
mod generator;
pub mod order_statistic;
mod sample;
pub mod student_t;
mod truth;

pub use alpha::{Alpha, AlphaError};
pub use bound::{Bound, Interval, Unbounded};
pub use comparison::Comparison;
pub use generator::{Generator, Seed};
pub use sample::{Sample, SampleError, Sessions};
pub use truth::Truth;
