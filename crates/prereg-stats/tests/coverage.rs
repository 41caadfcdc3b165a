//! How often intervals miss, simulated with fixed seeds, against exact and published rates.

#![expect(clippy::unwrap_used, reason = "the inputs are simulated and valid")]

use prereg_stats::bootstrap::{Law, Statistic, percentile};
use prereg_stats::distribution::normal;
use prereg_stats::{
    Alpha, Generator, Interval, Sample, Scale, Seed, Sessions, order_statistic, student_t,
};

const DATA_SETS: u64 = 10_000;

/// Uniform on (0, 1), never an end.
fn uniform(generator: &mut Generator) -> f64 {
    (f64::from(generator.below(1 << 31)) + 0.5) / 2_147_483_648.0
}

fn gaussian(generator: &mut Generator) -> f64 {
    normal::quantile(uniform(generator))
}

/// Median 0; four in five values near −0.3, the rest near 1.
fn bimodal(generator: &mut Generator) -> f64 {
    let u = uniform(generator) - 0.5;
    if u < 0.3 { u * 0.1 } else { 1.0 + u }
}

/// The share of data sets of `size` values for which `misses` holds.
fn rate(size: usize, draw: fn(&mut Generator) -> f64, misses: impl Fn(&[f64]) -> bool) -> f64 {
    let hits = (0..DATA_SETS).filter(|data_set| {
        let mut generator = Generator::stream(Seed([21; 32]), *data_set);
        let values: Vec<f64> = (0..size).map(|_| draw(&mut generator)).collect();
        misses(&values)
    });
    hits.count() as f64 / DATA_SETS as f64
}

fn covers(interval: Interval, value: f64) -> bool {
    interval.lower.finite().is_none_or(|lower| lower <= value)
        && interval.upper.finite().is_none_or(|upper| value <= upper)
}

/// Four standard errors of a simulated rate.
fn close(found: f64, expected: f64) {
    let error = (expected * (1.0 - expected) / DATA_SETS as f64).sqrt();
    assert!(
        (found - expected).abs() < 4.0 * error,
        "{found} is not {expected}"
    );
}

fn alpha() -> Alpha {
    Alpha::new(0.05).unwrap()
}

#[test]
fn order_statistic_bounds_miss_at_their_exact_rate_under_any_law() {
    for draw in [gaussian, bimodal, |generator: &mut Generator| {
        gaussian(generator).powi(3)
    }] {
        let missed = rate(10, draw, |values| {
            let sessions = Sessions::new(values, 0).unwrap();
            order_statistic::lower_bound(&sessions, alpha())
                .finite()
                .unwrap()
                > 0.0
        });
        close(missed, 11.0 / 1024.0);
    }
}

#[test]
fn dropping_bad_sessions_inflates_the_error_and_counting_them_adversely_does_not() {
    // Sessions below −1 are excluded: the worst ones for a lower bound on the median 0.
    let lower_bound_misses = |values: &[f64], missing: usize| {
        let sessions = Sessions::new(values, missing).unwrap();
        order_statistic::lower_bound(&sessions, alpha())
            .finite()
            .is_some_and(|bound| bound > 0.0)
    };
    let kept = |values: &[f64]| {
        values
            .iter()
            .copied()
            .filter(|v| *v > -1.0)
            .collect::<Vec<_>>()
    };
    let renumbered = rate(10, gaussian, |values| lower_bound_misses(&kept(values), 0));
    let adverse = rate(10, gaussian, |values| {
        let kept = kept(values);
        lower_bound_misses(&kept, values.len() - kept.len())
    });
    assert!(renumbered > 0.05, "{renumbered}");
    assert!(adverse <= 0.015, "{adverse}");
}

#[test]
fn student_intervals_of_normal_values_cover_at_their_level() {
    let missed = rate(10, gaussian, |values| {
        let sessions = Sessions::new(values, 0).unwrap();
        !covers(student_t::interval(&sessions, Scale::Linear, alpha()), 0.0)
    });
    close(missed, 0.05);
}

#[test]
fn percentile_intervals_of_five_sessions_cover_as_measured() {
    let missed = |statistic| {
        rate(5, gaussian, |values| {
            let law = Law::exact(Sample::new(values).unwrap(), statistic).unwrap();
            !covers(percentile(&law, alpha()), 0.0)
        })
    };
    // Published: 84 % for the mean and 94 % for the median.
    let (mean, median) = (missed(Statistic::Mean), missed(Statistic::Median));
    assert!((mean - 0.16).abs() < 0.015, "{mean}");
    assert!((median - 0.06).abs() < 0.015, "{median}");
}
