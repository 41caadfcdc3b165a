//! A program as workload, and what makes its measurement worthless.

use prereg_declaration::{Declaration, Interval as Declared};
use prereg_judgement::{
    ClaimResult, DeclaredInterval, GateState, Interval, Reason, RunJudgement, State, Verdict,
};
use prereg_report::ReportInput;

use super::{Case, HEADLINE, LIMIT, SUMMARY};
use crate::study::{
    claim, comparison, condition, headline, input, of_a_program, preflight, run_of_a_program,
};

const REFUSAL: &str =
    "gate `meter` asks for 40 updates of gpu_util in a session, and in 8 s there are 16";

fn passed() -> ClaimResult {
    let shown = condition(comparison(
        LIMIT,
        State::False,
        [Some(1.19), Some(1.28)],
        None,
    ));
    claim(Verdict::Pass, vec![Reason::AllConditionsFalse], vec![shown])
}

fn recorded(
    declaration: &Declaration,
    result: ClaimResult,
    change: impl FnMut(&mut RunJudgement),
) -> ReportInput<'_> {
    let head = headline(
        HEADLINE,
        result.verdict,
        vec![("cpu", result.verdict, result.reasons.clone())],
    );
    let mut record = run_of_a_program(result, SUMMARY);
    record.judgement.iter_mut().for_each(change);
    let mut input = input(declaration, head, vec![record]);
    input.preflights = vec![
        preflight("2026-11-30T21:30:00Z", Some(REFUSAL)),
        preflight("2026-11-30T21:59:00Z", None),
    ];
    input
}

/// Passes, after a preflight that refused.
pub(crate) fn command() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        recorded(declaration, passed(), |_| {})
    }
    Case {
        declaration: of_a_program(),
        build,
    }
}

/// Two sessions lie outside the calibrated range, and without it the claim would pass.
pub(crate) fn outside_range() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        outside(declaration, Verdict::Pass)
    }
    Case {
        declaration: of_a_program(),
        build,
    }
}

/// The same, where the conditions alone would abstain.
pub(crate) fn outside_range_to_no_effect() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        outside(declaration, Verdict::Abstained)
    }
    Case {
        declaration: of_a_program(),
        build,
    }
}

fn outside(declaration: &Declaration, without: Verdict) -> ReportInput<'_> {
    let mut result = passed();
    result.verdict = Verdict::Abstained;
    result.reasons = vec![Reason::OutsideCalibratedRange {
        metric: "clock".to_owned(),
    }];
    result.counterfactual = Some(without);
    result.without_calibrated_range = Some(without);
    recorded(declaration, result, |judged| {
        if let Some(range) = judged.calibrated_range.get_mut("clock") {
            range.state = GateState::Failed;
            range.outside = vec![3, 8];
        }
        if let Some(clock) = judged.metrics.get_mut("clock") {
            (clock.values[3], clock.values[8]) = (Some(2.1e9), Some(0.8e9));
        }
    })
}

/// The control finds a difference between an arm and itself.
pub(crate) fn control_failed() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let mut result = passed();
        result.verdict = Verdict::Abstained;
        result.reasons = vec![Reason::ControlFailed {
            control: "eager_twice".to_owned(),
        }];
        result.counterfactual = Some(Verdict::Pass);
        result.counterfactuals = vec!["had control `eager_twice` held: pass".to_owned()];
        recorded(declaration, result, |judged| {
            if let Some(control) = judged.controls.get_mut("eager_twice") {
                (control.state, control.upper) = (GateState::Failed, Some(1.031));
            }
        })
    }
    Case {
        declaration: of_a_program(),
        build,
    }
}

/// The sessions are all there are: nothing is inferred.
pub(crate) fn census() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let mut result = passed();
        for comparison in result
            .conditions
            .iter_mut()
            .flat_map(|one| &mut one.comparisons)
        {
            (comparison.p_true, comparison.p_false) = (None, None);
            (comparison.bounds.alpha_lower, comparison.bounds.alpha_upper) = (0.0, 0.0);
        }
        recorded(declaration, result, |judged| {
            for metric in judged.metrics.values_mut() {
                let ends = metric.order_statistic.take().unwrap();
                metric.bootstrap_percentile = None;
                (metric.drift, metric.order_effect, metric.serial) = (None, None, None);
                metric.declared = Some(DeclaredInterval {
                    method: "smallest and largest session of a census".to_owned(),
                    interval: Interval {
                        level: 1.0,
                        exact_coverage: None,
                        ..ends
                    },
                    unbounded: None,
                    measured_coverage: None,
                });
            }
            for control in judged.controls.values_mut() {
                control.alpha = 0.0;
            }
        })
    }
    let mut declaration = of_a_program();
    declaration.inference.interval = Declared::Census;
    Case { declaration, build }
}
