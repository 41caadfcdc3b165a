//! Freezing: the folder of a lock is written, then the ledger says so.

use std::fs;
use std::io;
use std::path::PathBuf;

use prereg_declaration::Digest;

use super::folder::{DECLARATION, LOCK, NAME_DIGITS, path};
use super::record::Lock;
use crate::event::{AmendmentEvent, Event, LockEvent, PilotArms, PilotEvent};
use crate::name::is_identifier;
use crate::record::Record;
use crate::study::Study;
use crate::write::{WriteError, claim_folder, create_folders, sync_parent, write_atomic};
use crate::writer::{AppendError, Writer};

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
        self.freeze(lock, None, declaration_toml, Event::Locked)
    }

    /// Freezes a changed declaration as the successor of the lock `parent`, which this ledger has
    /// of the same experiment, for a reason in words. Otherwise as [`Writer::lock`].
    ///
    /// # Errors
    /// [`LockError`]; the ledger then has no record of this lock from this call.
    pub fn amend(
        &mut self,
        lock: &Lock,
        declaration_toml: &[u8],
        parent: Digest,
        reason: &str,
    ) -> Result<(Digest, Record), LockError> {
        let reason = reason.to_owned();
        self.freeze(lock, None, declaration_toml, |event| {
            Event::Amended(AmendmentEvent {
                lock: event.lock,
                experiment: event.experiment,
                declaration: event.declaration,
                question: event.question,
                parent,
                reason,
            })
        })
    }

    /// Freezes a draft for a pilot of `arms`. Otherwise as [`Writer::lock`].
    ///
    /// # Errors
    /// [`LockError`]; the ledger then has no record of this pilot from this call.
    pub fn pilot(
        &mut self,
        draft: &Lock,
        declaration_toml: &[u8],
        arms: PilotArms,
    ) -> Result<(Digest, Record), LockError> {
        self.freeze(draft, Some(arms), declaration_toml, |event| {
            Event::Piloted(PilotEvent {
                lock: event.lock,
                experiment: event.experiment,
                declaration: event.declaration,
                question: event.question,
                arms,
            })
        })
    }

    fn freeze(
        &mut self,
        lock: &Lock,
        pilot: Option<PilotArms>,
        declaration_toml: &[u8],
        event: impl FnOnce(LockEvent) -> Event,
    ) -> Result<(Digest, Record), LockError> {
        if Digest::of(declaration_toml) != lock.declaration {
            return Err(LockError::OtherDeclaration);
        }
        if !is_identifier(&lock.experiment) {
            return Err(LockError::Experiment {
                experiment: lock.experiment.clone(),
            });
        }
        let bytes = Lock {
            pilot,
            ..lock.clone()
        }
        .to_bytes()?;
        let id = Digest::of(&bytes);
        let was_there = path(self.study(), id).is_dir();
        freeze(self.study(), id, &bytes, declaration_toml)?;
        let record = self.append(event(LockEvent {
            lock: id,
            experiment: lock.experiment.clone(),
            declaration: lock.declaration,
            question: lock.question,
        }));
        match record {
            Ok(record) => Ok((id, record)),
            Err(error) => {
                let is_recorded = matches!(error, AppendError::Pointer(_));
                if !was_there && !is_recorded {
                    // A folder that stays is found by `verify`, which says how to go on.
                    let _ = fs::remove_dir_all(path(self.study(), id));
                }
                Err(error.into())
            }
        }
    }
}

fn freeze(study: &Study, id: Digest, lock: &[u8], declaration: &[u8]) -> Result<(), LockError> {
    let path = path(study, id);
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
