//! What a verdict reads: the method that turns sessions into bounds, p-values and estimates.
//!
//! Every failure is an unbounded side with its reason, so that a verdict has one path.

use crate::bootstrap::{
    Law, RESAMPLES, Statistic, StudentisedLaw, bca_bounds, percentile_bounds, studentised_bounds,
};
use crate::{
    Alpha, Bound, Comparison, Sample, Scale, Seed, Sessions, Unbounded, census, coverage, estimate,
    order_statistic, sequence, student_t,
};

/// Below this many sessions nothing was measured about the coverage of the intervals that are not
/// exact, so they give no bound.
const LEAST_MEASURED: usize = 5;

/// How bounds are made from the numbers of the sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Order statistics: exact for the median under any continuous law.
    OrderStatistic,
    /// Student's t of a mean.
    StudentT(Scale),
    /// Quantiles of the session bootstrap.
    Bootstrap(BootstrapInterval, Center),
    /// The sign-mixture confidence sequence of the median, valid at any stopping time.
    Sequence,
    /// The smallest and the largest session, where the sessions are all there are.
    Census,
}

/// Which quantiles of the bootstrap law are the bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BootstrapInterval {
    /// Those at α and 1 − α.
    Percentile,
    /// Bias-corrected and accelerated.
    Bca,
    /// Those of the studentised mean.
    T,
}

/// What is resampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Center {
    /// The median.
    Median,
    /// The mean on a scale.
    Mean(Scale),
}

impl Method {
    /// The lower bound at one-sided `alpha_lower` and the upper one at one-sided `alpha_upper`.
    ///
    /// The bounds of [`Method::Sequence`] both come from the two-sided set at the stricter of the
    /// two; those of [`Method::Census`] have no α. Only bootstraps of more than [`EXACT_UP_TO`](crate::bootstrap::EXACT_UP_TO) sessions
    /// draw from the seed. A side is unbounded at an α below 1e-6 for Student's t, and below
    /// 1/([`RESAMPLES`] + 1) for bootstraps, whose resamples show no rarer event.
    #[must_use]
    pub fn bounds(
        self,
        sessions: &Sessions,
        alpha_lower: Alpha,
        alpha_upper: Alpha,
        seed: Seed,
    ) -> [Bound; 2] {
        let bounds = match self {
            Self::OrderStatistic => Ok([
                order_statistic::lower_bound(sessions, alpha_lower),
                order_statistic::upper_bound(sessions, alpha_upper),
            ]),
            Self::Census => Ok(census::bounds(sessions)),
            Self::Sequence => Ok(sequence::bounds(sessions, alpha_lower.min(alpha_upper))),
            Self::StudentT(scale) => complete(sessions).map(|_| {
                [
                    student_t::lower_bound(sessions, scale, alpha_lower),
                    student_t::upper_bound(sessions, scale, alpha_upper),
                ]
            }),
            Self::Bootstrap(interval, center) => complete(sessions).and_then(|sample| {
                bootstrap(interval, center, sample, alpha_lower, alpha_upper, seed)
            }),
        };
        bounds.unwrap_or_else(|reason| [Bound::Unbounded(reason); 2])
    }

    /// The p-value of "the comparison is true". `None` for bootstraps and a census, which have none,
    /// and wherever degenerate, too few or, for a mean, missing sessions leave none.
    ///
    /// It is at most α exactly where the bounds at α decide the comparison as true; for
    /// [`Method::Sequence`], where both bounds are taken at α.
    #[must_use]
    pub fn p_value(
        self,
        sessions: &Sessions,
        comparison: Comparison,
        threshold: f64,
    ) -> Option<f64> {
        let of_median = |p_value: fn(&Sessions, Comparison, f64) -> f64| {
            let one_value = sessions.observed().len() == 1;
            let degenerate = sessions
                .sample()
                .is_some_and(|sample| estimate::is_degenerate(sample) == Ok(true));
            (sessions.count() > 0 && (one_value || !degenerate))
                .then(|| p_value(sessions, comparison, threshold))
        };
        match self {
            Self::OrderStatistic => of_median(order_statistic::p_value),
            Self::Sequence => of_median(sequence::p_value),
            Self::StudentT(scale) => {
                complete(sessions).ok()?;
                student_t::p_value(sessions, scale, comparison, threshold).ok()
            }
            Self::Bootstrap(..) | Self::Census => None,
        }
    }

    /// The point estimate that belongs to the bounds; `None` for a geometric mean of values that are
    /// not all positive.
    #[must_use]
    pub fn estimate(self, sample: Sample<'_>) -> Option<f64> {
        match self {
            Self::OrderStatistic
            | Self::Sequence
            | Self::Census
            | Self::Bootstrap(_, Center::Median) => Some(estimate::median(sample)),
            Self::StudentT(scale) | Self::Bootstrap(_, Center::Mean(scale)) => match scale {
                Scale::Log => estimate::geometric_mean(sample).ok(),
                Scale::Linear => Some(estimate::mean(sample)),
            },
        }
    }

    /// The smallest number of sessions that can give a bound at one-sided `alpha`; at least 5 for
    /// Student's t and the bootstraps, about whose coverage nothing was measured below.
    #[must_use]
    pub fn least_sessions(self, alpha: Alpha) -> usize {
        match self {
            Self::OrderStatistic => order_statistic::sessions_needed(alpha),
            Self::Sequence => sequence::sessions_needed(alpha),
            Self::StudentT(_) | Self::Bootstrap(..) => LEAST_MEASURED,
            Self::Census => 1,
        }
    }

