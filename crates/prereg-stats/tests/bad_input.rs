//! Bad input: every sample and level ends in a finite bound or a typed reason, never in a panic or
//! NaN.

#![expect(clippy::unwrap_used, reason = "the inputs are built to be finite")]

use prereg_stats::permutation::{self, AssociationError};
use prereg_stats::unpaired::ratio_bounds;
use prereg_stats::{
    Alpha, BootstrapInterval, Bound, Center, Comparison, Method, Sample, SampleError, Scale, Seed,
    Sessions, Unbounded,
};
use proptest::prelude::*;

const SEED: Seed = Seed([13; 32]);

const SCALES: [Scale; 2] = [Scale::Log, Scale::Linear];

fn bootstraps() -> Vec<Method> {
    use BootstrapInterval::{Bca, Percentile, T};
    let centers = [
        Center::Median,
        Center::Mean(Scale::Log),
        Center::Mean(Scale::Linear),
    ];
    [Percentile, Bca, T]
        .into_iter()
        .flat_map(|interval| centers.map(|center| Method::Bootstrap(interval, center)))
        .collect()
}

fn methods() -> Vec<Method> {
    let mut methods = vec![Method::OrderStatistic, Method::Sequence];
    methods.extend(SCALES.map(Method::StudentT));
    methods.extend(bootstraps());
    methods
}

fn alpha(value: f64) -> Alpha {
    Alpha::new(value).unwrap()
}

fn bounds(method: Method, values: &[f64], missing: usize) -> [Bound; 2] {
    let sessions = Sessions::new(values, missing).unwrap();
    method.bounds(&sessions, alpha(0.05), alpha(0.05), SEED)
}

/// Asserts that every method that `holds` for gives this reason on both sides.
fn all_say(reason: Unbounded, values: &[f64], holds: impl Fn(Method) -> bool) {
    for method in methods().into_iter().filter(|method| holds(*method)) {
        assert_eq!(
            bounds(method, values, 0),
            [Bound::Unbounded(reason); 2],
            "{method:?}"
        );
    }
}

fn on_logarithms(method: Method) -> bool {
    matches!(
        method,
        Method::StudentT(Scale::Log) | Method::Bootstrap(_, Center::Mean(Scale::Log))
    )
}

fn t_of_median(method: Method) -> bool {
    matches!(
        method,
        Method::Bootstrap(BootstrapInterval::T, Center::Median)
    )
}

/// Numbers at which arithmetic goes wrong, and some at which it does not.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        1 => prop::sample::select(vec![
            0.0, -0.0, 1.0, -1.0, 0.1, 1.0 + f64::EPSILON, 1e308, -1e308, f64::MAX, f64::MIN,
            f64::MIN_POSITIVE, f64::from_bits(1), 1e-300, 1e300,
        ]),
        1 => 0.5..2.0_f64,
    ]
}

fn sample() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        prop::collection::vec(number(), 0..8),
        prop::collection::vec(0.5..2.0_f64, 5..8),
        prop::collection::vec(number(), 11..13),
        (number(), 1..12_usize).prop_map(|(value, count)| vec![value; count]),
    ]
}

fn level() -> impl Strategy<Value = Alpha> {
    prop_oneof![
        prop::sample::select(vec![5e-324, 1e-300, 1e-7, 1e-4, 0.05, 0.499_999]),
        0.001..0.45_f64,
    ]
    .prop_map(alpha)
}

