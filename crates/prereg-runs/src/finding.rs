//! Integrity problems of run folders, each with its fix.

use prereg_ledger::RunId;
use strum::{IntoStaticStr, VariantNames};

/// An integrity problem of a run's folder. It voids the run's verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum RunFinding {
    /// The whole folder is not there.
    #[error("run {run} has no folder")]
    #[strum(serialize = "run-folder-missing")]
    FolderMissing {
        /// The run.
        run: RunId,
    },
    /// A folder that no announcement stands for.
    #[error(
        "runs/{experiment}/{run} is not announced in the ledger: records of the ledger are gone, or the folder was made by other means"
    )]
    #[strum(serialize = "run-unrecorded")]
    Unrecorded {
        /// The experiment whose folder holds it.
        experiment: String,
        /// The run that the folder is named after.
        run: RunId,
    },
    /// A file is not there.
    #[error("run {run}: {file} is missing")]
    #[strum(serialize = "run-file-missing")]
    FileMissing {
        /// The run.
        run: RunId,
        /// Path from the run's folder.
        file: String,
    },
    /// A file is not what was recorded.
    #[error("run {run}: {file} is not what was recorded")]
    #[strum(serialize = "run-file-changed")]
    FileChanged {
        /// The run.
        run: RunId,
        /// Path from the run's folder.
        file: String,
    },
    /// A file was added after the seal.
    #[error("run {run}: {file} was added after the seal")]
    #[strum(serialize = "run-file-added")]
    FileAdded {
        /// The run.
        run: RunId,
        /// Path from the run's folder.
        file: String,
    },
    /// A file cannot be read as what it should be.
    #[error("run {run}: {message}")]
    #[strum(serialize = "run-file-unreadable")]
    Unreadable {
        /// The run.
        run: RunId,
        /// What is wrong.
        message: String,
    },
    /// `run.json` is not what the ledger announced.
    #[error("run {run}: run.json is not what was announced")]
    #[strum(serialize = "run-record")]
    Record {
        /// The run.
        run: RunId,
    },
    /// A session's folder and its record in the ledger disagree.
    #[error("run {run}, session {session}: the ledger says {recorded}, the folder says {found}")]
    SessionState {
        /// The run.
        run: RunId,
        /// Its index.
        session: u32,
        /// What the ledger says.
        recorded: &'static str,
        /// What the folder says.
        found: &'static str,
    },
    /// An aborted run has sessions.
    #[error("run {run} was aborted as having no session, and has some")]
    AbortedWithSessions {
        /// The run.
        run: RunId,
    },
    /// Seeds or order are not those of lock and announcement.
    #[error("run {run}, session {session}: {what} are not those that lock and announcement give")]
    #[strum(serialize = "session-seeds")]
    Seeds {
        /// The run.
        run: RunId,
        /// Its index.
        session: u32,
        /// `seeds` or `arms in order`.
        what: &'static str,
    },
}

impl RunFinding {
    /// A stable code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.into()
    }

    /// The run.
    #[must_use]
    pub const fn run(&self) -> &RunId {
        match self {
            Self::FolderMissing { run }
            | Self::Unrecorded { run, .. }
            | Self::FileMissing { run, .. }
            | Self::FileChanged { run, .. }
            | Self::FileAdded { run, .. }
            | Self::Unreadable { run, .. }
            | Self::Record { run }
            | Self::SessionState { run, .. }
            | Self::AbortedWithSessions { run }
            | Self::Seeds { run, .. } => run,
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn fix(&self) -> &'static str {
        match self {
            Self::Unrecorded { .. } => {
                "restore prereg/ledger from version control, with the chain that announced the run"
            }
            Self::FileAdded { .. } => "move the file out of the run's folder",
            Self::Seeds { .. } | Self::SessionState { .. } | Self::AbortedWithSessions { .. } => {
                "restore the run's folder and the ledger from version control; if both are as committed, the run was not made by its record and does not stand"
            }
            _ => "restore the run's folder from version control",
        }
    }
}
