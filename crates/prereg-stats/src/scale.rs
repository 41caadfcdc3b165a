//! The scale on which a mean is taken.

use crate::estimate::{self, EstimateError};
use crate::{Bound, Sample};

/// What is averaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scale {
    /// Logarithms; estimate and bounds are those of the geometric mean.
    Log,
    /// The values; estimate and bounds are those of the arithmetic mean.
    Linear,
}

impl Scale {
    /// The values on this scale.
    ///
    /// # Errors
    /// [`EstimateError::NotPositive`] on the log scale.
    pub(crate) fn apply(self, sample: Sample<'_>) -> Result<Vec<f64>, EstimateError> {
        match self {
            Self::Log => estimate::logarithms(sample),
            Self::Linear => Ok(sample.values().to_vec()),
        }
    }

    /// A number of this scale as one of the values.
    pub(crate) fn revert(self, value: f64) -> f64 {
        match self {
            Self::Log => libm::exp(value),
            Self::Linear => value,
        }
    }

    /// A bound of this scale as one of the values.
    pub(crate) fn revert_bound(self, bound: Bound) -> Bound {
        match bound {
            Bound::Finite(value) => Bound::of(self.revert(value)),
            Bound::Unbounded(_) => bound,
        }
    }
}
