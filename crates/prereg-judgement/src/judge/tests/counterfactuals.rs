//! What abstentions say would have been without what stood in the way.

use super::*;

fn said(judgement: &RunJudgement) -> Vec<&str> {
    judgement.claims["faster"]
        .counterfactuals
        .iter()
        .map(String::as_str)
        .collect()
}

#[test]
fn a_verdict_needs_no_counterfactual_even_with_a_missing_session() {
    assert!(said(&judged(&declaration(), &samples(&SPEEDUPS))).is_empty());
    let mut torn = samples(&SPEEDUPS);
    torn.sessions[2] = Session::Missing(Missing::Torn);
    let judgement = judged(&declaration(), &torn);
    assert_eq!(verdict(&judgement).0, Verdict::Pass);
    assert!(said(&judgement).is_empty());
}

#[test]
fn one_gate_in_the_way_is_named_with_the_verdict_that_it_withheld() {
    let mut declaration = clock_gate(9e9, Outcome::Abstain);
    let judgement = judged(&declaration, &samples(&SPEEDUPS));
    assert_eq!(said(&judgement), ["had gate `guard` held: pass"]);
    let falsified = killed_below(2.0).claims;
    declaration.claims = falsified;
    let judgement = judged(&declaration, &samples(&SPEEDUPS));
    assert_eq!(said(&judgement), ["had gate `guard` held: falsified"]);
}

#[test]
fn several_obstacles_are_named_together() {
    let declaration = clock_gate(1.0, Outcome::Abstain);
    let mut samples = samples(&SPEEDUPS);
    let Session::Complete(observations) = &mut samples.sessions[4] else {
        unreachable!()
    };
    observations.columns.clear();
    observations.slots[1].invalid = Some("the graph was not captured".to_owned());
    assert_eq!(
        said(&judged(&declaration, &samples)),
        ["had gate `guard` been observed and held and arm `graph` run as asked: pass"]
    );
}

#[test]
fn missing_sessions_that_withheld_a_verdict_are_said_to() {
    let mut missing = samples(&SPEEDUPS);
    for session in [2, 8] {
        missing.sessions[session] = Session::Missing(Missing::Torn);
    }
    assert_eq!(
        said(&judged(&declaration(), &missing)),
        ["had the missing sessions not counted: pass"]
    );
    let gated = judged(&clock_gate(9e9, Outcome::Abstain), &missing);
    assert_eq!(
        said(&gated),
        [
            "had gate `guard` held: abstained",
            "had gate `guard` held and the missing sessions not counted: pass"
        ]
    );
}

#[test]
fn a_threshold_within_the_bounds_names_those_that_would_have_been_decided() {
    let speedup = |operator, threshold| {
        let kills = vec![compare("speedup", operator, threshold)];
        let judgement = judged(&with_kills(kills), &samples(&SPEEDUPS));
        judgement.claims["faster"].counterfactuals.concat()
    };
    assert_eq!(
        speedup(Comparison::Less, 1.22),
        "had the threshold of `speedup < 1.22` been at most 1.19: shown false; above 1.28: shown true"
    );
    assert_eq!(
        speedup(Comparison::GreaterOrEqual, 1.22),
        "had the threshold of `speedup >= 1.22` been at most 1.19: shown true; above 1.28: shown false"
    );
}

#[test]
fn the_named_thresholds_are_decided_as_named() {
    let state = |operator, threshold| {
        let kills = vec![compare("speedup", operator, threshold)];
        let judgement = judged(&with_kills(kills), &samples(&SPEEDUPS));
        judgement.claims["faster"].conditions[0].state
    };
    let (just_below, just_above) = (1.19 - 1e-9, 1.28 + 1e-9);
    for (operator, below, above) in [
        (
            Comparison::Less,
            (1.19, State::False),
            (just_above, State::True),
        ),
        (
            Comparison::LessOrEqual,
            (just_below, State::False),
            (1.28, State::True),
        ),
        (
            Comparison::Greater,
            (just_below, State::True),
            (1.28, State::False),
        ),
        (
            Comparison::GreaterOrEqual,
            (1.19, State::True),
            (just_above, State::False),
        ),
    ] {
        for (threshold, expected) in [below, above] {
            assert_eq!(
                state(operator, threshold),
                expected,
                "{operator:?} {threshold}"
            );
        }
    }
}
