//! The power table, as it is printed and serialised.

use std::collections::BTreeMap;

use prereg_stats::AlphaError;
use prereg_units::Quantity;
use serde::Serialize;
use thiserror::Error;

use crate::verdict::MeasuredCoverage;

/// Why power cannot be computed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PowerError {
    /// A metric without an assumed spread.
    #[error("metric `{metric}` has no assumed spread; add it to `assumed-cv`")]
    NoSpread {
        /// The metric.
        metric: String,
    },
    /// A metric without a value in a scenario.
    #[error("claim `{claim}`: `{scenario}` gives no value for metric `{metric}`; add it")]
    NoValue {
        /// The claim.
        claim: String,
        /// `expected` or `rival`.
        scenario: &'static str,
        /// The metric.
        metric: String,
    },
    /// A value that a lognormal law cannot have.
    #[error(
        "claim `{claim}`: `{scenario}` gives metric `{metric}` a value that is not positive; the \
         assumed spread is relative, so give a positive one"
    )]
    NotPositive {
        /// The claim.
        claim: String,
        /// `expected` or `rival`.
        scenario: &'static str,
        /// The metric.
        metric: String,
    },
    /// An error probability out of range.
    #[error("`alpha-pass` and `alpha-falsified`: {0}")]
    Alpha(#[from] AlphaError),
}

/// The power of a plan at its declared sessions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerTable {
    /// Declared number of sessions.
    pub sessions: u32,
    /// How many experiments were simulated for each figure of a claim that has no closed form;
    /// `None` where every claim has one.
    pub experiments: Option<u32>,
    /// Claims by name.
    pub claims: BTreeMap<String, ClaimPower>,
    /// The smallest number of sessions at which every claim reaches 0.8 for falsified and 0.5 for
    /// pass; up to 1 000, up to 400 where it is simulated. None under a census: there are no more.
    pub sufficient_sessions: Option<u32>,
    /// The smallest number below the declared one that decides as well.
    pub fewer_sessions: Option<u32>,
    /// For an interval whose level is approximate: its coverage as measured for so many values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_coverage: Option<MeasuredCoverage>,
}

/// The power of one claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimPower {
    /// If the expected values are true.
    pub expected: PowerRow,
    /// If the rival values are true.
    pub rival: PowerRow,
    /// For a claim on one metric: true values from rival to expected with every threshold,
    /// ascending; gates on the metric's own value are read at these values too.
    pub rows: Vec<PowerRow>,
    /// For a claim on one metric: what becomes of every true value, ascending and without gaps,
    /// where gates, controls and calibrated ranges hold.
    pub effects: Vec<EffectRange>,
}

/// What happens for given true values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerRow {
    /// True value of each metric.
    pub values: BTreeMap<String, Quantity>,
    /// P(pass); gates, controls and calibrated ranges counted.
    pub pass: f64,
    /// P(falsified), counted alike.
    pub falsified: f64,
    /// P(held) of each gate that the assumed spreads say something about; for a gate with outcome
    /// `exclude`, of one session.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub gates: BTreeMap<String, f64>,
    /// P(held) of each control.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub controls: BTreeMap<String, f64>,
    /// P(every session inside) of each calibrated range that the assumed spreads say something about,
    /// by metric.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub calibrated_range: BTreeMap<String, f64>,
    /// Where sessions stop as soon as the claim decides: the number that half of the experiments do
    /// not exceed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_sessions: Option<u32>,
}

/// What a claim comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// P(pass) is at least ½.
    Pass,
    /// P(falsified) is at least ½.
    Falsified,
    /// Neither.
    Open,
}

/// A range of true values with one outcome; an end without limit is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EffectRange {
    /// The likely outcome.
    pub outcome: Outcome,
    /// Lower end.
    pub from: Option<Quantity>,
    /// Upper end.
    pub to: Option<Quantity>,
}
