use prereg_declaration::{Comparison, Estimand, Interval, Statistic};

use super::*;
use crate::plan::NearestPlan;

fn with_spread(spread: f64) -> Declaration {
    let mut declaration = declaration();
    let assumed = &mut declaration.inference.assumed_cv;
    assumed.insert("speedup".to_owned(), spread);
    declaration
}

fn steady(limit: f64) -> Predicate {
    let spread = Number::OverSessions(Statistic::Cv, "speedup".to_owned());
    Predicate::Compare(
        Comparison::LessOrEqual,
        Box::new(spread),
        Box::new(literal(limit)),
    )
}

#[test]
fn a_plan_without_power_is_refused_with_the_number_that_would_do() {
    let mut declaration = with_spread(0.12);
    let findings = lint(&declaration);
    let [
        LintFinding::CannotLose {
            probability: lose,
            nearest: Some(NearestPlan::Sessions { sessions }),
            ..
        },
        LintFinding::CannotWin {
            probability: win, ..
        },
    ] = &findings[..]
    else {
        panic!("{findings:?}")
    };
    assert!(*lose < 0.8 && *win < 0.5 && *sessions > 10);
    let message = findings[0].to_string();
    assert!(
        message.ends_with(&format!("{sessions} sessions would do")),
        "{message}"
    );
    declaration.protocol.sessions = *sessions;
    assert_eq!(lint(&declaration), []);
}

#[test]
fn where_no_number_would_do_the_threshold_that_would_is_named_and_accepted() {
    // The expected value is the threshold itself.
    let declaration = with_kills(vec![compare("speedup", Comparison::Less, 1.2)], 1.2, 1.0);
    let findings = lint(&declaration);
    let Some(LintFinding::CannotWin {
        nearest: Some(NearestPlan::Threshold { condition, .. }),
        ..
    }) = findings.first()
    else {
        panic!("{findings:?}")
    };
    let threshold: f64 = condition
        .strip_prefix("speedup < ")
        .unwrap()
        .parse()
        .unwrap();
    assert!((1.1..1.2).contains(&threshold), "{threshold}");
    let moved = with_kills(
        vec![compare("speedup", Comparison::Less, threshold)],
        1.2,
        1.0,
    );
    assert_eq!(lint(&moved), []);
}

#[test]
fn where_no_threshold_would_do_the_spread_that_would_is_named_and_accepted() {
    let mut declaration = with_spread(2.0);
    let findings = lint(&declaration);
    let Some(LintFinding::CannotLose {
        nearest: Some(NearestPlan::Spread { factor, .. }),
        ..
    }) = findings.first()
    else {
        panic!("{findings:?}")
    };
    declaration = with_spread(2.0 * factor);
    assert_eq!(lint(&declaration), []);
}

#[test]
fn two_sessions_are_refused_with_the_fewest_that_give_a_bound() {
    let mut declaration = declaration();
    declaration.protocol.sessions = 2;
    let finding = only(&declaration);
    assert!(
        matches!(
            finding,
            LintFinding::TooFewSessions {
                units: 2,
                needed: 5,
                sessions: Some(5),
                ..
            }
        ),
        "{finding:?}"
    );
    let message = finding.to_string();
    assert!(
        message.ends_with("5 sessions are the fewest that give one, 5 sessions would do"),
        "{message}"
    );
}

#[test]
fn the_fewest_sessions_follow_the_interval_and_the_level_of_each_condition() {
    let needed = |declaration: &Declaration| match lint(declaration).first() {
        Some(LintFinding::TooFewSessions { needed, alpha, .. }) => Some((*needed, *alpha)),
        _ => None,
    };
    let mut two_sided = with_kills(
        vec![
            compare("speedup", Comparison::Less, 0.95),
            compare("speedup", Comparison::Greater, 1.05),
        ],
        1.0,
        1.2,
    );
    two_sided.protocol.sessions = 5;
    assert_eq!(needed(&two_sided), Some((6, 0.025)));
    let mut blocks = declaration();
    (blocks.protocol.sessions, blocks.protocol.blocks) = (20, 4);
    assert_eq!(needed(&blocks), Some((5, 0.05)));
    let mut student = declaration();
    student.inference.interval = Interval::StudentT;
    student.inference.estimand = Estimand::GeometricMean;
    student.protocol.sessions = 4;
    assert_eq!(needed(&student), Some((5, 0.05)));
}

#[test]
fn a_gate_that_costs_the_power_is_named() {
    // At the assumed spread of 3 % about one run in two is this steady.
    let declaration = across_sessions(steady(0.03));
    let finding = only(&declaration);
    let LintFinding::CannotLose {
        probability,
        nearest: Some(NearestPlan::WithoutGate { gate }),
        ..
    } = &finding
    else {
        panic!("{finding:?}")
    };
    assert!((0.4..0.7).contains(probability), "{probability}");
    assert_eq!(gate, "guard");
    let message = finding.to_string();
    assert!(
        message.contains("without gate `guard` it would do"),
        "{message}"
    );
}

#[test]
fn a_gate_that_leaves_room_for_the_assumed_spread_is_accepted() {
    assert_eq!(lint(&across_sessions(steady(0.05))), []);
}

#[test]
fn an_exclusion_so_strict_that_few_sessions_are_left_is_refused() {
    // Half of the sessions lie below the expected median, and ten sessions bear one missing.
    let at_least_expected =
        crate::example::at_least(Number::Metric("speedup".to_owned()), 1.01, Dimension::NONE);
    let declaration = with_gate(gate(
        Scope::EachSession,
        at_least_expected,
        Outcome::Exclude,
    ));
    let findings = lint(&declaration);
    let Some(LintFinding::CannotLose {
        probability,
        nearest: Some(NearestPlan::WithoutGate { gate }),
        ..
    }) = findings.first()
    else {
        panic!("{findings:?}")
    };
    assert!(*probability < 0.1, "{probability}");
    assert_eq!(gate, "guard");
}

#[test]
fn a_missing_spread_is_a_finding() {
    let mut declaration = declaration();
    declaration.inference.assumed_cv.clear();
    let finding = only(&declaration);
    assert!(matches!(finding, LintFinding::Power { .. }), "{finding:?}");
    let json = serde_json::to_string(&finding).unwrap();
    assert!(json.contains("no assumed spread"), "{json}");
}
