//! Published reference values: ten speedups in logarithms, and R's `boot` on a skewed sample.

#![expect(clippy::unwrap_used, reason = "the inputs are fixed and valid")]

use prereg_stats::bootstrap::{
    BiasCorrection, Law, Statistic, basic, bca, bias_correction, expanded, percentile,
};
use prereg_stats::student_t::{self, Scale};
use prereg_stats::{Alpha, Interval, Sample, Seed, Sessions, estimate, order_statistic};

const SPEEDUPS: [f64; 10] = [1.21, 1.24, 1.19, 1.30, 1.26, 1.22, 1.28, 1.25, 1.17, 1.23];

fn alpha() -> Alpha {
    Alpha::new(0.05).unwrap()
}

fn close(found: f64, expected: f64, digits: i32) {
    assert!(
        (found - expected).abs() < 0.6 * 10_f64.powi(-digits),
        "{found} is not {expected}"
    );
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.lower, interval.upper].map(|bound| bound.finite().unwrap())
}

fn speedups() -> Sessions {
    Sessions::new(&SPEEDUPS, 0).unwrap()
}

fn exact_law_of_log_mean() -> Law {
    let logs = estimate::logarithms(Sample::new(&SPEEDUPS).unwrap()).unwrap();
    Law::exact(Sample::new(&logs).unwrap(), Statistic::Mean).unwrap()
}

fn exp_close(interval: Interval, expected: [f64; 2]) {
    for (found, expected) in ends(interval).into_iter().zip(expected) {
        close(libm::exp(found), expected, 10);
    }
}

#[test]
fn geometric_mean_and_log_standard_deviation() {
    let sample = Sample::new(&SPEEDUPS).unwrap();
    close(
        estimate::geometric_mean(sample).unwrap(),
        1.234_422_616_550,
        12,
    );
    close(estimate::log_sd(sample).unwrap(), 0.032_246_241_659, 12);
}

#[test]
fn student_interval_on_the_log_scale() {
    let [lower, upper] = ends(student_t::interval(&speedups(), Scale::Log, alpha()).unwrap());
    close(lower, 1.206_273_399_62, 11);
    close(upper, 1.263_228_714_76, 11);
}

#[test]
fn one_sided_student_bounds_on_the_log_scale() {
    let lower = student_t::lower_bound(&speedups(), Scale::Log, alpha()).unwrap();
    let upper = student_t::upper_bound(&speedups(), Scale::Log, alpha()).unwrap();
    close(lower.finite().unwrap(), 1.211_562_445_0, 10);
    close(upper.finite().unwrap(), 1.257_714_121_6, 10);
}

#[test]
fn order_statistic_bounds_and_interval() {
    assert_eq!(
        ends(order_statistic::interval(&speedups(), alpha())),
        [1.19, 1.28]
    );
    assert_eq!(
        order_statistic::lower_bound(&speedups(), alpha()).finite(),
        Some(1.19)
    );
    assert_eq!(
        order_statistic::upper_bound(&speedups(), alpha()).finite(),
        Some(1.28)
    );
}

#[test]
fn exact_percentile_interval_of_the_log_mean() {
    let interval = percentile(&exact_law_of_log_mean(), alpha());
    exp_close(interval, [1.211_362_075_9, 1.257_716_575_1]);
}

#[test]
fn exact_expanded_interval_of_the_log_mean() {
    let interval = expanded(&exact_law_of_log_mean(), alpha());
    exp_close(interval, [1.206_492_799_4, 1.262_689_409_7]);
}

#[test]
fn exact_bca_interval_of_the_log_mean() {
    let law = exact_law_of_log_mean();
    let BiasCorrection { z0, acceleration } = bias_correction(&law).unwrap();
    close(z0, -0.007_503_851_7, 10);
    close(acceleration, -0.002_915_618_6, 10);
    exp_close(
        bca(&law, alpha()).unwrap(),
        [1.210_722_433_8, 1.257_581_450_9],
    );
}

#[test]
fn resampled_intervals_of_a_skewed_sample_agree_with_r_boot() {
    let values = [
        10.0, 12.0, 12.5, 12.5, 13.9, 15.0, 21.0, 22.0, 23.0, 34.0, 50.0, 81.0, 89.0, 121.0, 134.0,
        213.0,
    ];
    let sample = Sample::new(&values).unwrap();
    let law = Law::resampled(sample, Statistic::Mean, 1_000_000, Seed([11; 32])).unwrap();
    let cases = [
        (percentile(&law, alpha()), [28.86, 84.21]),
        (basic(&law, alpha()), [23.77, 79.12]),
        (bca(&law, alpha()).unwrap(), [32.31, 91.43]),
    ];
    for (interval, expected) in cases {
        for (found, expected) in ends(interval).into_iter().zip(expected) {
            assert!((found - expected).abs() < 0.2, "{found} is not {expected}");
        }
    }
}
