//! The bias-corrected and accelerated interval (Efron 1987).

use super::error::BootstrapError;
use super::law::Law;
use super::percentile::quantiles;
use crate::distribution::normal;
use crate::{Alpha, Bound, Interval};

/// The two constants of the correction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BiasCorrection {
    /// Normal quantile of the estimate's mid-rank in the bootstrap law; ties count half.
    pub z0: f64,
    /// a = Σd³ / (6 (Σd²)^{3/2}), d the mean of the leave-one-out estimates minus each.
    pub acceleration: f64,
}

/// The constants of a law.
///
/// # Errors
/// [`BootstrapError::EqualJackknife`] where no acceleration exists.
pub fn bias_correction(law: &Law) -> Result<BiasCorrection, BootstrapError> {
    let left_out = law.jackknife();
    let mean = left_out.iter().sum::<f64>() / left_out.len() as f64;
    let differences: Vec<f64> = left_out.iter().map(|estimate| mean - estimate).collect();
    let scale = differences.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
    if scale <= 8.0 * f64::EPSILON * mean.abs() {
        return Err(BootstrapError::EqualJackknife);
    }
    // Relative to the largest difference nothing overflows or vanishes; a is free of scale.
    let power_sum = |power| {
        differences
            .iter()
            .map(|d| (d / scale).powi(power))
            .sum::<f64>()
    };
    let squares = power_sum(2);
    Ok(BiasCorrection {
        z0: normal::quantile(law.mid_rank()),
        acceleration: power_sum(3) / (6.0 * squares * libm::sqrt(squares)),
    })
}

/// One-sided `BCa` bounds: quantiles at Φ(z0 + (z0 + z) / (1 − a (z0 + z))), z the normal quantile at
/// `alpha_lower` and at 1 − `alpha_upper`.
///
/// Where the denominator is not positive, the bound is the outermost resample.
///
/// # Errors
/// [`BootstrapError::EqualJackknife`].
pub fn bca_bounds(
    law: &Law,
    alpha_lower: Alpha,
    alpha_upper: Alpha,
) -> Result<[Bound; 2], BootstrapError> {
    let BiasCorrection { z0, acceleration } = bias_correction(law)?;
    let corrected = |z: f64| {
        let shifted = z0 + z;
        normal::cdf(z0 + shifted / (1.0 - acceleration * shifted).max(0.0))
    };
    Ok(quantiles(
        law,
        corrected(normal::quantile(alpha_lower.get())),
        corrected(-normal::quantile(alpha_upper.get())),
    ))
}

/// The `BCa` interval at two-sided `alpha`: [`bca_bounds`] at half on each side.
///
/// # Errors
/// As [`bca_bounds`].
pub fn bca(law: &Law, alpha: Alpha) -> Result<Interval, BootstrapError> {
    let side = alpha.share(2);
    let bounds = bca_bounds(law, side, side)?;
    Ok(Interval::of_halves(alpha, |_| bounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sample;
    use crate::bootstrap::Statistic;

    #[test]
    fn equal_leave_one_out_estimates_are_an_error() {
        // Leaving out any one of these leaves a median of 2.
        let values = [1.0, 2.0, 2.0, 2.0, 3.0];
        let law = Law::exact(Sample::new(&values).unwrap(), Statistic::Median).unwrap();
        assert_eq!(
            bca(&law, Alpha::new(0.05).unwrap()),
            Err(BootstrapError::EqualJackknife)
        );
    }

    #[test]
    fn a_symmetric_sample_needs_no_correction() {
        let values = [-2.0, -1.0, 0.0, 1.0, 2.0];
        let sample = Sample::new(&values).unwrap();
        let law = Law::exact(sample, Statistic::Mean).unwrap();
        let correction = bias_correction(&law).unwrap();
        assert!(correction.z0.abs() < 1e-12 && correction.acceleration.abs() < 1e-12);
    }
}
