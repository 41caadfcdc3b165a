//! What an expression may name: arms, metrics, and what the listed targets give.

use std::collections::BTreeMap;

use prereg_units::Dimension;

use crate::targets::{Device, Target};

/// Names of one declaration.
pub(super) struct Names<'t> {
    pub(super) arms: Vec<String>,
    /// Every metric that is declared, checked or not.
    pub(super) metrics: Vec<String>,
    /// Metrics whose expression has been checked.
    pub(super) checked: BTreeMap<String, MetricFacts>,
    /// Every target that is listed, known or not.
    pub(super) listed: Vec<String>,
    /// The listed targets that are known.
    pub(super) targets: Vec<&'t Target>,
    /// Steps of one slot, where the protocol says it.
    pub(super) slot_steps: Option<u32>,
}

/// What an expression that names a metric must know of it.
#[derive(Clone, Copy)]
pub(super) struct MetricFacts {
    pub(super) dimension: Dimension,
    /// Whether its value depends on an arm.
    pub(super) sees_arms: bool,
}

impl Names<'_> {
    /// Names of the listed targets that give no value for a constant.
    pub(super) fn targets_without(&self, constant: &str) -> Vec<&str> {
        let lacking = self
            .targets
            .iter()
            .filter(|target| target.constant(constant).is_none());
        lacking.map(|target| target.name.as_str()).collect()
    }

    /// Names of the listed targets of a kind.
    pub(super) fn targets_of(&self, device: Device) -> Vec<&str> {
        let of_kind = self.targets.iter().filter(|target| target.device == device);
        of_kind.map(|target| target.name.as_str()).collect()
    }
}
