//! Bodies of the records about plans: locked, amended, withdrawn, piloted.

use prereg_declaration::Digest;
use serde::{Deserialize, Serialize};

/// Body of `locked`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockEvent {
    /// Id of the lock: digest of `lock.json`.
    pub lock: Digest,
    /// Id of the experiment.
    pub experiment: String,
    /// Digest of the declaration's bytes.
    pub declaration: Digest,
    /// Question digest: equal for locks that ask the same question.
    pub question: Digest,
}

/// Body of `amended`: a lock whose parent is an earlier lock of the same experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AmendmentEvent {
    /// Id of the new lock.
    pub lock: Digest,
    /// Id of the experiment, the same as the parent's.
    pub experiment: String,
    /// Digest of the changed declaration's bytes.
    pub declaration: Digest,
    /// Question digest of the changed declaration.
    pub question: Digest,
    /// Id of the lock that is amended.
    pub parent: Digest,
    /// Why, in words.
    pub reason: String,
}

impl AmendmentEvent {
    /// What the record says as that of a lock.
    pub(crate) fn as_lock(&self) -> LockEvent {
        LockEvent {
            lock: self.lock,
            experiment: self.experiment.clone(),
            declaration: self.declaration,
            question: self.question,
        }
    }
}

/// Body of `withdrawn`. What was measured before stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithdrawalEvent {
    /// Id of the lock.
    pub lock: Digest,
    /// Why, in words.
    pub reason: String,
}

/// Body of `piloted`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PilotEvent {
    /// Id of the frozen draft: digest of its `lock.json`.
    pub lock: Digest,
    /// Id of the experiment.
    pub experiment: String,
    /// Digest of the draft's bytes.
    pub declaration: Digest,
    /// Question digest of the draft.
    pub question: Digest,
    /// What the pilot measures.
    pub arms: PilotArms,
}

impl PilotEvent {
    /// What the record says as that of a lock.
    pub(crate) fn as_lock(&self) -> LockEvent {
        LockEvent {
            lock: self.lock,
            experiment: self.experiment.clone(),
            declaration: self.declaration,
            question: self.question,
        }
    }
}

/// What a pilot measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PilotArms {
    /// The baseline against itself: spread and feasibility, no effect.
    Baseline,
    /// Every arm as declared: whoever plans afterwards has seen the effect.
    All,
}

impl PilotArms {
    /// The word that the record has: `baseline` or `all`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::All => "all",
        }
    }
}
