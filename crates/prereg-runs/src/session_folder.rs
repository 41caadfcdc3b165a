//! `sessions/<n>/`: the files of one session.
//!
//! The folder is claimed by creating it: exactly one process can. The session ends when
//! `done.json` appears, by a rename, with the digests of the files beside it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use prereg_declaration::Digest;
use prereg_ledger::{WriteError, create_folders, write_atomic};

use crate::done::{DoneRecord, Outcome, SeedRecord};
use crate::environment::{ENVIRONMENT_SCHEMA, EnvironmentRecord};
use crate::lines::{
    LineWriter, ReadError, object_bytes, parse_object, read, read_lines, read_object,
};
use crate::step::StepLine;
use crate::telemetry::TelemetryLine;

const STEPS: &str = "steps.jsonl";
const TELEMETRY: &str = "telemetry.jsonl";
const ENVIRONMENT: &str = "environment.json";
/// The files that every complete session has.
pub(crate) const MEASURED: [&str; 3] = [STEPS, TELEMETRY, ENVIRONMENT];
/// The folder of what programs left.
const OUTPUT: &str = "output";
pub(crate) const DONE: &str = "done.json";

/// Whether a name in `done.json` is that of a file in the folder of what programs left.
pub(crate) fn is_output(file: &str) -> bool {
    let name = file
        .strip_prefix(OUTPUT)
        .and_then(|rest| rest.strip_prefix('/'));
    name.is_some_and(|name| !name.is_empty() && !name.contains('/') && name != "..")
}

/// Whether this is a file, and its name a slot's index and a word.
fn is_own(path: &Path) -> bool {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let (slot, word) = name.split_once('.').unwrap_or_default();
    let is_named = slot.parse::<u32>().is_ok() && ["result", "stderr"].contains(&word);
    is_named && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// The folder of a session that was claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFolder {
    session: u32,
    path: PathBuf,
}

/// How far a session got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionState {
    /// It has no folder: it may still be run.
    NeverStarted,
    /// It began and did not end: missing for good.
    Torn,
    /// It ended.
    Done {
        /// `done.json`.
        record: Box<DoneRecord>,
        /// Digest of `done.json`.
        digest: Digest,
    },
}

/// A session could not be ended.
#[derive(Debug, thiserror::Error)]
pub enum FinishError {
    /// A complete session lacks a file.
    #[error("session {session} cannot be complete without {file}")]
    Lacks {
        /// Its index.
        session: u32,
        /// The file.
        file: &'static str,
    },
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// `done.json` cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A record cannot be written as JSON.
    #[error("{file} cannot be written as JSON")]
    Encode {
        /// The file.
        file: &'static str,
        /// Why.
        source: serde_json::Error,
    },
}

impl SessionFolder {
    /// The folder at `path`, which somebody claimed for `session`.
    #[must_use]
    pub fn claimed(path: PathBuf, session: u32) -> Self {
        Self { session, path }
    }

