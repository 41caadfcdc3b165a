//! Properties of estimates, intervals and decisions.

#![expect(clippy::unwrap_used, reason = "strategies build only valid inputs")]

use prereg_stats::bootstrap::{Law, Statistic, basic, bca, percentile};
use prereg_stats::{
    Alpha, Bound, Comparison, Interval, Sample, Seed, Sessions, Truth, census, estimate,
    order_statistic, sequence,
};
use proptest::prelude::*;

const SEED: Seed = Seed([9; 32]);
const COMPARISONS: [Comparison; 4] = [
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Greater,
    Comparison::GreaterOrEqual,
];

fn values(sizes: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1000.0..1000.0, sizes)
}

/// Small integers, so that ties and thresholds on values are common.
fn tied(sizes: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((0..6).prop_map(f64::from), sizes)
}

fn alpha() -> impl Strategy<Value = Alpha> {
    (0.0001..0.4).prop_map(|value| Alpha::new(value).unwrap())
}

fn is_degenerate(values: &[f64]) -> bool {
    estimate::is_degenerate(Sample::new(values).unwrap()).unwrap()
}

fn below(lower: Bound, upper: Bound) -> bool {
    match (lower.finite(), upper.finite()) {
        (Some(lower), Some(upper)) => lower <= upper,
        _ => true,
    }
}

fn map(interval: Interval, map: impl Fn(f64) -> f64) -> [f64; 2] {
    [interval.lower, interval.upper].map(|bound| map(bound.finite().unwrap()))
}

