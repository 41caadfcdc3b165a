//! Reasons of verdicts, and causes of undetermined conditions.

use prereg_declaration::Claim;
use prereg_judgement::{Reason, RunJudgement, UndeterminedCause};

use super::observed;
use crate::markdown::{code, escape};

/// A reason on one target, as a clause. `judgement` is that of the run of record, where there is one.
#[must_use]
pub fn reason(
    reason: &Reason,
    target: &str,
    claim: &Claim,
    judgement: Option<&RunJudgement>,
) -> String {
    let condition = |index: &usize| {
        claim.kill.get(*index).map_or_else(
            || format!("kill condition {}", index + 1),
            |kill| format!("kill condition {}", code(&kill.source)),
        )
    };
    let seen = |gate: &str| {
        judgement
            .and_then(|judgement| judgement.gates.get(gate))
            .map(observed)
            .filter(|text| !text.is_empty())
            .map(|text| format!(" ({text})"))
            .unwrap_or_default()
    };
    let range = |metric: &str| {
        judgement
            .and_then(|judgement| {
                let range = judgement.calibrated_range.get(metric)?;
                Some(format!(" ({})", super::range(range, judgement.sessions)))
            })
            .unwrap_or_default()
    };
    match reason {
        Reason::AllConditionsFalse => "every kill condition is shown false".to_owned(),
        Reason::ConditionTrue { condition: index } => format!("{} is shown true", condition(index)),
        Reason::Undetermined {
            condition: index,
            cause,
        } => {
            format!(
                "{} is undetermined: {}",
                condition(index),
                undetermined(*cause)
            )
        }
        Reason::GateFailed { gate } => format!("gate {} failed{}", code(gate), seen(gate)),
        Reason::GateUnobserved { gate } => {
            format!(
                "gate {} was not observed, and not observed is not passed",
                code(gate)
            )
        }
        Reason::ControlFailed { control } => {
            let seen = judgement.and_then(|judgement| judgement.controls.get(control));
            let seen = seen.map_or_else(String::new, |seen| {
                format!(" ({} {})", code(&seen.metric), super::control(seen))
            });
            format!("control {} failed{seen}", code(control))
        }
        Reason::ControlUnobserved { control } => format!(
            "control {} has no interval, and not observed is not passed",
            code(control)
        ),
        Reason::OutsideCalibratedRange { metric } => {
            format!(
                "{} left its calibrated range{}",
                code(metric),
                range(metric)
            )
        }
        Reason::CalibratedRangeUnobserved { metric } => format!(
            "whether {} kept to its calibrated range was not observed{}",
            code(metric),
            range(metric)
        ),
        Reason::ArmInvalid { arm, message } => {
            format!(
                "arm {} did not run as asked: {}",
                code(arm),
                escape(message)
            )
        }
        Reason::NoData => format!("there is no sealed run of record on {}", code(target)),
        Reason::FirstRunsDisagree => format!(
            "the first runs on {} did not see each other and do not agree",
            code(target)
        ),
    }
}

/// Why a condition is undetermined, as a clause.
#[must_use]
pub const fn undetermined(cause: UndeterminedCause) -> &'static str {
    match cause {
        UndeterminedCause::ThresholdWithinBounds => "the threshold lies within the bounds",
        UndeterminedCause::TooFewSessions => {
            "too few sessions give a bound at this α, missing ones counted against both sides"
        }
        UndeterminedCause::Degenerate => {
            "all sessions give the same value to rounding, so the timer does not resolve the metric"
        }
        UndeterminedCause::NonFinite => "a bound or a value is not finite",
        UndeterminedCause::MissingSessions => {
            "the declared interval cannot count missing sessions, and some are missing"
        }
        UndeterminedCause::NotPositive => {
            "a value is not positive, and the declared interval works on logarithms"
        }
        UndeterminedCause::EqualJackknife => {
            "leaving out any one session gives the same estimate, so there is no BCa interval"
        }
        UndeterminedCause::InfiniteQuantile => {
            "too many resamples have no spread for a bootstrap-t bound"
        }
        UndeterminedCause::LevelTooSmall => "the declared interval gives no bound at so small an α",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use prereg_declaration::{Comparison, Condition, KillCondition};

    use super::*;

    #[test]
    fn reasons_name_condition_gate_arm_and_target() {
        let claim = Claim {
            text: String::new(),
            on: vec!["cpu".to_owned()],
            expected: BTreeMap::new(),
            rival: BTreeMap::new(),
            kill: vec![KillCondition {
                source: "m < 1.15".to_owned(),
                condition: Condition::Compare {
                    metric: "m".to_owned(),
                    comparison: Comparison::Less,
                    threshold: "1.15".parse().unwrap(),
                },
            }],
        };
        let cases = [
            (
                Reason::ConditionTrue { condition: 0 },
                "kill condition `m < 1.15` is shown true",
            ),
            (
                Reason::Undetermined {
                    condition: 0,
                    cause: UndeterminedCause::ThresholdWithinBounds,
                },
                "kill condition `m < 1.15` is undetermined: the threshold lies within the bounds",
            ),
            (
                Reason::GateUnobserved {
                    gate: "clock".to_owned(),
                },
                "gate `clock` was not observed, and not observed is not passed",
            ),
            (
                Reason::ArmInvalid {
                    arm: "graphed".to_owned(),
                    message: "not captured".to_owned(),
                },
                "arm `graphed` did not run as asked: not captured",
            ),
            (Reason::NoData, "there is no sealed run of record on `cpu`"),
        ];
        for (case, expected) in cases {
            assert_eq!(reason(&case, "cpu", &claim, None), expected);
        }
    }
}
