//! `lock.json`.

use std::collections::BTreeMap;
use std::fmt;

use prereg_declaration::Digest;
use serde::{Deserialize, Serialize};

use crate::event::PilotArms;

/// Everything that a run needs and that may not change after the lock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// [`Lock::SCHEMA`].
    pub schema: String,
    /// Version of the rules of judging, [`Lock::RULES`].
    pub rules: String,
    /// Id of the experiment.
    pub experiment: String,
    /// Digest of the declaration's bytes.
    pub declaration: Digest,
    /// Digest of the declaration's meaning.
    pub meaning: Digest,
    /// Digest of the question that it asks.
    pub question: Digest,
    /// Digests of the files that the declaration names, by their paths from the study's root.
    pub files: BTreeMap<String, Digest>,
    /// Canonical text of each target that the declaration names.
    pub targets: BTreeMap<String, String>,
    /// Digest of the kernels' source.
    pub kernels: Digest,
    /// Version of the tool that locked.
    pub version: String,
    /// Constants of workload and targets, resolved.
    pub constants: Vec<LockedConstant>,
    /// The sessions, in index order.
    pub sessions: Vec<PlannedSession>,
    /// What is measured, where this is no plan but the draft of a pilot. Part of the id, so that a
    /// draft that is piloted and then locked unchanged makes two locks. The [`Writer`](crate::Writer)
    /// sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pilot: Option<PilotArms>,
}

impl Lock {
    /// The format that this version writes and reads.
    pub const SCHEMA: &str = "prereg-lock/1";
    /// The rules of judging that this version knows.
    pub const RULES: &str = "1";

    /// The bytes of `lock.json`: indented JSON with a final newline. Their digest is the id.
    ///
    /// # Errors
    /// When a constant's value is not finite.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        if let Some(constant) = self
            .constants
            .iter()
            .find(|constant| !constant.value.is_finite())
        {
            return Err(serde::ser::Error::custom(format!(
                "constant `{}` is not finite",
                constant.name
            )));
        }
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// A constant that expressions use, resolved when the declaration was locked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedConstant {
    /// The target that it belongs to; `null` for constants of the workload.
    pub target: Option<String>,
    /// Its name (`weights_bytes`).
    pub name: String,
    /// The arm, for constants by arm.
    pub arm: Option<String>,
    /// Its value, in `unit`.
    pub value: f64,
    /// Its base unit (`B`, `B/s`); empty for a plain number.
    pub unit: String,
    /// How it was computed, or the source that the target cites.
    pub formula: String,
}

/// A session of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedSession {
    /// Its index, from 0.
    pub index: u32,
    /// Its cell.
    pub cell: Cell,
}

/// A point of all axes: a value for each. Without axes there is one cell, and it is empty.
///
/// Prints as `axis=value` pairs in the order of the axes' names, joined by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cell(pub BTreeMap<String, String>);

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (axis, value)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{axis}={value}")?;
        }
        Ok(())
    }
}
