//! Expressions printed from their checked tree read back as the same tree.

#![expect(clippy::unwrap_used, reason = "a test ends where its input is wrong")]

use std::fs;
use std::path::Path;

use prereg_declaration::{
    Arithmetic, Column, Comparison, Condition, ConstantName, Declaration, Number, Predicate,
    Statistic, Targets, check,
};
use prereg_units::{Dimension, Quantity};
use proptest::prelude::*;

/// A declaration on `cpu` with the arms `eager` and `graphed`, 1000 steps a slot, the metrics `t` (a time) and `r` (a
/// plain number), and the expressions to try.
fn declaration(metric: &str, gate: &str, kill: &str) -> Declaration {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/declarations/targets.toml");
    let targets = Targets::parse("targets.toml", &fs::read(targets).unwrap()).unwrap();
    let toml = format!(
        r#"
schema = "prereg/1"
id = "e"
title = "e"
data-seen = "none"
targets = ["cpu"]
baseline = "eager"
workload = {{ kind = "decode", model = "m", weights = "random", plan = "fused", context = 1 }}
protocol = {{ sessions = 9, order = "mirror", warmup-steps = 0, measured-steps = 2000, sync = "per-step", seed = "s", threads = 1 }}
inference = {{ assumed-cv = {{ t = 0.1, r = 0.1 }} }}
arms = {{ eager = {{ launch = "eager" }}, graphed = {{ launch = "graph" }} }}

[metrics]
t = "median(step_time[eager])"
r = "t / median(step_time[graphed])"
tried = "{metric}"

[gates]
tried = {{ each-session = "{gate}", otherwise = "abstain" }}

[claims.c]
text = "c"
on = ["cpu"]
expected = {{ t = "1 s", r = 1 }}
rival = {{ t = "2 s", r = 2 }}
kill = ["t < 1 s or r < 1", "{kill}"]
"#
    );
    match check("tried.toml", toml.as_bytes(), &targets) {
        Ok(declaration) => declaration,
        Err(problems) => panic!("{problems}"),
    }
}

fn quantity(dimension: Dimension) -> impl Strategy<Value = Quantity> {
    let value = prop_oneof![
        1e-12..1e12_f64,
        Just(1.0),
        Just(0.1),
        Just(f64::MIN_POSITIVE),
        Just(f64::MAX)
    ];
    value.prop_map(move |value| Quantity::new(value, dimension).unwrap())
}

fn statistic() -> impl Strategy<Value = Statistic> {
    prop_oneof![
        Just(Statistic::Median),
        Just(Statistic::Mean),
        Just(Statistic::Min),
        Just(Statistic::Max),
        Just(Statistic::Sd),
        Just(Statistic::Sum),
        (0.01..0.99_f64).prop_map(Statistic::Quantile),
    ]
}

fn arm() -> impl Strategy<Value = String> {
    prop_oneof![Just("eager".to_owned()), Just("graphed".to_owned())]
}

fn time_leaf() -> BoxedStrategy<Number> {
    let column = |arm| Column {
        name: "step_time".to_owned(),
        arm: Some(arm),
        dimension: Dimension::TIME,
    };
    prop_oneof![
        quantity(Dimension::TIME).prop_map(Number::Literal),
        Just(Number::Metric("t".to_owned())),
        (statistic(), arm())
            .prop_map(move |(statistic, arm)| Number::OverSteps(statistic, column(arm))),
    ]
    .boxed()
}

fn plain_leaf() -> BoxedStrategy<Number> {
    let launches = |arm| ConstantName {
        name: "launches".to_owned(),
        arm: Some(arm),
    };
    let bandwidth = Column {
        name: "read_bandwidth".to_owned(),
        arm: None,
        dimension: Dimension::BANDWIDTH,
    };
    let unsteady = |arm| Column {
        name: "step_time".to_owned(),
        arm: Some(arm),
        dimension: Dimension::TIME,
    };
    prop_oneof![
        quantity(Dimension::NONE).prop_map(Number::Literal),
        Just(Number::Metric("r".to_owned())),
        arm().prop_map(move |arm| Number::OverSteps(Statistic::Unsteadiness, unsteady(arm))),
        Just(Number::OverSteps(Statistic::Cv, bandwidth)),
        arm().prop_map(move |arm| Number::Constant(launches(arm))),
    ]
    .boxed()
}

fn binary(operator: Arithmetic, left: Number, right: Number) -> Number {
    Number::Binary(operator, Box::new(left), Box::new(right))
}

fn sum_or_difference() -> impl Strategy<Value = Arithmetic> {
    prop_oneof![Just(Arithmetic::Add), Just(Arithmetic::Subtract)]
}

/// A time and a plain number, of `depth` levels at most.
fn numbers(depth: u32) -> (BoxedStrategy<Number>, BoxedStrategy<Number>) {
    if depth == 0 {
        return (time_leaf(), plain_leaf());
    }
    let (time, plain) = numbers(depth - 1);
    let times = prop_oneof![
        time_leaf(),
        time.clone().prop_map(|part| Number::Negate(Box::new(part))),
        (sum_or_difference(), time.clone(), time.clone()).prop_map(|(op, a, b)| binary(op, a, b)),
        (time.clone(), plain.clone()).prop_map(|(a, b)| binary(Arithmetic::Multiply, a, b)),
        (plain.clone(), time.clone()).prop_map(|(a, b)| binary(Arithmetic::Multiply, a, b)),
        (time.clone(), plain.clone()).prop_map(|(a, b)| binary(Arithmetic::Divide, a, b)),
    ];
    let plains = prop_oneof![
        plain_leaf(),
        plain
            .clone()
            .prop_map(|part| Number::Negate(Box::new(part))),
        (sum_or_difference(), plain.clone(), plain.clone()).prop_map(|(op, a, b)| binary(op, a, b)),
        (time.clone(), time).prop_map(|(a, b)| binary(Arithmetic::Divide, a, b)),
        (plain.clone(), plain).prop_map(|(a, b)| binary(Arithmetic::Multiply, a, b)),
    ];
    (times.boxed(), plains.boxed())
}

