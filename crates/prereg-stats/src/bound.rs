//! One-sided bounds and two-sided intervals; a side may be unbounded, with the reason.

use thiserror::Error;

use crate::Alpha;
use crate::estimate::EstimateError;

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
    /// A value that is not positive where logarithms or a ratio are taken.
    #[error("a value is not positive; logarithms and ratios need positive values")]
    NotPositive,
    /// An α below the smallest at which the interval is computed.
    #[error("the level is stricter than this interval can be computed at")]
    LevelTooSmall,
    /// Leaving out any one value gives the same estimate: a `BCa` interval has no acceleration.
    #[error("all leave-one-out estimates are equal, so the BCa interval is undefined")]
    EqualJackknife,
    /// A quantile of the studentised law is infinite: too many resamples have no spread.
    #[error("too many resamples have no spread, so the bootstrap-t bound is infinite")]
    InfiniteQuantile,
    /// Bootstrap-t of a median: a median has no standard error to divide by.
    #[error("a median has no standard error, so it has no bootstrap-t bound")]
    NoStandardError,
}

impl From<EstimateError> for Unbounded {
    fn from(error: EstimateError) -> Self {
        match error {
            EstimateError::OneValue => Self::Degenerate,
            EstimateError::NotPositive { .. } => Self::NotPositive,
            EstimateError::Probability { .. } | EstimateError::OutOfRange => Self::OutOfRange,
        }
    }
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

impl Interval {
    /// The two-sided interval of one-sided bounds, each at half of `alpha`.
    pub(crate) fn of_halves(alpha: Alpha, bounds: impl FnOnce(Alpha) -> [Bound; 2]) -> Self {
        let [lower, upper] = bounds(alpha.share(2));
        Self {
            lower,
            upper,
            alpha: alpha.get(),
        }
    }
}
