//! What goes in: checked values, and sessions of which some are missing.

use thiserror::Error;

/// Why values are not a sample.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SampleError {
    /// No values.
    #[error("the sample is empty")]
    Empty,
    /// A NaN or an infinity.
    #[error("value {index} of the sample is {value}; only finite numbers can be analysed")]
    NotFinite {
        /// Its position.
        index: usize,
        /// The value.
        value: f64,
    },
}

/// Finite values, at least one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample<'a>(&'a [f64]);

impl<'a> Sample<'a> {
    /// Checks that there are values and that all are finite. Nothing is dropped.
    ///
    /// # Errors
    /// [`SampleError`], with the first value that is not finite.
    pub fn new(values: &'a [f64]) -> Result<Self, SampleError> {
        match values.iter().position(|value| !value.is_finite()) {
            Some(index) => Err(SampleError::NotFinite {
                index,
                value: values[index],
            }),
            None if values.is_empty() => Err(SampleError::Empty),
            None => Ok(Self(values)),
        }
    }

    /// The values, in the order given.
    #[must_use]
    pub const fn values(self) -> &'a [f64] {
        self.0
    }

    /// The values in ascending order.
    #[must_use]
    pub fn sorted(self) -> Vec<f64> {
        let mut sorted = self.0.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted
    }
}

/// The values of the sessions of a run, and how many sessions have none.
///
/// A missing session stays in the count: it enters a lower bound as −∞ and an upper bound as +∞,
/// so that losing a session never helps a claim nor its opposite.
#[derive(Debug, Clone, PartialEq)]
pub struct Sessions {
    sorted: Vec<f64>,
    missing: usize,
}

impl Sessions {
    /// `observed` values, in any order and possibly none, and the number of `missing` sessions.
    ///
    /// # Errors
    /// [`SampleError::NotFinite`].
    pub fn new(observed: &[f64], missing: usize) -> Result<Self, SampleError> {
        let sorted = match Sample::new(observed) {
            Ok(sample) => sample.sorted(),
            Err(SampleError::Empty) => Vec::new(),
            Err(error) => return Err(error),
        };
        Ok(Self { sorted, missing })
    }

    /// `count` sessions that are all missing.
    #[must_use]
    pub const fn all_missing(count: usize) -> Self {
        Self {
            sorted: Vec::new(),
            missing: count,
        }
    }

    /// The observed values in ascending order.
    #[must_use]
    pub fn observed(&self) -> &[f64] {
        &self.sorted
    }

    /// The observed values as a sample, if there are any.
    #[must_use]
    pub fn sample(&self) -> Option<Sample<'_>> {
        (!self.sorted.is_empty()).then_some(Sample(&self.sorted))
    }

    /// How many sessions are missing.
    #[must_use]
    pub const fn missing(&self) -> usize {
        self.missing
    }

    /// All sessions, observed and missing.
    #[must_use]
    pub fn count(&self) -> usize {
        self.sorted.len() + self.missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_and_infinities_are_refused_with_their_position() {
        for value in [f64::INFINITY, f64::NEG_INFINITY] {
            let error = Sample::new(&[1.0, value]).unwrap_err();
            assert_eq!(error, SampleError::NotFinite { index: 1, value });
        }
        assert!(Sample::new(&[f64::NAN]).is_err());
        assert!(Sessions::new(&[1.0, f64::NAN], 0).is_err());
        assert_eq!(Sample::new(&[]), Err(SampleError::Empty));
    }

    #[test]
    fn missing_sessions_stay_in_the_count() {
        let sessions = Sessions::new(&[3.0, 1.0], 2).unwrap();
        assert_eq!((sessions.count(), sessions.missing()), (4, 2));
        assert_eq!(sessions.observed(), [1.0, 3.0]);
        assert_eq!(Sessions::new(&[], 3).unwrap().sample(), None);
    }
}
