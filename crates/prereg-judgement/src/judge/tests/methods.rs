//! The declared methods, from samples to verdicts.

use prereg_declaration::{Estimand, Interval, Scale, Stopping};

use super::*;

/// Eight sessions: enough for every method, and an eighth of the multisets of ten.
const SESSIONS: usize = 8;

fn eight() -> Samples {
    samples(&SPEEDUPS[..SESSIONS])
}

fn declared(interval: Interval, estimand: Estimand, threshold: f64) -> Declaration {
    let mut declaration = killed_below(threshold);
    declaration.protocol.sessions = SESSIONS as u32;
    declaration.inference.interval = interval;
    declaration.inference.estimand = estimand;
    declaration.inference.scale = match estimand {
        Estimand::Mean => Scale::Linear,
        Estimand::Median | Estimand::GeometricMean => Scale::Log,
    };
    declaration
}

fn undetermined(cause: UndeterminedCause) -> Vec<Reason> {
    vec![Reason::Undetermined {
        condition: 0,
        cause,
    }]
}

const ALL: [(Interval, Estimand); 9] = [
    (Interval::OrderStatistic, Estimand::Median),
    (Interval::StudentT, Estimand::GeometricMean),
    (Interval::StudentT, Estimand::Mean),
    (Interval::BootstrapPercentile, Estimand::Median),
    (Interval::BootstrapPercentile, Estimand::GeometricMean),
    (Interval::BootstrapBca, Estimand::Median),
    (Interval::BootstrapBca, Estimand::Mean),
    (Interval::BootstrapT, Estimand::GeometricMean),
    (Interval::BootstrapT, Estimand::Mean),
];

#[test]
fn student_t_decides_on_its_one_sided_bounds_with_its_p_values() {
    let mut declaration = declared(Interval::StudentT, Estimand::GeometricMean, 1.21);
    declaration.protocol.sessions = 10;
    let judgement = judged(&declaration, &samples(&SPEEDUPS));
    assert_eq!(verdict(&judgement).0, Verdict::Pass);
    let comparison = &judgement.claims["faster"].conditions[0].comparisons[0];
    let close = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-9;
    assert!(close(comparison.bounds.lower, 1.211_562_445_0));
    assert!(close(comparison.bounds.upper, 1.257_714_121_6));
    let p_false = comparison.p_false.unwrap();
    assert!(p_false < 0.05 && (comparison.p_true.unwrap() + p_false - 1.0).abs() < 1e-11);
    assert_eq!(
        comparison.margin.map(prereg_units::Quantity::value),
        comparison.bounds.lower
    );
}

#[test]
fn every_declared_interval_decides_what_is_far_from_the_threshold() {
    for (interval, estimand) in ALL {
        for (threshold, expected) in [(1.05, Verdict::Pass), (1.5, Verdict::Falsified)] {
            let judgement = judged(&declared(interval, estimand, threshold), &eight());
            assert_eq!(verdict(&judgement).0, expected, "{interval:?} {estimand:?}");
            assert_eq!(judgement.claims["faster"].disagreement, None);
        }
    }
}

#[test]
fn a_bootstrap_has_no_p_value() {
    let declaration = declared(Interval::BootstrapBca, Estimand::Mean, 1.05);
    let judgement = judged(&declaration, &eight());
    let comparison = &judgement.claims["faster"].conditions[0].comparisons[0];
    assert_eq!((comparison.p_true, comparison.p_false), (None, None));
}

#[test]
fn a_mean_cannot_count_missing_sessions_and_says_so() {
    let mut missing = eight();
    missing.sessions[3] = Session::Missing(Missing::TimedOut);
    for (interval, estimand) in &ALL[1..] {
        let judgement = judged(&declared(*interval, *estimand, 1.0), &missing);
        let reasons = undetermined(UndeterminedCause::MissingSessions);
        assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    }
}

#[test]
fn values_that_are_not_positive_have_no_geometric_mean() {
    let mut speedups = SPEEDUPS;
    speedups[4] = -1.0;
    let declaration = declared(Interval::StudentT, Estimand::GeometricMean, 1.0);
    let judgement = judged(&declaration, &samples(&speedups[..SESSIONS]));
    let reasons = undetermined(UndeterminedCause::NotPositive);
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
    assert_eq!(judgement.metrics["speedup"].estimate, None);
}

#[test]
fn a_bound_beyond_the_range_abstains_as_not_finite() {
    let mut huge = [1.7e308; SESSIONS];
    huge[3] = -1.7e308;
    let declaration = declared(Interval::StudentT, Estimand::Mean, 1.79e308);
    let judgement = judged(&declaration, &samples(&huge));
    let reasons = undetermined(UndeterminedCause::NonFinite);
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
}

#[test]
fn a_claim_of_many_conditions_may_ask_a_bootstrap_for_more_than_it_resolves() {
    let mut declaration = declared(Interval::BootstrapPercentile, Estimand::Mean, 1.5);
    declaration.inference.alpha_falsified = 1e-5;
    let judgement = judged(&declaration, &eight());
    let reasons = undetermined(UndeterminedCause::LevelTooSmall);
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
}

