//! Plans with a life before the lock, and plans that are read otherwise than by default.

use prereg_declaration::{
    Declaration, Difference, Estimand, Interval as Declared, Scale, Stopping,
};
use prereg_judgement::{
    ClaimResult, DeclaredInterval, Interval, MeasuredCoverage, Reason, State, Verdict,
};
use prereg_ledger::Withdrawal;
use prereg_report::{Attempt, PilotFacts, ReportInput};

use super::{Case, LIMIT, SUMMARY, at_least, one_target, shifted};
use crate::study::{claim, comparison, condition, digest, input};

fn passed() -> ClaimResult {
    let shown = condition(comparison(
        LIMIT,
        State::False,
        [Some(1.19), Some(1.28)],
        None,
    ));
    claim(Verdict::Pass, vec![Reason::AllConditionsFalse], vec![shown])
}

/// The second attempt, amended after a falsification, with a pilot before and a withdrawal after.
pub(crate) fn amended() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let (record, head) = one_target(passed(), &shifted(0.0), SUMMARY);
        let mut input = input(declaration, head, vec![record]);
        let lock = &mut input.lock;
        lock.attempts[0].reason = Some("the threshold was a typing error".to_owned());
        "run cpu-90b1e6cc2f0d".clone_into(&mut lock.attempts[0].seen);
        lock.attempts.insert(
            0,
            Attempt {
                lock: digest("first lock"),
                experiment: "replay_tax".to_owned(),
                time: "2026-11-29T09:00:00Z".to_owned(),
                fate: "replay_pays falsified".to_owned(),
                reason: None,
                seen: "pilot cpu-11aa22bb33cc".to_owned(),
                withdrawn: None,
            },
        );
        lock.differences = vec![Difference {
            path: "claims.replay_pays.kill.0".to_owned(),
            before: Some("speedup < 1.3".to_owned()),
            after: Some("speedup < 1.15".to_owned()),
        }];
        lock.pilots = vec![PilotFacts {
            run: "cpu-11aa22bb33cc".parse().unwrap(),
            target: "cpu".to_owned(),
            time: "2026-11-28T09:00:00Z".to_owned(),
            arms: "baseline".to_owned(),
            status: "sealed".to_owned(),
            complete: 9,
            sessions: 10,
        }];
        lock.withdrawn = Some(Withdrawal {
            time: "2026-12-01T09:00:00Z".to_owned(),
            reason: "the machine | was sold".to_owned(),
        });
        input
    }
    Case {
        declaration: at_least(),
        build,
    }
}

/// Five blocks, read on a bootstrap interval, with cautions.
pub(crate) fn blocks() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let mut result = passed();
        result.covers = Some("over 5 blocks at least 6 h apart on one host".to_owned());
        let (mut record, head) = one_target(result, &shifted(0.0), SUMMARY);
        for metric in record
            .judgement
            .iter_mut()
            .flat_map(|run| run.metrics.values_mut())
        {
            let ends = metric.bootstrap_percentile.unwrap();
            metric.declared = Some(DeclaredInterval {
                method: "bootstrap-bca of the geometric mean".to_owned(),
                interval: Interval { ..ends },
                unbounded: None,
                measured_coverage: Some(MeasuredCoverage {
                    worst: 0.58,
                    best: 0.84,
                }),
            });
            let pairs = metric.values.chunks(2);
            let block = |pair: &[Option<f64>]| Some(f64::midpoint(pair[0]?, pair[1]?));
            metric.blocks = Some(pairs.map(block).collect());
            metric.warnings = vec![
                "neighbours in time depend on each other: correlation 0.81, p = 0.0021; serial \
                 dependence voids every interval above"
                    .to_owned(),
            ];
        }
        input(declaration, head, vec![record])
    }
    let mut declaration = at_least();
    declaration.inference.interval = Declared::BootstrapBca;
    declaration.inference.estimand = Estimand::GeometricMean;
    declaration.protocol.blocks = 5;
    declaration.protocol.min_gap = std::time::Duration::from_hours(6);
    Case { declaration, build }
}

/// Read on Student's t, which the author declares fit.
pub(crate) fn student_t() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let (mut record, head) = one_target(passed(), &shifted(0.0), SUMMARY);
        for metric in record
            .judgement
            .iter_mut()
            .flat_map(|run| run.metrics.values_mut())
        {
            metric.declared = Some(DeclaredInterval {
                method: "student-t of the geometric mean".to_owned(),
                interval: metric.bootstrap_percentile.unwrap(),
                unbounded: None,
                measured_coverage: None,
            });
        }
        input(declaration, head, vec![record])
    }
    let mut declaration = at_least();
    declaration.inference.interval = Declared::StudentT;
    declaration.inference.estimand = Estimand::GeometricMean;
    declaration.inference.scale = Scale::Log;
    Case { declaration, build }
}

/// A run that ended once it was decided.
pub(crate) fn sequence() -> Case {
    fn build(declaration: &Declaration) -> ReportInput<'_> {
        let (mut record, head) = one_target(passed(), &shifted(0.0), SUMMARY);
        record.run.stopped = Some(10);
        record.run.announced.sessions = 40;
        input(declaration, head, vec![record])
    }
    let mut declaration = at_least();
    declaration.inference.stopping = Stopping::Sequence;
    declaration.protocol.sessions = 40;
    Case { declaration, build }
}
