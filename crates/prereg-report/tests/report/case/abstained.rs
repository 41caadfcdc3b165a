//! Abstentions.

use prereg_declaration::Declaration;
use prereg_judgement::{GateState, Missing, Reason, State, UndeterminedCause, Verdict};
use prereg_report::ReportInput;

use super::{Case, LIMIT, SUMMARY, at_least, one_target, shifted};
use crate::study::{claim, comparison, condition, input, missing, steady};

/// A gate on the spread failed; the conditions alone would have passed.
pub(crate) fn gate_failed() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let shown = condition(comparison(
            LIMIT,
            State::False,
            [Some(1.19), Some(1.28)],
            None,
        ));
        let mut result = claim(
            Verdict::Abstained,
            vec![Reason::GateFailed {
                gate: "steady".to_owned(),
            }],
            vec![shown],
        );
        result.counterfactual = Some(Verdict::Pass);
        result.counterfactuals = vec!["had gate `steady` held: pass".to_owned()];
        let (mut record, head) = one_target(result, &shifted(0.0), SUMMARY);
        if let Some(judgement) = &mut record.judgement {
            judgement.gates.insert(
                "steady".to_owned(),
                steady(GateState::Failed, Some("6.1 %")),
            );
        }
        input(declaration, head, vec![record])
    }
    Case {
        declaration: at_least(),
        build,
    }
}

/// The threshold lies within the bounds.
pub(crate) fn undetermined() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let cause = UndeterminedCause::ThresholdWithinBounds;
        let open = condition(comparison(
            LIMIT,
            State::Undetermined,
            [Some(1.12), Some(1.21)],
            Some(cause),
        ));
        let result = claim(
            Verdict::Abstained,
            vec![Reason::Undetermined {
                condition: 0,
                cause,
            }],
            vec![open],
        );
        let (record, head) = one_target(result, &shifted(-0.07), SUMMARY.map(|value| value - 0.07));
        input(declaration, head, vec![record])
    }
    Case {
        declaration: at_least(),
        build,
    }
}

/// Five of ten sessions are missing, so one side is unbounded.
pub(crate) fn missing_sessions() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let cause = UndeterminedCause::TooFewSessions;
        let open = condition(comparison(
            LIMIT,
            State::Undetermined,
            [None, None],
            Some(cause),
        ));
        let result = claim(
            Verdict::Abstained,
            vec![Reason::Undetermined {
                condition: 0,
                cause,
            }],
            vec![open],
        );
        let mut values = shifted(0.0);
        let reasons = vec![
            (
                1,
                Missing::Excluded {
                    gate: "quiet".to_owned(),
                },
            ),
            (2, Missing::Torn),
            (5, Missing::TimedOut),
            (8, Missing::RejectedSteps { count: 3 }),
            (9, Missing::NeverRun),
        ];
        for (session, _) in &reasons {
            values[*session] = None;
        }
        let (mut record, head) = one_target(result, &values, SUMMARY);
        if let Some(judged) = &mut record.judgement {
            missing(judged, reasons);
            for metric in judged.metrics.values_mut() {
                metric.order_statistic = None;
            }
        }
        input(declaration, head, vec![record])
    }
    Case {
        declaration: at_least(),
        build,
    }
}

/// Every session gives the same value.
pub(crate) fn degenerate() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let cause = UndeterminedCause::Degenerate;
        let open = condition(comparison(
            LIMIT,
            State::Undetermined,
            [None, None],
            Some(cause),
        ));
        let result = claim(
            Verdict::Abstained,
            vec![Reason::Undetermined {
                condition: 0,
                cause,
            }],
            vec![open],
        );
        let (mut record, head) = one_target(result, &[Some(1.2); 10], [1.2; 3]);
        if let Some(judged) = &mut record.judgement {
            for metric in judged.metrics.values_mut() {
                metric.degenerate = true;
                metric.order_statistic = None;
                metric.bootstrap_percentile = None;
                metric.cv = Some(0.0);
                metric.cv_plain = Some(0.0);
            }
        }
        input(declaration, head, vec![record])
    }
    Case {
        declaration: at_least(),
        build,
    }
}
