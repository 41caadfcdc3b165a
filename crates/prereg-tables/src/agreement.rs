//! Do the tables say what the JSONL says?

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;

use polars::prelude::{AnyValue, DataFrame};
use prereg_declaration::Digest;
use prereg_runs::{ReadError, RunFolder};

use crate::frames::{FramesError, frames};
use crate::session_lines::{ReadingError, read};
use crate::table::{Table, TableError};

/// Why the tables of a run are not, or cannot be shown to be, those of its records.
#[derive(Debug, thiserror::Error)]
pub enum AgreementError {
    /// The records cannot be read.
    #[error(transparent)]
    Records(#[from] ReadError),
    /// A record holds a reading that no device gives.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// A table cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is not the table that it should be.
    #[error("{} is not the table that it should be; restore the run's folder from version control", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: TableError,
    },
    /// A table says something else.
    #[error("{}: {mismatch}; restore the run's folder from version control", path.display())]
    Differs {
        /// The file.
        path: PathBuf,
        /// The first difference.
        mismatch: Mismatch,
    },
}

/// The first difference between a table and the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Another number of rows.
    Rows {
        /// Rows of the table.
        table: usize,
        /// Rows that the records give.
        records: usize,
    },
    /// Another value.
    Value {
        /// The row, from 0.
        row: usize,
        /// The column.
        column: String,
        /// What the table says.
        table: String,
        /// What the records say.
        records: String,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows { table, records } => {
                write!(f, "the table has {table} rows, the JSONL gives {records}")
            }
            Self::Value {
                row,
                column,
                table,
                records,
            } => {
                write!(
                    f,
                    "row {row}, {column}: the table says {table}, the JSONL says {records}"
                )
            }
        }
    }
}

/// Compares the tables of a run with its JSONL, row for row.
///
/// # Errors
/// [`AgreementError`], naming the first difference.
pub fn check_agreement(run: &RunFolder) -> Result<(), AgreementError> {
    let mut frames = frames(&read(run)?).map_err(|error| match error {
        FramesError::Reading(error) => AgreementError::Reading(error),
        FramesError::Table(source) => AgreementError::Table {
            path: run.path().into(),
            source,
        },
    })?;
    for (table, records) in frames.tables() {
        let path = run.path().join(table.file);
        let bytes = fs::read(&path).map_err(|source| AgreementError::Unreadable {
            path: path.clone(),
            source,
        })?;
        match compare(table, &bytes, records) {
            Ok(None) => {}
            Ok(Some(mismatch)) => return Err(AgreementError::Differs { path, mismatch }),
            Err(source) => return Err(AgreementError::Table { path, source }),
        }
    }
    Ok(())
}

/// The first difference, by row.
fn compare(
    table: Table,
    bytes: &[u8],
    records: &DataFrame,
) -> Result<Option<Mismatch>, TableError> {
    let found = table.decode(bytes)?;
    if found.height() != records.height() {
        return Ok(Some(Mismatch::Rows {
            table: found.height(),
            records: records.height(),
        }));
    }
    for row in 0..found.height() {
        for (found, records) in found.columns().iter().zip(records.columns()) {
            let (table, records) = (found.get(row)?, records.get(row)?);
            if table != records {
                let column = found.name().to_string();
                return Ok(Some(Mismatch::Value {
                    row,
                    column,
                    table: text(&table),
                    records: text(&records),
                }));
            }
        }
    }
    Ok(None)
}

fn text(value: &AnyValue<'_>) -> String {
    match value {
        AnyValue::Binary(bytes) => <[u8; 32]>::try_from(*bytes).map_or_else(
            |_| format!("{} bytes", bytes.len()),
            |digest| Digest::from_bytes(digest).to_string(),
        ),
        AnyValue::Null => "nothing".into(),
        value => value.to_string(),
    }
}
