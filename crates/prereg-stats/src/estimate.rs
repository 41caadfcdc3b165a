//! Point estimates of a [`Sample`].
//!
//! Variances are taken in two passes. Logarithms and exponentials are libm's, whose results are the
//! same on every platform.

use thiserror::Error;

use crate::Sample;

/// Why a sample has no such estimate.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum EstimateError {
    /// A spread needs two values.
    #[error("one value has no spread; at least two are needed")]
    OneValue,
    /// A logarithm of a number that is not positive, or a division by a mean of zero.
    #[error("{value} is not positive; this estimate is for positive numbers only")]
    NotPositive {
        /// The number.
        value: f64,
    },
    /// A probability outside 0..=1.
    #[error("{p} is not a probability")]
    Probability {
        /// The number given.
        p: f64,
    },
    /// The result is beyond the range of f64.
    #[error("the estimate is beyond the range of 64-bit floating point")]
    OutOfRange,
}

/// Smallest value.
#[must_use]
pub fn min(sample: Sample<'_>) -> f64 {
    sample
        .values()
        .iter()
        .copied()
        .fold(f64::INFINITY, f64::min)
}

/// Largest value.
#[must_use]
pub fn max(sample: Sample<'_>) -> f64 {
    sample
        .values()
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Median; the midpoint of the two middle values for an even count.
#[must_use]
pub fn median(sample: Sample<'_>) -> f64 {
    let mut values = sample.values().to_vec();
    let half = values.len() / 2;
    let (below, upper, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    let upper = *upper;
    if sample.values().len() % 2 == 1 {
        return upper;
    }
    f64::midpoint(
        below.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        upper,
    )
}

/// Sample quantile of type 7 (Hyndman and Fan 1996): linear between order statistics at
/// `(n − 1) p`.
///
/// # Errors
/// [`EstimateError::Probability`].
pub fn quantile(sample: Sample<'_>, p: f64) -> Result<f64, EstimateError> {
    if !(0.0..=1.0).contains(&p) {
        return Err(EstimateError::Probability { p });
    }
    Ok(quantile_of_sorted(&sample.sorted(), p))
}

/// Type 7 on values in ascending order, at least one.
pub(crate) fn quantile_of_sorted(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len() - 1;
    let position = last as f64 * p;
    let below = (position.floor() as usize).min(last);
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    let fraction = position - below as f64;
    if fraction == 0.0 {
        // Beside an infinite value, 0 · ∞ would be NaN.
        return low;
    }
    let step = high - low;
    if step.is_finite() {
        low + fraction * step
    } else {
        low * (1.0 - fraction) + high * fraction
    }
}

/// Sum.
///
/// # Errors
/// [`EstimateError::OutOfRange`].
pub fn sum(sample: Sample<'_>) -> Result<f64, EstimateError> {
    in_range(sample.values().iter().sum())
}

/// Arithmetic mean, with a second pass for the rounding of the first.
#[must_use]
pub fn mean(sample: Sample<'_>) -> f64 {
    let (smallest, largest) = (min(sample), max(sample));
    let count = sample.values().len() as f64;
    // A power of two changes no digit; values this large could overflow in sums of them.
    let scale = if largest.max(-smallest) > f64::MAX * HUGE_SCALE {
        HUGE_SCALE
    } else {
        1.0
    };
    let values = || sample.values().iter().map(|value| value * scale);
    let first = values().sum::<f64>() / count;
    let residue: f64 = values().map(|value| value - first).sum();
    ((first + residue / count) / scale).clamp(smallest, largest)
}

/// 2⁻⁶⁴: fewer than 2⁶⁴ values of any size have a sum at this scale.
const HUGE_SCALE: f64 = 1.0 / 18_446_744_073_709_551_616.0;

/// Sample standard deviation (divisor n − 1); zero where [`is_degenerate`] holds.
///
/// # Errors
/// [`EstimateError::OneValue`], [`EstimateError::OutOfRange`].
pub fn sd(sample: Sample<'_>) -> Result<f64, EstimateError> {
    let spread = raw_sd(sample)?;
    Ok(if spread <= resolution(sample.values()) {
        0.0
    } else {
        spread
    })
}

/// Whether the values are equal to rounding: s ≤ 8 ε max|x|. One value is.
///
/// # Errors
/// [`EstimateError::OutOfRange`].
pub fn is_degenerate(sample: Sample<'_>) -> Result<bool, EstimateError> {
    match sd(sample) {
        Ok(spread) => Ok(spread == 0.0),
        Err(EstimateError::OneValue) => Ok(true),
        Err(error) => Err(error),
    }
}

/// Geometric mean, exp of the mean logarithm.
///
/// # Errors
/// [`EstimateError::NotPositive`].
pub fn geometric_mean(sample: Sample<'_>) -> Result<f64, EstimateError> {
    let logs = logarithms(sample)?;
    let logs = Sample::new(&logs).map_err(|_| EstimateError::OutOfRange)?;
    in_range(libm::exp(mean(logs)))
}

/// Coefficient of variation as papers quote it: standard deviation over mean.
///
/// # Errors
/// [`EstimateError::OneValue`]; [`EstimateError::NotPositive`] for a mean that is not positive;
/// [`EstimateError::OutOfRange`].
pub fn cv(sample: Sample<'_>) -> Result<f64, EstimateError> {
    let spread = sd(sample)?;
    let mean = positive(mean(sample))?;
    in_range(spread / mean)
}

/// Coefficient of variation of a lognormal law: √(exp(s²) − 1), s the standard deviation of the
/// logarithms.
///
/// # Errors
/// [`EstimateError::OneValue`], [`EstimateError::NotPositive`], [`EstimateError::OutOfRange`].
pub fn log_cv(sample: Sample<'_>) -> Result<f64, EstimateError> {
    let spread = log_sd(sample)?;
    in_range(libm::sqrt(libm::expm1(spread * spread)))
}

/// Standard deviation of the logarithms.
///
/// Equal values give equal logarithms, so the degenerate rule is applied to the values.
///
/// # Errors
/// As [`log_cv`].
pub fn log_sd(sample: Sample<'_>) -> Result<f64, EstimateError> {
    let logs = logarithms(sample)?;
    if is_degenerate(sample)? && logs.len() > 1 {
        return Ok(0.0);
    }
    raw_sd(Sample::new(&logs).map_err(|_| EstimateError::OutOfRange)?)
}

/// Natural logarithms of positive values.
///
/// # Errors
/// [`EstimateError::NotPositive`], with the first value that is not.
pub fn logarithms(sample: Sample<'_>) -> Result<Vec<f64>, EstimateError> {
    sample
        .values()
        .iter()
        .map(|&value| positive(value).map(libm::log))
        .collect()
}

fn raw_sd(sample: Sample<'_>) -> Result<f64, EstimateError> {
    let count = sample.values().len();
    if count < 2 {
        return Err(EstimateError::OneValue);
    }
    let mean = mean(sample);
    let deviations: Vec<f64> = sample.values().iter().map(|value| value - mean).collect();
    // Squares near the ends of the range would overflow or vanish: take them at scale 1.
    let scale = deviations
        .iter()
        .fold(0.0, |largest: f64, d| largest.max(d.abs()));
    if scale == 0.0 {
        return Ok(0.0);
    }
    let squares: f64 = deviations
        .iter()
        .map(|deviation| (deviation / scale).powi(2))
        .sum();
    in_range(libm::sqrt(squares / (count - 1) as f64) * scale)
}

/// The difference below which values are equal to rounding: 8 ε max|x|.
pub(crate) fn resolution(values: &[f64]) -> f64 {
    let largest = values
        .iter()
        .fold(0.0, |largest: f64, value| largest.max(value.abs()));
    8.0 * f64::EPSILON * largest
}

fn positive(value: f64) -> Result<f64, EstimateError> {
    if value > 0.0 {
        Ok(value)
    } else {
        Err(EstimateError::NotPositive { value })
    }
}

fn in_range(value: f64) -> Result<f64, EstimateError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(EstimateError::OutOfRange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[f64]) -> Sample<'_> {
        Sample::new(values).unwrap()
    }

    #[test]
    fn the_median_of_an_even_count_is_the_midpoint() {
        assert_eq!(median(sample(&[4.0, 1.0, 3.0, 2.0])), 2.5);
        assert_eq!(median(sample(&[3.0, 1.0, 2.0])), 2.0);
        assert_eq!(median(sample(&[f64::MAX, f64::MAX])), f64::MAX);
    }

    #[test]
    fn quantiles_interpolate_between_order_statistics() {
        let values = sample(&[10.0, 20.0, 30.0, 40.0]);
        assert_eq!(quantile(values, 0.0), Ok(10.0));
        assert_eq!(quantile(values, 0.25), Ok(17.5));
        assert_eq!(quantile(values, 0.5), Ok(median(values)));
        assert_eq!(quantile(values, 1.0), Ok(40.0));
        assert_eq!(
            quantile(values, 1.5),
            Err(EstimateError::Probability { p: 1.5 })
        );
        assert!(quantile(values, f64::NAN).is_err());
    }

    #[test]
    fn equal_values_have_no_spread_although_rounding_says_otherwise() {
        let values = [0.1; 10];
        assert_eq!(sd(sample(&values)), Ok(0.0));
        assert_eq!(is_degenerate(sample(&values)), Ok(true));
        assert_eq!(log_cv(sample(&values)), Ok(0.0));
    }

    #[test]
    fn a_spread_above_the_resolution_is_kept() {
        assert_eq!(is_degenerate(sample(&[1.0, 1.0 + 1e-12])), Ok(false));
        assert_eq!(sd(sample(&[1.0, 3.0, 5.0])), Ok(2.0));
    }

    #[test]
    fn one_value_has_no_spread() {
        assert_eq!(sd(sample(&[1.0])), Err(EstimateError::OneValue));
        assert_eq!(cv(sample(&[1.0])), Err(EstimateError::OneValue));
        assert_eq!(log_cv(sample(&[1.0])), Err(EstimateError::OneValue));
        assert_eq!(is_degenerate(sample(&[1.0])), Ok(true));
    }

    #[test]
    fn values_near_the_ends_of_the_range_neither_overflow_nor_vanish() {
        assert_eq!(
            geometric_mean(sample(&[1e300; 9])).map(|g| (g / 1e300 - 1.0).abs() < 1e-12),
            Ok(true)
        );
        let small = sd(sample(&[1e-300, 3e-300])).unwrap();
        assert!((small / 1e-300 - std::f64::consts::SQRT_2).abs() < 1e-15);
        assert_eq!(mean(sample(&[f64::MAX, f64::MAX])), f64::MAX);
        assert_eq!(mean(sample(&[f64::MAX, -f64::MAX])), 0.0);
        assert_eq!(
            sum(sample(&[f64::MAX, f64::MAX])),
            Err(EstimateError::OutOfRange)
        );
    }

    #[test]
    fn equal_values_at_the_end_of_the_range_have_no_spread() {
        assert_eq!(is_degenerate(sample(&[1e308; 10])), Ok(true));
        assert_eq!(is_degenerate(sample(&[1e308, 1.1e308])), Ok(false));
    }

    #[test]
    fn variance_survives_a_large_offset() {
        let values = [1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0];
        assert_eq!(sd(sample(&values)).map(|s| s * s), Ok(30.0));
    }

    #[test]
    fn logarithms_need_positive_values() {
        let error = Err(EstimateError::NotPositive { value: 0.0 });
        assert_eq!(geometric_mean(sample(&[1.0, 0.0])), error);
        assert_eq!(log_cv(sample(&[1.0, 0.0])), error);
        assert_eq!(cv(sample(&[-1.0, 1.0])), error);
    }
}