/// Whether `wide` reaches at least as far as `narrow` on the side on which `side` is positive, to
/// the rounding of an interpolation.
fn reaches(wide: Bound, narrow: Bound, side: f64) -> bool {
    match (wide.finite(), narrow.finite()) {
        (Some(wide), Some(narrow)) => side * (wide - narrow) >= -1e-12 * narrow.abs(),
        (None, _) => true,
        (Some(_), None) => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn bounds_are_finite_or_unbounded_in_order_and_wider_at_a_stricter_level(
        values in sample(), missing in 0..2_usize, lower in level(), upper in level(), other in level(),
    ) {
        let sessions = Sessions::new(&values, missing).unwrap();
        for method in methods() {
            let found = method.bounds(&sessions, lower, upper, SEED);
            prop_assert!(found.iter().all(|bound| bound.finite().is_none_or(f64::is_finite)));
            if let [Some(low), Some(high)] = found.map(Bound::finite) {
                prop_assert!(low <= high, "{method:?} {found:?}");
            }
            let strict = method.bounds(&sessions, lower.min(other), upper.min(other), SEED);
            prop_assert!(reaches(strict[0], found[0], -1.0), "{method:?} {strict:?} {found:?}");
            prop_assert!(reaches(strict[1], found[1], 1.0), "{method:?} {strict:?} {found:?}");
        }
    }

    #[test]
    fn p_values_are_probabilities_and_decide_as_the_bounds_do(
        values in sample(), missing in 0..2_usize, level in level(), threshold in number(),
    ) {
        let sessions = Sessions::new(&values, missing).unwrap();
        for method in [Method::OrderStatistic, Method::Sequence, Method::StudentT(Scale::Linear), Method::StudentT(Scale::Log)] {
            let [lower, upper] = method.bounds(&sessions, level, level, SEED);
            for comparison in [Comparison::Less, Comparison::LessOrEqual, Comparison::Greater, Comparison::GreaterOrEqual] {
                let p = method.p_value(&sessions, comparison, threshold);
                prop_assert!(p.is_none_or(|p| (0.0..=1.0).contains(&p)), "{method:?} {p:?}");
                let decided = comparison.decide(lower, upper, threshold) == prereg_stats::Truth::True;
                // A bound that is decided on has a p-value; one out of range has no say.
                prop_assert!(!decided || p.is_some_and(|p| p <= level.get() * (1.0 + 1e-6)), "{method:?} {p:?}");
            }
        }
    }

    #[test]
    fn estimates_are_finite_or_absent(values in sample()) {
        if let Ok(sample) = Sample::new(&values) {
            for method in methods() {
                prop_assert!(method.estimate(sample).is_none_or(f64::is_finite), "{method:?}");
            }
        }
    }

    #[test]
    fn ratios_of_targets_are_finite_or_unbounded(
        first in sample(), second in sample(), level in level(),
    ) {
        let (first, second) = (Sessions::new(&first, 0).unwrap(), Sessions::new(&second, 0).unwrap());
        let [lower, upper] = ratio_bounds(&first, &second, level, level).map(Bound::finite);
        prop_assert!([lower, upper].into_iter().flatten().all(f64::is_finite));
        if let (Some(lower), Some(upper)) = (lower, upper) {
            prop_assert!(lower <= upper);
        }
    }

    #[test]
    fn associations_are_within_their_range_or_absent(values in sample()) {
        if let Ok(sample) = Sample::new(&values) {
            for test in [permutation::trend, permutation::serial] {
                match test(sample, SEED) {
                    Ok(found) => {
                        prop_assert!(found.coefficient.abs() <= 1.0);
                        prop_assert!(found.p > 0.0 && found.p <= 1.0);
                    }
                    Err(AssociationError::TooFew { values: count }) => prop_assert!(count < 3),
                    Err(AssociationError::Degenerate) => {}
                }
            }
        }
    }
}

#[test]
fn nan_and_infinities_never_enter() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = Sessions::new(&[1.0, value], 0).unwrap_err();
        assert!(matches!(error, SampleError::NotFinite { index: 1, .. }));
    }
    assert_eq!(Sample::new(&[]), Err(SampleError::Empty));
}

#[test]
fn levels_of_zero_one_and_nonsense_are_refused() {
    for value in [0.0, -0.0, 1.0, 0.5, 0.95, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Alpha::new(value).is_err(), "{value}");
    }
}

#[test]
fn nothing_and_one_session_are_too_few_for_every_method() {
    for method in methods() {
        for values in [&[][..], &[1.0]] {
            for reason in bounds(method, values, 0).map(Bound::unbounded) {
                assert!(
                    matches!(reason, Some(Unbounded::TooFewSessions { .. })),
                    "{method:?} {reason:?}"
                );
            }
        }
    }
}

#[test]
fn fewer_sessions_than_the_least_give_no_bound_and_the_least_do() {
    let values = [1.0, 1.2, 1.1, 1.5, 1.3, 1.25, 1.4];
    for method in methods().into_iter().filter(|method| !t_of_median(*method)) {
        let least = method.least_sessions(alpha(0.05));
        let reason = Bound::Unbounded(Unbounded::TooFewSessions {
            sessions: least - 1,
            needed: least,
        });
        assert_eq!(bounds(method, &values[..least - 1], 0), [reason; 2]);
        let found = bounds(method, &values[..least], 0);
        assert!(
            found.iter().all(|bound| bound.finite().is_some()),
            "{method:?} {found:?}"
        );
    }
}

