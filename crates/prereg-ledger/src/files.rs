//! The files of `prereg/ledger/`.
//!
//! `<writer>.jsonl` is a chain, `<writer>.head` its head as one line of JSON
//! (`{"count":…,"digest":"…"}`), `.writer` and `.lock` are this folder's own and not tracked.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::chain::Chain;
use crate::head::Head;
use crate::name::WriterId;
use crate::study::Study;

pub(crate) const OWN: &str = ".writer";
pub(crate) const LOCK: &str = ".lock";

/// A file or folder could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}", path.display())]
pub struct ReadError {
    path: PathBuf,
    source: io::Error,
}

impl ReadError {
    /// Wraps what the system said about `path`.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self {
            path: path.into(),
            source,
        }
    }

    /// The file or folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

pub(crate) fn chain_path(study: &Study, writer: &WriterId) -> PathBuf {
    study.ledger().join(format!("{writer}.jsonl"))
}

pub(crate) fn head_path(study: &Study, writer: &WriterId) -> PathBuf {
    study.ledger().join(format!("{writer}.head"))
}

pub(crate) fn head_bytes(head: Head) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(&head)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// A head file as it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadFile {
    Absent,
    Unreadable,
    Read(Head),
}

impl HeadFile {
    /// The head that it states; an absent file states an empty chain.
    pub(crate) fn value(self) -> Option<Head> {
        match self {
            Self::Absent => Some(Head::EMPTY),
            Self::Unreadable => None,
            Self::Read(head) => Some(head),
        }
    }
}

pub(crate) fn read_head(study: &Study, writer: &WriterId) -> Result<HeadFile, ReadError> {
    Ok(match read_optional(&head_path(study, writer))? {
        None => HeadFile::Absent,
        Some(bytes) => serde_json::from_slice(&bytes).map_or(HeadFile::Unreadable, HeadFile::Read),
    })
}

/// The chain of `writer`; empty when it has no file.
pub(crate) fn read_chain(study: &Study, writer: &WriterId) -> Result<Chain, ReadError> {
    let bytes = read_optional(&chain_path(study, writer))?.unwrap_or_default();
    Ok(Chain::parse(writer.clone(), &bytes))
}

/// The writers that have a file in the ledger, and chains and heads that belong to none.
#[derive(Debug, Default)]
pub(crate) struct Writers {
    pub(crate) known: Vec<WriterId>,
    pub(crate) strays: Vec<String>,
}

pub(crate) fn writers(study: &Study) -> Result<Writers, ReadError> {
    let ledger = study.ledger();
    let failed = |source| ReadError::new(&ledger, source);
    let entries = match fs::read_dir(&ledger) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Writers::default()),
        Err(error) => return Err(failed(error)),
    };
    let mut found = Writers::default();
    for entry in entries {
        let name = entry
            .map_err(failed)?
            .file_name()
            .to_string_lossy()
            .into_owned();
        let Some(stem) = name
            .strip_suffix(".jsonl")
            .or_else(|| name.strip_suffix(".head"))
        else {
            continue;
        };
        match stem.parse() {
            Ok(writer) => found.known.push(writer),
            Err(_) => found.strays.push(name),
        }
    }
    found.known.sort();
    found.known.dedup();
    found.strays.sort();
    Ok(found)
}

pub(crate) fn read_optional(path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ReadError::new(path, error)),
    }
}
