use prereg_declaration::{Arithmetic, Comparison, Metric, Outcome, Scope, Statistic};
use prereg_units::Dimension;

use super::*;
use crate::example::{at_least, claim, clock, compare, declaration, gate, step_time};

fn with_kills(kills: Vec<Condition>, expected: f64, rival: f64) -> Declaration {
    let mut declaration = declaration();
    declaration
        .claims
        .insert("faster".to_owned(), claim(kills, expected, rival));
    declaration
}

fn with_gate(scope: Scope, predicate: Predicate) -> Declaration {
    let mut declaration = declaration();
    declaration
        .gates
        .insert("guard".to_owned(), gate(scope, predicate, Outcome::Abstain));
    declaration
}

fn speedup(operator: Comparison, threshold: f64) -> Condition {
    compare("speedup", operator, threshold)
}

fn guard() -> String {
    "guard".to_owned()
}

#[test]
fn a_plan_that_can_lose_and_win_has_no_findings() {
    assert_eq!(lint(&declaration()), []);
}

#[test]
fn a_threshold_that_a_ratio_of_times_cannot_reach_is_refused() {
    for (operator, threshold) in [(Comparison::Less, 0.0), (Comparison::LessOrEqual, -1.0)] {
        let findings = lint(&with_kills(vec![speedup(operator, threshold)], 1.2, 1.0));
        assert!(
            matches!(&findings[..], [LintFinding::NeverTrue { .. }]),
            "{findings:?}"
        );
    }
    let findings = lint(&with_kills(
        vec![speedup(Comparison::Greater, 0.0)],
        1.2,
        1.0,
    ));
    assert!(
        matches!(&findings[..], [LintFinding::NeverFalse { .. }]),
        "{findings:?}"
    );
}

#[test]
fn a_contradiction_within_a_condition_is_refused() {
    let both = Condition::And(vec![
        speedup(Comparison::Less, 1.0),
        speedup(Comparison::Greater, 1.1),
    ]);
    let findings = lint(&with_kills(vec![both], 1.2, 1.0));
    assert!(
        matches!(&findings[..], [LintFinding::NeverTrue { .. }]),
        "{findings:?}"
    );
}

#[test]
fn conditions_that_leave_no_room_to_pass_are_refused() {
    let kills = vec![
        speedup(Comparison::Less, 1.1),
        speedup(Comparison::GreaterOrEqual, 1.1),
    ];
    let findings = lint(&with_kills(kills, 1.2, 1.0));
    assert_eq!(
        findings,
        [LintFinding::AlwaysKilled {
            claim: "faster".to_owned()
        }]
    );
}

#[test]
fn expected_and_rival_values_on_the_wrong_side_are_refused() {
    let findings = lint(&with_kills(vec![speedup(Comparison::Less, 1.15)], 1.1, 1.2));
    let claim = || "faster".to_owned();
    let expected = [
        LintFinding::ExpectedIsKilled { claim: claim() },
        LintFinding::RivalSurvives { claim: claim() },
    ];
    assert_eq!(findings, expected);
}

#[test]
fn a_metric_of_constants_is_refused() {
    let mut declaration = declaration();
    let expression = Number::Literal(crate::example::plain(1.2));
    let metric = Metric {
        source: "1.2".to_owned(),
        expression,
        dimension: Dimension::NONE,
    };
    declaration.metrics.insert("speedup".to_owned(), metric);
    let findings = lint(&declaration);
    assert!(
        matches!(&findings[..], [LintFinding::NothingMeasured { .. }]),
        "{findings:?}"
    );
}

#[test]
fn gates_that_can_never_fail_are_refused() {
    let cv = || Number::OverSessions(Statistic::Cv, "speedup".to_owned());
    let never_below_zero = at_least(cv(), 0.0, Dimension::NONE);
    let findings = lint(&with_gate(Scope::AcrossSessions, never_below_zero));
    assert_eq!(findings, [LintFinding::GateNeverFails { gate: guard() }]);
    let either = Predicate::Or(vec![
        at_least(cv(), 0.02, Dimension::NONE),
        Predicate::Not(Box::new(at_least(cv(), 0.02, Dimension::NONE))),
    ]);
    let findings = lint(&with_gate(Scope::AcrossSessions, either));
    assert_eq!(findings, [LintFinding::GateNeverFails { gate: guard() }]);
}

#[test]
fn gates_that_can_never_hold_are_refused() {
    let negative = Predicate::Not(Box::new(at_least(
        clock(Statistic::Min),
        0.0,
        Dimension::FREQUENCY,
    )));
    let findings = lint(&with_gate(Scope::EachSession, negative));
    assert_eq!(findings, [LintFinding::GateNeverHolds { gate: guard() }]);
}