#[test]
fn equal_values_are_degenerate_for_every_method_whatever_their_size() {
    for value in [0.1, 1.0, 1e-300, 1e308, f64::MAX] {
        for count in [10, 12] {
            all_say(Unbounded::Degenerate, &vec![value; count], |method| {
                !t_of_median(method)
            });
        }
    }
}

#[test]
fn equal_zeros_and_negative_values_are_degenerate_where_no_logarithm_is_taken() {
    for value in [0.0, -0.0, -0.1] {
        all_say(Unbounded::Degenerate, &[value; 10], |method| {
            !on_logarithms(method) && !t_of_median(method)
        });
    }
}

#[test]
fn zeros_and_negative_values_have_no_logarithm() {
    for value in [0.0, -0.0, -1.0] {
        all_say(
            Unbounded::NotPositive,
            &[1.0, 1.1, value, 1.2, 1.3, 1.4],
            on_logarithms,
        );
    }
}

#[test]
fn values_that_leave_no_room_for_sums_are_out_of_range_where_they_are_resampled() {
    let values = [f64::MAX, f64::MIN, f64::MAX, f64::MIN, 1.0, 2.0, 3.0];
    all_say(Unbounded::OutOfRange, &values, |method| {
        matches!(method, Method::Bootstrap(..)) && !on_logarithms(method) && !t_of_median(method)
    });
    assert_eq!(
        bounds(Method::OrderStatistic, &values, 0),
        [Bound::Finite(f64::MIN), Bound::Finite(f64::MAX)]
    );
}

#[test]
fn a_missing_session_leaves_no_bound_of_a_mean_or_a_bootstrap() {
    let values = [1.0, 1.2, 1.1, 1.5, 1.3, 1.25, 1.4, 1.6];
    let reason = Bound::Unbounded(Unbounded::MissingSessions {
        missing: 1,
        allowed: 0,
    });
    for method in bootstraps().into_iter().chain(SCALES.map(Method::StudentT)) {
        assert_eq!(bounds(method, &values, 1), [reason; 2], "{method:?}");
    }
}

#[test]
fn a_level_stricter_than_the_resamples_can_show_leaves_its_side_open() {
    let values = [1.0, 1.2, 1.1, 1.5, 1.3, 1.25, 1.4];
    let sessions = Sessions::new(&values, 0).unwrap();
    let inexact = bootstraps().into_iter().chain(SCALES.map(Method::StudentT));
    for method in inexact.filter(|method| !t_of_median(*method)) {
        let [lower, upper] = method.bounds(&sessions, alpha(1e-7), alpha(0.1), SEED);
        assert_eq!(lower.unbounded(), Some(Unbounded::LevelTooSmall));
        assert!(upper.finite().is_some(), "{method:?}");
    }
}

#[test]
fn a_median_without_jackknife_spread_has_no_bca_bound() {
    let method = Method::Bootstrap(BootstrapInterval::Bca, Center::Median);
    let reason = Bound::Unbounded(Unbounded::EqualJackknife);
    assert_eq!(bounds(method, &[1.0, 2.0, 2.0, 2.0, 3.0], 0), [reason; 2]);
}

#[test]
fn a_median_has_no_bootstrap_t_bound() {
    let method = Method::Bootstrap(BootstrapInterval::T, Center::Median);
    let reason = Bound::Unbounded(Unbounded::NoStandardError);
    assert_eq!(bounds(method, &[1.0, 2.0, 3.0, 4.0, 5.0], 0), [reason; 2]);
}

#[test]
fn a_bootstrap_t_of_nearly_equal_values_is_infinite_on_a_side() {
    // A third of all resamples are of the ones alone: t* = −∞.
    let values = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0];
    let method = Method::Bootstrap(BootstrapInterval::T, Center::Mean(Scale::Linear));
    let [_, upper] = bounds(method, &values, 0);
    assert_eq!(upper.unbounded(), Some(Unbounded::InfiniteQuantile));
}
