use prereg_declaration::Workload;
use prereg_units::{Dimension, Quantity};

use super::*;
use crate::example::{declaration, step_time};

fn literal(value: f64) -> Number {
    Number::Literal(Quantity::new(value, Dimension::NONE).unwrap())
}

fn binary(operator: Arithmetic, left: Number, right: Number) -> Number {
    Number::Binary(operator, Box::new(left), Box::new(right))
}

fn column(name: &str, statistic: Statistic) -> Number {
    let column = Column {
        name: name.to_owned(),
        arm: None,
        dimension: Dimension::TIME,
    };
    Number::OverSteps(statistic, column)
}

fn eager(statistic: Statistic) -> Number {
    step_time(statistic, "eager")
}

fn range(number: &Number) -> Range {
    let declaration = declaration();
    let mut numbers = Numbers::new(&declaration, BTreeMap::new());
    let terms = numbers.terms(number);
    numbers.range(&terms)
}

fn difference(left: Number, right: Number) -> Range {
    range(&binary(Arithmetic::Subtract, left, right))
}

fn ratio(left: Number, right: Number) -> Range {
    range(&binary(Arithmetic::Divide, left, right))
}

/// Whether a difference can have either sign.
fn goes_both_ways(difference: Range) -> bool {
    difference.contains(-1.0) && difference.contains(1.0)
}

#[test]
fn times_are_positive_and_so_are_their_products_sums_and_ratios() {
    let [a, b] = ["eager", "graph"].map(|arm| step_time(Statistic::Median, arm));
    for operator in [Arithmetic::Add, Arithmetic::Multiply, Arithmetic::Divide] {
        assert!(range(&binary(operator, a.clone(), b.clone())).is_positive());
    }
    assert!(goes_both_ways(difference(a, b)));
}

#[test]
fn no_step_takes_longer_than_the_time_out_of_its_session() {
    let step = range(&eager(Statistic::Max));
    assert!(step.contains(599.0) && !step.contains(601.0), "{step:?}");
}

#[test]
fn what_the_protocol_fixes_has_one_value() {
    // One step a slot.
    assert_eq!(range(&eager(Statistic::Count)).single(), Some(1.0));
    let tokens = Column {
        name: "tokens".to_owned(),
        arm: Some("eager".to_owned()),
        dimension: Dimension::TOKENS,
    };
    let tokens = Number::OverSteps(Statistic::Sum, tokens);
    assert_eq!(range(&tokens).single(), Some(1.0));
}

/// The range of a number where a program reports the steps, and `delta` among its columns.
fn of_a_program(statistic: Statistic, name: &str) -> Range {
    let mut declaration = declaration();
    declaration.workload = Workload::Command(Box::new(Command {
        words: vec!["meter".to_owned()],
        reader: prereg_declaration::Reader::Lines,
        inputs: Vec::new(),
        environment: BTreeMap::new(),
        columns: BTreeMap::from([(
            "delta".to_owned(),
            prereg_declaration::DeclaredColumn {
                unit: String::new(),
                dimension: Dimension::NONE,
            },
        )]),
        telemetry: BTreeMap::new(),
        pins: BTreeMap::new(),
        facts: BTreeMap::new(),
        probe: None,
        slot_time: std::time::Duration::from_secs(1),
    }));
    let column = Column {
        name: name.to_owned(),
        arm: Some("eager".to_owned()),
        dimension: Dimension::NONE,
    };
    let mut numbers = Numbers::new(&declaration, BTreeMap::new());
    let terms = numbers.terms(&Number::OverSteps(statistic, column));
    numbers.range(&terms)
}

#[test]
fn a_program_may_report_fewer_values_than_steps_and_any_number_of_tokens() {
    assert_eq!(
        of_a_program(Statistic::Count, "step_time"),
        Range::between(0.0, 1.0)
    );
    assert_eq!(
        of_a_program(Statistic::Median, "tokens"),
        Range::NON_NEGATIVE
    );
}

#[test]
fn a_column_of_a_programs_own_may_be_negative() {
    assert_eq!(of_a_program(Statistic::Min, "delta"), Range::REAL);
    assert_eq!(of_a_program(Statistic::Cv, "delta"), Range::NON_NEGATIVE);
    assert!(of_a_program(Statistic::Min, "step_time").is_positive());
}

#[test]
fn shares_of_time_lie_between_nothing_and_all() {
    for name in ["steal", "cpu_pressure"] {
        assert_eq!(
            range(&column(name, Statistic::Max)),
            Range::between(0.0, 1.0)
        );
    }
}

