//! Student's t law.

use statrs::function::beta::{checked_beta_reg, inv_beta_reg};

use super::{SMALLEST_P, normal};

/// Beyond this many degrees of freedom the normal law stands in: it is closer than the inverse of
/// the incomplete beta function, which loses its digits and finally does not return.
const NORMAL_BEYOND: usize = 10_000;

/// P(T ≤ t) with `freedom` ≥ 1 degrees of freedom; 0 counts as 1.
#[must_use]
pub fn cdf(t: f64, freedom: usize) -> f64 {
    if freedom > NORMAL_BEYOND {
        return normal::cdf(t);
    }
    let freedom = freedom.max(1) as f64;
    let outside = checked_beta_reg(0.5 * freedom, 0.5, freedom / (freedom + t * t)).unwrap_or(0.0);
    if t > 0.0 {
        1.0 - 0.5 * outside
    } else {
        0.5 * outside
    }
}

/// The p-quantile; `p` is clamped to [1e-6, 1 − 1e-6], `freedom` 0 counts as 1.
#[must_use]
pub fn quantile(p: f64, freedom: usize) -> f64 {
    if freedom > NORMAL_BEYOND {
        return normal::quantile(p);
    }
    let p = if p > 0.0 {
        p.clamp(SMALLEST_P, 1.0 - SMALLEST_P)
    } else {
        SMALLEST_P
    };
    let freedom = freedom.max(1) as f64;
    let tail = p.min(1.0 - p);
    let y = inv_beta_reg(0.5 * freedom, 0.5, 2.0 * tail);
    let magnitude = libm::sqrt(freedom * (1.0 - y) / y);
    if p < 0.5 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_published_tables() {
        let cases = [
            (0.975, 9, 2.262_157_162_798_205),
            (0.95, 9, 1.833_112_932_656_237),
            (0.95, 1, 6.313_751_514_675_043),
            (0.975, 2, 4.302_652_729_749_463),
            (0.999, 30, 3.385_184_866_829_304_5),
            (0.975, 10_000, 1.960_201_239_890_626),
        ];
        for (p, freedom, expected) in cases {
            let found = quantile(p, freedom);
            assert!(
                (found / expected - 1.0).abs() < 1e-11,
                "{p} {freedom}: {found}"
            );
            assert!((quantile(1.0 - p, freedom) + found).abs() < 1e-9 * found);
        }
    }

    #[test]
    fn quantiles_of_impossible_probabilities_are_finite() {
        for p in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
            assert!(quantile(p, 9).is_finite(), "{p}");
        }
    }

    #[test]
    fn many_degrees_of_freedom_return_the_normal_quantile() {
        assert_eq!(quantile(0.975, usize::MAX), normal::quantile(0.975));
    }

    #[test]
    fn distribution_and_quantile_are_inverse() {
        for freedom in [1, 2, 5, 9, 30, 500] {
            for p in [0.001, 0.025, 0.3, 0.5, 0.9] {
                let back = cdf(quantile(p, freedom), freedom);
                assert!((back - p).abs() < 1e-9, "{p} {freedom}: {back}");
            }
        }
    }
}
