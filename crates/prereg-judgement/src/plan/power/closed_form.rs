//! The power of one comparison on order statistics: the bounds lie on one side of a threshold with
//! a binomial probability.

use prereg_stats::distribution::normal;
use prereg_stats::{Alpha, order_statistic};

use super::Figures;
use crate::plan::comparisons::Comparison;

/// A claim that consists of one comparison, which kills.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosedForm<'a> {
    pub(super) comparison: Comparison<'a>,
    pub(super) alpha_pass: Alpha,
    pub(super) alpha_falsified: Alpha,
    /// Log standard deviation of a unit.
    pub(super) spread: f64,
    pub(super) units: usize,
}

impl ClosedForm<'_> {
    /// For this median of the units.
    pub(super) fn figures(&self, median: f64) -> Figures {
        let below = self.below(median);
        let holds = if self.comparison.operator.is_upper_limit() {
            below
        } else {
            1.0 - below
        };
        Figures::certain(
            order_statistic::power(self.units, self.alpha_pass, 1.0 - holds),
            order_statistic::power(self.units, self.alpha_falsified, holds),
        )
    }

    /// P(one unit < threshold) under the lognormal law.
    fn below(&self, median: f64) -> f64 {
        let threshold = self.comparison.threshold.value();
        if threshold <= 0.0 || self.spread <= 0.0 {
            return if median < threshold { 1.0 } else { 0.0 };
        }
        normal::cdf(libm::log(threshold / median) / self.spread)
    }
}
