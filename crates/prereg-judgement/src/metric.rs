//! Metrics over the sessions of a run.

use prereg_declaration::Metric;
use prereg_stats::bootstrap::{Law, Statistic, percentile};
use prereg_stats::{Alpha, Sample, Seed, Sessions, estimate, order_statistic};
use prereg_units::Dimension;

use crate::evaluate::{Reader, SessionReader, Unreadable};
use crate::significant::rounded;
use crate::verdict::{Interval, MetricResult};

/// Two-sided α of the intervals that are reported for every metric.
const REPORTED_ALPHA: f64 = 0.05;

/// One number a session, where there is one.
pub(crate) struct Values {
    pub(crate) dimension: Dimension,
    /// By session; `None` where the session is missing or the metric could not be read in it.
    pub(crate) by_session: Vec<Option<f64>>,
    /// Why a session that is there has no number, for the first such session.
    pub(crate) unreadable: Option<Unreadable>,
}

impl Values {
    /// Reads the metric in every session that is there.
    pub(crate) fn read(
        name: &str,
        metric: &Metric,
        sessions: &mut [Option<SessionReader<'_>>],
    ) -> Self {
        let read: Vec<_> = sessions
            .iter_mut()
            .map(|session| session.as_mut().map(|reader| reader.metric(name)))
            .collect();
        Self {
            dimension: metric.dimension,
            unreadable: read.iter().flatten().find_map(|value| value.err()),
            by_session: read
                .into_iter()
                .map(|value| Some(value?.ok()?.value()))
                .collect(),
        }
    }

    /// The numbers that there are.
    pub(crate) fn present(&self) -> Vec<f64> {
        self.by_session.iter().copied().flatten().collect()
    }

    /// The same for inference: a session without a number is missing.
    pub(crate) fn sessions(&self) -> Sessions {
        let present = self.present();
        let missing = self.by_session.len() - present.len();
        // Numbers are finite: they come from quantities.
        Sessions::new(&present, missing)
            .unwrap_or_else(|_| Sessions::all_missing(self.by_session.len()))
    }

    pub(crate) fn is_degenerate(&self) -> bool {
        let present = self.present();
        present.len() > 1
            && Sample::new(&present).is_ok_and(|sample| estimate::is_degenerate(sample) == Ok(true))
    }

    /// What is reported of the metric.
    pub(crate) fn result(&self, source: &str, seed: Seed) -> MetricResult {
        let present = self.present();
        let sample = Sample::new(&present).ok();
        let spread = |estimate: fn(Sample<'_>) -> Result<f64, estimate::EstimateError>| {
            sample.and_then(|sample| estimate(sample).ok()).map(rounded)
        };
        MetricResult {
            expression: source.to_owned(),
            unit: if self.dimension.is_none() {
                "1".to_owned()
            } else {
                self.dimension.to_string()
            },
            values: self
                .by_session
                .iter()
                .map(|value| value.map(rounded))
                .collect(),
            estimate: sample.map(|sample| rounded(estimate::median(sample))),
            order_statistic: self.order_statistic(),
            bootstrap_percentile: sample.and_then(|sample| self.bootstrap(sample, seed)),
            cv: spread(estimate::log_cv),
            cv_plain: spread(estimate::cv),
            degenerate: self.is_degenerate(),
        }
    }

    fn order_statistic(&self) -> Option<Interval> {
        let alpha = Alpha::new(REPORTED_ALPHA).ok()?;
        let interval = order_statistic::interval(&self.sessions(), alpha);
        Some(Interval {
            level: 1.0 - REPORTED_ALPHA,
            lower: Some(rounded(interval.lower.finite()?)),
            upper: Some(rounded(interval.upper.finite()?)),
            exact_coverage: Some(rounded(1.0 - interval.alpha)),
        })
    }

    /// Only of a whole run: a bootstrap cannot count missing sessions.
    fn bootstrap(&self, sample: Sample<'_>, seed: Seed) -> Option<Interval> {
        if sample.values().len() < self.by_session.len() {
            return None;
        }
        let law = Law::new(sample, Statistic::Median, seed).ok()?;
        let interval = percentile(&law, Alpha::new(REPORTED_ALPHA).ok()?);
        Some(Interval {
            level: 1.0 - REPORTED_ALPHA,
            lower: Some(rounded(interval.lower.finite()?)),
            upper: Some(rounded(interval.upper.finite()?)),
            exact_coverage: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEEDUPS: [f64; 10] = [1.21, 1.24, 1.19, 1.30, 1.26, 1.22, 1.28, 1.25, 1.17, 1.23];

    fn values(by_session: Vec<Option<f64>>) -> Values {
        Values {
            dimension: Dimension::NONE,
            by_session,
            unreadable: None,
        }
    }

    fn result(by_session: Vec<Option<f64>>) -> MetricResult {
        values(by_session).result("speedup", Seed([0; 32]))
    }

    #[test]
    fn a_whole_run_has_both_intervals_and_both_coefficients() {
        let found = result(SPEEDUPS.map(Some).to_vec());
        assert_eq!(found.estimate, Some(1.235));
        let order = found.order_statistic.unwrap();
        assert_eq!((order.lower, order.upper), (Some(1.19), Some(1.28)));
        assert_eq!(order.exact_coverage, Some(rounded(1002.0 / 1024.0)));
        let bootstrap = found.bootstrap_percentile.unwrap();
        assert!(bootstrap.lower >= Some(1.19) && bootstrap.upper <= Some(1.28));
        let log_sd = 0.032_246_241_659_f64;
        assert!((found.cv.unwrap() - (log_sd * log_sd).exp_m1().sqrt()).abs() < 1e-11);
        assert!(found.cv_plain.is_some() && !found.degenerate);
    }

    #[test]
    fn a_missing_session_leaves_no_bootstrap_and_a_wider_interval() {
        let mut sessions = SPEEDUPS.map(Some).to_vec();
        sessions[8] = None;
        let found = result(sessions);
        assert_eq!(found.values[8], None);
        assert_eq!(found.bootstrap_percentile, None);
        let order = found.order_statistic.unwrap();
        assert_eq!((order.lower, order.upper), (Some(1.19), Some(1.30)));
    }

    #[test]
    fn equal_values_are_degenerate_and_have_no_interval() {
        let found = result(vec![Some(0.1); 10]);
        assert!(found.degenerate);
        assert_eq!(
            (found.order_statistic, found.bootstrap_percentile),
            (None, None)
        );
        assert_eq!(found.cv, Some(0.0));
    }

    #[test]
    fn no_values_have_no_estimate() {
        let found = result(vec![None; 10]);
        assert_eq!(
            (found.estimate, found.cv, found.degenerate),
            (None, None, false)
        );
    }
}
