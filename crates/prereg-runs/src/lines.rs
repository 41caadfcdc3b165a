//! Files of one JSON object a line: written once by one process, flushed at the end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use prereg_ledger::WriteError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A new file of records of one type. It is complete only after [`LineWriter::finish`].
#[derive(Debug)]
pub struct LineWriter<T> {
    path: PathBuf,
    file: BufWriter<File>,
    record: PhantomData<fn(&T)>,
}

impl<T: Serialize> LineWriter<T> {
    /// Creates the file; it must not exist.
    ///
    /// # Errors
    /// [`WriteError`] naming it.
    pub fn create(path: PathBuf) -> Result<Self, WriteError> {
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => Ok(Self {
                path,
                file: BufWriter::new(file),
                record: PhantomData,
            }),
            Err(source) => Err(WriteError::new(path, source)),
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// [`WriteError`] naming the file.
    pub fn write(&mut self, record: &T) -> Result<(), WriteError> {
        serde_json::to_writer(&mut self.file, record)
            .map_err(io::Error::from)
            .and_then(|()| self.file.write_all(b"\n"))
            .map_err(|source| WriteError::new(&self.path, source))
    }

    /// Flushes everything to disk.
    ///
    /// # Errors
    /// [`WriteError`] naming the file.
    pub fn finish(self) -> Result<(), WriteError> {
        let Self { path, file, .. } = self;
        let file = file
            .into_inner()
            .map_err(|error| WriteError::new(&path, error.into_error()))?;
        file.sync_all()
            .map_err(|source| WriteError::new(path, source))
    }
}

/// A file of a run could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refused.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line is not a record.
    #[error("{}, line {line}: not a record; `prereg verify` shows whether the file is as it was sealed", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// What the parser said.
        source: serde_json::Error,
    },
    /// A file is in another format.
    #[error("{} has format `{found}` where this version reads `{expected}`; use the version that wrote it", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// The format that this version reads.
        expected: &'static str,
        /// What the file says.
        found: String,
    },
}

/// All records of a file.
pub(crate) fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, ReadError> {
    let bytes = read(path)?;
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    // A final newline leaves an empty piece behind it.
    let records = lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(index, line)| {
            serde_json::from_slice(line).map_err(|source| ReadError::Line {
                path: path.into(),
                line: index + 1,
                source,
            })
        });
    records.collect()
}

/// The one record of a JSON file that begins with its `schema`.
pub(crate) fn read_object<T: DeserializeOwned>(
    path: &Path,
    schema: &'static str,
) -> Result<T, ReadError> {
    parse_object(path, &read(path)?, schema)
}

pub(crate) fn parse_object<T: DeserializeOwned>(
    path: &Path,
    bytes: &[u8],
    schema: &'static str,
) -> Result<T, ReadError> {
    #[derive(serde::Deserialize)]
    struct Format {
        schema: String,
    }
    let form = |source| ReadError::Line {
        path: path.into(),
        line: 1,
        source,
    };
    let Format { schema: found } = serde_json::from_slice(bytes).map_err(form)?;
    if found != schema {
        return Err(ReadError::Schema {
            path: path.into(),
            expected: schema,
            found,
        });
    }
    serde_json::from_slice(bytes).map_err(|source| ReadError::Line {
        path: path.into(),
        line: source.line().max(1),
        source,
    })
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, ReadError> {
    fs::read(path).map_err(|source| ReadError::Unreadable {
        path: path.into(),
        source,
    })
}

/// The bytes of a JSON file for people and programs: indented, with a final newline.
pub(crate) fn object_bytes<T: Serialize>(record: &T) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(record)?;
    bytes.push(b'\n');
    Ok(bytes)
}