proptest! {
    #[test]
    fn quantiles_rise_from_the_smallest_to_the_largest_value(
        values in values(1..30), p in 0.0..1.0_f64, q in 0.0..1.0_f64,
    ) {
        let sample = Sample::new(&values).unwrap();
        let at = |p| estimate::quantile(sample, p).unwrap();
        prop_assert!(at(p.min(q)) <= at(p.max(q)));
        prop_assert_eq!(at(0.0), estimate::min(sample));
        prop_assert_eq!(at(1.0), estimate::max(sample));
        let difference = at(0.5) - estimate::median(sample);
        prop_assert!(difference.abs() <= 1e-12 * at(0.5).abs());
    }

    #[test]
    fn estimates_scale_with_the_values(values in values(2..30), factor in 0.1..10.0_f64) {
        let scaled: Vec<f64> = values.iter().map(|value| value * factor).collect();
        let (plain, scaled) = (Sample::new(&values).unwrap(), Sample::new(&scaled).unwrap());
        let near = |a: f64, b: f64| (a * factor - b).abs() <= 1e-9 * (1.0 + b.abs());
        prop_assert!(near(estimate::median(plain), estimate::median(scaled)));
        prop_assert!(near(estimate::mean(plain), estimate::mean(scaled)));
        prop_assert!(near(estimate::sd(plain).unwrap(), estimate::sd(scaled).unwrap()));
    }

    #[test]
    fn the_log_cv_does_not_depend_on_the_unit(
        values in prop::collection::vec(0.5..2.0_f64, 2..30), factor in 1e-9..1e9_f64,
    ) {
        let scaled: Vec<f64> = values.iter().map(|value| value * factor).collect();
        let cv = |values: &[f64]| estimate::log_cv(Sample::new(values).unwrap()).unwrap();
        prop_assert!((cv(&values) - cv(&scaled)).abs() < 1e-9);
    }

    #[test]
    fn any_finite_sample_gives_finite_estimates_or_an_error(
        values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL, 1..12),
        p in 0.0..1.0_f64,
    ) {
        let sample = Sample::new(&values).unwrap();
        prop_assert!(estimate::median(sample).is_finite() && estimate::mean(sample).is_finite());
        prop_assert!(estimate::quantile(sample, p).unwrap().is_finite());
        for estimate in [
            estimate::sd(sample), estimate::cv(sample), estimate::log_cv(sample),
            estimate::geometric_mean(sample), estimate::sum(sample),
        ] {
            prop_assert!(estimate.is_err() || estimate.is_ok_and(f64::is_finite));
        }
    }

    #[test]
    fn a_census_decides_what_holds_in_every_session_or_in_none(
        values in tied(1..8), threshold in (0..6).prop_map(f64::from),
    ) {
        let [lower, upper] = census::bounds(&Sessions::new(&values, 0).unwrap());
        for comparison in COMPARISONS {
            let holding = values.iter().filter(|value| comparison.holds(**value, threshold)).count();
            let expected = match holding {
                0 => Truth::False,
                all if all == values.len() => Truth::True,
                _ => Truth::Undetermined,
            };
            prop_assert_eq!(comparison.decide(lower, upper, threshold), expected);
        }
    }

    #[test]
    fn bounds_do_not_depend_on_the_order_of_sessions(
        values in values(1..30).prop_shuffle(), alpha in alpha(), missing in 0..3_usize,
    ) {
        let mut reversed = values.clone();
        reversed.reverse();
        let (a, b) = (Sessions::new(&values, missing).unwrap(), Sessions::new(&reversed, missing).unwrap());
        prop_assert_eq!(order_statistic::interval(&a, alpha), order_statistic::interval(&b, alpha));
    }

    #[test]
    fn order_statistic_bounds_follow_any_increasing_map(
        values in values(5..30), alpha in alpha(), missing in 0..2_usize,
    ) {
        let mapped: Vec<f64> = values.iter().map(|value| (value / 500.0).exp()).collect();
        let (plain, mapped) = (Sessions::new(&values, missing).unwrap(), Sessions::new(&mapped, missing).unwrap());
        for bound in [order_statistic::lower_bound, order_statistic::upper_bound] {
            let found = bound(&plain, alpha).finite().map(|value| (value / 500.0).exp());
            prop_assert_eq!(found, bound(&mapped, alpha).finite());
        }
    }

    #[test]
    fn a_stricter_level_never_narrows_and_a_lost_session_never_helps(
        values in values(5..30), a in alpha(), b in alpha(),
    ) {
        let whole = Sessions::new(&values, 0).unwrap();
        let strict = a.min(b);
        let loose = if strict == a { b } else { a };
        let lost = Sessions::new(&values[1..], 1).unwrap();
        for (narrow, wide) in [
            (order_statistic::interval(&whole, loose), order_statistic::interval(&whole, strict)),
            (order_statistic::interval(&whole, loose), order_statistic::interval(&lost, loose)),
        ] {
            if let (Some(n), Some(w)) = (narrow.lower.finite(), wide.lower.finite()) {
                prop_assert!(w <= n);
            }
            if let (Some(n), Some(w)) = (narrow.upper.finite(), wide.upper.finite()) {
                prop_assert!(w >= n);
            }
            prop_assert!(wide.lower.finite().is_none() || narrow.lower.finite().is_some());
        }
    }

    #[test]
    fn a_lost_session_never_helps_in_a_sequence(values in values(7..30), alpha in alpha(), lost in 0..7_usize) {
        let whole = Sessions::new(&values, 0).unwrap();
        let mut kept = values;
        kept.remove(lost);
        let lost = Sessions::new(&kept, 1).unwrap();
        let [narrow, wide] = [&whole, &lost].map(|sessions| sequence::bounds(sessions, alpha).map(Bound::finite));
        prop_assert!(wide[0].is_none_or(|wide| narrow[0].is_some_and(|narrow| wide <= narrow)));
        prop_assert!(wide[1].is_none_or(|wide| narrow[1].is_some_and(|narrow| wide >= narrow)));
    }

    #[test]
    fn bounds_are_in_order(values in values(1..40), alpha in alpha(), missing in 0..4_usize) {
        let sessions = Sessions::new(&values, missing).unwrap();
        let lower = order_statistic::lower_bound(&sessions, alpha);
        prop_assert!(below(lower, order_statistic::upper_bound(&sessions, alpha)));
    }

    #[test]
    fn bounds_decide_exactly_where_the_p_value_is_at_most_alpha(
        values in tied(1..25), missing in 0..4_usize, alpha in alpha(), threshold in (-1..7).prop_map(f64::from),
    ) {
        prop_assume!(!is_degenerate(&values));
        let sessions = Sessions::new(&values, missing).unwrap();
        let lower = order_statistic::lower_bound(&sessions, alpha);
        let upper = order_statistic::upper_bound(&sessions, alpha);
        for comparison in COMPARISONS {
            let p_true = order_statistic::p_value(&sessions, comparison, threshold);
            let p_false = order_statistic::p_value(&sessions, comparison.negated(), threshold);
            let decided = comparison.decide(lower, upper, threshold);
            prop_assert_eq!(decided == Truth::True, p_true <= alpha.get());
            prop_assert_eq!(decided == Truth::False, p_false <= alpha.get());
        }
    }

    #[test]
    fn bootstrap_intervals_do_not_depend_on_the_order_of_sessions(values in values(2..14)) {
        prop_assume!(!is_degenerate(&values));
        let mut reversed = values.clone();
        reversed.reverse();
        let alpha = Alpha::new(0.05).unwrap();
        let interval = |values: &[f64]| {
            percentile(&Law::new(Sample::new(values).unwrap(), Statistic::Mean, SEED).unwrap(), alpha)
        };
        prop_assert_eq!(interval(&values), interval(&reversed));
    }

    #[test]
    fn bootstrap_intervals_follow_shift_and_scale(
        values in values(3..7), shift in -100.0..100.0_f64, factor in 0.5..2.0_f64,
    ) {
        prop_assume!(!is_degenerate(&values));
        let moved: Vec<f64> = values.iter().map(|value| value * factor + shift).collect();
        let alpha = Alpha::new(0.1).unwrap();
        let law = |values: &[f64]| Law::exact(Sample::new(values).unwrap(), Statistic::Mean).unwrap();
        let (plain, moved) = (law(&values), law(&moved));
        for interval in [percentile, basic] {
            let expected = map(interval(&plain, alpha), |value| value * factor + shift);
            let found = map(interval(&moved, alpha), |value| value);
            for (found, expected) in found.into_iter().zip(expected) {
                prop_assert!((found - expected).abs() < 1e-6, "{found} {expected}");
            }
        }
    }

    #[test]
    fn percentile_and_bca_intervals_stay_within_the_values(values in values(3..14)) {
        prop_assume!(!is_degenerate(&values));
        let sample = Sample::new(&values).unwrap();
        let alpha = Alpha::new(0.05).unwrap();
        for statistic in [Statistic::Mean, Statistic::Median] {
            let law = Law::new(sample, statistic, SEED).unwrap();
            for interval in std::iter::once(percentile(&law, alpha)).chain(bca(&law, alpha)) {
                let [lower, upper] = map(interval, |value| value);
                let tolerance = 1e-9;
                prop_assert!(estimate::min(sample) - tolerance <= lower && lower <= upper);
                prop_assert!(upper <= estimate::max(sample) + tolerance);
            }
        }
    }
}
