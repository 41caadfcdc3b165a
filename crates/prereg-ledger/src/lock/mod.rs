//! Locks: what `lock.json` says, how a lock is frozen in its folder, and the one way from a frozen
//! lock to a declaration that may be run.
//!
//! A lock's id is the SHA-256 of the bytes of its `lock.json`, which holds the digest of the
//! declaration's bytes. The frozen copies stand in `prereg/locks/<first 16 hex of the id>/`. The
//! draft of a pilot is frozen in the same way, so that its runs have seeds, sessions and seals.

mod folder;
mod freeze;
mod locked;
mod record;

pub use folder::{FolderProblem, Frozen};
pub(crate) use folder::{names, read};
pub use freeze::LockError;
pub(crate) use locked::declaration_of;
pub use locked::{ChangedInput, LoadError, Locked};
pub use record::{Cell, Lock, LockedConstant, PlannedSession};
