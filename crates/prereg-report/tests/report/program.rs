//! What a report must tell of a program, and of a measurement that is worthless.

use std::fs;

use prereg_report::{Templates, render};

use crate::case;
use crate::rendered;

#[test]
fn a_refused_preflight_is_told_whatever_the_templates_say() {
    let folder = tempfile::tempdir().unwrap();
    fs::OpenOptions::new()
        .create_new(true)
        .write(true)
        .open(folder.path().join("report.md.j2"))
        .unwrap();
    let templates = Templates::of_study(folder.path()).unwrap();
    let case = case::command();
    let report = render(&case.input(), &templates).unwrap().markdown;
    assert!(report.contains("The preflight refused 1 of 2 times"));
    assert!(
        report.contains("| 2026-11-30T21:30:00Z | `cpu` | gate \\`meter\\` asks for 40 updates")
    );
}

#[test]
fn a_plan_whose_preflights_all_passed_tells_of_no_refusal() {
    let case = case::command();
    let mut input = case.input();
    input
        .preflights
        .retain(|preflight| preflight.event.refusal.is_none());
    let report = render(&input, &Templates::embedded()).unwrap().markdown;
    assert!(!report.contains("Refused before a run"));
}

#[test]
fn a_fact_that_changed_between_sessions_is_told_with_the_sessions() {
    let report = rendered(&case::command()).markdown;
    assert!(report.contains(
        "| fact `driver` | **NOT the same in every session**: `535.1` in session 0; `535.2` in session 9 |"
    ));
    assert!(report.contains("| fact `python` | `Python 3.11.2`, the same in every session |"));
}

#[test]
fn reported_times_are_called_so_where_they_stand_and_in_the_opening() {
    let report = rendered(&case::command()).markdown;
    let (opening, body) = report.split_once("## How the verdict comes about").unwrap();
    assert!(opening.contains("as reported by the program"));
    let (_, metrics) = body.split_once("### Metrics").unwrap();
    let (metrics, _) = metrics.split_once("###").unwrap();
    assert!(metrics.contains("as reported by the program"));
    let decode = rendered(&case::pass()).markdown;
    assert!(!decode.contains("as reported by the program"));
}

#[test]
fn a_column_that_was_not_read_is_named_as_such() {
    let report = rendered(&case::command()).markdown;
    let line = report
        .lines()
        .find(|line| line.starts_with("Not read in this run"))
        .unwrap();
    assert!(line.contains("`power`") && line.contains("`temperature`"));
    assert!(!line.contains("`sm_clock`"), "no CPU has one: {line}");
    assert!(!line.contains("`steal`"), "it was read: {line}");
}

#[test]
fn a_claim_that_abstains_outside_its_range_says_whether_that_changed_anything() {
    for (case, sentence) in [
        (
            case::outside_range(),
            "Had the range been left out, the verdict would have been pass: abstaining changed the outcome.",
        ),
        (
            case::outside_range_to_no_effect(),
            "Had the range been left out, the verdict would have been abstained as well: abstaining changed nothing.",
        ),
    ] {
        assert!(rendered(&case).markdown.contains(sentence), "{sentence}");
    }
    assert!(
        !rendered(&case::command())
            .markdown
            .contains("Had the range been left out")
    );
}

#[test]
fn the_sessions_outside_a_range_stand_with_their_values() {
    let report = rendered(&case::outside_range()).markdown;
    assert!(report.contains(
        "| `clock` | 1.2 GHz | 1.9 GHz | session 3: 2.1 GHz, session 8: 800 MHz | none | **failed** |"
    ));
    assert!(report.contains(
        "`clock` left its calibrated range (outside 1.2 GHz to 1.9 GHz in 2 of 10 sessions)"
    ));
}

#[test]
fn a_failed_control_is_a_reason_with_its_interval() {
    let report = rendered(&case::control_failed()).markdown;
    assert!(report.contains(
        "control `eager_twice` failed (`same_arm_twice` between 0.9955 (α = 0.05) and 1.031 (α = 0.05); allowed is 0.98039 to 1.02)"
    ));
}

#[test]
fn a_census_names_no_error_rate_and_no_interval_of_a_sample() {
    let report = rendered(&case::census());
    for absent in [
        "α =",
        "bootstrap interval |",
        "order-statistic",
        "p-value | margin",
    ] {
        let told = report.markdown.lines().find(|line| line.contains(absent));
        assert_eq!(told, None, "{absent}");
    }
    assert!(report.markdown.contains("nothing is inferred"));
    for figure in report.figures {
        assert!(
            figure.svg.contains("smallest") && !figure.svg.contains("bootstrap interval"),
            "{}",
            figure.path
        );
    }
}
