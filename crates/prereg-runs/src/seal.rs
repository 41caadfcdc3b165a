//! `seal.json`: the digests of all files of a finished run. Its own digest stands in the ledger.
//!
//! Temporary files (`*.tmp`) that a crash left are no part of a run.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use prereg_declaration::Digest;
use prereg_ledger::{RunId, WriteError, write_atomic};
use serde::{Deserialize, Serialize};

use crate::finding::RunFinding;
use crate::lines::{ReadError, object_bytes, parse_object, read};
use crate::run_folder::RunFolder;

/// `seal.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// [`Seal::SCHEMA`].
    pub schema: String,
    /// The run.
    pub run: RunId,
    /// Digest of every file of the run but this one, by path from the run's folder with `/`.
    pub files: BTreeMap<String, Digest>,
}

impl Seal {
    /// The format that this version writes and reads.
    pub const SCHEMA: &str = "prereg-seal/1";

    /// Its name in the run's folder.
    pub const FILE: &str = "seal.json";
}

/// A run could not be sealed.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A seal of other files is there.
    #[error("{} is sealed already, over other files; `prereg verify` names them", path.display())]
    Sealed {
        /// The folder.
        path: PathBuf,
    },
    /// `seal.json` cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// `seal.json` cannot be written as JSON.
    #[error("seal.json cannot be written as JSON")]
    Encode(#[from] serde_json::Error),
}

impl RunFolder {
    /// Seals the run: writes `seal.json` over all files that are here. Returns its digest, which
    /// then goes into the ledger. Sealing again over the same files gives the same seal.
    ///
    /// # Errors
    /// [`SealError`]; no seal is then written.
    pub fn seal(&self) -> Result<Digest, SealError> {
        let mut files = BTreeMap::new();
        digest_files(self.path(), "", &mut files)?;
        let seal = Seal {
            schema: Seal::SCHEMA.into(),
            run: self.record().run.clone(),
            files,
        };
        let bytes = object_bytes(&seal)?;
        let path = self.path().join(Seal::FILE);
        if path.exists() {
            return if read(&path)? == bytes {
                Ok(Digest::of(&bytes))
            } else {
                Err(SealError::Sealed {
                    path: self.path().into(),
                })
            };
        }
        write_atomic(&path, &bytes)?;
        Ok(Digest::of(&bytes))
    }

    /// Compares the files with the seal, and the seal with its digest in the ledger.
    ///
    /// # Errors
    /// [`ReadError`] when a file that is there cannot be read.
    pub fn check_seal(&self, recorded: Digest) -> Result<Vec<RunFinding>, ReadError> {
        let run = self.record().run.clone();
        let path = self.path().join(Seal::FILE);
        if !path.exists() {
            return Ok(vec![RunFinding::FileMissing {
                run,
                file: Seal::FILE.into(),
            }]);
        }
        let bytes = read(&path)?;
        if Digest::of(&bytes) != recorded {
            return Ok(vec![RunFinding::FileChanged {
                run,
                file: Seal::FILE.into(),
            }]);
        }
        let seal: Seal = parse_object(&path, &bytes, Seal::SCHEMA)?;
        let mut found = BTreeMap::new();
        digest_files(self.path(), "", &mut found)?;
        let mut findings = Vec::new();
        for (file, digest) in &seal.files {
            match found.remove(file) {
                None => findings.push(RunFinding::FileMissing {
                    run: run.clone(),
                    file: file.clone(),
                }),
                Some(other) if other != *digest => {
                    findings.push(RunFinding::FileChanged {
                        run: run.clone(),
                        file: file.clone(),
                    });
                }
                Some(_) => {}
            }
        }
        findings.extend(found.into_keys().map(|file| RunFinding::FileAdded {
            run: run.clone(),
            file,
        }));
        Ok(findings)
    }
}

fn digest_files(
    folder: &Path,
    prefix: &str,
    digests: &mut BTreeMap<String, Digest>,
) -> Result<(), ReadError> {
    let failed = |source| ReadError::Unreadable {
        path: folder.into(),
        source,
    };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() {
            digest_files(&entry.path(), &format!("{name}/"), digests)?;
        } else if !kind.is_file() {
            // A link could lead anywhere.
            let source = io::Error::other("neither a file nor a folder");
            return Err(ReadError::Unreadable {
                path: entry.path(),
                source,
            });
        } else if name != Seal::FILE && entry.path().extension() != Some("tmp".as_ref()) {
            digests.insert(name, Digest::of(&read(&entry.path())?));
        }
    }
    Ok(())
}
