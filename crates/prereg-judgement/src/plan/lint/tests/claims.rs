use prereg_declaration::{Comparison, Statistic};

use super::*;
use crate::example::step_time;

fn speedup(operator: Comparison, threshold: f64) -> Condition {
    compare("speedup", operator, threshold)
}

fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

#[test]
fn a_threshold_at_zero_of_a_positive_metric_is_refused() {
    let finding = only(&with_kills(vec![speedup(Comparison::Less, 0.0)], 1.2, 1.0));
    let message = finding.to_string();
    assert!(message.contains("`speedup` is always above 0"), "{message}");
    assert!(
        message.ends_with("that would do: `speedup < 1.1`"),
        "{message}"
    );
    let never_true = only(&with_kills(
        vec![speedup(Comparison::LessOrEqual, -1.0)],
        1.2,
        1.0,
    ));
    assert!(matches!(never_true, LintFinding::NeverTrue { .. }));
    let never_false = only(&with_kills(
        vec![speedup(Comparison::Greater, 0.0)],
        1.2,
        1.0,
    ));
    assert!(matches!(never_false, LintFinding::NeverFalse { .. }));
}

#[test]
fn the_nearest_threshold_that_a_message_names_is_accepted() {
    let finding = only(&with_kills(vec![speedup(Comparison::Less, 0.0)], 1.2, 1.0));
    let LintFinding::NeverTrue { nearest, .. } = finding else {
        panic!("{finding:?}")
    };
    assert_eq!(nearest.as_deref(), Some("speedup < 1.1"));
    assert_eq!(
        lint(&with_kills(vec![speedup(Comparison::Less, 1.1)], 1.2, 1.0)),
        []
    );
}

#[test]
fn a_contradiction_is_refused() {
    let both = Condition::And(vec![
        speedup(Comparison::Less, 1.0),
        speedup(Comparison::Greater, 1.1),
    ]);
    let finding = only(&with_kills(vec![both], 1.2, 1.0));
    assert!(
        matches!(finding, LintFinding::NeverTrue { .. }),
        "{finding:?}"
    );
}

#[test]
fn a_tautology_is_refused() {
    let either = Condition::Or(vec![
        speedup(Comparison::Less, 1.0),
        speedup(Comparison::GreaterOrEqual, 1.0),
    ]);
    let finding = only(&with_kills(vec![either], 1.2, 1.0));
    assert!(
        matches!(finding, LintFinding::NeverFalse { .. }),
        "{finding:?}"
    );
}

#[test]
fn a_contradiction_between_two_names_of_one_number_is_refused() {
    let mut declaration = with_kills(
        vec![Condition::And(vec![
            speedup(Comparison::Less, 1.0),
            compare("twice", Comparison::Greater, 2.5),
        ])],
        1.2,
        0.9,
    );
    let twice = Number::Binary(
        prereg_declaration::Arithmetic::Multiply,
        Box::new(literal(2.0)),
        Box::new(Number::Metric("speedup".to_owned())),
    );
    declaration
        .metrics
        .insert("twice".to_owned(), metric(twice));
    let finding = only(&declaration);
    assert!(
        matches!(finding, LintFinding::NeverTrue { .. }),
        "{finding:?}"
    );
}

#[test]
fn conditions_that_leave_no_room_to_pass_are_refused() {
    let kills = vec![
        speedup(Comparison::Less, 1.1),
        speedup(Comparison::GreaterOrEqual, 1.1),
    ];
    let finding = only(&with_kills(kills, 1.2, 1.0));
    assert!(
        matches!(finding, LintFinding::AlwaysKilled { .. }),
        "{finding:?}"
    );
}

#[test]
fn a_ratio_that_order_alone_decides_is_refused() {
    let mut declaration = with_kills(vec![compare("tail", Comparison::Less, 1.0)], 1.2, 0.9);
    let ratio = Number::Binary(
        prereg_declaration::Arithmetic::Divide,
        Box::new(step_time(Statistic::Quantile(0.9), "eager")),
        Box::new(step_time(Statistic::Median, "eager")),
    );
    declaration.metrics.insert("tail".to_owned(), metric(ratio));
    let message = only(&declaration).to_string();
    assert!(message.contains("`tail` is always at least 1"), "{message}");
}

#[test]
fn expected_inside_the_kill_region_is_refused() {
    let finding = only(&with_kills(vec![speedup(Comparison::Less, 1.15)], 1.1, 1.0));
    let message = finding.to_string();
    assert!(matches!(finding, LintFinding::ExpectedIsKilled { .. }));
    assert!(
        message.ends_with("would do: `speedup < 1`") || message.contains("speedup < 1.0"),
        "{message}"
    );
}

#[test]
fn a_rival_inside_the_pass_region_is_refused() {
    let finding = only(&with_kills(vec![speedup(Comparison::Less, 1.15)], 1.3, 1.2));
    let message = finding.to_string();
    assert!(matches!(finding, LintFinding::RivalSurvives { .. }));
    assert!(message.contains("`speedup < 1.25`"), "{message}");
}

#[test]
fn a_negated_condition_is_refused_in_the_same_words() {
    let plain = with_kills(vec![speedup(Comparison::Less, 2.0)], 1.1, 1.0);
    let negated = with_kills(
        vec![not(speedup(Comparison::GreaterOrEqual, 2.0))],
        1.1,
        1.0,
    );
    let without_source = |declaration: &Declaration| {
        let message = only(declaration).to_string();
        message.replace(
            &declaration.claims["faster"].kill[0].source,
            "the condition",
        )
    };
    assert_eq!(without_source(&plain), without_source(&negated));
}

#[test]
fn a_metric_of_constants_is_refused() {
    let mut declaration = declaration();
    declaration
        .metrics
        .insert("speedup".to_owned(), metric(literal(1.2)));
    let findings = lint(&declaration);
    assert!(
        matches!(findings.first(), Some(LintFinding::NothingMeasured { .. })),
        "{findings:?}"
    );
}
