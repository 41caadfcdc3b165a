mod calibrated_ranges;
mod census;
mod controls;
mod counterfactuals;
mod methods;
mod numbers;

use prereg_declaration::{Comparison, Condition, Number, Outcome, Predicate, Scope, Statistic};
use prereg_units::Dimension;

use super::*;
use crate::example::{
    SPEEDUPS, at_least, claim, clock, compare, declaration, gate, reading, samples, seed, session,
};
use crate::samples::{Missing, Session};
use crate::verdict::{GateState, MissingSession, Reason, State, UndeterminedCause, Verdict};

fn judged(declaration: &Declaration, samples: &Samples) -> RunJudgement {
    judge(declaration, &Constants::default(), "cpu", samples, &seed).unwrap()
}

fn with_kills(kills: Vec<Condition>) -> Declaration {
    let mut declaration = declaration();
    declaration
        .claims
        .insert("faster".to_owned(), claim(kills, 1.25, 1.02));
    declaration
}

fn killed_below(threshold: f64) -> Declaration {
    with_kills(vec![compare("speedup", Comparison::Less, threshold)])
}

fn with_gate(scope: Scope, predicate: Predicate, otherwise: Outcome) -> Declaration {
    let mut declaration = declaration();
    declaration
        .gates
        .insert("guard".to_owned(), gate(scope, predicate, otherwise));
    declaration
}

fn clock_gate(limit: f64, otherwise: Outcome) -> Declaration {
    let predicate = at_least(clock(Statistic::Min), limit, Dimension::FREQUENCY);
    with_gate(Scope::EachSession, predicate, otherwise)
}

fn verdict(judgement: &RunJudgement) -> (Verdict, &[Reason]) {
    let claim = &judgement.claims["faster"];
    (claim.verdict, &claim.reasons)
}

#[test]
fn a_claim_passes_where_the_lower_bound_reaches_the_threshold() {
    let judgement = judged(&killed_below(1.19), &samples(&SPEEDUPS));
    assert_eq!(
        verdict(&judgement),
        (Verdict::Pass, &[Reason::AllConditionsFalse][..])
    );
    let comparison = &judgement.claims["faster"].conditions[0].comparisons[0];
    assert_eq!(
        (comparison.bounds.lower, comparison.bounds.upper),
        (Some(1.19), Some(1.28))
    );
    assert_eq!(
        comparison.margin.map(prereg_units::Quantity::value),
        Some(1.19)
    );
    assert_eq!(comparison.p_false, Some(11.0 / 1024.0));
}

#[test]
fn a_claim_is_falsified_where_the_upper_bound_stays_below_the_threshold() {
    let judgement = judged(&killed_below(1.29), &samples(&SPEEDUPS));
    assert_eq!(
        verdict(&judgement),
        (
            Verdict::Falsified,
            &[Reason::ConditionTrue { condition: 0 }][..]
        )
    );
    assert!(judgement.claims["faster"].falsified_at_share);
}

#[test]
fn a_threshold_within_the_bounds_abstains() {
    let judgement = judged(&killed_below(1.22), &samples(&SPEEDUPS));
    let cause = UndeterminedCause::ThresholdWithinBounds;
    let reasons = [Reason::Undetermined {
        condition: 0,
        cause,
    }];
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    assert_eq!(judgement.claims["faster"].counterfactual, None);
}

#[test]
fn one_true_condition_falsifies_whatever_the_others_say() {
    let kills = vec![
        compare("speedup", Comparison::Less, 1.22),
        compare("speedup", Comparison::Less, 1.40),
    ];
    let judgement = judged(&with_kills(kills), &samples(&SPEEDUPS));
    assert_eq!(
        verdict(&judgement),
        (
            Verdict::Falsified,
            &[Reason::ConditionTrue { condition: 1 }][..]
        )
    );
    let states: Vec<State> = judgement.claims["faster"]
        .conditions
        .iter()
        .map(|condition| condition.state)
        .collect();
    assert_eq!(states, [State::Undetermined, State::True]);
}

#[test]
fn missing_sessions_count_against_the_claim_and_against_its_opposite() {
    let mut missing = samples(&SPEEDUPS);
    for session in [8, 2] {
        missing.sessions[session] = Session::Missing(Missing::Torn);
    }
    for threshold in [1.0, 2.0] {
        let judgement = judged(&killed_below(threshold), &missing);
        let cause = UndeterminedCause::TooFewSessions;
        let reasons = [Reason::Undetermined {
            condition: 0,
            cause,
        }];
        assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    }
    let indices: Vec<usize> = judged(&declaration(), &missing)
        .missing
        .iter()
        .map(|m| m.session)
        .collect();
    assert_eq!(indices, [2, 8]);
}

