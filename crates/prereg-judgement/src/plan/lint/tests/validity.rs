use prereg_declaration::{CalibratedRange, Comparison, Control, Statistic};

use super::*;
use crate::example::step_time;
use crate::plan::NearestPlan;
use crate::plan::power::{LEAST_FALSIFIED, LEAST_PASS};

/// A pair of arms that are declared alike, with this spread of their quotient.
fn with_control(within: f64, spread: f64) -> Declaration {
    let mut declaration = declaration();
    let quotient = Number::Binary(
        prereg_declaration::Arithmetic::Divide,
        Box::new(step_time(Statistic::Median, "eager")),
        Box::new(step_time(Statistic::Median, "again")),
    );
    let metrics = &mut declaration.metrics;
    metrics.insert("twice".to_owned(), metric(quotient));
    let assumed = &mut declaration.inference.assumed_cv;
    assumed.insert("twice".to_owned(), spread);
    let metric = "twice".to_owned();
    let control = Control { metric, within };
    declaration.controls.insert("aa".to_owned(), control);
    declaration
}

fn with_range(metric: &str, from: Quantity, to: Quantity) -> Declaration {
    let mut declaration = declaration();
    let range = CalibratedRange { from, to };
    declaration
        .calibrated_range
        .insert(metric.to_owned(), range);
    declaration
}

fn seconds(value: f64) -> Quantity {
    Quantity::new(value, Dimension::TIME).unwrap()
}

#[test]
fn a_control_that_leaves_room_for_its_spread_is_accepted() {
    assert_eq!(lint(&with_control(0.05, 0.01)), []);
}

#[test]
fn a_control_that_is_rarely_held_is_refused_with_the_sessions_that_would_do() {
    let declaration = with_control(0.01, 0.02);
    let findings = lint(&declaration);
    let Some(LintFinding::CannotLose {
        probability,
        nearest: Some(NearestPlan::Sessions { sessions }),
        ..
    }) = findings.first()
    else {
        panic!("{findings:?}")
    };
    assert!(*probability < LEAST_FALSIFIED && *sessions > 10);
    assert!(
        findings
            .iter()
            .any(|finding| matches!(finding, LintFinding::CannotWin { probability, .. } if *probability < LEAST_PASS)),
        "{findings:?}"
    );
}

#[test]
fn a_control_that_no_number_of_sessions_holds_is_named() {
    let findings = lint(&with_control(1e-6, 0.02));
    let Some(LintFinding::CannotLose {
        nearest: Some(NearestPlan::Wider { place }),
        ..
    }) = findings.first()
    else {
        panic!("{findings:?}")
    };
    assert_eq!(place, "control `aa`");
    let message = findings[0].to_string();
    assert!(
        message.ends_with("with control `aa` wide enough it would do"),
        "{message}"
    );
}

#[test]
fn a_control_of_what_is_always_one_is_refused() {
    let mut declaration = with_control(0.01, 0.01);
    declaration
        .metrics
        .insert("twice".to_owned(), metric(literal(1.0)));
    let finding = only(&declaration);
    assert!(
        matches!(finding, LintFinding::CannotFail { .. }),
        "{finding:?}"
    );
    let message = finding.to_string();
    assert!(
        message.starts_with("control `aa` can never be left: `twice` is always 1;"),
        "{message}"
    );
}

#[test]
fn a_control_without_an_assumed_spread_is_a_finding() {
    let mut declaration = with_control(0.05, 0.01);
    declaration.inference.assumed_cv.remove("twice");
    let finding = only(&declaration);
    assert!(matches!(finding, LintFinding::Power { .. }), "{finding:?}");
}

#[test]
fn a_range_that_can_be_left_and_held_is_accepted() {
    let declaration = with_range("eager_step", seconds(1e-3), seconds(2e-2));
    assert_eq!(lint(&declaration), []);
}

#[test]
fn a_range_that_every_value_lies_in_is_refused() {
    // No step takes longer than the time-out of ten minutes.
    let finding = only(&with_range("eager_step", seconds(0.0), seconds(601.0)));
    let message = finding.to_string();
    assert!(
        matches!(finding, LintFinding::CannotFail { .. }),
        "{finding:?}"
    );
    assert!(
        message.starts_with("the calibrated range of `eager_step` can never be left"),
        "{message}"
    );
}

#[test]
fn a_range_that_no_value_lies_in_is_refused() {
    let finding = only(&with_range("eager_step", seconds(-2.0), seconds(-1.0)));
    assert!(
        matches!(finding, LintFinding::CannotHold { .. }),
        "{finding:?}"
    );
}

#[test]
fn a_range_that_leaves_out_one_of_a_claims_answers_is_refused() {
    // Expected 1.25, rival 1.02.
    let finding = only(&with_range("speedup", plain(1.1), plain(2.0)));
    assert!(
        matches!(finding, LintFinding::SparesRival { .. }),
        "{finding:?}"
    );
    let finding = only(&with_range("speedup", plain(0.5), plain(1.2)));
    assert!(
        matches!(finding, LintFinding::BarsExpected { .. }),
        "{finding:?}"
    );
}

#[test]
fn a_range_that_costs_the_power_is_named() {
    // At a spread of 3 % one of ten sessions lies below 1.00 in most runs where 1.02 is true.
    let findings = lint(&with_range("speedup", plain(1.0), plain(2.0)));
    let Some(LintFinding::CannotLose {
        nearest: Some(NearestPlan::Wider { place }),
        ..
    }) = findings.first()
    else {
        panic!("{findings:?}")
    };
    assert_eq!(place, "the calibrated range of `speedup`");
}

#[test]
fn a_census_is_not_told_to_have_other_sessions() {
    let mut declaration = with_kills(vec![compare("speedup", Comparison::Less, 1.15)], 1.20, 1.10);
    declaration.inference.interval = prereg_declaration::Interval::Census;
    let findings = lint(&declaration);
    let Some(LintFinding::CannotLose { nearest, .. }) = findings.first() else {
        panic!("{findings:?}")
    };
    assert!(
        !matches!(nearest, Some(NearestPlan::Sessions { .. })),
        "{nearest:?}"
    );
}
