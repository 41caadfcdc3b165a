//! google/benchmark's `--benchmark_out` in JSON: `context`, and `benchmarks` with one entry a repetition.
//!
//! | column | unit | one value is |
//! |---|---|---|
//! | `step_time` | s | `real_time` of an iteration, averaged over one repetition |
//!
//! Entries of `run_type` `aggregate` (mean, median, stddev, cv) are left out: the repetitions stand beside them.

use prereg_units::Unit;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::document::printable;
use crate::format::About;
use crate::number::base_units;
use crate::{Format, KnownColumn, ReadError, Reading, document};

const FORMAT: Format = Format::GoogleBenchmark;

/// The units that the library writes times in.
const TIME_UNITS: [&str; 4] = ["ns", "us", "ms", "s"];

pub(crate) const ABOUT: About = About {
    name: "google-benchmark",
    columns: &[KnownColumn {
        name: "step_time",
        unit: "s",
        meaning: "real time of one iteration, averaged over a repetition",
    }],
    limits: &[
        "a value is a mean over the iterations of a repetition: percentiles are over repetitions, not iterations",
        "without --benchmark_repetitions there is one observation",
        "with --benchmark_report_aggregates_only there is none, and the file is refused",
        "CPU time and user counters are not read",
        "times are stored in whole nanoseconds: below a microsecond an iteration, time a loop of them as one",
        "no tokens, outputs or telemetry",
    ],
    accepted: "the repetitions of one benchmark, as --benchmark_out with --benchmark_out_format=json writes them: run_name, run_type, real_time, time_unit",
    example: &[
        "{your_program}",
        "--benchmark_filter=^{variant}$",
        "--benchmark_repetitions={steps}",
        "--benchmark_out={out}",
        "--benchmark_out_format=json",
    ],
};

#[derive(Deserialize)]
struct File {
    context: Context,
    benchmarks: Vec<Entry>,
}

#[derive(Deserialize)]
struct Context {
    library_version: Option<String>,
    library_build_type: Option<String>,
    #[serde(rename = "executable")]
    _executable: IgnoredAny,
}

#[derive(Deserialize)]
struct Entry {
    run_name: String,
    run_type: RunType,
    #[serde(default)]
    error_occurred: bool,
    error_message: Option<String>,
    #[serde(default)]
    skipped: bool,
    skip_message: Option<String>,
    real_time: Option<f64>,
    time_unit: Option<String>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum RunType {
    Iteration,
    Aggregate,
}

pub(crate) fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    let file: File = document::parse(FORMAT, bytes)?;
    let mut repetitions = file.benchmarks;
    repetitions.retain(|entry| entry.run_type == RunType::Iteration);
    let Some(first) = repetitions.first() else {
        return Err(ReadError::NoTimes {
            format: FORMAT,
            fix: "run it without --benchmark_report_aggregates_only and with a filter that fits a benchmark",
        });
    };
    let mut names: Vec<&str> = repetitions
        .iter()
        .map(|entry| entry.run_name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.len() > 1 {
        return Err(ReadError::Several {
            count: names.len(),
            noun: "benchmarks",
            fix: "select one with --benchmark_filter",
        });
    }
    if let Some(failed) = repetitions
        .iter()
        .find(|entry| entry.error_occurred || entry.skipped)
    {
        let message = failed
            .error_message
            .as_deref()
            .or(failed.skip_message.as_deref());
        let why = message.unwrap_or("no message");
        return Err(ReadError::Failed {
            format: FORMAT,
            message: printable(&format!("{} did not run: {why}", failed.run_name)),
        });
    }
    let unit = first.time_unit.clone().unwrap_or_default();
    let seconds = repetitions
        .iter()
        .map(seconds)
        .collect::<Result<Vec<_>, _>>()?;
    let version = file.context.library_version;
    Ok(Reading {
        tool: version.map(|version| printable(&format!("google/benchmark {version}"))),
        notes: notes(&first.run_name, file.context.library_build_type.as_deref()),
        ..document::timed(FORMAT, &seconds, &unit)?
    })
}

/// Real time of an iteration, in seconds.
fn seconds(entry: &Entry) -> Result<f64, ReadError> {
    let layout = |message: String| ReadError::Layout {
        format: FORMAT,
        message: printable(&message),
    };
    let written = entry.time_unit.as_deref().unwrap_or_default();
    let unit = Some(written)
        .filter(|unit| TIME_UNITS.contains(unit))
        .and_then(|unit| Unit::parse(unit).ok())
        .ok_or_else(|| {
            layout(format!(
                "time_unit `{written}` is none of {}",
                TIME_UNITS.join(", ")
            ))
        })?;
    entry
        .real_time
        .and_then(|time| base_units(time, unit))
        .ok_or_else(|| {
            layout(format!(
                "a repetition of {} without real_time",
                entry.run_name
            ))
        })
}

fn notes(name: &str, build: Option<&str>) -> Vec<String> {
    let mut notes = vec![printable(&format!("the benchmark was {name}"))];
    if build == Some("debug") {
        notes.push(
            "the benchmark library was built for debugging, which can lengthen short iterations"
                .to_owned(),
        );
    }
    notes
}