#[test]
fn statistics_of_one_column_are_ordered() {
    let ordered = [
        Statistic::Min,
        Statistic::Quantile(0.1),
        Statistic::Median,
        Statistic::Quantile(0.9),
        Statistic::Max,
    ];
    for (i, smaller) in ordered.into_iter().enumerate() {
        for greater in &ordered[i + 1..] {
            let gap = difference(eager(smaller), eager(*greater));
            assert!(
                gap.contains(0.0) && !gap.contains(1e-9),
                "{smaller:?} {greater:?}"
            );
            assert_eq!(ratio(eager(smaller), eager(*greater)), Range::FRACTION);
            assert_eq!(ratio(eager(*greater), eager(smaller)), Range::AT_LEAST_ONE);
        }
    }
}

#[test]
fn the_mean_lies_between_the_ends_and_on_no_side_of_the_median() {
    assert!(!difference(eager(Statistic::Mean), eager(Statistic::Max)).contains(1.0));
    assert!(!difference(eager(Statistic::Min), eager(Statistic::Mean)).contains(1.0));
    assert!(goes_both_ways(difference(
        eager(Statistic::Mean),
        eager(Statistic::Median)
    )));
}

#[test]
fn statistics_of_two_columns_are_not_ordered() {
    let other = step_time(Statistic::Max, "graph");
    assert!(goes_both_ways(difference(
        eager(Statistic::Min),
        other.clone()
    )));
    let ratio = ratio(eager(Statistic::Min), other);
    assert!(ratio.contains(0.5) && ratio.contains(2.0));
}

#[test]
fn a_reading_that_may_be_zero_keeps_its_order() {
    let [least, most] = [Statistic::Min, Statistic::Max].map(|s| column("sm_clock", s));
    let gap = difference(least, most);
    assert!(gap.contains(0.0) && gap.contains(-1.0) && !gap.contains(1.0));
}

#[test]
fn order_holds_within_products_and_sums() {
    let scaled = |statistic| {
        binary(
            Arithmetic::Multiply,
            eager(statistic),
            step_time(Statistic::Mean, "graph"),
        )
    };
    let more = binary(Arithmetic::Add, scaled(Statistic::Max), literal(1.0));
    let gap = difference(scaled(Statistic::Min), more);
    assert!(!gap.contains(-0.5) && gap.contains(-1.0));
}

#[test]
fn a_number_by_itself_is_one() {
    assert_eq!(
        ratio(eager(Statistic::Median), eager(Statistic::Median)).single(),
        Some(1.0)
    );
    let sum = binary(
        Arithmetic::Add,
        eager(Statistic::Median),
        step_time(Statistic::Median, "graph"),
    );
    assert_eq!(ratio(sum.clone(), sum).single(), Some(1.0));
}

#[test]
fn a_spread_relative_to_the_mean_has_a_greatest_value_within_a_slot() {
    let cv = range(&eager(Statistic::Cv));
    assert!(cv.contains(0.0) && cv.contains(1.0) && !cv.contains(1.01));
}

#[test]
fn sessions_are_counted_from_the_fewest_that_decide() {
    let declaration = declaration();
    let mut numbers = Numbers::new(&declaration, BTreeMap::from([("speedup", 9)]));
    let mut count = |metric: &str| {
        let number = Number::OverSessions(Statistic::Count, metric.to_owned());
        let terms = numbers.terms(&number);
        numbers.range(&terms)
    };
    assert_eq!(count("speedup"), Range::between(9.0, 10.0));
    assert_eq!(count("eager_step"), Range::between(0.0, 10.0));
}

#[test]
fn metrics_that_double_forty_times_are_still_read() {
    let mut declaration = declaration();
    let step = declaration.metrics["eager_step"].clone();
    for depth in 1..40 {
        let below = match depth {
            1 => Number::Metric("eager_step".to_owned()),
            _ => Number::Metric(format!("m{}", depth - 1)),
        };
        let sum = binary(Arithmetic::Add, below.clone(), literal(1.0));
        let mut metric = step.clone();
        metric.expression = binary(Arithmetic::Multiply, sum, below);
        declaration.metrics.insert(format!("m{depth}"), metric);
    }
    let mut numbers = Numbers::new(&declaration, BTreeMap::new());
    let terms = numbers.metric("m39");
    assert!(!numbers.range(&terms).contains(-1.0));
}
