//! What is wrong with a plan.

use serde::Serialize;
use thiserror::Error;

use super::table::PowerError;

/// A reason to refuse a plan. The message says what is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Serialize, Error)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum LintFinding {
    /// A kill condition that no values of its metrics fulfil.
    #[error(
        "claim `{claim}`: `{condition}` can never be true, so nothing could kill the claim; move \
         the threshold to where the metric can go"
    )]
    NeverTrue {
        /// The claim.
        claim: String,
        /// The condition as written.
        condition: String,
    },
    /// A kill condition that all values of its metrics fulfil.
    #[error(
        "claim `{claim}`: `{condition}` can never be false, so the claim could not pass; move the \
         threshold to where the metric can stay clear of it"
    )]
    NeverFalse {
        /// The claim.
        claim: String,
        /// The condition as written.
        condition: String,
    },
    /// Kill conditions of which one always holds.
    #[error(
        "claim `{claim}`: one of its kill conditions always holds, so the claim could not pass; \
         leave a range of values that kills nothing"
    )]
    AlwaysKilled {
        /// The claim.
        claim: String,
    },
    /// A condition with more cases than can be tried.
    #[error("{place}: too many comparisons to see whether it can hold and fail; split it")]
    TooComplex {
        /// The claim or gate.
        place: String,
    },
    /// A kill condition on a metric that is computed from constants only.
    #[error(
        "claim `{claim}`: metric `{metric}` holds nothing measured, so no run could decide it; use \
         a statistic of a column"
    )]
    NothingMeasured {
        /// The claim.
        claim: String,
        /// The metric.
        metric: String,
    },
    /// A gate on constants only.
    #[error("gate `{gate}` reads nothing measured; use a statistic of a column")]
    GateOnConstants {
        /// The gate.
        gate: String,
    },
    /// A gate that always holds.
    #[error("gate `{gate}` can never fail, so it guards nothing; tighten its limit or remove it")]
    GateNeverFails {
        /// The gate.
        gate: String,
    },
    /// A gate that never holds.
    #[error("gate `{gate}` can never hold, so no claim could be decided; loosen its limit")]
    GateNeverHolds {
        /// The gate.
        gate: String,
    },
    /// A gate that fails where the claim is wrong, so that it is never falsified.
    #[error(
        "gate `{gate}` fails wherever claim `{claim}` has its rival values, so the claim could abstain \
         and never be falsified; a gate guards the measurement, leave the question to the kill \
         conditions"
    )]
    GateSparesRival {
        /// The gate.
        gate: String,
        /// The claim.
        claim: String,
    },
    /// A gate that fails where the claim is right, so that it never passes.
    #[error(
        "gate `{gate}` fails wherever claim `{claim}` has its expected values, so the claim could \
         never pass; loosen the gate or correct `expected`"
    )]
    GateBarsExpected {
        /// The gate.
        gate: String,
        /// The claim.
        claim: String,
    },
    /// The expected values fulfil a kill condition.
    #[error(
        "claim `{claim}`: the expected values would kill it; correct `expected` or the kill \
         conditions"
    )]
    ExpectedIsKilled {
        /// The claim.
        claim: String,
    },
    /// The rival values fulfil no kill condition.
    #[error(
        "claim `{claim}`: the rival values would not kill it; correct `rival` or the kill conditions"
    )]
    RivalSurvives {
        /// The claim.
        claim: String,
    },
    /// A claim that would probably survive although it is wrong.
    #[error(
        "claim `{claim}`: if the rival values are true it would be falsified with probability \
         {probability:.2} only, and 0.80 is needed; {}",
        advice(*.sessions)
    )]
    CannotLose {
        /// The claim.
        claim: String,
        /// P(falsified | rival).
        probability: f64,
        /// The smallest number of sessions at which the whole plan decides, if there is one.
        sessions: Option<u32>,
    },
    /// A claim that would probably not pass although it is right.
    #[error(
        "claim `{claim}`: if the expected values are true it would pass with probability \
         {probability:.2} only, and 0.50 is needed; {}",
        advice(*.sessions)
    )]
    CannotWin {
        /// The claim.
        claim: String,
        /// P(pass | expected).
        probability: f64,
        /// The smallest number of sessions at which the whole plan decides, if there is one.
        sessions: Option<u32>,
    },
    /// Power cannot be computed.
    #[error(transparent)]
    Power {
        /// What is missing.
        #[from]
        #[serde(serialize_with = "as_text")]
        problem: PowerError,
    },
}

fn advice(sessions: Option<u32>) -> String {
    match sessions {
        Some(sessions) => format!("{sessions} sessions would do"),
        None => "move the threshold away from it, or bring the spread down".to_owned(),
    }
}

fn as_text<S: serde::Serializer>(problem: &PowerError, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(problem)
}
