//! What a ledger record says: the kinds of event and their bodies.
//!
//! On disk an event is two keys of its record, `kind` and `body`. Keys of a body are written in
//! the order of its fields here; an unknown key is an error, an unknown kind is kept as
//! [`Event::Unknown`], since a newer version may have written it.

mod plan;
mod preflight;
mod run;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::head::Head;
use crate::name::RunId;

pub use plan::{AmendmentEvent, LockEvent, PilotArms, PilotEvent, WithdrawalEvent};
pub use preflight::{InstrumentReading, PreflightEvent, PreflightReadings};
pub use run::{
    AbortEvent, Announcement, MissingReason, Origin, SealEvent, SessionEvent, SessionOutcome,
    SessionStart, StopEvent, VerdictEvent,
};

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", content = "body", rename_all = "kebab-case")]
pub enum Event {
    /// A declaration was locked.
    Locked(LockEvent),
    /// A changed declaration was locked as the successor of an earlier lock.
    Amended(AmendmentEvent),
    /// A lock may not be run any more.
    Withdrawn(WithdrawalEvent),
    /// A draft was frozen for a pilot.
    Piloted(PilotEvent),
    /// A machine was looked at before a run of a lock, or of a pilot's draft, was announced or resumed.
    Preflight(PreflightEvent),
    /// A run will be measured; no sample of it exists yet.
    Announced(Announcement),
    /// A session of a run is about to start. Its folder is there and nothing is measured yet, so
    /// that a session cannot be measured, looked at, thrown away and measured again.
    SessionBegun(SessionStart),
    /// A session of a run ended, or is known to be missing.
    SessionFinished(SessionEvent),
    /// A run ended before its locked number of sessions, because its claims were decided.
    Stopped(StopEvent),
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
            Self::Amended(_) => "amended",
            Self::Withdrawn(_) => "withdrawn",
            Self::Piloted(_) => "piloted",
            Self::Preflight(_) => "preflight",
            Self::Announced(_) => "announced",
            Self::SessionBegun(_) => "session-begun",
            Self::SessionFinished(_) => "session-finished",
            Self::Stopped(_) => "stopped",
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
            "amended" => Self::Amended(serde_json::from_value(body)?),
            "withdrawn" => Self::Withdrawn(serde_json::from_value(body)?),
            "piloted" => Self::Piloted(serde_json::from_value(body)?),
            "preflight" => Self::Preflight(serde_json::from_value(body)?),
            "announced" => Self::Announced(serde_json::from_value(body)?),
            "session-begun" => Self::SessionBegun(serde_json::from_value(body)?),
            "session-finished" => Self::SessionFinished(serde_json::from_value(body)?),
            "stopped" => Self::Stopped(serde_json::from_value(body)?),
            "sealed" => Self::Sealed(serde_json::from_value(body)?),
            "aborted" => Self::Aborted(serde_json::from_value(body)?),
            "verdict" => Self::Verdict(serde_json::from_value(body)?),
            "note" => Self::Note(serde_json::from_value(body)?),
            "recovered" => Self::Recovered(serde_json::from_value(body)?),
            _ => Self::Unknown { kind: kind.into() },
        })
    }
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