    /// The worst and the best coverage of the nominal 95 % interval of `sessions` numbers over five
    /// laws, as measured by the example `coverage` at the nearest smaller number that it tabulates.
    /// A mean on the log scale has the coverage of a mean of logarithms, so one figure serves both
    /// scales. `None` for the exact methods and a census, and where nothing was measured.
    #[must_use]
    pub fn measured_coverage(self, sessions: usize) -> Option<(f64, f64)> {
        let (interval, estimand) = match self {
            Self::OrderStatistic | Self::Sequence | Self::Census => return None,
            Self::StudentT(_) => ("student-t", "mean"),
            Self::Bootstrap(interval, center) => {
                let interval = match interval {
                    BootstrapInterval::Percentile => "bootstrap-percentile",
                    BootstrapInterval::Bca => "bootstrap-bca",
                    BootstrapInterval::T => "bootstrap-t",
                };
                match center {
                    Center::Median => (interval, "median"),
                    Center::Mean(_) => (interval, "mean"),
                }
            }
        };
        coverage::measured(interval, estimand, sessions)
    }
}

/// Bounds of a bootstrap, on the scale of the values.
fn bootstrap(
    interval: BootstrapInterval,
    center: Center,
    sample: Sample<'_>,
    alpha_lower: Alpha,
    alpha_upper: Alpha,
    seed: Seed,
) -> Result<[Bound; 2], Unbounded> {
    let (statistic, scale) = match center {
        Center::Median => (Statistic::Median, Scale::Linear),
        Center::Mean(scale) => (Statistic::Mean, scale),
    };
    let scaled = scale.apply(sample)?;
    let scaled = Sample::new(&scaled).map_err(|_| Unbounded::OutOfRange)?;
    if estimate::is_degenerate(sample)? {
        return Err(Unbounded::Degenerate);
    }
    let bounds = match interval {
        BootstrapInterval::T if center == Center::Median => return Err(Unbounded::NoStandardError),
        BootstrapInterval::T => studentised_bounds(
            &StudentisedLaw::new(scaled, seed)?,
            alpha_lower,
            alpha_upper,
        ),
        BootstrapInterval::Percentile => percentile_bounds(
            &Law::new(scaled, statistic, seed)?,
            alpha_lower,
            alpha_upper,
        ),
        BootstrapInterval::Bca => bca_bounds(
            &Law::new(scaled, statistic, seed)?,
            alpha_lower,
            alpha_upper,
        )?,
    };
    let resolved = |alpha: Alpha, bound| {
        if alpha.get() * (RESAMPLES + 1) as f64 >= 1.0 {
            scale.revert_bound(bound)
        } else {
            Bound::Unbounded(Unbounded::LevelTooSmall)
        }
    };
    let [lower, upper] = bounds;
    Ok([resolved(alpha_lower, lower), resolved(alpha_upper, upper)])
}

/// The observed values of a run without missing sessions: nothing else can be averaged or resampled
/// without favouring someone.
fn complete(sessions: &Sessions) -> Result<Sample<'_>, Unbounded> {
    let (count, missing) = (sessions.count(), sessions.missing());
    if count < LEAST_MEASURED {
        return Err(Unbounded::TooFewSessions {
            sessions: count,
            needed: LEAST_MEASURED,
        });
    }
    sessions
        .sample()
        .filter(|_| missing == 0)
        .ok_or(Unbounded::MissingSessions {
            missing,
            allowed: 0,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_inexact_method_has_a_measured_coverage_and_no_exact_one_has() {
        let mean = Center::Mean(Scale::Log);
        for method in [
            Method::StudentT(Scale::Linear),
            Method::Bootstrap(BootstrapInterval::Percentile, mean),
            Method::Bootstrap(BootstrapInterval::Percentile, Center::Median),
            Method::Bootstrap(BootstrapInterval::Bca, mean),
            Method::Bootstrap(BootstrapInterval::Bca, Center::Median),
            Method::Bootstrap(BootstrapInterval::T, mean),
        ] {
            let (worst, best) = method.measured_coverage(13).unwrap();
            assert!(0.5 < worst && worst < best && best < 1.0, "{method:?}");
            assert_eq!(method.measured_coverage(4), None);
        }
        assert_eq!(Method::OrderStatistic.measured_coverage(13), None);
        assert_eq!(Method::Sequence.measured_coverage(13), None);
        assert_eq!(Method::Census.measured_coverage(13), None);
    }

    #[test]
    fn each_method_estimates_what_its_bounds_are_about() {
        let values = [1.0, 2.0, 18.0];
        let sample = Sample::new(&values).unwrap();
        let estimate = |method: Method| method.estimate(sample).unwrap();
        assert_eq!(estimate(Method::OrderStatistic), 2.0);
        assert_eq!(estimate(Method::Sequence), 2.0);
        assert_eq!(estimate(Method::Census), 2.0);
        let of = |center| estimate(Method::Bootstrap(BootstrapInterval::Percentile, center));
        assert_eq!(of(Center::Median), 2.0);
        assert_eq!(of(Center::Mean(Scale::Linear)), 7.0);
        let geometric_mean = libm::cbrt(36.0);
        for found in [
            of(Center::Mean(Scale::Log)),
            estimate(Method::StudentT(Scale::Log)),
        ] {
            assert!((found - geometric_mean).abs() < 1e-14);
        }
    }

    #[test]
    fn a_geometric_mean_of_values_that_are_not_positive_is_absent() {
        let sample = Sample::new(&[1.0, 0.0]).unwrap();
        assert_eq!(Method::StudentT(Scale::Log).estimate(sample), None);
    }
}
