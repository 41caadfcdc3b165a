//! The folder of a lock: `declaration.toml` and `lock.json`, written once, whole, never changed.

use std::fs;
use std::io;
use std::path::PathBuf;

use prereg_declaration::Digest;
use serde::Deserialize;

use super::record::Lock;
use crate::event::{Event, LockEvent};
use crate::name::is_identifier;
use crate::record::Record;
use crate::study::Study;
use crate::write::{WriteError, claim_folder, create_folders, sync_parent, write_atomic};
use crate::writer::{AppendError, Writer};

const DECLARATION: &str = "declaration.toml";
const LOCK: &str = "lock.json";
const NAME_DIGITS: usize = 16;

/// A declaration could not be locked. The ledger says nothing about it.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// The lock was made for other bytes.
    #[error(
        "the lock holds another digest than that of the declaration's bytes; read the file once and lock what was read"
    )]
    OtherDeclaration,
    /// The experiment's id cannot be a folder's name.
    #[error("`{experiment}` is not an experiment id: write lower-case letters, digits and `_`")]
    Experiment {
        /// The id.
        experiment: String,
    },
    /// The lock cannot be written as JSON.
    #[error("the lock cannot be written as JSON")]
    Encode(#[from] serde_json::Error),
    /// Another lock stands in the folder.
    #[error("{} holds another lock; restore it from version control", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// The folder cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The ledger cannot be written.
    #[error(transparent)]
    Append(#[from] AppendError),
}

impl Writer {
    /// Freezes a declaration: writes its folder, then says so in the ledger. Returns the lock's
    /// id and the record. A folder that a crash left without its record is taken as it is.
    ///
    /// # Errors
    /// [`LockError`]; the ledger then has no record of this lock from this call.
    pub fn lock(
        &mut self,
        lock: &Lock,
        declaration_toml: &[u8],
    ) -> Result<(Digest, Record), LockError> {
        if Digest::of(declaration_toml) != lock.declaration {
            return Err(LockError::OtherDeclaration);
        }
        if !is_identifier(&lock.experiment) {
            return Err(LockError::Experiment {
                experiment: lock.experiment.clone(),
            });
        }
        let bytes = lock.to_bytes()?;
        let id = Digest::of(&bytes);
        let was_there = folder(self.study(), id).is_dir();
        freeze(self.study(), id, &bytes, declaration_toml)?;
        let event = Event::Locked(LockEvent {
            lock: id,
            experiment: lock.experiment.clone(),
            declaration: lock.declaration,
            question: lock.question,
        });
        match self.append(event) {
            Ok(record) => Ok((id, record)),
            Err(error) => {
                let is_recorded = matches!(error, AppendError::Pointer(_));
                if !was_there && !is_recorded {
                    // A folder that stays is found by `verify`, which says how to go on.
                    let _ = fs::remove_dir_all(folder(self.study(), id));
                }
                Err(error.into())
            }
        }
    }
}

fn freeze(study: &Study, id: Digest, lock: &[u8], declaration: &[u8]) -> Result<(), LockError> {
    let path = folder(study, id);
    if path.is_dir() {
        let same = |name, bytes: &[u8]| fs::read(path.join(name)).is_ok_and(|found| found == bytes);
        return if same(LOCK, lock) && same(DECLARATION, declaration) {
            Ok(())
        } else {
            Err(LockError::Occupied { path })
        };
    }
    create_folders(&study.locks())?;
    let staged = study
        .locks()
        .join(format!(".{}.tmp", id.prefix(NAME_DIGITS)));
    if let Err(source) = fs::remove_dir_all(&staged)
        && source.kind() != io::ErrorKind::NotFound
    {
        return Err(WriteError::new(staged, source).into());
    }
    let written = claim_folder(&staged)
        .and_then(|()| write_atomic(&staged.join(DECLARATION), declaration))
        .and_then(|()| write_atomic(&staged.join(LOCK), lock))
        .and_then(|()| {
            fs::rename(&staged, &path)
                .and_then(|()| sync_parent(&path))
                .map_err(|source| WriteError::new(&path, source))
        });
    if written.is_err() {
        // A temporary folder that stays is harmless: no reader looks at it, and the next lock removes it.
        let _ = fs::remove_dir_all(&staged);
    }
    Ok(written?)
}

fn folder(study: &Study, id: Digest) -> PathBuf {
    study.locks().join(id.prefix(NAME_DIGITS))
}

/// What a lock's folder holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Frozen {
    /// Lock and declaration, as they were locked.
    Whole {
        /// `lock.json`, read.
        lock: Box<Lock>,
        /// Bytes of `declaration.toml`.
        declaration_toml: Vec<u8>,
    },
    /// Bytes as they were locked, in a format or under rules that this version does not know.
    Unknown {
        /// Format of `lock.json`.
        schema: String,
        /// Version of the rules.
        rules: String,
    },
    /// Not what was locked; a finding says what is wrong.
    Damaged,
}

/// What is wrong with a lock's folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FolderProblem {
    /// A file is not there or cannot be read.
    #[error("{file} cannot be read: {message}")]
    Unreadable {
        /// The file.
        file: &'static str,
        /// What the system said.
        message: String,
    },
    /// A file is not the one that was locked.
    #[error("{file} is not what was locked")]
    Changed {
        /// The file.
        file: &'static str,
    },
    /// The bytes are right, but `lock.json` is not a lock.
    #[error("lock.json is not a lock: {message}")]
    Form {
        /// What the parser said.
        message: String,
    },
    /// The ledger and `lock.json` disagree.
    #[error("the ledger's record and lock.json give different values of `{key}`")]
    Record {
        /// The key.
        key: &'static str,
    },
}

/// Reads and re-hashes the folder of a recorded lock.
pub(crate) fn read(study: &Study, event: &LockEvent) -> (Frozen, Option<FolderProblem>) {
    match read_whole(study, event) {
        Ok(frozen) => (frozen, None),
        Err(problem) => (Frozen::Damaged, Some(problem)),
    }
}

#[derive(Deserialize)]
struct Version {
    schema: String,
    rules: String,
}

fn read_whole(study: &Study, event: &LockEvent) -> Result<Frozen, FolderProblem> {
    let path = folder(study, event.lock);
    let read = |file: &'static str| {
        fs::read(path.join(file)).map_err(|error| FolderProblem::Unreadable {
            file,
            message: error.to_string(),
        })
    };
    let bytes = read(LOCK)?;
    if Digest::of(&bytes) != event.lock {
        return Err(FolderProblem::Changed { file: LOCK });
    }
    let declaration_toml = read(DECLARATION)?;
    if Digest::of(&declaration_toml) != event.declaration {
        return Err(FolderProblem::Changed { file: DECLARATION });
    }
    let form = |error: serde_json::Error| FolderProblem::Form {
        message: error.to_string(),
    };
    let Version { schema, rules } = serde_json::from_slice(&bytes).map_err(form)?;
    if schema != Lock::SCHEMA || rules != Lock::RULES {
        return Ok(Frozen::Unknown { schema, rules });
    }
    let lock: Lock = serde_json::from_slice(&bytes).map_err(form)?;
    let agree = [
        ("experiment", lock.experiment == event.experiment),
        ("declaration", lock.declaration == event.declaration),
        ("question", lock.question == event.question),
    ];
    match agree.iter().find(|(_, equal)| !equal) {
        Some((key, _)) => Err(FolderProblem::Record { key }),
        None => Ok(Frozen::Whole {
            lock: Box::new(lock),
            declaration_toml,
        }),
    }
}

/// Names of the lock folders that exist.
pub(crate) fn names(study: &Study) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(study.locks()) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
