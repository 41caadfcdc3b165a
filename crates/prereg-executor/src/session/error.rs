//! What can end a session early.

use prereg_decode::{NewError, RunError};
use prereg_ledger::WriteError;
use prereg_runs::FinishError;

use super::ProgramError;
use crate::model::ModelError;

/// A session could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Standard input holds no specification.
    #[error("standard input holds no session; sessions are started by `prereg run`")]
    Specification(#[source] serde_json::Error),
    /// The specification is of another version.
    #[error(
        "the session is specified as `{found}`, which this version does not know; use one version throughout"
    )]
    Schema {
        /// What it says.
        found: String,
    },
    /// The process that started it is gone.
    #[error("the process that started this session has ended")]
    Orphaned,
    /// The order names an arm that is not specified.
    #[error("the order names the arm `{arm}`, which is not specified")]
    Arm {
        /// The arm.
        arm: String,
    },
    /// The session's time is over.
    #[error("ran past its time")]
    TimedOut,
    /// A locked file is not what was locked.
    #[error("`{path}` is not what was locked: it was changed while the run went on")]
    Changed {
        /// The file, from the study's root.
        path: String,
    },
    /// The program of a slot gave nothing that counts.
    #[error("slot {slot}, arm `{arm}`")]
    Slot {
        /// Index of the slot.
        slot: u32,
        /// Its arm.
        arm: String,
        /// What happened.
        source: ProgramError,
    },
    /// The model cannot be had.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The decoder cannot be made.
    #[error(transparent)]
    New(#[from] NewError),
    /// The decoder does not run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A record cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The session cannot be ended.
    #[error(transparent)]
    Finish(#[from] FinishError),
}
