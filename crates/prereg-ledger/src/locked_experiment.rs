//! A recorded lock with what its folder holds.

use prereg_declaration::Digest;

use crate::event::{LockEvent, PilotArms};
use crate::lock::Frozen;
use crate::name::WriterId;

/// A recorded lock, or the frozen draft of a pilot, with what its folder holds.
#[derive(Clone, Debug, PartialEq)]
pub struct LockedExperiment {
    /// What the ledger says: the lock's id, the experiment, the digests.
    pub event: LockEvent,
    /// What it is, by its first record.
    pub kind: LockKind,
    /// Whether it was given up; the first withdrawal in the merged order.
    pub withdrawn: Option<Withdrawal>,
    /// The chain of its first record.
    pub writer: WriterId,
    /// When it was locked.
    pub time: String,
    /// What its folder holds.
    pub frozen: Frozen,
}

/// What a lock is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockKind {
    /// A plan that amends no other.
    First,
    /// A plan that takes the place of an earlier one of the same experiment.
    Amendment {
        /// Id of the lock that it amends.
        parent: Digest,
        /// Why, in words.
        reason: String,
    },
    /// A draft, frozen for a pilot.
    Pilot {
        /// What the pilot measures.
        arms: PilotArms,
    },
}

impl LockKind {
    /// What is measured, for the draft of a pilot; `None` for a plan.
    #[must_use]
    pub const fn pilot(&self) -> Option<PilotArms> {
        match self {
            Self::Pilot { arms } => Some(*arms),
            Self::First | Self::Amendment { .. } => None,
        }
    }

    /// The lock that it amends.
    #[must_use]
    pub const fn parent(&self) -> Option<Digest> {
        match self {
            Self::Amendment { parent, .. } => Some(*parent),
            Self::First | Self::Pilot { .. } => None,
        }
    }
}

/// A lock was given up: nobody who knows of it announces a run of it any more. What was measured
/// stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// When.
    pub time: String,
    /// Why, in words.
    pub reason: String,
}
