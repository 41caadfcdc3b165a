//! `runs/<experiment>/<run>/`: the folder of one run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use prereg_ledger::{RunId, Study, WriteError, claim_folder, create_folders, write_atomic};

use crate::lines::{ReadError, object_bytes, read_object};
use crate::run_record::RunRecord;
use crate::session_folder::{SessionFolder, SessionState};

pub(crate) const RUN: &str = "run.json";
pub(crate) const SESSIONS: &str = "sessions";

/// The folder of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
    record: RunRecord,
}

/// The folder of a run could not be created.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// Another run's folder is there.
    #[error("{} belongs to another run; move it away", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// What is there cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// `run.json` cannot be written as JSON.
    #[error("run.json cannot be written as JSON")]
    Encode(#[from] serde_json::Error),
}

/// A session could not be claimed.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// It began before; no session is measured twice.
    #[error("session {session} began before and is never measured twice")]
    Begun {
        /// Its index.
        session: u32,
    },
    /// It is not one of the run's.
    #[error("session {session} is not one of the {sessions} of this run")]
    NoSuchSession {
        /// Its index.
        session: u32,
        /// Locked number of sessions.
        sessions: u32,
    },
    /// Its folder cannot be created.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl RunFolder {
    /// Creates the folder of an announced run, or opens the one that was created for it before.
    ///
    /// # Errors
    /// [`CreateError`].
    pub fn create(study: &Study, record: RunRecord) -> Result<Self, CreateError> {
        let path = folder(study, &record.experiment, &record.run);
        let file = path.join(RUN);
        if file.exists() {
            let found: RunRecord = read_object(&file, RunRecord::SCHEMA)?;
            return if found == record {
                Ok(Self { path, record })
            } else {
                Err(CreateError::Occupied { path })
            };
        }
        create_folders(&path.join(SESSIONS))?;
        write_atomic(&file, &object_bytes(&record)?)?;
        Ok(Self { path, record })
    }

    /// Opens the folder of a run.
    ///
    /// # Errors
    /// [`ReadError`] when `run.json` is not there or not readable.
    pub fn open(study: &Study, experiment: &str, run: &RunId) -> Result<Self, ReadError> {
        let path = folder(study, experiment, run);
        let record = read_object(&path.join(RUN), RunRecord::SCHEMA)?;
        Ok(Self { path, record })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `run.json`.
    #[must_use]
    pub fn record(&self) -> &RunRecord {
        &self.record
    }

    /// Claims a session that never started.
    ///
    /// # Errors
    /// [`ClaimError`]; of several processes that try, exactly one succeeds.
    pub fn claim(&self, session: u32) -> Result<SessionFolder, ClaimError> {
        let sessions = self.record.sessions;
        if session >= sessions {
            return Err(ClaimError::NoSuchSession { session, sessions });
        }
        let folder = self.session(session);
        match claim_folder(folder.path()) {
            Ok(()) => Ok(folder),
            Err(error) if error.io().kind() == io::ErrorKind::AlreadyExists => {
                Err(ClaimError::Begun { session })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The folder of a session, which may not exist.
    #[must_use]
    pub fn session(&self, session: u32) -> SessionFolder {
        SessionFolder::claimed(self.path.join(SESSIONS).join(session.to_string()), session)
    }

    /// How far each of the run's sessions got, in index order.
    ///
    /// # Errors
    /// [`ReadError`] when a `done.json` is there and cannot be read.
    pub fn states(&self) -> Result<Vec<SessionState>, ReadError> {
        (0..self.record.sessions)
            .map(|session| self.session(session).state())
            .collect()
    }
}

/// Where the folder of a run is.
pub(crate) fn folder(study: &Study, experiment: &str, run: &RunId) -> PathBuf {
    study.runs().join(experiment).join(run.as_str())
}

/// Whether any session of a run began: only before that may it be aborted.
///
/// # Errors
/// [`ReadError`] when the folder is there and cannot be listed.
pub fn any_session_began(study: &Study, experiment: &str, run: &RunId) -> Result<bool, ReadError> {
    let path = folder(study, experiment, run).join(SESSIONS);
    match fs::read_dir(&path) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(ReadError::Unreadable { path, source }),
    }
}
