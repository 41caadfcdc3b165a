//! One-sided bounds and two-sided intervals; a side may be unbounded, with the reason.

use thiserror::Error;

/// Why a side has no finite bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unbounded {
    /// Fewer sessions than the smallest number that can give a bound at this α.
    #[error("{sessions} sessions give no bound at this level; at least {needed} are needed")]
    TooFewSessions {
        /// Sessions, missing ones included.
        sessions: usize,
        /// The smallest number that would do.
        needed: usize,
    },
    /// Missing sessions, counted adversely, reach the bound.
    #[error("{missing} missing sessions, counted adversely, leave no bound; {allowed} would")]
    MissingSessions {
        /// How many are missing.
        missing: usize,
        /// How many may be missing at most.
        allowed: usize,
    },
    /// The values are equal to rounding: what was measured is the resolution, not a spread.
    #[error("the values are equal to rounding")]
    Degenerate,
    /// The bound lies outside the range of f64.
    #[error("the bound is beyond the range of 64-bit floating point")]
    OutOfRange,
}

/// One side of an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A finite number.
    Finite(f64),
    /// −∞ below, +∞ above.
    Unbounded(Unbounded),
}

impl Bound {
    /// The number, where there is one.
    #[must_use]
    pub const fn finite(self) -> Option<f64> {
        match self {
            Self::Finite(value) => Some(value),
            Self::Unbounded(_) => None,
        }
    }

    /// Why there is no number.
    #[must_use]
    pub const fn unbounded(self) -> Option<Unbounded> {
        match self {
            Self::Finite(_) => None,
            Self::Unbounded(reason) => Some(reason),
        }
    }

    pub(crate) fn of(value: f64) -> Self {
        if value.is_finite() {
            Self::Finite(value)
        } else {
            Self::Unbounded(Unbounded::OutOfRange)
        }
    }
}

/// A two-sided interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lower: Bound,
    /// Upper end.
    pub upper: Bound,
    /// Probability of missing the true value, both sides together: exact for an order-statistic
    /// interval, nominal otherwise.
    pub alpha: f64,
}
