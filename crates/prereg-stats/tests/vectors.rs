//! Published reference values: ten speedups in logarithms, and R's `boot` on a skewed sample.

#![expect(clippy::unwrap_used, reason = "the inputs are fixed and valid")]

use prereg_stats::bootstrap::{
    BiasCorrection, Law, Statistic, basic, bca, bias_correction, expanded, percentile,
};
use prereg_stats::permutation::{contrast, serial, trend};
use prereg_stats::{
    Alpha, BootstrapInterval, Center, Comparison, Interval, Method, Sample, Scale, Seed, Sessions,
    estimate, order_statistic, student_t,
};

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
    let [lower, upper] = ends(student_t::interval(&speedups(), Scale::Log, alpha()));
    close(lower, 1.206_273_399_62, 11);
    close(upper, 1.263_228_714_76, 11);
}

#[test]
fn one_sided_student_bounds_on_the_log_scale() {
    let lower = student_t::lower_bound(&speedups(), Scale::Log, alpha());
    let upper = student_t::upper_bound(&speedups(), Scale::Log, alpha());
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
fn one_sided_bounds_of_a_method_are_the_ends_of_the_interval_at_twice_the_level() {
    let of_log_mean = |interval| Method::Bootstrap(interval, Center::Mean(Scale::Log));
    let side = Alpha::new(0.025).unwrap();
    let cases = [
        (
            of_log_mean(BootstrapInterval::Percentile),
            [1.211_362_075_9, 1.257_716_575_1],
        ),
        (
            of_log_mean(BootstrapInterval::Bca),
            [1.210_722_433_8, 1.257_581_450_9],
        ),
        (
            Method::StudentT(Scale::Log),
            [1.206_273_399_62, 1.263_228_714_76],
        ),
        (Method::OrderStatistic, [1.19, 1.28]),
    ];
    for (method, expected) in cases {
        let found = method.bounds(&speedups(), side, side, Seed([0; 32]));
        for (found, expected) in found.into_iter().zip(expected) {
            close(found.finite().unwrap(), expected, 10);
        }
    }
}

#[test]
fn exact_bootstrap_t_bounds_of_the_log_mean() {
    // By an independent enumeration in Python.
    let method = Method::Bootstrap(BootstrapInterval::T, Center::Mean(Scale::Log));
    let cases = [
        (0.025, [1.205_323_531_759, 1.263_138_206_433]),
        (0.05, [1.211_052_678_476, 1.257_503_191_142]),
    ];
    for (level, expected) in cases {
        let level = Alpha::new(level).unwrap();
        let found = method.bounds(&speedups(), level, level, Seed([0; 32]));
        for (found, expected) in found.into_iter().zip(expected) {
            close(found.finite().unwrap(), expected, 11);
        }
    }
}

#[test]
fn one_sided_student_p_values_on_the_log_scale() {
    // scipy.stats.ttest_1samp of the logarithms, alternative "less" and "greater".
    let cases = [
        (1.2, 0.989_185_260_635_406_7, 0.010_814_739_364_593_323),
        (1.25, 0.124_979_346_814_913_96, 0.875_020_653_185_086),
        (1.3, 0.000_333_209_929_853_823_1, 0.999_666_790_070_146_1),
    ];
    for (threshold, less, greater) in cases {
        let p = |comparison| {
            Method::StudentT(Scale::Log)
                .p_value(&speedups(), comparison, threshold)
                .unwrap()
        };
        close(p(Comparison::Less), less, 12);
        close(p(Comparison::GreaterOrEqual), greater, 12);
    }
}

#[test]
fn sign_mixture_bounds_of_ten_sessions_are_the_extremes() {
    // At two-sided .05; the stricter of the two levels given.
    let loose = Alpha::new(0.2).unwrap();
    let found = Method::Sequence.bounds(&speedups(), loose, alpha(), Seed([0; 32]));
    assert_eq!(
        found.map(prereg_stats::Bound::finite),
        [Some(1.17), Some(1.30)]
    );
}

#[test]
fn rank_tests_agree_with_enumerations_in_python() {
    // scipy's spearmanr and mannwhitneyu, and all 5 040 orders of their ranks.
    let seed = Seed([0; 32]);
    let sample = |values: &'static [f64]| Sample::new(values).unwrap();
    let drift = trend(sample(&[2.1, 3.4, 1.7, 2.8, 4.0, 3.3, 5.2]), seed).unwrap();
    close(drift.coefficient, 0.642_857_142_857_142_9, 15);
    close(drift.p, 700.0 / 5040.0, 15);
    let neighbours = serial(sample(&[1.0, 2.5, 3.1, 2.9, 2.2, 1.4, 0.7]), seed).unwrap();
    close(neighbours.coefficient, 0.357_142_857_142_857_15, 15);
    close(neighbours.p, 660.0 / 5040.0, 15);
    let groups = contrast(
        sample(&[5.1, 6.2, 4.8, 7.0]),
        sample(&[3.9, 5.0, 4.1]),
        seed,
    );
    close(groups.unwrap().p, 4.0 / 35.0, 15);
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
