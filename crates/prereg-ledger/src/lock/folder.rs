//! The folder of a lock: `declaration.toml` and `lock.json`, written once, whole, never changed.

use std::fs;
use std::io;
use std::path::PathBuf;

use prereg_declaration::Digest;
use serde::Deserialize;

use super::record::Lock;
use crate::event::{LockEvent, PilotArms};
use crate::study::Study;

pub(super) const DECLARATION: &str = "declaration.toml";
pub(super) const LOCK: &str = "lock.json";
pub(super) const NAME_DIGITS: usize = 16;

/// The folder of the lock with this id.
pub(super) fn path(study: &Study, id: Digest) -> PathBuf {
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

/// Reads and re-hashes the folder of a recorded lock, of a pilot where `pilot` is some.
pub(crate) fn read(
    study: &Study,
    event: &LockEvent,
    pilot: Option<PilotArms>,
) -> (Frozen, Option<FolderProblem>) {
    match read_whole(study, event, pilot) {
        Ok(frozen) => (frozen, None),
        Err(problem) => (Frozen::Damaged, Some(problem)),
    }
}

#[derive(Deserialize)]
struct Version {
    schema: String,
    rules: String,
}

fn read_whole(
    study: &Study,
    event: &LockEvent,
    pilot: Option<PilotArms>,
) -> Result<Frozen, FolderProblem> {
    let path = path(study, event.lock);
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
        ("pilot", lock.pilot == pilot),
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
