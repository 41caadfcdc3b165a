//! Verdicts, reasons and states in words, as markdown: author text comes out as code spans or escaped.

use prereg_declaration::{Claim, Declaration, Estimand, Stopping};
use prereg_judgement::{
    ComparisonResult, GateResult, Interval, MetricResult, Missing, Observed, Reason, RunJudgement,
    State, UndeterminedCause, Verdict,
};

use crate::markdown::{code, escape};
use crate::number;

/// Shape and word: told apart without colour.
#[must_use]
pub fn marked(verdict: Verdict) -> String {
    let shape = match verdict {
        Verdict::Pass => "●",
        Verdict::Falsified => "✖",
        Verdict::Abstained => "◇",
    };
    format!("{shape} {}", verdict.as_str())
}

/// The word of a state.
#[must_use]
pub const fn state(state: State) -> &'static str {
    match state {
        State::True => "shown true",
        State::False => "shown false",
        State::Undetermined => "undetermined",
    }
}

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

/// The number over sessions that a claim is about.
pub(crate) const fn estimand(estimand: Estimand) -> &'static str {
    match estimand {
        Estimand::Median => "median",
        Estimand::GeometricMean => "geometric mean",
        Estimand::Mean => "mean",
    }
}

/// What conditions are read on: "median over sessions".
pub(crate) fn read_on(declaration: &Declaration) -> String {
    let units = match declaration.protocol.blocks {
        1 => "sessions",
        _ => "blocks",
    };
    format!("{} over {units}", estimand(declaration.inference.estimand))
}

/// The interval that decides, by its name.
pub(crate) fn interval(declaration: &Declaration) -> &'static str {
    match declaration.inference.stopping {
        Stopping::Sequence => Stopping::Sequence.name(),
        Stopping::Fixed => declaration.inference.interval.name(),
    }
}

/// The deciding interval of a metric, two-sided.
pub(crate) fn deciding(metric: &MetricResult) -> Option<Interval> {
    match &metric.declared {
        Some(declared) => Some(declared.interval),
        None => metric.order_statistic,
    }
}

/// A clause of the judge as a sentence: code spans kept, the first letter large, a full stop.
pub(crate) fn sentence(clause: &str) -> String {
    let parts: Vec<String> = clause
        .split('`')
        .enumerate()
        .map(|(index, part)| {
            // Between back quotes is code; escaping the rest must not eat the space beside it.
            if index % 2 == 1 {
                return code(part);
            }
            let space = |is: bool| if is { " " } else { "" };
            let (before, after) = (part.starts_with(' '), part.ends_with(' '));
            format!("{}{}{}", space(before), escape(part), space(after))
        })
        .collect();
    let text = parts.concat();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => text,
    }
}

/// How far a threshold could have moved with the comparison still decided as it was.
#[must_use]
pub fn margin(comparison: &ComparisonResult) -> Option<String> {
    let margin = comparison.margin?;
    let upwards = matches!(
        (comparison.comparison, comparison.state),
        ("<" | "<=", State::False) | (">" | ">=", State::True)
    );
    let direction = if upwards { "up to" } else { "down to" };
    Some(format!(
        "{} for any threshold {direction} {}",
        state(comparison.state),
        number::beside_threshold(margin.value(), comparison.threshold),
    ))
}

/// The p-value of what was shown, at the threshold: "p = 0.000311"; none where nothing was.
#[must_use]
pub fn p_value(comparison: &ComparisonResult) -> Option<String> {
    let p = match comparison.state {
        State::True => comparison.p_true?,
        State::False => comparison.p_false?,
        State::Undetermined => return None,
    };
    let p = number::probability(p);
    Some(if p.starts_with('<') {
        format!("p {p}")
    } else {
        format!("p = {p}")
    })
}

/// The bounds of a comparison with their α, as a clause: "between 1.21 (α = 0.05) and unbounded (α = 0.05)".
#[must_use]
pub fn bounds(comparison: &ComparisonResult) -> String {
    let bounds = comparison.bounds;
    let bound = |value: Option<f64>, alpha: f64| {
        let value = value.map_or_else(
            || "unbounded".to_owned(),
            |value| number::beside_threshold(value, comparison.threshold),
        );
        format!("{value} (α = {})", number::probability(alpha))
    };
    format!(
        "between {} and {}",
        bound(bounds.lower, bounds.alpha_lower),
        bound(bounds.upper, bounds.alpha_upper)
    )
}

