//! What a ledger record says: the kinds of event and their bodies.
//!
//! On disk an event is two keys of its record, `kind` and `body`. Keys of a body are written in
//! the order of its fields here; an unknown key is an error, an unknown kind is kept as
//! [`Event::Unknown`], since a newer version may have written it.

use prereg_declaration::Digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::head::Head;
use crate::name::RunId;

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", content = "body", rename_all = "kebab-case")]
pub enum Event {
    /// A declaration was locked.
    Locked(LockEvent),
    /// A run will be measured; no sample of it exists yet.
    Announced(Announcement),
    /// A session of a run is about to start. Its folder is there and nothing is measured yet, so
    /// that a session cannot be measured, looked at, thrown away and measured again.
    SessionBegun(SessionStart),
    /// A session of a run ended, or is known to be missing.
    SessionFinished(SessionEvent),
    /// A run is over; its files are sealed.
    Sealed(SealEvent),
    /// A run was given up before any session of it began.
    Aborted(AbortEvent),
    /// What a sealed run was judged to say about a claim.
    Verdict(VerdictEvent),
    /// A remark by a person.
    Note(NoteEvent),
    /// The writer found what a crash had left and repaired it.
    Recovered(RecoveryEvent),
    /// A kind that this version does not know. Read, never written.
    #[serde(skip)]
    Unknown {
        /// The kind.
        kind: String,
    },
}

impl Event {
    /// The kind, as the record spells it.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Self::Locked(_) => "locked",
            Self::Announced(_) => "announced",
            Self::SessionBegun(_) => "session-begun",
            Self::SessionFinished(_) => "session-finished",
            Self::Sealed(_) => "sealed",
            Self::Aborted(_) => "aborted",
            Self::Verdict(_) => "verdict",
            Self::Note(_) => "note",
            Self::Recovered(_) => "recovered",
            Self::Unknown { kind } => kind,
        }
    }

    /// The event that a record's `kind` and `body` say.
    pub(crate) fn from_parts(kind: &str, body: Value) -> serde_json::Result<Self> {
        Ok(match kind {
            "locked" => Self::Locked(serde_json::from_value(body)?),
            "announced" => Self::Announced(serde_json::from_value(body)?),
            "session-begun" => Self::SessionBegun(serde_json::from_value(body)?),
            "session-finished" => Self::SessionFinished(serde_json::from_value(body)?),
            "sealed" => Self::Sealed(serde_json::from_value(body)?),
            "aborted" => Self::Aborted(serde_json::from_value(body)?),
            "verdict" => Self::Verdict(serde_json::from_value(body)?),
            "note" => Self::Note(serde_json::from_value(body)?),
            "recovered" => Self::Recovered(serde_json::from_value(body)?),
            _ => Self::Unknown { kind: kind.into() },
        })
    }
}

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

/// Body of `note`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoteEvent {
    /// The remark.
    pub text: String,
    /// The run that it is about.
    pub run: Option<RunId>,
}

/// Body of `recovered`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecoveryEvent {
    /// Bytes of an unterminated last line that were cut off.
    pub cut_bytes: u64,
    /// The head file as it was found, if it stood behind the chain.
    pub stale_head: Option<Head>,
}