#[test]
fn gates_on_constants_are_refused() {
    let one = Number::Literal(crate::example::plain(1.0));
    let findings = lint(&with_gate(
        Scope::EachSession,
        at_least(one, 2.0, Dimension::NONE),
    ));
    assert_eq!(findings, [LintFinding::GateOnConstants { gate: guard() }]);
}

#[test]
fn a_gate_that_can_go_both_ways_is_accepted() {
    let difference = Number::Binary(
        Arithmetic::Subtract,
        Box::new(step_time(Statistic::Median, "eager")),
        Box::new(step_time(Statistic::Median, "graph")),
    );
    assert_eq!(
        lint(&with_gate(
            Scope::EachSession,
            at_least(difference, 0.0, Dimension::TIME)
        )),
        []
    );
    let clock = at_least(clock(Statistic::Min), 1e9, Dimension::FREQUENCY);
    assert_eq!(lint(&with_gate(Scope::EachSession, clock)), []);
}

#[test]
fn a_plan_without_power_is_refused_with_the_number_that_would_do() {
    let mut declaration = declaration();
    declaration
        .inference
        .assumed_cv
        .insert("speedup".to_owned(), 0.12);
    let findings = lint(&declaration);
    let [
        LintFinding::CannotLose {
            probability: lose,
            sessions: Some(enough),
            ..
        },
        LintFinding::CannotWin {
            probability: win, ..
        },
    ] = &findings[..]
    else {
        panic!("{findings:?}")
    };
    assert!(*lose < 0.8 && *win < 0.5 && *enough > 10);
    let message = findings[0].to_string();
    assert!(
        message.ends_with(&format!("{enough} sessions would do")),
        "{message}"
    );
    declaration.protocol.sessions = *enough;
    assert_eq!(lint(&declaration), []);
}

#[test]
fn a_missing_spread_is_a_finding() {
    let mut declaration = declaration();
    declaration.inference.assumed_cv.clear();
    let findings = lint(&declaration);
    assert!(
        matches!(&findings[..], [LintFinding::Power { .. }]),
        "{findings:?}"
    );
    let json = serde_json::to_string(&findings[0]).unwrap();
    assert!(json.contains("no assumed spread"), "{json}");
}

#[test]
fn a_gate_that_asks_the_claims_own_question_is_refused() {
    let over = |statistic| Number::OverSessions(statistic, "speedup".to_owned());
    // The rival value is 1.0: below the limit no session counts, so nothing could be falsified.
    for number in [over(Statistic::Median), over(Statistic::Min)] {
        let predicate = at_least(number, 1.1, Dimension::NONE);
        let findings = lint(&with_gate(Scope::AcrossSessions, predicate));
        let spares = LintFinding::GateSparesRival {
            gate: guard(),
            claim: "faster".to_owned(),
        };
        assert_eq!(findings, [spares]);
    }
    let predicate = at_least(Number::Metric("speedup".to_owned()), 1.1, Dimension::NONE);
    let findings = lint(&with_gate(Scope::EachSession, predicate));
    assert!(
        matches!(&findings[..], [LintFinding::GateSparesRival { .. }]),
        "{findings:?}"
    );
}

#[test]
fn a_gate_that_more_sessions_than_planned_would_have_to_pass_is_refused() {
    let count = |least| {
        let number = Number::OverSessions(Statistic::Count, "speedup".to_owned());
        lint(&with_gate(
            Scope::AcrossSessions,
            at_least(number, least, Dimension::NONE),
        ))
    };
    assert_eq!(count(10.0), []);
    let findings = count(11.0);
    assert!(
        matches!(&findings[..], [LintFinding::GateBarsExpected { .. }]),
        "{findings:?}"
    );
}

#[test]
fn a_gate_on_the_spread_of_a_claimed_metric_is_accepted() {
    let spread = Number::OverSessions(Statistic::Cv, "speedup".to_owned());
    let literal = Number::Literal(Quantity::new(0.04, Dimension::NONE).unwrap());
    let predicate =
        Predicate::Compare(Comparison::LessOrEqual, Box::new(spread), Box::new(literal));
    assert_eq!(lint(&with_gate(Scope::AcrossSessions, predicate)), []);
}

#[test]
fn a_limit_below_zero_on_a_time_is_refused() {
    let limit = Number::Literal(Quantity::new(1.0, Dimension::TIME).unwrap());
    let predicate = Predicate::Compare(
        Comparison::Greater,
        Box::new(step_time(Statistic::Min, "eager")),
        Box::new(Number::Negate(Box::new(limit))),
    );
    assert_eq!(
        lint(&with_gate(Scope::EachSession, predicate)),
        [LintFinding::GateNeverFails { gate: guard() }]
    );
}