    /// Index of the session.
    #[must_use]
    pub fn session(&self) -> u32 {
        self.session
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins `steps.jsonl`.
    ///
    /// # Errors
    /// [`WriteError`] naming the file.
    pub fn write_steps(&self) -> Result<LineWriter<StepLine>, WriteError> {
        LineWriter::create(self.path.join(STEPS))
    }

    /// Begins `telemetry.jsonl`.
    ///
    /// # Errors
    /// [`WriteError`] naming the file.
    pub fn write_telemetry(&self) -> Result<LineWriter<TelemetryLine>, WriteError> {
        LineWriter::create(self.path.join(TELEMETRY))
    }

    /// Writes `environment.json`.
    ///
    /// # Errors
    /// [`FinishError`] when it cannot be written.
    pub fn write_environment(&self, environment: &EnvironmentRecord) -> Result<(), FinishError> {
        let bytes = object_bytes(environment).map_err(|source| FinishError::Encode {
            file: ENVIRONMENT,
            source,
        })?;
        Ok(write_atomic(&self.path.join(ENVIRONMENT), &bytes)?)
    }

    /// Path of what the program of a slot leaves under `name`, in the folder `output`, which is made if it is not there.
    ///
    /// # Errors
    /// [`WriteError`] when the folder cannot be made.
    pub fn output(&self, slot: u32, name: &str) -> Result<PathBuf, WriteError> {
        let folder = self.path.join(OUTPUT);
        create_folders(&folder)?;
        Ok(folder.join(format!("{slot}.{name}")))
    }

    /// What lies in `output` and is none of the files that [`SessionFolder::output`] names: only files of those names are
    /// part of the record.
    ///
    /// # Errors
    /// What the system says when the folder cannot be listed.
    pub fn strangers(&self) -> io::Result<Vec<PathBuf>> {
        let entries = self.in_output()?.into_iter();
        Ok(entries.filter(|path| !is_own(path)).collect())
    }

    /// Names of the record's files in `output`, with the folder, sorted.
    fn outputs(&self) -> Result<Vec<String>, ReadError> {
        let entries = self.in_output().map_err(|source| ReadError::Unreadable {
            path: self.path.join(OUTPUT),
            source,
        })?;
        let own = entries.iter().filter(|path| is_own(path));
        let names = own.filter_map(|path| path.file_name()?.to_str());
        let mut names: Vec<String> = names.map(|name| format!("{OUTPUT}/{name}")).collect();
        names.sort();
        Ok(names)
    }

    fn in_output(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(self.path.join(OUTPUT)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        entries.map(|entry| Ok(entry?.path())).collect()
    }

    /// Ends the session: writes `done.json` with the digests of the files that are here.
    /// A session that is complete has all of them. Returns the digest of `done.json`.
    ///
    /// # Errors
    /// [`FinishError`]; the session then stays torn.
    pub fn finish(
        &self,
        outcome: Outcome,
        order: Vec<String>,
        seeds: SeedRecord,
    ) -> Result<Digest, FinishError> {
        let mut files = BTreeMap::new();
        for file in MEASURED {
            let path = self.path.join(file);
            if path.exists() {
                files.insert(file.to_owned(), Digest::of(&read(&path)?));
            } else if outcome == Outcome::Complete {
                return Err(FinishError::Lacks {
                    session: self.session,
                    file,
                });
            }
        }
        for file in self.outputs()? {
            let path = self.path.join(&file);
            let digest = File::open(&path).and_then(Digest::read);
            files.insert(
                file,
                digest.map_err(|source| ReadError::Unreadable { path, source })?,
            );
        }
        let record = DoneRecord {
            schema: DoneRecord::SCHEMA.into(),
            session: self.session,
            outcome,
            order,
            seeds,
            files,
        };
        let bytes =
            object_bytes(&record).map_err(|source| FinishError::Encode { file: DONE, source })?;
        write_atomic(&self.path.join(DONE), &bytes)?;
        Ok(Digest::of(&bytes))
    }

    /// How far the session got.
    ///
    /// # Errors
    /// [`ReadError`] when `done.json` is there and cannot be read.
    pub fn state(&self) -> Result<SessionState, ReadError> {
        let path = self.path.join(DONE);
        match fs::read(&path) {
            Ok(bytes) => {
                let record = Box::new(parse_object(&path, &bytes, DoneRecord::SCHEMA)?);
                Ok(SessionState::Done {
                    record,
                    digest: Digest::of(&bytes),
                })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(if self.path.is_dir() {
                SessionState::Torn
            } else {
                SessionState::NeverStarted
            }),
            Err(source) => Err(ReadError::Unreadable { path, source }),
        }
    }

    /// The lines of `steps.jsonl`.
    ///
    /// # Errors
    /// [`ReadError`] naming file and line.
    pub fn steps(&self) -> Result<Vec<StepLine>, ReadError> {
        read_lines(&self.path.join(STEPS))
    }

    /// The lines of `telemetry.jsonl`.
    ///
    /// # Errors
    /// [`ReadError`] naming file and line.
    pub fn telemetry(&self) -> Result<Vec<TelemetryLine>, ReadError> {
        read_lines(&self.path.join(TELEMETRY))
    }

    /// `environment.json`.
    ///
    /// # Errors
    /// [`ReadError`] naming the file.
    pub fn environment(&self) -> Result<EnvironmentRecord, ReadError> {
        read_object(&self.path.join(ENVIRONMENT), ENVIRONMENT_SCHEMA)
    }
}
