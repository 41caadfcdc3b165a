//! What is reported of a metric, whatever decides. Under a census nothing that is inferred is: neither
//! the intervals that do not decide, nor what permutation tests say of the order.

use prereg_declaration::{Inference, Metric};
use prereg_stats::{Alpha, Bound, Method, Sample, Seed, estimate, order_statistic};

use super::order::Order;
use super::values::Values;
use crate::method::{self, Reading};
use crate::significant::rounded;
use crate::verdict::{DeclaredInterval, Interval, MeasuredCoverage, MetricResult};

/// Two-sided α of the intervals that are reported for every metric.
const REPORTED_ALPHA: f64 = 0.05;

/// The result of a metric. `baseline_first` says of each session whether it started with the
/// baseline, where that is known; `seed` is the metric's analysis seed.
pub(crate) fn report(
    metric: &Metric,
    values: &Values,
    inference: &Inference,
    reading: Reading,
    baseline_first: &[Option<bool>],
    seed: Seed,
) -> MetricResult {
    let present = values.present();
    let sample = Sample::new(&present).ok();
    let spread = |estimate: fn(Sample<'_>) -> Result<f64, estimate::EstimateError>| {
        sample.and_then(|sample| estimate(sample).ok()).map(rounded)
    };
    let units: Vec<f64> = values.units().iter().copied().flatten().collect();
    let infers = reading.infers();
    let order = if infers {
        Order::read(values, baseline_first, seed)
    } else {
        Order::default()
    };
    MetricResult {
        expression: metric.source.clone(),
        unit: if values.dimension.is_none() {
            "1".to_owned()
        } else {
            values.dimension.to_string()
        },
        values: all_rounded(&values.by_session),
        blocks: values.by_block.as_deref().map(all_rounded),
        estimate: reading.estimate(&units).map(rounded),
        declared: declared(values, inference, reading, seed),
        order_statistic: median_interval(values, reading).filter(|_| infers),
        bootstrap_percentile: infers.then(|| bootstrap(values, reading, seed)).flatten(),
        cv: spread(estimate::log_cv),
        cv_plain: spread(estimate::cv),
        degenerate: values.is_degenerate(),
        drift: order.drift,
        order_effect: order.effect,
        serial: order.serial,
        warnings: order.warnings(),
    }
}

fn all_rounded(values: &[Option<f64>]) -> Vec<Option<f64>> {
    values.iter().map(|value| value.map(rounded)).collect()
}

fn declared(
    values: &Values,
    inference: &Inference,
    reading: Reading,
    seed: Seed,
) -> Option<DeclaredInterval> {
    if reading.method == Method::OrderStatistic {
        return None;
    }
    let counted = values.counted();
    let alpha = Alpha::new(REPORTED_ALPHA).ok()?;
    let [lower, upper] = reading.interval(&counted, alpha, seed);
    let unbounded = [lower, upper].into_iter().find_map(Bound::unbounded);
    let coverage = reading.method.measured_coverage(counted.count());
    Some(DeclaredInterval {
        method: method::description(inference),
        interval: Interval {
            level: 1.0 - reading.error(alpha),
            lower: lower.finite().map(rounded),
            upper: upper.finite().map(rounded),
            exact_coverage: None,
        },
        unbounded: unbounded.map(|reason| reason.to_string()),
        measured_coverage: coverage.map(|(worst, best)| MeasuredCoverage { worst, best }),
    })
}

fn median_interval(values: &Values, reading: Reading) -> Option<Interval> {
    let alpha = Alpha::new(REPORTED_ALPHA).ok()?;
    let interval = order_statistic::interval(&values.counted(), alpha);
    // Its coverage is that of a number of sessions that was fixed beforehand.
    let is_fixed = reading.method != Method::Sequence;
    Some(Interval {
        level: 1.0 - REPORTED_ALPHA,
        lower: Some(rounded(interval.lower.finite()?)),
        upper: Some(rounded(interval.upper.finite()?)),
        exact_coverage: is_fixed.then(|| rounded(1.0 - interval.alpha)),
    })
}

/// Only of a whole run: a bootstrap cannot count missing sessions.
fn bootstrap(values: &Values, reading: Reading, seed: Seed) -> Option<Interval> {
    let alpha = Alpha::new(REPORTED_ALPHA).ok()?;
    let [lower, upper] = reading.bootstrap(&values.counted(), alpha, seed);
    Some(Interval {
        level: 1.0 - REPORTED_ALPHA,
        lower: Some(rounded(lower.finite()?)),
        upper: Some(rounded(upper.finite()?)),
        exact_coverage: None,
    })
}

