//! Writing files so that a reader finds the old bytes or the new ones, never a part.
//!
//! New bytes go to a temporary file (`.<name>.<pid>-<n>.tmp`) in the same folder, are flushed to
//! disk, and take the place of the old file by a rename; then the folder is flushed. A crash
//! leaves at most a temporary file, which no reader looks at.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file or folder could not be written. What stood there before is unchanged.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {}", path.display(), advice(source))]
pub struct WriteError {
    path: PathBuf,
    source: io::Error,
}

impl WriteError {
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

    /// What the system said.
    #[must_use]
    pub fn io(&self) -> &io::Error {
        &self.source
    }
}

fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full; nothing was left half-written, free some space and try again"
        }
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            "it is read-only for this user; make it writable or work in a copy"
        }
        io::ErrorKind::AlreadyExists => "it exists already and is never written over",
        io::ErrorKind::NotFound => "its folder does not exist; create the folder first",
        _ => "the system refused; nothing was left half-written",
    }
}

/// Replaces the file at `path` by `bytes`, or leaves it as it was.
///
/// # Errors
/// [`WriteError`] naming `path`.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    Staged::new(path, bytes)?.commit()
}

/// Creates a folder and those above it, and flushes the folder that holds it.
///
/// # Errors
/// [`WriteError`] naming `path`.
pub fn create_folders(path: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(path)
        .and_then(|()| sync_parent(path))
        .map_err(|source| WriteError::new(path, source))
}

/// Creates a folder that must not exist yet, and flushes the folder that holds it: of several
/// processes that try, exactly one succeeds.
///
/// # Errors
/// [`WriteError`] naming `path`; its kind is [`io::ErrorKind::AlreadyExists`] for all but one.
pub fn claim_folder(path: &Path) -> Result<(), WriteError> {
    fs::create_dir(path)
        .and_then(|()| sync_parent(path))
        .map_err(|source| WriteError::new(path, source))
}

/// Bytes that are on disk under a temporary name, ready to become a file.
pub(crate) struct Staged {
    temporary: PathBuf,
    path: PathBuf,
    committed: bool,
}

impl Staged {
    pub(crate) fn new(path: &Path, bytes: &[u8]) -> Result<Self, WriteError> {
        let staged = Self {
            temporary: temporary_name(path),
            path: path.into(),
            committed: false,
        };
        let write = || -> io::Result<()> {
            let mut file = OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&staged.temporary)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(|source| WriteError::new(path, source))?;
        Ok(staged)
    }

    pub(crate) fn commit(mut self) -> Result<(), WriteError> {
        fs::rename(&self.temporary, &self.path)
            .and_then(|()| {
                self.committed = true;
                sync_parent(&self.path)
            })
            .map_err(|source| WriteError::new(&self.path, source))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if !self.committed {
            // A temporary file that stays is harmless: no reader looks at it.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

fn temporary_name(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(
        ".{}-{}.tmp",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    ));
    path.with_file_name(name)
}

/// Flushes the folder that holds `path`, so that a rename or a new entry survives a power cut.
pub(crate) fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => File::open(parent)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_no_temporary_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write_atomic(&path, b"long first content").unwrap();
        write_atomic(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_dropped_stage_leaves_the_old_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write_atomic(&path, b"old").unwrap();
        drop(Staged::new(&path, b"new").unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("absent").join("file");
        let error = write_atomic(&path, b"x").unwrap_err();
        assert_eq!(error.path(), path);
        assert!(
            error.to_string().contains("its folder does not exist"),
            "{error}"
        );
    }

    #[test]
    fn a_folder_is_claimed_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0");
        claim_folder(&path).unwrap();
        assert_eq!(
            claim_folder(&path).unwrap_err().io().kind(),
            io::ErrorKind::AlreadyExists
        );
    }
}
