//! One run on one target.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{ClaimResult, ControlResult, GateResult, MetricResult, RangeResult};
use crate::samples::Missing;

/// Everything judged from one run on one target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunJudgement {
    /// Target.
    pub target: String,
    /// Sessions that count, missing ones included: the locked number, or fewer where a sequence
    /// stopped.
    pub sessions: usize,
    /// Sessions without numbers: index and reason.
    pub missing: Vec<MissingSession>,
    /// Metrics by name.
    pub metrics: BTreeMap<String, MetricResult>,
    /// Gates by name.
    pub gates: BTreeMap<String, GateResult>,
    /// Controls by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub controls: BTreeMap<String, ControlResult>,
    /// Calibrated ranges by metric.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub calibrated_range: BTreeMap<String, RangeResult>,
    /// Claims judged on this target, by name.
    pub claims: BTreeMap<String, ClaimResult>,
}

/// A session without numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingSession {
    /// Its index.
    pub session: usize,
    /// Why.
    #[serde(flatten)]
    pub missing: Missing,
}
