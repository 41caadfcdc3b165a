//! A study: the folder that holds experiments, ledger, runs and reports.
//!
//! ```text
//! experiments/            declarations, targets.toml and the inputs that they name
//! prereg/ledger/          <writer>.jsonl, <writer>.head, and untracked .writer and .lock
//! prereg/locks/<16 hex>/  declaration.toml and lock.json of one lock or pilot
//! runs/<experiment>/<run>/
//! reports/
//! templates/
//! ```
//!
//! The mark of a study is `experiments/targets.toml`: a file that people commit, so that a fresh
//! clone is a study even before anything was locked.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::write::{WriteError, create_folders};

/// A study folder. Its path is canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    root: PathBuf,
}

/// No study where one was looked for.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The folder itself cannot be read.
    #[error("cannot open {}", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not a study.
    #[error(
        "no study at {}: it has no experiments/targets.toml; `prereg init DIR` writes a study",
        path.display()
    )]
    NotAStudy {
        /// The folder.
        path: PathBuf,
    },
    /// Neither it nor a folder above it is a study.
    #[error(
        "no study at {} or above it: none has experiments/targets.toml; `prereg init DIR` writes a study",
        path.display()
    )]
    NotFound {
        /// Where the search began.
        path: PathBuf,
    },
}

/// A path that a declaration names may not be used.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// It is absolute, goes up, or is empty.
    #[error(
        "`{path}` leaves the study: name a file by its path from the study's root, without `..`"
    )]
    Outside {
        /// The path as written.
        path: String,
    },
    /// It does not exist or cannot be read.
    #[error("`{path}` cannot be read in the study")]
    Unreadable {
        /// The path as written.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

impl Study {
    /// Opens the study at `root`.
    ///
    /// # Errors
    /// [`StudyError`] when the folder cannot be read or is not a study.
    pub fn open(root: &Path) -> Result<Self, StudyError> {
        let root = canonical(root)?;
        if is_study(&root) {
            Ok(Self { root })
        } else {
            Err(StudyError::NotAStudy { path: root })
        }
    }

    /// Opens the study that holds `from`: the nearest one at `from` or above it.
    ///
    /// # Errors
    /// [`StudyError`] when `from` cannot be read or no study holds it.
    pub fn discover(from: &Path) -> Result<Self, StudyError> {
        let from = canonical(from)?;
        match from.ancestors().find(|folder| is_study(folder)) {
            Some(root) => Ok(Self { root: root.into() }),
            None => Err(StudyError::NotFound { path: from }),
        }
    }

    /// The folder itself, canonical.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `experiments/`.
    #[must_use]
    pub fn experiments(&self) -> PathBuf {
        self.root.join("experiments")
    }

    /// `experiments/targets.toml`.
    #[must_use]
    pub fn targets(&self) -> PathBuf {
        self.experiments().join("targets.toml")
    }

    /// `prereg/ledger/`.
    #[must_use]
    pub fn ledger(&self) -> PathBuf {
        self.root.join("prereg").join("ledger")
    }

    /// `prereg/locks/`.
    #[must_use]
    pub fn locks(&self) -> PathBuf {
        self.root.join("prereg").join("locks")
    }

    /// `runs/`.
    #[must_use]
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// `reports/`.
    #[must_use]
    pub fn reports(&self) -> PathBuf {
        self.root.join("reports")
    }

    /// `templates/`.
    #[must_use]
    pub fn templates(&self) -> PathBuf {
        self.root.join("templates")
    }

    /// Creates the folders of a study below `root`, `root` included. The caller then writes
    /// `experiments/targets.toml`, which makes it one.
    ///
    /// # Errors
    /// [`WriteError`] naming the folder.
    pub fn create_layout(root: &Path) -> Result<(), WriteError> {
        for folder in [
            "experiments",
            "prereg/ledger",
            "prereg/locks",
            "runs",
            "reports",
            "templates",
        ] {
            create_folders(&root.join(folder))?;
        }
        Ok(())
    }

    /// Where a path that a declaration names leads: an existing file or folder inside the study.
    ///
    /// # Errors
    /// [`PathError`] when it leaves the study, by itself or through a symbolic link, or when
    /// nothing readable is there.
    pub fn resolve(&self, path: &str) -> Result<PathBuf, PathError> {
        let outside = || PathError::Outside { path: path.into() };
        let relative = Path::new(path);
        let plain = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if path.is_empty() || !plain {
            return Err(outside());
        }
        let resolved =
            self.root
                .join(relative)
                .canonicalize()
                .map_err(|source| PathError::Unreadable {
                    path: path.into(),
                    source,
                })?;
        if resolved.starts_with(&self.root) {
            Ok(resolved)
        } else {
            Err(outside())
        }
    }
}

fn canonical(path: &Path) -> Result<PathBuf, StudyError> {
    path.canonicalize()
        .map_err(|source| StudyError::Unreadable {
            path: path.into(),
            source,
        })
}

fn is_study(folder: &Path) -> bool {
    folder.join("experiments").join("targets.toml").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::write_atomic;

    fn study() -> (tempfile::TempDir, Study) {
        let folder = tempfile::tempdir().unwrap();
        Study::create_layout(folder.path()).unwrap();
        write_atomic(&folder.path().join("experiments/targets.toml"), b"").unwrap();
        let study = Study::open(folder.path()).unwrap();
        (folder, study)
    }

    #[test]
    fn a_study_is_found_from_a_folder_inside_it() {
        let (_folder, study) = study();
        assert_eq!(Study::discover(&study.runs()).unwrap(), study);
    }

    #[test]
    fn a_folder_without_targets_is_not_a_study() {
        let folder = tempfile::tempdir().unwrap();
        Study::create_layout(folder.path()).unwrap();
        assert!(matches!(
            Study::open(folder.path()),
            Err(StudyError::NotAStudy { .. })
        ));
    }

    #[test]
    fn paths_that_leave_the_study_are_refused() {
        let (_folder, study) = study();
        for path in ["", "/etc/passwd", "../x", "experiments/../../x"] {
            assert!(
                matches!(study.resolve(path), Err(PathError::Outside { .. })),
                "{path}"
            );
        }
        assert!(matches!(
            study.resolve("experiments/absent"),
            Err(PathError::Unreadable { .. })
        ));
        assert_eq!(
            study.resolve("experiments/targets.toml").unwrap(),
            study.targets()
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leaves_the_study_is_refused() {
        let (_folder, study) = study();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), study.experiments().join("link")).unwrap();
        assert!(matches!(
            study.resolve("experiments/link"),
            Err(PathError::Outside { .. })
        ));
    }
}