/// Why a session has no number, as a clause.
#[must_use]
pub fn missing(missing: &Missing) -> String {
    match missing {
        Missing::NeverRun => "never run".to_owned(),
        Missing::Torn => "began and did not finish".to_owned(),
        Missing::TimedOut => "ran past the locked time-out".to_owned(),
        Missing::RejectedSteps { count: 1 } => "1 step had a non-positive duration".to_owned(),
        Missing::RejectedSteps { count } => format!("{count} steps had a non-positive duration"),
        Missing::Excluded { gate } => format!("excluded: gate {} failed", code(gate)),
        Missing::Unobserved { gate } => format!("excluded: gate {} was not observed", code(gate)),
        Missing::Failed { message } => format!("failed: {}", escape(message)),
    }
}

/// The numbers that a gate saw.
#[must_use]
pub fn observed(gate: &GateResult) -> String {
    let part = |observed: &Observed| {
        let value = observed.value.map_or_else(
            || "not observed".to_owned(),
            |value| {
                // A coefficient of variation is a percentage to everyone who writes one.
                if value.dimension().is_none() && observed.expression.starts_with("cv(") {
                    number::percent(value.value())
                } else {
                    number::measured(value.value(), value.dimension())
                }
            },
        );
        let session = observed
            .session
            .map(|session| format!(" in session {session}"))
            .unwrap_or_default();
        format!("{} = {value}{session}", code(&observed.expression))
    };
    gate.observed
        .iter()
        .map(part)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use prereg_declaration::{Comparison, Condition, KillCondition};
    use prereg_judgement::{Bounds, GateState};
    use prereg_units::Quantity;

    use super::*;

    fn quantity(text: &str) -> Quantity {
        text.parse().unwrap()
    }

    fn compared(comparison: &'static str, state: State) -> ComparisonResult {
        ComparisonResult {
            metric: "m".to_owned(),
            comparison,
            threshold: quantity("1.15"),
            state,
            bounds: Bounds {
                lower: None,
                alpha_lower: 0.05,
                upper: None,
                alpha_upper: 0.05,
            },
            p_true: None,
            p_false: None,
            margin: (state != State::Undetermined).then(|| quantity("1.2")),
            cause: None,
        }
    }

    #[test]
    fn a_margin_points_to_where_the_threshold_could_have_gone() {
        let margins = [
            (
                "<",
                State::False,
                Some("shown false for any threshold up to 1.2"),
            ),
            (
                "<=",
                State::True,
                Some("shown true for any threshold down to 1.2"),
            ),
            (
                ">",
                State::False,
                Some("shown false for any threshold down to 1.2"),
            ),
            (
                ">=",
                State::True,
                Some("shown true for any threshold up to 1.2"),
            ),
            ("<", State::Undetermined, None),
        ];
        for (comparison, state, expected) in margins {
            assert_eq!(margin(&compared(comparison, state)).as_deref(), expected);
        }
    }

    #[test]
    fn a_clause_becomes_a_sentence_and_keeps_its_code() {
        assert_eq!(
            sentence("had gate `a|b` held: *pass*"),
            "Had gate <code>a&#124;b</code> held: \\*pass\\*."
        );
        assert_eq!(sentence(""), "");
    }

    #[test]
    fn the_p_value_is_that_of_what_was_shown() {
        let p = |state| {
            let mut comparison = compared("<", state);
            (comparison.p_true, comparison.p_false) = (Some(0.00001), Some(0.0107));
            p_value(&comparison)
        };
        assert_eq!(p(State::Undetermined), None);
        assert_eq!(p(State::False).as_deref(), Some("p = 0.0107"));
        assert_eq!(p(State::True).as_deref(), Some("p < 0.0001"));
    }

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
                    threshold: quantity("1.15"),
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

    #[test]
    fn a_gate_prints_what_it_saw_and_says_when_it_saw_nothing() {
        let saw = |expression: &str, value: Option<&str>, session| Observed {
            expression: expression.to_owned(),
            value: value.map(quantity),
            session,
        };
        let gate = GateResult {
            expression: String::new(),
            scope: "each-session",
            otherwise: "abstain",
            state: GateState::Failed,
            sessions: Vec::new(),
            observed: vec![
                saw("min(sm_clock)", Some("1.2 GHz"), Some(3)),
                saw("cv(m)", Some("0.0312"), None),
                saw("max(temperature)", None, None),
            ],
        };
        assert_eq!(
            observed(&gate),
            "`min(sm_clock)` = 1.2 GHz in session 3, `cv(m)` = 3.12 %, `max(temperature)` = not observed"
        );
    }
}
