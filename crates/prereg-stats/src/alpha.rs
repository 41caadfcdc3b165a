//! An error probability.

use thiserror::Error;

/// A number that is no error probability.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{value} is not an error probability; give a number above 0 and below 0.5")]
pub struct AlphaError {
    /// The number given.
    pub value: f64,
}

/// An error probability, 0 < α < ½. One-sided for a bound, two-sided for an interval.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Alpha(f64);

impl Alpha {
    /// Checks the range.
    ///
    /// # Errors
    /// [`AlphaError`] outside (0, ½), NaN included.
    pub fn new(value: f64) -> Result<Self, AlphaError> {
        if value > 0.0 && value < 0.5 {
            Ok(Self(value))
        } else {
            Err(AlphaError { value })
        }
    }

    /// The probability.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// An equal share of this probability among `parts` events (Bonferroni); `parts` = 0 counts
    /// as 1.
    #[must_use]
    pub fn share(self, parts: usize) -> Self {
        // The smallest positive f64 keeps the invariant where the quotient would round to zero.
        Self((self.0 / parts.max(1) as f64).max(f64::from_bits(1)))
    }

    /// The stricter of two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        if other.0 < self.0 { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_open_interval_is_accepted() {
        for value in [0.0, -0.1, 0.5, 1.0, f64::NAN, f64::INFINITY] {
            assert!(Alpha::new(value).is_err(), "{value}");
        }
        assert_eq!(Alpha::new(0.05).unwrap().get(), 0.05);
    }

    #[test]
    fn shares_divide() {
        assert_eq!(Alpha::new(0.05).unwrap().share(2).get(), 0.025);
        assert!(Alpha::new(5e-324).unwrap().share(3).get() > 0.0);
    }
}
