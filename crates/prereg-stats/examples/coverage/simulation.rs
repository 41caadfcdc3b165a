//! The constants that fix every figure.

/// Sessions of a data set.
pub(crate) const SIZES: [usize; 4] = [5, 10, 20, 30];

/// Data sets a cell: a coverage of 95 % has a standard error of 0.2 %.
pub(crate) const DATA_SETS: u64 = 10_000;

/// Resamples a bootstrap, beyond [`ENUMERATED`] sessions. The product enumerates up to 10 sessions
/// and draws 9 999 resamples beyond; here that would take hours, and the coverage of an interval
/// does not depend on it within the simulation's error.
pub(crate) const RESAMPLES: usize = 1_999;

/// Up to this many sessions the bootstrap law is enumerated.
pub(crate) const ENUMERATED: usize = 5;

/// First byte of every seed; the other bytes say which cell and data set.
pub(crate) const SEED: u8 = 21;

/// Two-sided error probability of the intervals.
pub(crate) const ALPHA: f64 = 0.05;