fn comparison() -> impl Strategy<Value = Comparison> {
    prop_oneof![
        Just(Comparison::Less),
        Just(Comparison::LessOrEqual),
        Just(Comparison::Greater),
        Just(Comparison::GreaterOrEqual),
    ]
}

fn predicate() -> impl Strategy<Value = Predicate> {
    let (time, plain) = numbers(2);
    let compare = |(op, a, b)| Predicate::Compare(op, Box::new(a), Box::new(b));
    let leaf = prop_oneof![
        (comparison(), time.clone(), time).prop_map(compare),
        (comparison(), plain.clone(), plain).prop_map(compare),
        Just(Predicate::SameLogits(
            "eager".to_owned(),
            "graphed".to_owned()
        )),
    ];
    leaf.prop_recursive(3, 12, 3, |part| {
        prop_oneof![
            prop::collection::vec(part.clone(), 2..4).prop_map(Predicate::And),
            prop::collection::vec(part.clone(), 2..4).prop_map(Predicate::Or),
            part.prop_map(|part| Predicate::Not(Box::new(part))),
        ]
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    let compare = |metric: &'static str, dimension| {
        (comparison(), quantity(dimension), any::<bool>()).prop_map(
            move |(comparison, threshold, negative)| {
                let sign = if negative { -1.0 } else { 1.0 };
                Condition::Compare {
                    metric: metric.to_owned(),
                    comparison,
                    threshold: Quantity::new(sign * threshold.value(), dimension).unwrap(),
                }
            },
        )
    };
    let leaf = prop_oneof![compare("t", Dimension::TIME), compare("r", Dimension::NONE)];
    leaf.prop_recursive(3, 12, 3, |part| {
        prop_oneof![
            prop::collection::vec(part.clone(), 2..4).prop_map(Condition::And),
            prop::collection::vec(part.clone(), 2..4).prop_map(Condition::Or),
            part.prop_map(|part| Condition::Not(Box::new(part))),
        ]
    })
}

proptest! {
    #[test]
    fn a_printed_number_reads_back(number in prop_oneof![numbers(4).0, numbers(4).1]) {
        let read = declaration(&number.to_string(), "t > 0 s", "t < 0 s");
        prop_assert_eq!(&read.metrics["tried"].expression, &number);
    }

    #[test]
    fn a_printed_predicate_reads_back(predicate in predicate()) {
        let printed = predicate.to_string();
        // Longer texts are refused before they are read.
        prop_assume!(printed.len() <= 2_000);
        let read = declaration("t", &printed, "t < 0 s");
        prop_assert_eq!(&read.gates["tried"].predicate, &predicate);
    }

    #[test]
    fn a_printed_condition_reads_back(condition in condition()) {
        let read = declaration("t", "t > 0 s", &condition.to_string());
        prop_assert_eq!(&read.claims["c"].kill[1].condition, &condition);
    }
}

fn printed(metric: &str) -> String {
    declaration(metric, "t > 0 s", "t < 0 s").metrics["tried"]
        .expression
        .to_string()
}

#[test]
fn precedence_is_that_of_rust() {
    assert_eq!(printed("1 + 2 * 3"), "1e0 + 2e0 * 3e0");
    assert_eq!(printed("(1 + 2) * 3"), "(1e0 + 2e0) * 3e0");
    assert_eq!(
        printed("r - (r - 1) - (1 - r)"),
        "r - (r - 1e0) - (1e0 - r)"
    );
    assert_eq!(printed("r / r / r * r"), "r / r / r * r");
    assert_eq!(printed("-r * 2 - -r"), "-r * 2e0 - -r");
    let gate = |text: &str| {
        declaration("t", text, "t < 0 s").gates["tried"]
            .predicate
            .to_string()
    };
    assert_eq!(
        gate("r < 1 or r < 2 and r < 3"),
        "r < 1e0 or r < 2e0 and r < 3e0"
    );
    assert_eq!(
        gate("(r < 1 or r < 2) and r < 3"),
        "(r < 1e0 or r < 2e0) and r < 3e0"
    );
    assert_eq!(gate("not (r < 1) and r < 2"), "not (r < 1e0) and r < 2e0");
}

#[test]
fn brackets_around_a_group_of_the_same_word_are_kept() {
    let kill = |text: &str| {
        declaration("t", "t > 0 s", text).claims["c"].kill[1]
            .condition
            .to_string()
    };
    assert_eq!(
        kill("t < 1 s or (r < 1 or r < 2)"),
        "t < 1e0 s or (r < 1e0 or r < 2e0)"
    );
    assert_eq!(
        kill("t < 1 s or r < 1 or r < 2"),
        "t < 1e0 s or r < 1e0 or r < 2e0"
    );
}

#[test]
fn units_stand_with_or_without_a_space_and_spell_one_quantity() {
    for text in [
        "t - 22 us",
        "t - 22us",
        "t - 0.022 ms",
        "t - 0.000022 s",
        "t - 22\u{b5}s",
    ] {
        assert_eq!(printed(text), "t - 2.2e-5 s", "{text}");
    }
    assert_eq!(printed("75 % * r"), "7.5e-1 * r");
    assert_eq!(printed("2 1/s * t"), "2e0 1/s * t");
    assert_eq!(printed("1 GB/s * t / 1 B"), "1e9 B/s * t / 1e0 B");
    assert_eq!(printed("1 s/2"), "1e0 s / 2e0");
}
