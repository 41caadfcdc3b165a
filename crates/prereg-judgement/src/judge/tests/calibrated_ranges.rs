//! Calibrated ranges: who lies outside, and whether abstaining for it changed anything.

use prereg_declaration::CalibratedRange;

use super::*;
use crate::example::plain;

/// A claim on the speedups, made for speedups in a range only.
fn calibrated(from: f64, to: f64, threshold: f64) -> Declaration {
    let mut declaration = killed_below(threshold);
    let range = CalibratedRange {
        from: plain(from),
        to: plain(to),
    };
    declaration
        .calibrated_range
        .insert("speedup".to_owned(), range);
    declaration
}

fn outside() -> Vec<Reason> {
    vec![Reason::OutsideCalibratedRange {
        metric: "speedup".to_owned(),
    }]
}

#[test]
fn both_ends_belong_to_a_range() {
    let judgement = judged(&calibrated(1.17, 1.30, 1.15), &samples(&SPEEDUPS));
    assert_eq!(verdict(&judgement).0, Verdict::Pass);
    let range = &judgement.calibrated_range["speedup"];
    assert_eq!(range.state, GateState::Held);
    assert_eq!(
        (&range.outside[..], &range.unobserved[..]),
        (&[][..], &[][..])
    );
    assert_eq!(judgement.claims["faster"].without_calibrated_range, None);
}

#[test]
fn a_session_outside_a_range_abstains_and_is_named() {
    let judgement = judged(&calibrated(1.18, 1.29, 1.15), &samples(&SPEEDUPS));
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &outside()[..]));
    assert_eq!(judgement.calibrated_range["speedup"].outside, [3, 8]);
}

#[test]
fn abstaining_that_withheld_a_verdict_is_told_from_abstaining_that_changed_nothing() {
    let at = |threshold| {
        let judgement = judged(&calibrated(1.18, 1.29, threshold), &samples(&SPEEDUPS));
        let claim = &judgement.claims["faster"];
        assert_eq!(claim.verdict, Verdict::Abstained);
        (
            claim.without_calibrated_range.unwrap(),
            claim.counterfactuals[0].clone(),
        )
    };
    let said = |verdict| format!("had the calibrated range of `speedup` been left out: {verdict}");
    assert_eq!(at(1.15), (Verdict::Pass, said("pass")));
    assert_eq!(at(2.0), (Verdict::Falsified, said("falsified")));
    // The threshold lies within the bounds: the claim abstains with or without its range.
    assert_eq!(at(1.22), (Verdict::Abstained, said("abstained")));
}

#[test]
fn with_another_obstacle_in_the_way_the_range_changed_nothing() {
    let mut declaration = clock_gate(9e9, Outcome::Abstain);
    declaration.calibrated_range = calibrated(1.18, 1.29, 1.15).calibrated_range;
    let judgement = judged(&declaration, &samples(&SPEEDUPS));
    let claim = &judgement.claims["faster"];
    assert_eq!(claim.counterfactual, Some(Verdict::Pass));
    assert_eq!(claim.without_calibrated_range, Some(Verdict::Abstained));
    assert_eq!(
        claim.counterfactuals,
        [
            "had gate `guard` held and the calibrated range of `speedup` been left out: pass",
            "had the calibrated range of `speedup` been left out: abstained"
        ]
    );
}

#[test]
fn a_metric_without_a_number_in_a_session_that_is_there_leaves_its_range_unobserved() {
    let mut samples = samples(&SPEEDUPS);
    let mut observations = session(1.2);
    observations.slots[1].step_time.clear();
    samples.sessions[4] = Session::Complete(observations);
    let judgement = judged(&calibrated(0.1, 10.0, 1.15), &samples);
    let reasons = [Reason::CalibratedRangeUnobserved {
        metric: "speedup".to_owned(),
    }];
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    assert_eq!(judgement.calibrated_range["speedup"].unobserved, [4]);
}

#[test]
fn missing_sessions_lie_neither_inside_nor_outside() {
    let mut missing = samples(&SPEEDUPS);
    missing.sessions[3] = Session::Missing(Missing::Torn);
    let judgement = judged(&calibrated(1.17, 1.29, 1.15), &missing);
    assert_eq!(judgement.calibrated_range["speedup"].state, GateState::Held);
    missing.sessions.fill(Session::Missing(Missing::NeverRun));
    let judgement = judged(&calibrated(1.17, 1.29, 1.15), &missing);
    assert_eq!(
        judgement.calibrated_range["speedup"].state,
        GateState::Unobserved
    );
}
