//! Why there is no bootstrap interval.

use thiserror::Error;

use crate::estimate::EstimateError;
use crate::{SampleError, Unbounded};

/// Why there is no bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum BootstrapError {
    /// One value has one resample.
    #[error("one value cannot be resampled; at least two are needed")]
    OneValue,
    /// The values are equal to rounding.
    #[error("the values are equal to rounding")]
    Degenerate,
    /// More values than can be enumerated.
    #[error("{values} values are too many to enumerate; {limit} is the limit")]
    TooManyToEnumerate {
        /// How many were given.
        values: usize,
        /// How many can be.
        limit: usize,
    },
    /// Leaving out any one value gives the same estimate: no acceleration can be computed.
    #[error("all leave-one-out estimates are equal, so the BCa interval is undefined")]
    EqualJackknife,
    /// Values that are no sample.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The estimate itself.
    #[error(transparent)]
    Estimate(#[from] EstimateError),
}

impl From<BootstrapError> for Unbounded {
    fn from(error: BootstrapError) -> Self {
        match error {
            BootstrapError::OneValue | BootstrapError::Degenerate => Self::Degenerate,
            BootstrapError::EqualJackknife => Self::EqualJackknife,
            BootstrapError::TooManyToEnumerate { .. } | BootstrapError::Sample(_) => {
                Self::OutOfRange
            }
            BootstrapError::Estimate(error) => error.into(),
        }
    }
}
