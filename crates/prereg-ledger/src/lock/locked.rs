//! A locked declaration: the only thing that can be run, and the only thing that can be judged.

use std::fs::File;

use prereg_declaration::{Declaration, Diagnostics, Digest, Targets};

use super::folder::Frozen;
use super::record::Lock;
use crate::event::PilotArms;
use crate::finding::Finding;
use crate::history::History;
use crate::seed::RunSeeds;
use crate::study::{PathError, Study};

/// A declaration that is recorded as locked, whose frozen copy has the recorded digests, and that
/// this version reads with the meaning that was locked.
#[derive(Clone, Debug)]
pub struct Locked {
    id: Digest,
    lock: Lock,
    declaration: Declaration,
    targets: Targets,
    declaration_toml: Vec<u8>,
}

/// A lock cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The ledger has no such lock.
    #[error("no lock {} is recorded here; `prereg list` shows the locks", id.prefix(16))]
    NotLocked {
        /// The id.
        id: Digest,
    },
    /// Integrity findings stand against it.
    #[error("lock {} is void: {}", id.prefix(16), sentences(findings))]
    Void {
        /// The id.
        id: Digest,
        /// What was found.
        findings: Vec<Finding>,
    },
    /// It is in a format or under rules that this version does not know.
    #[error(
        "lock {} has format `{schema}` and rules `{rules}`, which this version does not know; it cannot judge, use a newer one",
        id.prefix(16)
    )]
    UnknownRules {
        /// The id.
        id: Digest,
        /// Format of `lock.json`.
        schema: String,
        /// Version of the rules.
        rules: String,
    },
    /// This version refuses the declaration or its targets.
    #[error("this version refuses what version {version} locked as {}; it cannot judge, use that version", id.prefix(16))]
    Refused {
        /// The id.
        id: Digest,
        /// The version that locked it.
        version: String,
        /// Why it is refused.
        diagnostics: Diagnostics,
    },
    /// This version reads the declaration with another meaning.
    #[error(
        "this version reads the declaration of lock {} otherwise than version {version} did; it cannot judge, use that version",
        id.prefix(16)
    )]
    OtherMeaning {
        /// The id.
        id: Digest,
        /// The version that locked it.
        version: String,
    },
}

fn sentences(findings: &[Finding]) -> String {
    let sentences: Vec<String> = findings
        .iter()
        .map(|finding| format!("{finding} ({})", finding.fix()))
        .collect();
    sentences.join("; ")
}

/// A file that the declaration names is not what was locked.
#[derive(Debug, thiserror::Error)]
pub enum ChangedInput {
    /// It has another digest.
    #[error(
        "`{path}` is not the file that was locked; restore it, or lock a declaration of the new one"
    )]
    Changed {
        /// Its path from the study's root.
        path: String,
    },
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] PathError),
}

impl Locked {
    /// Takes a recorded lock: checks that nothing is found against it, reads its targets and its
    /// declaration again, and compares the declaration's meaning with the locked digest. Of a pilot
    /// of the baseline, the declaration then has every arm as the baseline.
    ///
    /// # Errors
    /// [`LoadError`]. [`LoadError::Void`] is an inconsistent record; [`LoadError::UnknownRules`],
    /// [`LoadError::Refused`] and [`LoadError::OtherMeaning`] say that this version cannot judge.
    pub fn load(history: &History, id: Digest) -> Result<Self, LoadError> {
        let locked = history.lock(id).ok_or(LoadError::NotLocked { id })?;
        let findings: Vec<Finding> = history.findings_on_lock(locked).cloned().collect();
        let (lock, declaration_toml) = match &locked.frozen {
            Frozen::Whole {
                lock,
                declaration_toml,
            } if findings.is_empty() => (lock, declaration_toml),
            Frozen::Unknown { schema, rules } if findings.is_empty() => {
                return Err(LoadError::UnknownRules {
                    id,
                    schema: schema.clone(),
                    rules: rules.clone(),
                });
            }
            _ => return Err(LoadError::Void { id, findings }),
        };
        let refused = |diagnostics| LoadError::Refused {
            id,
            version: lock.version.clone(),
            diagnostics,
        };
        let (targets, mut declaration) =
            declaration_of(id, lock, declaration_toml).map_err(refused)?;
        if prereg_declaration::meaning_digest(&declaration) != lock.meaning {
            return Err(LoadError::OtherMeaning {
                id,
                version: lock.version.clone(),
            });
        }
        if lock.pilot == Some(PilotArms::Baseline) {
            declaration = declaration.with_every_arm_as_baseline();
        }
        let (lock, declaration_toml) = (Lock::clone(lock), declaration_toml.clone());
        Ok(Self {
            id,
            lock,
            declaration,
            targets,
            declaration_toml,
        })
    }

    /// Id of the lock.
    #[must_use]
    pub fn id(&self) -> Digest {
        self.id
    }

    /// What was locked beside the declaration.
    #[must_use]
    pub fn lock(&self) -> &Lock {
        &self.lock
    }

    /// The declaration as it is run.
    #[must_use]
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// The targets as they were locked.
    #[must_use]
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// The bytes that were locked.
    #[must_use]
    pub fn declaration_toml(&self) -> &[u8] {
        &self.declaration_toml
    }

    /// Seeds of the run that the record with this digest announced.
    #[must_use]
    pub fn seeds(&self, announcement: Digest) -> RunSeeds {
        RunSeeds::new(self.id, &self.declaration.protocol.seed, announcement)
    }

    /// Hashes the files that the declaration names, in the order of their paths. Needed before a
    /// run; judging reads none of them.
    #[must_use]
    pub fn changed_inputs(&self, study: &Study) -> Vec<ChangedInput> {
        let changed = |(path, locked): (&String, &Digest)| match digest(study, path) {
            Ok(digest) if digest == *locked => None,
            Ok(_) => Some(ChangedInput::Changed { path: path.clone() }),
            Err(error) => Some(error.into()),
        };
        self.lock.files.iter().filter_map(changed).collect()
    }
}

/// The targets and the declaration that a frozen lock holds, as this version reads them.
pub(crate) fn declaration_of(
    id: Digest,
    lock: &Lock,
    declaration_toml: &[u8],
) -> Result<(Targets, Declaration), Diagnostics> {
    let entries: String = lock.targets.values().map(String::as_str).collect();
    let targets = Targets::parse("targets of lock.json", entries.as_bytes())?;
    let file_name = format!("prereg/locks/{}/declaration.toml", id.prefix(16));
    let declaration = prereg_declaration::check(&file_name, declaration_toml, &targets)?;
    Ok((targets, declaration))
}

fn digest(study: &Study, path: &str) -> Result<Digest, PathError> {
    let file = File::open(study.resolve(path)?);
    file.and_then(Digest::read)
        .map_err(|source| PathError::Unreadable {
            path: path.into(),
            source,
        })
}
