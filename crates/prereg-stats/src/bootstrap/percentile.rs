//! Intervals that read quantiles of the bootstrap law.

use super::law::Law;
use crate::distribution::{normal, student};
use crate::{Alpha, Bound, Interval};

/// The percentile interval at two-sided `alpha`: the α/2 and 1 − α/2 quantiles.
#[must_use]
pub fn percentile(law: &Law, alpha: Alpha) -> Interval {
    let side = alpha.get() / 2.0;
    quantiles(law, side, 1.0 - side, alpha)
}

/// The expanded percentile interval: quantiles at α′ = Φ(−√(N/(N−1)) · t), with t the 1 − α/2
/// quantile of Student's law with N − 1 degrees of freedom (Hesterberg 2015). It makes up for the
/// bootstrap's divisor N.
#[must_use]
pub fn expanded(law: &Law, alpha: Alpha) -> Interval {
    let count = law.sample_size();
    let t = student::quantile(1.0 - alpha.get() / 2.0, count - 1);
    let side = normal::cdf(-libm::sqrt(count as f64 / (count - 1) as f64) * t);
    quantiles(law, side, 1.0 - side, alpha)
}

/// The basic interval: the percentile interval mirrored at the estimate.
#[must_use]
pub fn basic(law: &Law, alpha: Alpha) -> Interval {
    let side = alpha.get() / 2.0;
    let mirrored = |p| Bound::of(2.0 * law.estimate() - law.quantile(p));
    Interval {
        lower: mirrored(1.0 - side),
        upper: mirrored(side),
        alpha: alpha.get(),
    }
}

pub(super) fn quantiles(law: &Law, lower: f64, upper: f64, alpha: Alpha) -> Interval {
    Interval {
        lower: Bound::of(law.quantile(lower)),
        upper: Bound::of(law.quantile(upper)),
        alpha: alpha.get(),
    }
}
