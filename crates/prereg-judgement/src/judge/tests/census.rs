//! A census: the sessions are all there are, so nothing is inferred from them.

use prereg_declaration::Interval;

use super::*;

fn census(threshold: f64, sessions: usize) -> Declaration {
    let mut declaration = killed_below(threshold);
    declaration.inference.interval = Interval::Census;
    declaration.protocol.sessions = sessions as u32;
    declaration
}

fn said(threshold: f64, speedups: &[f64]) -> Verdict {
    let judgement = judged(&census(threshold, speedups.len()), &samples(speedups));
    verdict(&judgement).0
}

#[test]
fn a_claim_passes_where_every_session_says_so_and_is_falsified_where_none_does() {
    assert_eq!(said(1.17, &SPEEDUPS), Verdict::Pass);
    assert_eq!(said(1.18, &SPEEDUPS), Verdict::Abstained);
    assert_eq!(said(1.30, &SPEEDUPS), Verdict::Abstained);
    assert_eq!(said(1.31, &SPEEDUPS), Verdict::Falsified);
}

#[test]
fn one_session_and_equal_sessions_are_decided() {
    assert_eq!(said(1.15, &[1.2]), Verdict::Pass);
    assert_eq!(said(1.15, &[1.1; 3]), Verdict::Falsified);
}

#[test]
fn a_missing_session_leaves_a_census_undecided() {
    let mut missing = samples(&SPEEDUPS);
    missing.sessions[3] = Session::Missing(Missing::Torn);
    let judgement = judged(&census(1.0, 10), &missing);
    let reasons = [Reason::Undetermined {
        condition: 0,
        cause: UndeterminedCause::MissingSessions,
    }];
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    assert_eq!(
        judgement.claims["faster"].counterfactuals,
        ["had the missing sessions not counted: pass"]
    );
}

#[test]
fn a_comparison_under_a_census_has_no_alpha_and_no_p_value() {
    let judgement = judged(&census(1.15, 10), &samples(&SPEEDUPS));
    let comparison = &judgement.claims["faster"].conditions[0].comparisons[0];
    assert_eq!((comparison.p_true, comparison.p_false), (None, None));
    let bounds = comparison.bounds;
    assert_eq!((bounds.lower, bounds.upper), (Some(1.17), Some(1.30)));
    assert_eq!((bounds.alpha_lower, bounds.alpha_upper), (0.0, 0.0));
}

#[test]
fn nothing_inferred_is_reported_of_a_census() {
    let drifting: Vec<f64> = (0..12).map(|i| 1.2 + 0.01 * f64::from(i)).collect();
    let judgement = judged(&census(1.15, 12), &samples(&drifting));
    let metric = &judgement.metrics["speedup"];
    assert_eq!(
        (metric.order_statistic, metric.bootstrap_percentile),
        (None, None)
    );
    assert_eq!(
        (metric.drift, metric.order_effect, metric.serial),
        (None, None, None)
    );
    assert!(metric.warnings.is_empty());
    let declared = metric.declared.as_ref().unwrap();
    assert_eq!(declared.method, "smallest and largest session of a census");
    let interval = declared.interval;
    assert_eq!((interval.level, interval.lower), (1.0, Some(1.2)));
    assert_eq!(declared.measured_coverage, None);
    assert_eq!(judgement.claims["faster"].disagreement, None);
}

#[test]
fn a_control_of_a_census_is_held_where_every_session_lies_within_its_bound() {
    let mut declaration = census(1.15, 10);
    let control = prereg_declaration::Control {
        metric: "speedup".to_owned(),
        within: 0.3,
    };
    declaration.controls.insert("twice".to_owned(), control);
    let state = |declaration: &Declaration| {
        judged(declaration, &samples(&SPEEDUPS)).controls["twice"].state
    };
    assert_eq!(state(&declaration), GateState::Held);
    declaration.controls.get_mut("twice").unwrap().within = 0.29;
    assert_eq!(state(&declaration), GateState::Failed);
}
