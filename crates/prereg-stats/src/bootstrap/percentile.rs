//! Intervals that read quantiles of the bootstrap law.

use super::law::Law;
use crate::distribution::{normal, student};
use crate::{Alpha, Bound, Interval};

/// One-sided percentile bounds: the `alpha_lower` and 1 − `alpha_upper` quantiles.
#[must_use]
pub fn percentile_bounds(law: &Law, alpha_lower: Alpha, alpha_upper: Alpha) -> [Bound; 2] {
    quantiles(law, alpha_lower.get(), 1.0 - alpha_upper.get())
}

/// The percentile interval at two-sided `alpha`: the α/2 and 1 − α/2 quantiles.
#[must_use]
pub fn percentile(law: &Law, alpha: Alpha) -> Interval {
    Interval::of_halves(alpha, |side| percentile_bounds(law, side, side))
}

/// The expanded percentile interval: quantiles at α′ = Φ(−√(N/(N−1)) · t), with t the 1 − α/2
/// quantile of Student's law with N − 1 degrees of freedom (Hesterberg 2015). It makes up for the
/// bootstrap's divisor N.
#[must_use]
pub fn expanded(law: &Law, alpha: Alpha) -> Interval {
    let count = law.sample_size();
    Interval::of_halves(alpha, |side| {
        let t = student::quantile(side.get(), count - 1);
        let expanded = normal::cdf(libm::sqrt(count as f64 / (count - 1) as f64) * t);
        quantiles(law, expanded, 1.0 - expanded)
    })
}

/// The basic interval: the percentile interval mirrored at the estimate.
#[must_use]
pub fn basic(law: &Law, alpha: Alpha) -> Interval {
    let mirrored = |p| Bound::of(2.0 * law.estimate() - law.quantile(p));
    Interval::of_halves(alpha, |side| {
        [mirrored(1.0 - side.get()), mirrored(side.get())]
    })
}

pub(super) fn quantiles(law: &Law, lower: f64, upper: f64) -> [Bound; 2] {
    [lower, upper].map(|p| Bound::of(law.quantile(p)))
}
