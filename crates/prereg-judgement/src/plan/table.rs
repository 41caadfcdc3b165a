//! The power table, as it is printed and serialised.

use std::collections::BTreeMap;

use prereg_stats::AlphaError;
use prereg_units::Quantity;
use serde::Serialize;
use thiserror::Error;

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
    /// Claims by name.
    pub claims: BTreeMap<String, ClaimPower>,
    /// The smallest number of sessions at which every claim reaches 0.8 for falsified and 0.5 for
    /// pass, up to 1 000.
    pub sufficient_sessions: Option<u32>,
    /// The smallest number below the declared one that decides as well.
    pub fewer_sessions: Option<u32>,
}

/// The power of one claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimPower {
    /// If the expected values are true.
    pub expected: PowerRow,
    /// If the rival values are true.
    pub rival: PowerRow,
    /// For a claim on one metric: true values from rival to expected with every threshold,
    /// ascending.
    pub rows: Vec<PowerRow>,
    /// For a claim on one metric that passes with probability ½ or more at its expected value: the
    /// true values for which it does.
    pub passing: Option<PassingRange>,
}

/// What happens for given true values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerRow {
    /// True value of each metric.
    pub values: BTreeMap<String, Quantity>,
    /// P(pass): exact for one comparison, else a lower bound.
    pub pass: f64,
    /// P(falsified): exact for one comparison, else a lower bound.
    pub falsified: f64,
}

/// A range of true values; an open end is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PassingRange {
    /// Lower end.
    pub from: Option<Quantity>,
    /// Upper end.
    pub to: Option<Quantity>,
}
