//! Locks, the append-only ledger, seeds, and integrity findings of a study.
//!
//! - [`Study`] is the folder; [`Writer`] is the one way to append to its ledger; [`History`] is
//!   the one way to read ledger and locks, with every integrity problem as a [`Finding`].
//! - [`Lock`] is what a lock freezes; only a [`Locked`] declaration, re-hashed and re-read from
//!   its frozen copy, can be run.
//! - [`LockedExperiment`] is a lock as the ledger tells it: a first plan, an amendment of one, or
//!   the draft of a pilot; [`Attempt`] and [`DataSeenByRecord`] say what came before it.
//! - [`Run`] is a run as the ledger tells it; [`RunSeeds`] are the seeds of its sessions.
//! - [`clock`] is the only reader of the wall clock, [`write_atomic`] the only way to replace a
//!   file.
//!
//! Invariants: a chain only grows, one record a line, each with its own digest and that of the
//! record before it; one process writes at a time, and to one chain; reading writes nothing; what
//! a digest, a chain or a head does not confirm is never used, only reported.

mod attempt;
mod chain;
pub mod clock;
mod event;
mod files;
mod finding;
mod head;
mod history;
pub mod id;
mod integrity;
mod life;
mod lock;
mod locked_experiment;
mod merge;
mod name;
mod record;
mod run;
mod seed;
mod study;
mod write;
mod writer;

pub use attempt::{Attempt, DataSeenByRecord};
pub use chain::{Break, BreakProblem};
pub use event::{
    AbortEvent, AmendmentEvent, Announcement, Event, InstrumentReading, LockEvent, MissingReason,
    NoteEvent, Origin, PilotArms, PilotEvent, PreflightEvent, PreflightReadings, RecoveryEvent,
    SealEvent, SessionEvent, SessionOutcome, SessionStart, StopEvent, VerdictEvent,
    WithdrawalEvent,
};
pub use files::ReadError;
pub use finding::{Finding, Leftover, Subject};
pub use head::{Head, KeptHead, KeptHeadError};
pub use history::{EvidenceLevel, History};
pub use life::LifeProblem;
pub use lock::{
    Cell, ChangedInput, FolderProblem, Frozen, LoadError, Lock, LockError, Locked, LockedConstant,
    PlannedSession,
};
pub use locked_experiment::{LockKind, LockedExperiment, Withdrawal};
pub use name::{NameError, RunId, WriterId};
pub use record::{Record, RecordError};
pub use run::{Run, Standing, Status};
pub use seed::{Purpose, RunSeeds, analysis_seed};
pub use study::{PathError, Study, StudyError};
pub use write::{WriteError, claim_folder, create_folders, write_atomic};
pub use writer::{Announced, AppendError, OpenError, Writer};
