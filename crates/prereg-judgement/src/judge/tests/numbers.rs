//! Bad numbers: a typed reason each, and nothing that is not a number in a result.

use std::collections::BTreeSet;

use prereg_declaration::{Estimand, Interval, Scale, Stopping};
use proptest::prelude::*;

use super::*;

/// Values that have broken somebody's statistics.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(0.1),
        Just(1.0),
        Just(-1.0),
        Just(1e308),
        Just(-1e308),
        Just(5e-324),
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        any::<f64>(),
        0.5..2.0_f64,
    ]
}

/// Constant, tied or free samples of ten sessions.
fn speedups() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        value().prop_map(|value| vec![value; 10]),
        (value(), value(), 0..=10_usize).prop_map(|(one, other, ones)| {
            let mut values = vec![one; ones];
            values.resize(10, other);
            values
        }),
        prop::collection::vec(value(), 10),
    ]
}

fn inference() -> impl Strategy<Value = (Interval, Estimand, Scale, Stopping, u32)> {
    use {Estimand as E, Interval as I, Scale as S};
    let fixed =
        |interval, estimand, scale, blocks| (interval, estimand, scale, Stopping::Fixed, blocks);
    prop::sample::select(vec![
        fixed(I::OrderStatistic, E::Median, S::Log, 1),
        fixed(I::OrderStatistic, E::Median, S::Log, 5),
        fixed(I::Census, E::Median, S::Log, 1),
        fixed(I::StudentT, E::GeometricMean, S::Log, 1),
        fixed(I::StudentT, E::Mean, S::Linear, 5),
        fixed(I::BootstrapBca, E::GeometricMean, S::Log, 5),
        fixed(I::BootstrapT, E::Mean, S::Linear, 5),
        (I::OrderStatistic, E::Median, S::Log, Stopping::Sequence, 1),
    ])
}

/// Where the types say that there may be nothing.
const MAY_BE_NULL: [&str; 22] = [
    "values",
    "blocks",
    "estimate",
    "unbounded",
    "measured_coverage",
    "order_statistic",
    "bootstrap_percentile",
    "lower",
    "upper",
    "exact_coverage",
    "cv",
    "cv_plain",
    "drift",
    "order_effect",
    "serial",
    "counterfactual",
    "disagreement",
    "covers",
    "margin",
    "p_true",
    "p_false",
    "cause",
];

/// The keys that hold null, or an array with one in it.
fn collect_nulls(key: &str, json: &serde_json::Value, nulls: &mut BTreeSet<String>) {
    use serde_json::Value;
    match json {
        Value::Null => {
            nulls.insert(key.to_owned());
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect_nulls(key, item, nulls)),
        Value::Object(fields) => fields
            .iter()
            .for_each(|(key, field)| collect_nulls(key, field, nulls)),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]
    #[test]
    fn no_result_holds_a_number_that_is_none(
        speedups in speedups(),
        (interval, estimand, scale, stopping, blocks) in inference(),
        threshold in prop_oneof![Just(0.0), Just(1.0), -1e300..1e300_f64],
    ) {
        let mut declaration = killed_below(threshold);
        // Five blocks of two, or seven sessions: what a bootstrap enumerates stays small.
        let speedups = &speedups[..if blocks == 1 { 7 } else { 10 }];
        declaration.protocol.sessions = speedups.len() as u32;
        declaration.protocol.blocks = blocks;
        declaration.inference.interval = interval;
        declaration.inference.estimand = estimand;
        declaration.inference.scale = scale;
        declaration.inference.stopping = stopping;
        let judgement = judged(&declaration, &samples(speedups));
        // JSON would say null of these; Debug spells them out.
        let printed = format!("{judgement:?}");
        let words: Vec<&str> = printed.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        prop_assert!(!words.contains(&"NaN") && !words.contains(&"inf"), "{printed}");
        let claim = &judgement.claims["faster"];
        prop_assert!(!claim.reasons.is_empty());
        let mut nulls = BTreeSet::new();
        collect_nulls("", &serde_json::to_value(&judgement).unwrap(), &mut nulls);
        nulls.retain(|key| !MAY_BE_NULL.contains(&key.as_str()));
        prop_assert!(nulls.is_empty(), "{nulls:?}");
    }
}

#[test]
fn a_step_time_that_is_no_number_is_never_dropped_silently() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut speedups = SPEEDUPS;
        speedups[0] = bad;
        let judgement = judged(&killed_below(1.0), &samples(&speedups));
        let speedup = &judgement.metrics["speedup"];
        assert_eq!((speedup.values.len(), speedup.values[0]), (10, None));
        let bounds = judgement.claims["faster"].conditions[0].comparisons[0].bounds;
        // Counted adversely: as the lowest in the lower bound, as the highest in the upper one.
        assert_eq!((bounds.lower, bounds.upper), (Some(1.17), Some(1.30)));
    }
}

#[test]
fn one_session_is_undetermined() {
    let mut declaration = killed_below(1.0);
    declaration.protocol.sessions = 1;
    let judgement = judged(&declaration, &samples(&[1.2]));
    let cause = UndeterminedCause::TooFewSessions;
    let reasons = [Reason::Undetermined {
        condition: 0,
        cause,
    }];
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    assert_eq!(judgement.metrics["speedup"].cv, None);
}

#[test]
fn a_constant_that_floating_point_cannot_hold_is_degenerate_and_not_of_zero_width() {
    // Ten times 0.1 has a standard deviation of 1.7e-17 in floating point.
    let judgement = judged(&killed_below(0.05), &samples(&[0.1; 10]));
    let metric = &judgement.metrics["speedup"];
    assert!(metric.degenerate);
    assert_eq!((metric.order_statistic, metric.cv), (None, Some(0.0)));
    let comparison = &judgement.claims["faster"].conditions[0].comparisons[0];
    assert_eq!(comparison.cause, Some(UndeterminedCause::Degenerate));
    assert_eq!((comparison.p_true, comparison.p_false), (None, None));
}
