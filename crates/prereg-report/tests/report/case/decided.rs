//! Verdicts that came out one way or the other.

use prereg_declaration::Declaration;
use prereg_judgement::{Reason, State, UndeterminedCause, Verdict};
use prereg_ledger::{Origin, Standing, Status};
use prereg_report::ReportInput;

use super::{Case, LIMIT, SUMMARY, at_least, one_target, shifted};
use crate::study::{claim, comparison, condition, input, judgement, run};

/// Passes; a replication abstains, an earlier announcement was aborted, a third run is unsealed.
pub(crate) fn pass() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let shown = |lower| {
            vec![condition(comparison(
                LIMIT,
                State::False,
                [Some(lower), Some(1.28)],
                None,
            ))]
        };
        let (record, head) = one_target(
            claim(Verdict::Pass, vec![Reason::AllConditionsFalse], shown(1.19)),
            &shifted(0.0),
            SUMMARY,
        );
        let undetermined = claim(
            Verdict::Abstained,
            vec![Reason::Undetermined {
                condition: 0,
                cause: UndeterminedCause::ThresholdWithinBounds,
            }],
            vec![condition(comparison(
                LIMIT,
                State::Undetermined,
                [Some(1.13), Some(1.22)],
                Some(UndeterminedCause::ThresholdWithinBounds),
            ))],
        );
        let mut replication = run(
            "cpu-77aa0e4d19b2",
            "cpu",
            judgement(
                "cpu",
                &shifted(-0.06),
                SUMMARY.map(|value| value - 0.06),
                undetermined,
            ),
        );
        replication.run.standing = Standing::Replication(1);
        replication.deviations = vec!["prereg 0.1.1 ran it, 0.1.0 locked it".to_owned()];
        let mut aborted = run(
            "cpu-0b5d6a2277c1",
            "cpu",
            replication.judgement.clone().unwrap(),
        );
        aborted.run.standing = Standing::Aborted;
        aborted.judgement = None;
        aborted.run.status = Status::Aborted {
            reason: "the wrong terminal".to_owned(),
        };
        let mut unsealed = aborted.clone();
        unsealed.run.id = "cpu-e19c4470ab03".parse().unwrap();
        unsealed.run.standing = Standing::Replication(2);
        unsealed.run.status = Status::Announced;
        input(
            declaration,
            head,
            vec![aborted, record, replication, unsealed],
        )
    }
    Case {
        declaration: at_least(),
        build,
    }
}

/// Falsified on measured data, so without any banner.
pub(crate) fn falsified() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let shown = condition(comparison(
            LIMIT,
            State::True,
            [Some(0.99), Some(1.08)],
            None,
        ));
        let mut result = claim(
            Verdict::Falsified,
            vec![Reason::ConditionTrue { condition: 0 }],
            vec![shown],
        );
        result.disagreement = Some(
            "the 95 % bootstrap interval would have left `speedup < 1.15` undetermined".to_owned(),
        );
        let (mut record, head) =
            one_target(result, &shifted(-0.2), SUMMARY.map(|value| value - 0.2));
        record.run.announced.origin = Origin::Measured;
        input(declaration, head, vec![record])
    }
    Case {
        declaration: at_least(),
        build,
    }
}
