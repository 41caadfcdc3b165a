//! The probe of a command: its meters are followed before anything is announced.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use prereg_declaration::{Command, Declaration, fill};
use prereg_ledger::InstrumentReading;
use prereg_readers::Format;

use super::readings::record;
use super::{PreflightError, search_path};
use crate::cause::chain;
use crate::environment::monotonic_ns;
use crate::instrument::instrument;
use crate::session::Watched;
use crate::tree;

/// Time that a probe has.
const PATIENCE: Duration = Duration::from_mins(1);

/// The variables that a session sees of the caller's.
fn passed(declaration: &Declaration) -> impl Iterator<Item = (&String, OsString)> {
    let names = declaration.protocol.environment.iter();
    names.filter_map(|name| Some((name, std::env::var_os(name)?)))
}

/// Runs the probe to its end; an instrument for each column that it gives readings of.
pub(super) fn follow(
    declaration: &Declaration,
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
        .env_clear()
        .env("PATH", search_path(declaration, command))
        .envs(passed(declaration))
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let own = command.environment.iter();
    process.envs(own.filter_map(|(name, text)| Some((name, fill(text, |_| None)?))));
    let start_ns = monotonic_ns();
    let mut watched = Watched::spawn(&mut process, Instant::now() + PATIENCE)
        .map_err(|error| failed(format!("`{program}` cannot be started: {error}")))?;
    let printed = watched.read(Format::Lines);
    let ended = watched.wait();
    let _left = tree::clear();
    let ended = ended.map_err(|error| failed(chain(&error)))?;
    let reading = printed
        .join()
        .map_err(|_| failed("it cannot be read".to_owned()))?;
    let reading = reading.map_err(|error| failed(chain(&error)))?;
    if !ended.status.success() {
        return Err(failed(format!("it ended with {}", ended.status)));
    }
    if !reading.observations.is_empty() || !reading.columns.is_empty() {
        let why = "it reports steps, and no step of the workload is made before a run is announced";
        return Err(failed(why.to_owned()));
    }
    let ran_ns = start_ns..=ended.end_ns;
    let mut times = reading.telemetry.iter().filter_map(|sample| sample.at_ns);
    if let Some(at_ns) = times.find(|at_ns| !ran_ns.contains(at_ns)) {
        return Err(failed(format!(
            "a reading was taken at {at_ns} ns of the monotonic clock, and the probe ran from {start_ns} to {}",
            ended.end_ns
        )));
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