#[cfg(test)]
mod tests {
    use prereg_declaration::{Declaration, Estimand, Interval as Declared};
    use prereg_units::Dimension;

    use super::*;
    use crate::example::{SPEEDUPS, declaration};

    fn with(change: impl FnOnce(&mut Declaration), by_session: Vec<Option<f64>>) -> MetricResult {
        let mut declaration = declaration();
        change(&mut declaration);
        let reading = Reading::of(&declaration);
        let values = Values::new(Dimension::NONE, by_session, reading);
        let (metric, inference) = (&declaration.metrics["speedup"], &declaration.inference);
        report(
            metric,
            &values,
            inference,
            reading,
            &[None; 10],
            Seed([0; 32]),
        )
    }

    fn result(by_session: Vec<Option<f64>>) -> MetricResult {
        with(|_| {}, by_session)
    }

    #[test]
    fn a_sequence_claims_no_exact_coverage_for_the_interval_of_a_fixed_number() {
        let sequence = |declaration: &mut Declaration| {
            declaration.inference.stopping = prereg_declaration::Stopping::Sequence;
        };
        let found = with(sequence, SPEEDUPS.map(Some).to_vec());
        assert_eq!(found.order_statistic.unwrap().exact_coverage, None);
        assert_eq!(found.declared.unwrap().method, "sequence of the median");
    }

    fn student_t(declaration: &mut Declaration) {
        declaration.inference.interval = Declared::StudentT;
        declaration.inference.estimand = Estimand::GeometricMean;
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
        assert_eq!((found.declared, found.blocks), (None, None));
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
    fn a_constant_sample_is_degenerate_and_has_no_interval() {
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

    #[test]
    fn a_declared_interval_stands_beside_the_others_and_has_the_declared_estimand() {
        let found = with(student_t, SPEEDUPS.map(Some).to_vec());
        assert_eq!(found.estimate, Some(1.234_422_616_55));
        let declared = found.declared.unwrap();
        assert_eq!(declared.method, "student-t of the geometric mean");
        let ends = [declared.interval.lower, declared.interval.upper];
        for (end, expected) in ends.into_iter().zip([1.206_273_399_62, 1.263_228_714_76]) {
            assert!((end.unwrap() - expected).abs() < 1e-11, "{end:?}");
        }
        assert_eq!(declared.unbounded, None);
        assert_eq!(found.order_statistic.unwrap().lower, Some(1.19));
    }

    #[test]
    fn a_declared_bootstrap_carries_its_measured_coverage() {
        let bootstrap = |declaration: &mut Declaration| {
            declaration.inference.interval = Declared::BootstrapBca;
            declaration.inference.estimand = Estimand::GeometricMean;
        };
        let found = with(bootstrap, SPEEDUPS.map(Some).to_vec())
            .declared
            .unwrap();
        let coverage = found.measured_coverage.unwrap();
        assert!(0.5 < coverage.worst && coverage.worst < coverage.best && coverage.best < 1.0);
    }

    #[test]
    fn a_declared_interval_without_ends_says_why() {
        let mut sessions = SPEEDUPS.map(Some).to_vec();
        sessions[8] = None;
        let declared = with(student_t, sessions).declared.unwrap();
        assert_eq!(
            (declared.interval.lower, declared.interval.upper),
            (None, None)
        );
        assert!(declared.unbounded.unwrap().contains("1 missing"));
    }

    #[test]
    fn a_block_is_summed_up_by_the_estimand_and_is_missing_with_any_of_its_sessions() {
        let blocks = |declaration: &mut Declaration| {
            student_t(declaration);
            declaration.protocol.blocks = 5;
        };
        let mut sessions = vec![Some(2.0), Some(8.0)];
        sessions.extend([1.0, 1.0, 3.0, 3.0, 5.0, 5.0, 7.0].map(Some));
        sessions.push(None);
        let found = with(blocks, sessions);
        assert_eq!(
            found.blocks,
            Some(vec![Some(4.0), Some(1.0), Some(3.0), Some(5.0), None])
        );
        assert_eq!(found.values.len(), 10);
    }

    #[test]
    fn with_blocks_the_intervals_count_blocks() {
        let blocks = |declaration: &mut Declaration| declaration.protocol.blocks = 5;
        let found = with(blocks, SPEEDUPS.map(Some).to_vec());
        let medians = [1.225, 1.245, 1.24, 1.265, 1.2].map(Some);
        assert_eq!(found.blocks, Some(medians.to_vec()));
        assert_eq!(found.estimate, Some(1.24));
        // Five units give no two-sided interval at 95 %.
        assert_eq!(found.order_statistic, None);
    }
}
