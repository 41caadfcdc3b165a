//! What is wrong with a plan.

use serde::Serialize;
use thiserror::Error;

use super::nearest::NearestPlan;
use super::table::PowerError;

/// A reason to refuse a plan. The message says what is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Serialize, Error, strum::VariantNames)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum LintFinding {
    /// A kill condition that no values of its metrics fulfil.
    #[error(
        "claim `{claim}`: `{condition}` can never be true: {reason}; so nothing could kill the \
         claim; {}",
        threshold(nearest.as_ref())
    )]
    NeverTrue {
        /// The claim.
        claim: String,
        /// The condition as written.
        condition: String,
        /// Why, in words.
        reason: String,
        /// A condition that could be true and could be false.
        nearest: Option<String>,
    },
    /// A kill condition that all values of its metrics fulfil.
    #[error(
        "claim `{claim}`: `{condition}` can never be false: {reason}; so the claim could not pass; {}",
        threshold(nearest.as_ref())
    )]
    NeverFalse {
        /// The claim.
        claim: String,
        /// The condition as written.
        condition: String,
        /// Why, in words.
        reason: String,
        /// A condition that could be true and could be false.
        nearest: Option<String>,
    },
    /// Kill conditions of which one always holds.
    #[error(
        "claim `{claim}`: one of its kill conditions always holds, so the claim could not pass; {}",
        threshold(nearest.as_ref())
    )]
    AlwaysKilled {
        /// The claim.
        claim: String,
        /// A kill condition that alone would leave room to pass.
        nearest: Option<String>,
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
    /// Fewer sessions than any bound needs.
    #[error(
        "claim `{claim}`: {units} {} give no bound on `{metric}` at α = {alpha}, so the claim could \
         be neither passed nor falsified; {}",
        counted(*.units, *.blocks),
        more(*.needed, *.blocks, *.sessions)
    )]
    TooFewSessions {
        /// The claim.
        claim: String,
        /// The metric.
        metric: String,
        /// One-sided α that its comparison has.
        alpha: f64,
        /// Declared sessions, or blocks.
        units: u32,
        /// Whether blocks are counted.
        blocks: bool,
        /// The fewest that give a bound.
        needed: u32,
        /// The fewest sessions at which the whole plan decides, if there are such.
        sessions: Option<u32>,
    },
    /// A gate on constants only.
    #[error("gate `{gate}` reads nothing measured; use a statistic of a column, or leave it out")]
    GateOnConstants {
        /// The gate.
        gate: String,
    },
    /// A gate that always holds.
    #[error(
        "gate `{gate}` can never fail: {reason}; so it guards nothing; tighten its limit, or leave \
         it out"
    )]
    GateNeverFails {
        /// The gate.
        gate: String,
        /// Why, in words.
        reason: String,
    },
    /// A gate that never holds.
    #[error(
        "gate `{gate}` can never hold: {reason}; so no claim could be decided; loosen its limit, or \
         leave it out"
    )]
    GateNeverHolds {
        /// The gate.
        gate: String,
        /// Why, in words.
        reason: String,
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
    /// A control or a calibrated range that nothing measured could leave.
    #[error(
        "{place} can never be left: {reason}; so it guards nothing; tighten it, or leave it out"
    )]
    CannotFail {
        /// The control or the range.
        place: String,
        /// Why, in words.
        reason: String,
    },
    /// A control or a calibrated range that nothing measured could lie in.
    #[error(
        "{place} can never hold: {reason}; so no claim could be decided; widen it, or leave it out"
    )]
    CannotHold {
        /// The control or the range.
        place: String,
        /// Why, in words.
        reason: String,
    },
    /// A calibrated range without the rival values of a claim, so that it is never falsified.
    #[error(
        "{place} leaves out the rival values of claim `{claim}`, so the claim could abstain and never \
         be falsified; widen the range to both answers"
    )]
    SparesRival {
        /// The range.
        place: String,
        /// The claim.
        claim: String,
    },
    /// A calibrated range without the expected values of a claim, so that it never passes.
    #[error(
        "{place} leaves out the expected values of claim `{claim}`, so the claim could never pass; \
         widen the range, or correct `expected`"
    )]
    BarsExpected {
        /// The range.
        place: String,
        /// The claim.
        claim: String,
    },
    /// The expected values fulfil a kill condition.
    #[error(
        "claim `{claim}`: the expected values would kill it, for there `{condition}` holds; correct \
         `expected`, or {}",
        threshold(nearest.as_ref())
    )]
    ExpectedIsKilled {
        /// The claim.
        claim: String,
        /// The condition that they fulfil, as written.
        condition: String,
        /// A kill condition between the expected and the rival value.
        nearest: Option<String>,
    },
    /// The rival values fulfil no kill condition.
    #[error(
        "claim `{claim}`: the rival values would not kill it: they lie where it passes; correct \
         `rival`, or {}",
        threshold(nearest.as_ref())
    )]
    RivalSurvives {
        /// The claim.
        claim: String,
        /// A kill condition between the expected and the rival value.
        nearest: Option<String>,
    },
    /// A claim that would probably survive although it is wrong.
    #[error(
        "claim `{claim}`: if the rival values are true it would be falsified with probability \
         {probability:.2} only, and 0.80 is needed; {}",
        what_to_do(nearest.as_ref())
    )]
    CannotLose {
        /// The claim.
        claim: String,
        /// P(falsified | rival).
        probability: f64,
        /// The nearest plan that decides, if there is one.
        nearest: Option<NearestPlan>,
    },
    /// A claim that would probably not pass although it is right.
    #[error(
        "claim `{claim}`: if the expected values are true it would pass with probability \
         {probability:.2} only, and 0.50 is needed; {}",
        what_to_do(nearest.as_ref())
    )]
    CannotWin {
        /// The claim.
        claim: String,
        /// P(pass | expected).
        probability: f64,
        /// The nearest plan that decides, if there is one.
        nearest: Option<NearestPlan>,
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

fn what_to_do(nearest: Option<&NearestPlan>) -> String {
    nearest.map_or_else(
        || "move the threshold away from it, or bring the spread down".to_owned(),
        NearestPlan::to_string,
    )
}

fn threshold(nearest: Option<&String>) -> String {
    match nearest {
        Some(condition) => format!("the nearest threshold that would do: `{condition}`"),
        None => "put the thresholds between `rival` and `expected`".to_owned(),
    }
}

const fn counted(units: u32, blocks: bool) -> &'static str {
    match (blocks, units) {
        (false, 1) => "session",
        (false, _) => "sessions",
        (true, 1) => "block",
        (true, _) => "blocks",
    }
}

fn more(needed: u32, blocks: bool, sessions: Option<u32>) -> String {
    let counted = counted(needed, blocks);
    match sessions {
        Some(sessions) => {
            format!("{needed} {counted} are the fewest that give one, {sessions} sessions would do")
        }
        None => format!("{needed} {counted} are the fewest that give one"),
    }
}

fn as_text<S: serde::Serializer>(problem: &PowerError, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(problem)
}
