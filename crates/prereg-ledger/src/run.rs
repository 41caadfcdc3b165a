//! A run, as the ledger tells it.

use std::collections::BTreeMap;
use std::fmt;

use prereg_declaration::Digest;

use crate::event::{Announcement, SessionOutcome, VerdictEvent};
use crate::name::{RunId, WriterId};

/// One execution of a lock on a target, from its announcement on.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// The chain that it is on.
    pub writer: WriterId,
    /// When it was announced.
    pub time: String,
    /// Digest of the announcement.
    pub announcement: Digest,
    /// What was announced.
    pub announced: Announcement,
    /// How far it got.
    pub status: Status,
    /// When sessions began, by index: the times of their records.
    pub begun: BTreeMap<u32, String>,
    /// When sessions ended, by index: the times of their records.
    pub ended: BTreeMap<u32, String>,
    /// How sessions ended, by index.
    pub sessions: BTreeMap<u32, SessionOutcome>,
    /// After how many sessions the run stopped, where that was before the announced number.
    pub stopped: Option<u32>,
    /// Verdicts that were recorded, in order.
    pub verdicts: Vec<VerdictEvent>,
    /// What it counts as.
    pub standing: Standing,
}

/// How far a run got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Announced, neither sealed nor aborted.
    Announced,
    /// Sealed: over, and open to judging.
    Sealed {
        /// Digest of `seal.json`.
        seal: Digest,
        /// When.
        time: String,
    },
    /// Given up before any session.
    Aborted {
        /// Why, in words.
        reason: String,
    },
}

/// What a run counts as among the runs of its lock on its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A run of record: whoever announced it had seen no earlier run that was not aborted. More
    /// than one run is of record only where they did not see each other.
    OfRecord,
    /// A later run: the first, second, … replication in the merged order.
    Replication(u32),
    /// A run of a pilot: never of record, never a replication, never judged.
    Pilot,
    /// Aborted before any session; counts as nothing and is listed.
    Aborted,
}

impl Status {
    /// `announced`, `sealed` or `aborted`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Announced => "announced",
            Self::Sealed { .. } => "sealed",
            Self::Aborted { .. } => "aborted",
        }
    }
}

impl Standing {
    /// A stable code for programs: `of-record`, `replication`, `pilot` or `aborted`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::OfRecord => "of-record",
            Self::Replication(_) => "replication",
            Self::Pilot => "pilot",
            Self::Aborted => "aborted",
        }
    }

    /// The number of a replication, from 1.
    #[must_use]
    pub const fn replication(self) -> Option<u32> {
        match self {
            Self::Replication(number) => Some(number),
            Self::OfRecord | Self::Pilot | Self::Aborted => None,
        }
    }
}

impl fmt::Display for Standing {
    /// `run of record`, `replication 2`, `pilot` or `counts as nothing`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OfRecord => f.write_str("run of record"),
            Self::Replication(number) => write!(f, "replication {number}"),
            Self::Pilot => f.write_str("pilot"),
            Self::Aborted => f.write_str("counts as nothing"),
        }
    }
}
