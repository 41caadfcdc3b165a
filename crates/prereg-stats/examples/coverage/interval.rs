//! The intervals that are measured, all two-sided.

use prereg_stats::bootstrap::{
    BootstrapError, Law, Statistic, StudentisedLaw, bca, expanded, percentile, studentised,
};
use prereg_stats::{
    Alpha, Bound, Interval, Sample, Scale, Seed, Sessions, Unbounded, order_statistic, student_t,
};

use crate::simulation::{ENUMERATED, RESAMPLES};

/// What an interval estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Estimand {
    Mean,
    Median,
}

impl Estimand {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Median => "median",
        }
    }
}

/// An interval under the name that a declaration gives it.
pub(crate) struct Found {
    pub(crate) name: &'static str,
    pub(crate) estimand: Estimand,
    pub(crate) interval: Interval,
}

/// Every interval of one data set, always in the same order.
pub(crate) fn all(values: &[f64], alpha: Alpha, seed: Seed) -> Vec<Found> {
    let (Ok(sample), Ok(sessions)) = (Sample::new(values), Sessions::new(values, 0)) else {
        return Vec::new();
    };
    let mean = law(sample, Statistic::Mean, seed);
    let median = law(sample, Statistic::Median, seed);
    let of_mean = |name, interval| Found {
        name,
        estimand: Estimand::Mean,
        interval,
    };
    let of_median = |name, interval| Found {
        name,
        estimand: Estimand::Median,
        interval,
    };
    // A law that does not exist, as that of equal values, gives no bound.
    let read = |law: &Result<Law, BootstrapError>, interval: fn(&Law, Alpha) -> Interval| {
        law.as_ref()
            .map_or(unbounded(alpha), |law| interval(law, alpha))
    };
    let accelerated = |law: &Result<Law, BootstrapError>| {
        law.as_ref()
            .map_err(|error| *error)
            .and_then(|law| bca(law, alpha))
            .unwrap_or(unbounded(alpha))
    };
    let t = studentised_law(sample, seed).map_or(unbounded(alpha), |law| studentised(&law, alpha));
    let student = student_t::interval(&sessions, Scale::Linear, alpha);
    let order = order_statistic::interval(&sessions, alpha);
    vec![
        of_mean("student-t", student),
        of_mean("bootstrap-percentile", read(&mean, percentile)),
        of_mean("bootstrap-bca", accelerated(&mean)),
        of_mean("bootstrap-t", t),
        of_median("bootstrap-percentile", read(&median, percentile)),
        of_median("bootstrap-bca", accelerated(&median)),
        of_median("bootstrap-expanded", read(&median, expanded)),
        of_median("order-statistic", order),
    ]
}

fn law(sample: Sample<'_>, statistic: Statistic, seed: Seed) -> Result<Law, BootstrapError> {
    if sample.values().len() <= ENUMERATED {
        Law::exact(sample, statistic)
    } else {
        Law::resampled(sample, statistic, RESAMPLES, seed)
    }
}

fn studentised_law(sample: Sample<'_>, seed: Seed) -> Result<StudentisedLaw, BootstrapError> {
    if sample.values().len() <= ENUMERATED {
        StudentisedLaw::exact(sample)
    } else {
        StudentisedLaw::resampled(sample, RESAMPLES, seed)
    }
}

fn unbounded(alpha: Alpha) -> Interval {
    let side = Bound::Unbounded(Unbounded::Degenerate);
    Interval {
        lower: side,
        upper: side,
        alpha: alpha.get(),
    }
}
