//! Writing the tables of a run before it is sealed.

use prereg_ledger::{RunId, WriteError, write_atomic};
use prereg_runs::{ReadError, RunFolder, Seal};

use crate::agreement::{AgreementError, check_agreement};
use crate::frames::{FramesError, frames};
use crate::session_lines::{ReadingError, read};
use crate::table::TableError;

/// The tables of a run could not be written. Those that stood there before are unchanged.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The run has a seal, so its files are final, and its tables are not those of its records.
    #[error("run {run} is sealed with tables that are not those of its records")]
    Sealed {
        /// The run.
        run: RunId,
        /// What differs.
        source: Box<AgreementError>,
    },
    /// The records cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A record holds a reading that no device gives.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// The records do not fit the tables.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<FramesError> for ExportError {
    fn from(error: FramesError) -> Self {
        match error {
            FramesError::Reading(error) => error.into(),
            FramesError::Table(error) => error.into(),
        }
    }
}

/// Writes `slots.parquet`, `steps.parquet` and `telemetry.parquet` from the JSONL of the complete
/// sessions, and `observations.parquet` where programs reported. The same records give the same bytes, so that a run may be written again after a
/// crash. Tables that are sealed are compared with the records and stay as they are.
///
/// # Errors
/// [`ExportError`]. Each table is replaced whole or not at all.
pub fn write_tables(run: &RunFolder) -> Result<(), ExportError> {
    if run.path().join(Seal::FILE).exists() {
        return check_agreement(run).map_err(|source| ExportError::Sealed {
            run: run.record().run.clone(),
            source: Box::new(source),
        });
    }
    let mut frames = frames(&read(run)?)?;
    for (table, frame) in frames.tables() {
        write_atomic(&run.path().join(table.file), &table.encode(frame)?)?;
    }
    Ok(())
}
