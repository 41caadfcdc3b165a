//! The standard normal law.

use super::SMALLEST_P;

/// P(Z ≤ z).
#[must_use]
pub fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// The p-quantile; `p` is clamped to [1e-6, 1 − 1e-6].
#[must_use]
pub fn quantile(p: f64) -> f64 {
    let p = if p > 0.0 {
        p.clamp(SMALLEST_P, 1.0 - SMALLEST_P)
    } else {
        SMALLEST_P
    };
    -std::f64::consts::SQRT_2 * statrs::function::erf::erfc_inv(2.0 * p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert_eq!(cdf(0.0), 0.5);
        assert!((cdf(-1.959_963_984_540_054) - 0.025).abs() < 1e-15);
        assert!((quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-13);
        assert!((quantile(0.05) + 1.644_853_626_951_472_7).abs() < 1e-13);
    }

    #[test]
    fn quantiles_of_impossible_probabilities_are_finite() {
        for p in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
            assert!(quantile(p).is_finite(), "{p}");
        }
    }
}
