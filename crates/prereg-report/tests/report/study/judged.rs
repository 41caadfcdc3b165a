//! What was judged from a run.

use std::collections::BTreeMap;

use prereg_judgement::{
    Association, Bounds, ClaimResult, ComparisonResult, ConditionResult, GateResult, GateState,
    Interval, MetricResult, Missing, MissingSession, Observed, OrderEffect, Reason, RunJudgement,
    State, UndeterminedCause, Verdict,
};
use prereg_units::Quantity;

use super::{CLAIM, quantity};

/// A comparison as judged: bounds at α = 0.05 on both sides.
pub(crate) fn comparison(
    (metric, operator, threshold): (&str, &'static str, &str),
    state: State,
    bounds: [Option<f64>; 2],
    cause: Option<UndeterminedCause>,
) -> ComparisonResult {
    let threshold = quantity(threshold);
    let [lower, upper] = bounds;
    let margin = match (operator.contains('<'), state) {
        (_, State::Undetermined) => None,
        (true, State::False) | (false, State::True) => lower,
        (true, State::True) | (false, State::False) => upper,
    };
    ComparisonResult {
        metric: metric.to_owned(),
        comparison: operator,
        threshold,
        state,
        bounds: Bounds {
            lower,
            alpha_lower: 0.05,
            upper,
            alpha_upper: 0.05,
        },
        p_true: Some(if state == State::True {
            0.000_976_562_5
        } else {
            0.989_257_812_5
        }),
        p_false: Some(if state == State::False {
            0.000_976_562_5
        } else {
            0.623_046_875
        }),
        margin: margin.map(|value| Quantity::new(value, threshold.dimension()).unwrap()),
        cause,
    }
}

/// A kill condition of one comparison.
pub(crate) fn condition(comparison: ComparisonResult) -> ConditionResult {
    ConditionResult {
        expression: format!(
            "{} {} {}",
            comparison.metric, comparison.comparison, comparison.threshold
        ),
        state: comparison.state,
        comparisons: vec![comparison],
    }
}

/// A claim as judged on one run.
pub(crate) fn claim(
    verdict: Verdict,
    reasons: Vec<Reason>,
    conditions: Vec<ConditionResult>,
) -> ClaimResult {
    ClaimResult {
        headline: "speedup is at least 1.15 on cpu".to_owned(),
        text: "Replaying the plan alone speeds up decode by at least 1.15×.".to_owned(),
        verdict,
        reasons,
        counterfactual: None,
        without_calibrated_range: None,
        counterfactuals: Vec::new(),
        conditions,
        disagreement: None,
        falsified_at_share: verdict == Verdict::Falsified,
        covers: None,
    }
}

/// A metric over sessions: median and interval are given, not computed.
pub(super) fn metric(
    expression: &str,
    unit: &str,
    values: Vec<Option<f64>>,
    [lower, estimate, upper]: [f64; 3],
) -> MetricResult {
    let complete = values.iter().all(Option::is_some);
    MetricResult {
        expression: expression.to_owned(),
        unit: unit.to_owned(),
        values,
        blocks: None,
        estimate: Some(estimate),
        declared: None,
        order_statistic: Some(Interval {
            level: 0.95,
            lower: Some(lower),
            upper: Some(upper),
            exact_coverage: Some(0.978_515_625),
        }),
        bootstrap_percentile: complete.then_some(Interval {
            level: 0.95,
            lower: Some(lower + 0.1 * (estimate - lower)),
            upper: Some(upper - 0.1 * (upper - estimate)),
            exact_coverage: None,
        }),
        cv: Some(0.032_255),
        cv_plain: Some(0.032_01),
        degenerate: false,
        drift: Some(Association { rho: 0.12, p: 0.73 }),
        order_effect: Some(OrderEffect {
            ratio: 1.002,
            baseline_first: 5,
            others: 5,
            p: 0.84,
        }),
        serial: Some(Association {
            rho: -0.21,
            p: 0.55,
        }),
        warnings: Vec::new(),
    }
}

/// What was judged from a run with these speedups: gates held, the claim as given.
pub(crate) fn judgement(
    target: &str,
    speedups: &[Option<f64>],
    summary: [f64; 3],
    result: ClaimResult,
) -> RunJudgement {
    let steps: Vec<Option<f64>> = speedups
        .iter()
        .map(|speedup| speedup.map(|speedup| 0.010_4 * speedup))
        .collect();
    let step_summary = summary.map(|speedup| 0.010_4 * speedup);
    RunJudgement {
        target: target.to_owned(),
        sessions: speedups.len(),
        missing: Vec::new(),
        metrics: BTreeMap::from([
            (
                "eager_step".to_owned(),
                metric("median(step_time[eager])", "s", steps, step_summary),
            ),
            (
                "speedup".to_owned(),
                metric(
                    "eager_step / median(step_time[graphed])",
                    "1",
                    speedups.to_vec(),
                    summary,
                ),
            ),
        ]),
        gates: BTreeMap::from([
            (
                "same_output".to_owned(),
                GateResult {
                    expression: "logits[eager] == logits[graphed]".to_owned(),
                    scope: "each-session",
                    otherwise: "abstain",
                    state: GateState::Held,
                    sessions: speedups
                        .iter()
                        .map(|speedup| speedup.map(|_| true))
                        .collect(),
                    observed: Vec::new(),
                },
            ),
            ("steady".to_owned(), steady(GateState::Held, Some("3.2 %"))),
        ]),
        controls: BTreeMap::new(),
        calibrated_range: BTreeMap::new(),
        claims: BTreeMap::from([(CLAIM.to_owned(), result)]),
    }
}

/// The gate on the spread between sessions.
pub(crate) fn steady(state: GateState, cv: Option<&str>) -> GateResult {
    GateResult {
        expression: "cv(eager_step) <= 4 %".to_owned(),
        scope: "across-sessions",
        otherwise: "abstain",
        state,
        sessions: Vec::new(),
        observed: vec![Observed {
            expression: "cv(eager_step)".to_owned(),
            value: cv.map(quantity),
            session: None,
        }],
    }
}

/// Marks sessions as missing.
pub(crate) fn missing(judgement: &mut RunJudgement, sessions: Vec<(usize, Missing)>) {
    judgement.missing = sessions
        .into_iter()
        .map(|(session, missing)| MissingSession { session, missing })
        .collect();
}
