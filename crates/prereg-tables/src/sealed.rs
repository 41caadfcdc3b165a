//! Reading files of a run only as its seal has them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

use prereg_declaration::Digest;
use prereg_runs::{RunFolder, Seal};

/// A run is not as its seal says.
#[derive(Debug, thiserror::Error)]
pub enum SealedError {
    /// A file cannot be read.
    #[error("cannot read {}; restore the run's folder from version control", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// `seal.json` is not the seal that the ledger records.
    #[error("{} is not the seal in the ledger; restore the run's folder from version control", path.display())]
    OtherSeal {
        /// The file.
        path: PathBuf,
    },
    /// `seal.json` has another format.
    #[error("{} is not a seal that this version reads; use the version that wrote it", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What the parser said.
        source: serde_json::Error,
    },
    /// A file is not what was sealed, or was not sealed.
    #[error("{} is not what was sealed; restore the run's folder from version control", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

/// A run's folder seen through its seal.
pub(crate) struct SealedRun<'a> {
    folder: &'a RunFolder,
    files: BTreeMap<String, Digest>,
}

impl<'a> SealedRun<'a> {
    /// Opens a run whose seal has the digest that the ledger records.
    pub(crate) fn open(folder: &'a RunFolder, recorded: Digest) -> Result<Self, SealedError> {
        let path = folder.path().join(Seal::FILE);
        let bytes = fs::read(&path).map_err(|source| SealedError::Unreadable {
            path: path.clone(),
            source,
        })?;
        if Digest::of(&bytes) != recorded {
            return Err(SealedError::OtherSeal { path });
        }
        match serde_json::from_slice::<Seal>(&bytes) {
            Ok(seal) => Ok(Self {
                folder,
                files: seal.files,
            }),
            Err(source) => Err(SealedError::Format { path, source }),
        }
    }

    /// Whether the seal covers a file.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, SealedError> {
        let path = self.folder.path().join(name);
        let bytes = fs::read(&path).map_err(|source| SealedError::Unreadable { path, source })?;
        self.check(name, Some(Digest::of(&bytes)))?;
        Ok(bytes)
    }

    /// Whether a file has the digest that was sealed; `None` is a file that is not there.
    pub(crate) fn check(&self, name: &str, digest: Option<Digest>) -> Result<(), SealedError> {
        if self.files.get(name).copied() == digest {
            Ok(())
        } else {
            Err(SealedError::Changed {
                path: self.folder.path().join(name),
            })
        }
    }
}
