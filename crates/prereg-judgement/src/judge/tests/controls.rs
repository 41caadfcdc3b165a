//! Controls: held, failed, not observed, and what they withhold.

use prereg_declaration::Control;

use super::*;

/// The speedups stand in for the quotient of a control: at α = .05 between 1.19 and 1.28.
fn controlled(within: f64) -> Declaration {
    let mut declaration = killed_below(1.15);
    let metric = "speedup".to_owned();
    let control = Control { metric, within };
    declaration.controls.insert("twice".to_owned(), control);
    declaration
}

fn failed() -> Vec<Reason> {
    vec![Reason::ControlFailed {
        control: "twice".to_owned(),
    }]
}

fn unobserved() -> Vec<Reason> {
    vec![Reason::ControlUnobserved {
        control: "twice".to_owned(),
    }]
}

#[test]
fn a_control_whose_interval_lies_within_its_bound_withholds_nothing() {
    let judgement = judged(&controlled(0.28), &samples(&SPEEDUPS));
    assert_eq!(verdict(&judgement).0, Verdict::Pass);
    let control = &judgement.controls["twice"];
    assert_eq!(control.state, GateState::Held);
    assert_eq!((control.lower, control.upper), (Some(1.19), Some(1.28)));
    assert_eq!((control.alpha, &control.unbounded), (0.05, &None));
}

#[test]
fn a_control_whose_interval_reaches_beyond_its_bound_abstains_with_its_counterfactual() {
    let judgement = judged(&controlled(0.27), &samples(&SPEEDUPS));
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &failed()[..]));
    let claim = &judgement.claims["faster"];
    assert_eq!(claim.counterfactual, Some(Verdict::Pass));
    assert_eq!(claim.counterfactuals, ["had control `twice` held: pass"]);
    assert_eq!(claim.without_calibrated_range, None);
}

#[test]
fn a_missing_session_counts_against_a_control() {
    let declaration = controlled(0.28);
    let mut missing = samples(&SPEEDUPS);
    missing.sessions[8] = Session::Missing(Missing::Torn);
    let judgement = judged(&declaration, &missing);
    assert_eq!(judgement.controls["twice"].upper, Some(1.30));
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &failed()[..]));
}

#[test]
fn a_control_without_an_interval_is_not_observed() {
    let mut missing = samples(&SPEEDUPS);
    for session in [2, 8] {
        missing.sessions[session] = Session::Missing(Missing::Torn);
    }
    let judgement = judged(&controlled(10.0), &missing);
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &unobserved()[..]));
    let reason = judgement.controls["twice"].unbounded.as_deref().unwrap();
    assert!(reason.starts_with("2 missing sessions"), "{reason}");
}

#[test]
fn values_equal_to_rounding_hold_no_control() {
    let judgement = judged(&controlled(10.0), &samples(&[1.0; 10]));
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &unobserved()[..]));
    assert_eq!(
        judgement.controls["twice"].unbounded.as_deref(),
        Some("the values are equal to rounding")
    );
}

#[test]
fn a_control_is_read_at_the_alpha_of_pass() {
    let mut declaration = controlled(0.28);
    declaration.inference.alpha_falsified = 0.001;
    let judgement = judged(&declaration, &samples(&SPEEDUPS));
    assert_eq!(judgement.controls["twice"].state, GateState::Held);
    declaration.inference.alpha_pass = 0.01;
    let judgement = judged(&declaration, &samples(&SPEEDUPS));
    assert_eq!(judgement.controls["twice"].state, GateState::Failed);
}

#[test]
fn a_control_stands_between_gates_and_arms_among_the_reasons() {
    let mut declaration = clock_gate(9e9, Outcome::Abstain);
    declaration.controls = controlled(0.01).controls;
    let mut samples = samples(&SPEEDUPS);
    let mut observations = session(1.2);
    observations.slots[1].invalid = Some("not captured".to_owned());
    samples.sessions[3] = Session::Complete(observations);
    let judgement = judged(&declaration, &samples);
    let (_, reasons) = verdict(&judgement);
    assert!(
        matches!(
            reasons,
            [
                Reason::GateFailed { .. },
                Reason::ControlFailed { .. },
                Reason::ArmInvalid { .. }
            ]
        ),
        "{reasons:?}"
    );
}

#[test]
fn a_judgement_without_controls_and_ranges_does_not_name_them() {
    let json = serde_json::to_string(&judged(&declaration(), &samples(&SPEEDUPS))).unwrap();
    assert!(
        !json.contains("control") && !json.contains("calibrated"),
        "{json}"
    );
}