#[test]
fn order_statistic_and_bootstrap_are_said_to_disagree_with_a_declared_student_t() {
    // An outlier widens the bounds of the mean; the median does not see it.
    let speedups = [1.30, 1.31, 1.32, 1.33, 1.34, 1.35, 1.36, 1.37, 1.38, 0.6];
    let mut declaration = declared(Interval::StudentT, Estimand::Mean, 1.25);
    declaration.protocol.sessions = 10;
    let claim = &judged(&declaration, &samples(&speedups)).claims["faster"];
    assert_eq!(claim.verdict, Verdict::Abstained);
    assert_eq!(
        claim.disagreement.as_deref(),
        Some(
            "the 95 % order-statistic intervals would have said pass; the student-t bounds, which \
             decide, say abstained"
        )
    );
}

#[test]
fn blocks_and_not_sessions_decide() {
    // Ten blocks of two: the sessions agree with each other inside a block.
    let mut declaration = killed_below(1.185);
    declaration.protocol.sessions = 20;
    let doubled: Vec<f64> = SPEEDUPS.iter().flat_map(|value| [*value; 2]).collect();
    assert_eq!(
        verdict(&judged(&declaration, &samples(&doubled))).0,
        Verdict::Pass
    );
    declaration.protocol.blocks = 10;
    let by_block = judged(&declaration, &samples(&doubled));
    let bounds = by_block.claims["faster"].conditions[0].comparisons[0].bounds;
    assert_eq!((bounds.lower, bounds.upper), (Some(1.19), Some(1.28)));
    assert_eq!(
        by_block.metrics["speedup"].blocks.as_ref().unwrap().len(),
        10
    );
    // One session of the lowest block is missing: the block is, and counts adversely.
    let mut torn = samples(&doubled);
    torn.sessions[16] = Session::Missing(Missing::Torn);
    let bounds = judged(&declaration, &torn).claims["faster"].conditions[0].comparisons[0].bounds;
    assert_eq!((bounds.lower, bounds.upper), (Some(1.19), Some(1.30)));
}

#[test]
fn a_block_without_a_finite_summary_is_not_finite_and_not_missing() {
    let mut declaration = declared(Interval::StudentT, Estimand::GeometricMean, 1.0);
    declaration.protocol.sessions = 10;
    declaration.protocol.blocks = 5;
    let mut speedups = SPEEDUPS;
    speedups[4] = -1.0;
    let judgement = judged(&declaration, &samples(&speedups));
    let reasons = undetermined(UndeterminedCause::NonFinite);
    assert_eq!(verdict(&judgement), (Verdict::Abstained, &reasons[..]));
}

fn sequence(threshold: f64) -> Declaration {
    let mut declaration = killed_below(threshold);
    declaration.inference.stopping = Stopping::Sequence;
    declaration
}

fn decided(declaration: &Declaration, samples: &Samples) -> bool {
    let said = on_conditions(declaration, &Constants::default(), "cpu", samples, &seed).unwrap();
    said.values().all(|verdict| *verdict != Verdict::Abstained)
}

#[test]
fn a_sequence_stops_at_the_first_session_at_which_every_claim_decides() {
    let declaration = sequence(1.1);
    let stops: Vec<usize> = (0..=10)
        .filter(|n| decided(&declaration, &samples(&SPEEDUPS[..*n])))
        .collect();
    // The confidence sequence is finite from seven sessions on at 0.05.
    assert_eq!(stops, [7, 8, 9, 10]);
    let judgement = judged(&declaration, &samples(&SPEEDUPS[..7]));
    assert_eq!(
        (judgement.sessions, verdict(&judgement).0),
        (7, Verdict::Pass)
    );
    let bounds = judgement.claims["faster"].conditions[0].comparisons[0].bounds;
    assert_eq!((bounds.lower, bounds.upper), (Some(1.19), Some(1.30)));
}

#[test]
fn a_sequence_reads_both_bounds_at_the_stricter_level() {
    let mut declaration = sequence(1.1);
    declaration.inference.alpha_pass = 0.2;
    let judgement = judged(&declaration, &samples(&SPEEDUPS[..7]));
    let bounds = judgement.claims["faster"].conditions[0].comparisons[0].bounds;
    assert_eq!((bounds.alpha_lower, bounds.alpha_upper), (0.05, 0.05));
}

#[test]
fn a_failed_gate_never_extends_a_sequence() {
    let mut declaration = clock_gate(9e9, Outcome::Abstain);
    declaration.inference.stopping = Stopping::Sequence;
    let seven = samples(&SPEEDUPS[..7]);
    assert_eq!(verdict(&judged(&declaration, &seven)).0, Verdict::Abstained);
    assert!(decided(&declaration, &seven));
}

#[test]
fn one_undecided_claim_keeps_a_sequence_going() {
    let mut declaration = sequence(1.1);
    let undecided = sequence(1.24).claims["faster"].clone();
    declaration.claims.insert("other".to_owned(), undecided);
    assert!(!decided(&declaration, &samples(&SPEEDUPS)));
}

#[test]
fn a_sequence_is_never_longer_than_locked_and_a_fixed_run_never_shorter() {
    let eleven = [1.2; 11];
    let refused = |declaration: &Declaration, speedups: &[f64]| {
        let samples = samples(speedups);
        let error = judge(declaration, &Constants::default(), "cpu", &samples, &seed);
        matches!(error, Err(JudgeError::SessionCount { .. }))
    };
    assert!(refused(&sequence(1.1), &eleven));
    assert!(!refused(&sequence(1.1), &[]));
    assert!(refused(&declaration(), &SPEEDUPS[..9]));
}
