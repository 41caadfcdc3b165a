//! Bodies of the records about runs: from the announcement to the verdict.

use prereg_declaration::Digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::name::RunId;

/// Body of `announced`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    /// The lock that will be run.
    pub lock: Digest,
    /// Its experiment.
    pub experiment: String,
    /// The target.
    pub target: String,
    /// Where the numbers will come from.
    pub origin: Origin,
    /// How the target is reached (`local`).
    pub launcher: String,
    /// Locked number of sessions.
    pub sessions: u32,
    /// Version of the tool.
    pub version: String,
    /// Digest of the kernels' source, to be compared with the lock's.
    pub kernels: Digest,
    /// Digest of the executable.
    pub executable: Digest,
}

/// Where the numbers of a run come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A real execution on the target.
    Measured,
    /// Made up, for tests and examples; says nothing about any machine.
    Simulated,
}

/// Body of `session-begun`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionStart {
    /// The run.
    pub run: RunId,
    /// Index of the session, from 0.
    pub session: u32,
}

/// Body of `session-finished`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionEvent {
    /// The run.
    pub run: RunId,
    /// Index of the session, from 0.
    pub session: u32,
    /// How it ended.
    pub outcome: SessionOutcome,
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SessionOutcome {
    /// Its folder is whole.
    Complete {
        /// Digest of `done.json`, which holds the digests of its other files.
        done: Digest,
    },
    /// It is missing for good.
    Missing {
        /// Why.
        reason: MissingReason,
        /// The same in words.
        message: String,
    },
}

/// Why a session is missing, as its run saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingReason {
    /// It began and left no `done.json`.
    Torn,
    /// It ran past the locked time-out.
    TimedOut,
    /// Its `done.json` says that it failed.
    Failed,
}

/// Body of `stopped`: a run under `stopping = "sequence"` ended after its first `sessions`
/// sessions. A seal covers them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopEvent {
    /// The run.
    pub run: RunId,
    /// How many sessions it has: at least one, fewer than were announced, all of them ended.
    pub sessions: u32,
}

/// Body of `sealed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealEvent {
    /// The run.
    pub run: RunId,
    /// Digest of `seal.json`.
    pub seal: Digest,
}

/// Body of `aborted`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbortEvent {
    /// The run.
    pub run: RunId,
    /// Why, in words.
    pub reason: String,
}

/// Body of `verdict`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictEvent {
    /// The run.
    pub run: RunId,
    /// The claim.
    pub claim: String,
    /// Version of the rules of judging.
    pub rules: String,
    /// `pass`, `falsified` or `abstained`.
    pub verdict: String,
    /// Reason codes with their details, as `prereg analyze --json` gives them.
    pub reasons: Vec<Value>,
    /// Each kill condition with state and bounds, as `prereg analyze --json` gives them.
    pub conditions: Vec<Value>,
}