#[test]
fn equal_values_abstain_as_degenerate() {
    let judgement = judged(&killed_below(1.0), &samples(&[1.2; 10]));
    let cause = UndeterminedCause::Degenerate;
    let reasons = [Reason::Undetermined {
        condition: 0,
        cause,
    }];
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    assert!(judgement.metrics["speedup"].degenerate);
}

#[test]
fn a_ratio_with_a_zero_denominator_has_no_number_and_abstains() {
    let mut zero = samples(&SPEEDUPS);
    for session in &mut zero.sessions[..2] {
        let Session::Complete(observations) = session else {
            unreachable!()
        };
        observations.slots[1].step_time = vec![0.0];
        observations.slots[2].step_time = vec![0.0];
    }
    let judgement = judged(&killed_below(1.0), &zero);
    let reasons = [Reason::Undetermined {
        condition: 0,
        cause: UndeterminedCause::NonFinite,
    }];
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    assert_eq!(
        judgement.metrics["speedup"].values[..3],
        [None, None, Some(1.19)]
    );
}

#[test]
fn a_failed_gate_abstains_with_its_counterfactual() {
    let mut samples = samples(&SPEEDUPS);
    let Session::Complete(observations) = &mut samples.sessions[4] else {
        unreachable!()
    };
    observations
        .columns
        .insert("sm_clock".to_owned(), vec![reading(1.2e9)]);
    let judgement = judged(&clock_gate(1.4e9, Outcome::Abstain), &samples);
    let reasons = [Reason::GateFailed {
        gate: "guard".to_owned(),
    }];
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    assert_eq!(
        judgement.claims["faster"].counterfactual,
        Some(Verdict::Pass)
    );
    assert!(!judgement.claims["faster"].falsified_at_share);
    let guard = &judgement.gates["guard"];
    assert_eq!(guard.state, GateState::Failed);
    assert_eq!(
        (guard.sessions[3], guard.sessions[4]),
        (Some(true), Some(false))
    );
    let [observed] = &guard.observed[..] else {
        panic!("{:?}", guard.observed)
    };
    assert_eq!(
        (observed.expression.as_str(), observed.session),
        ("min(sm_clock)", Some(4))
    );
    assert_eq!(observed.value.unwrap().to_string(), "1.2 GHz");
}

#[test]
fn a_gate_that_was_not_observed_abstains() {
    let mut samples = samples(&SPEEDUPS);
    let Session::Complete(observations) = &mut samples.sessions[4] else {
        unreachable!()
    };
    observations.columns.clear();
    let judgement = judged(&clock_gate(1.0, Outcome::Abstain), &samples);
    let reasons = [Reason::GateUnobserved {
        gate: "guard".to_owned(),
    }];
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    assert_eq!(judgement.gates["guard"].sessions[4], None);
}

#[test]
fn an_excluding_gate_makes_sessions_missing_and_does_not_abstain() {
    let mut samples = samples(&SPEEDUPS);
    for (session, clock) in [(4, vec![reading(1.2e9)]), (5, Vec::new())] {
        let Session::Complete(observations) = &mut samples.sessions[session] else {
            unreachable!()
        };
        observations.columns.insert("sm_clock".to_owned(), clock);
    }
    let judgement = judged(&clock_gate(1.4e9, Outcome::Exclude), &samples);
    let gate = || "guard".to_owned();
    let missing = [
        MissingSession {
            session: 4,
            missing: Missing::Excluded { gate: gate() },
        },
        MissingSession {
            session: 5,
            missing: Missing::Unobserved { gate: gate() },
        },
    ];
    assert_eq!(judgement.missing, missing);
    let cause = UndeterminedCause::TooFewSessions;
    let reasons = [Reason::Undetermined {
        condition: 0,
        cause,
    }];
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    assert_eq!(judgement.metrics["speedup"].values[4], None);
}

#[test]
fn gates_that_abstain_do_not_read_excluded_sessions() {
    let mut declaration = clock_gate(1.4e9, Outcome::Exclude);
    let steady = at_least(clock(Statistic::Min), 1.3e9, Dimension::FREQUENCY);
    let steady = gate(Scope::EachSession, steady, Outcome::Abstain);
    declaration.gates.insert("steady".to_owned(), steady);
    let mut samples = samples(&SPEEDUPS);
    let Session::Complete(observations) = &mut samples.sessions[4] else {
        unreachable!()
    };
    observations
        .columns
        .insert("sm_clock".to_owned(), vec![reading(1.2e9)]);
    let judgement = judged(&declaration, &samples);
    assert_eq!(judgement.gates["steady"].state, GateState::Held);
    assert_eq!(judgement.gates["steady"].sessions[4], None);
}

