//! The probe of a command: its meters are followed before anything is announced.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use prereg_declaration::Command;
use prereg_ledger::InstrumentReading;
use prereg_readers::Format;

use super::PreflightError;
use super::readings::record;
use crate::cause::chain;
use crate::instrument::instrument;
use crate::session::Watched;

/// Time that a probe has.
const PATIENCE: Duration = Duration::from_mins(1);

/// Runs the probe to its end; an instrument for each column that it gives readings of.
pub(super) fn follow(
    command: &Command,
    words: &[String],
    study: &Path,
) -> Result<Vec<InstrumentReading>, PreflightError> {
    let failed = |why: String| PreflightError::Probe { why };
    let (program, arguments) = words
        .split_first()
        .ok_or_else(|| failed("it is empty".to_owned()))?;
    let mut process = Process::new(program);
    process
        .args(arguments)
        .current_dir(study)
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    for (name, value) in &command.environment {
        if !value.contains('{') {
            process.env(name, value);
        }
    }
    let mut watched = Watched::spawn(&mut process, Instant::now() + PATIENCE)
        .map_err(|error| failed(format!("`{program}` cannot be started: {error}")))?;
    let printed = watched.read(Format::Lines);
    let ended = watched.wait().map_err(|error| failed(chain(&error)))?;
    let reading = printed
        .join()
        .map_err(|_| failed("it cannot be read".to_owned()))?;
    let reading = reading.map_err(|error| failed(chain(&error)))?;
    if !ended.status.success() {
        return Err(failed(format!("it ended with {}", ended.status)));
    }
    let mut by_column = BTreeMap::<String, Vec<(u64, f64)>>::new();
    for sample in reading.telemetry {
        if let Some(at_ns) = sample.at_ns {
            by_column
                .entry(sample.column)
                .or_default()
                .push((at_ns, sample.value));
        }
    }
    if by_column.is_empty() {
        return Err(failed("no reading of it has a time".to_owned()));
    }
    let instruments = by_column.iter();
    Ok(instruments
        .map(|(column, samples)| record(instrument(column, samples)))
        .collect())
}