#[test]
fn a_gate_across_sessions_reads_the_metric_over_the_run() {
    let cv = Number::OverSessions(Statistic::Cv, "speedup".to_owned());
    let spread = Predicate::Not(Box::new(at_least(cv, 0.02, Dimension::NONE)));
    let declaration = with_gate(Scope::AcrossSessions, spread, Outcome::Abstain);
    let judgement = judged(&declaration, &samples(&SPEEDUPS));
    assert_eq!(judgement.gates["guard"].state, GateState::Failed);
    let value = judgement.gates["guard"].observed[0].value.unwrap().value();
    assert_eq!(Some(value), judgement.metrics["speedup"].cv);
}

#[test]
fn a_run_without_sessions_leaves_its_gates_unobserved() {
    let mut none = samples(&SPEEDUPS);
    none.sessions.fill(Session::Missing(Missing::NeverRun));
    let judgement = judged(&clock_gate(1.0, Outcome::Abstain), &none);
    assert_eq!(judgement.gates["guard"].state, GateState::Unobserved);
    assert_eq!(
        judgement.claims["faster"].counterfactual,
        Some(Verdict::Abstained)
    );
    assert_eq!(judgement.metrics["speedup"].estimate, None);
}

#[test]
fn an_arm_that_did_not_run_as_asked_abstains() {
    let mut samples = samples(&SPEEDUPS);
    let mut observations = session(1.2);
    observations.slots[1].invalid = Some("the graph was not captured".to_owned());
    samples.sessions[3] = Session::Complete(observations);
    let judgement = judged(&declaration(), &samples);
    let (arm, message) = ("graph".to_owned(), "the graph was not captured".to_owned());
    assert_eq!(
        verdict(&judgement),
        (
            Verdict::Abstained,
            &[Reason::ArmInvalid { arm, message }][..]
        )
    );
}

#[test]
fn falsified_at_the_full_level_is_not_falsified_at_a_share_of_it() {
    // Nine of ten below the threshold: p = 11/1024, above a tenth of 0.05.
    let mut declaration = killed_below(1.29);
    let targets = (0..10).map(|i| format!("gpu{i}")).chain(["cpu".to_owned()]);
    declaration.claims.get_mut("faster").unwrap().on = targets.collect();
    let judgement = judged(&declaration, &samples(&SPEEDUPS));
    assert_eq!(judgement.claims["faster"].verdict, Verdict::Falsified);
    assert!(!judgement.claims["faster"].falsified_at_share);
}

#[test]
fn intervals_that_decide_differently_are_said_to() {
    // The bootstrap's upper end is below the largest value but one; the threshold lies between.
    let speedups = [1.0, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 1.20, 1.21];
    let judgement = judged(&killed_below(1.15), &samples(&speedups));
    let claim = &judgement.claims["faster"];
    assert_eq!(claim.verdict, Verdict::Abstained);
    let bootstrap = judgement.metrics["speedup"].bootstrap_percentile.unwrap();
    assert!(bootstrap.upper < Some(1.15));
    let said = claim.disagreement.as_deref().unwrap();
    assert!(
        said.starts_with("the 95 % bootstrap intervals would have said falsified"),
        "{said}"
    );
}

#[test]
fn intervals_that_agree_say_nothing() {
    assert_eq!(
        judged(&declaration(), &samples(&SPEEDUPS)).claims["faster"].disagreement,
        None
    );
}

#[test]
fn judging_twice_gives_the_same_bytes() {
    let json = || serde_json::to_string(&judged(&declaration(), &samples(&SPEEDUPS))).unwrap();
    assert_eq!(json(), json());
}

#[test]
fn samples_of_another_plan_are_refused() {
    let error = judge(
        &declaration(),
        &Constants::default(),
        "cpu",
        &samples(&[1.2]),
        &seed,
    );
    assert_eq!(
        error,
        Err(JudgeError::SessionCount {
            locked: 10,
            given: 1
        })
    );
    let error = judge(
        &declaration(),
        &Constants::default(),
        "h100",
        &samples(&SPEEDUPS),
        &seed,
    );
    assert!(matches!(error, Err(JudgeError::UnknownTarget { .. })));
}
