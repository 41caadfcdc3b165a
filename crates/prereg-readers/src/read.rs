//! Reading a result, within limits.

use std::io::{self, BufRead, Read as _};

use thiserror::Error;

use crate::lines::{self, LinesError};
use crate::{
    Format, Reading, criterion, google_benchmark, hyperfine, llama_bench, nvbench, vllm_latency,
};

/// The most bytes of one result: 64 MiB.
pub const FILE_LIMIT: u64 = 64 << 20;

/// The most observations of one result, and the most readings of its telemetry.
pub const OBSERVATION_LIMIT: usize = 1_000_000;

/// Why a result could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The input broke off.
    #[error("cannot read the result: {0}")]
    Io(#[from] io::Error),
    /// A result of the protocol.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// More bytes than a result may have.
    #[error("the result is longer than {} MiB; let the program report fewer repetitions", FILE_LIMIT >> 20)]
    TooLong,
    /// More observations than a result may have.
    #[error(
        "the result has more than {OBSERVATION_LIMIT} observations; let the program report fewer repetitions"
    )]
    TooMany,
    /// An empty file.
    #[error("the result is empty; the program wrote nothing that could be read as {format}")]
    Nothing {
        /// The format asked for.
        format: Format,
    },
    /// Not JSON.
    #[error("the result is not JSON: {message}; {format} reads {}", format.accepted())]
    Json {
        /// The format asked for.
        format: Format,
        /// What stands where, in the words of the JSON reader.
        message: String,
    },
    /// JSON of another tool.
    #[error(
        "the result was written by {found}, not by {expected}; declare `reader = \"{found}\"` or name its own file"
    )]
    OtherTool {
        /// The format asked for.
        expected: Format,
        /// The format found.
        found: Format,
    },
    /// JSON of a layout that is not known.
    #[error("the result is not laid out as {format} writes it: {message}; it reads {}", format.accepted())]
    Layout {
        /// The format asked for.
        format: Format,
        /// What is missing or wrong.
        message: String,
    },
    /// A version that is not known.
    #[error("the result has version {found} of the layout of {format}; it reads {}", format.accepted())]
    Version {
        /// The format asked for.
        format: Format,
        /// The version as the file says it.
        found: String,
    },
    /// Several benchmarks in one file: a slot measures one.
    #[error("the result holds {count} {noun} and a slot measures one; {fix}")]
    Several {
        /// How many.
        count: usize,
        /// What they are called.
        noun: &'static str,
        /// How to select one.
        fix: &'static str,
    },
    /// A benchmark without a time.
    #[error("the result of {format} holds no times; {fix}")]
    NoTimes {
        /// The format.
        format: Format,
        /// What to do.
        fix: &'static str,
    },
    /// A run that failed.
    #[error("{format} reports a failure: {message}; see that the program succeeds by itself first")]
    Failed {
        /// The format.
        format: Format,
        /// What failed.
        message: String,
    },
    /// A time that is NaN or infinite.
    #[error(
        "the time of repetition {repetition} of {format} is not finite; see that it measured something"
    )]
    NotFinite {
        /// The format.
        format: Format,
        /// The repetition, from 1.
        repetition: usize,
    },
}

/// Reads what a program wrote in `format`.
///
/// At most [`FILE_LIMIT`] bytes and [`OBSERVATION_LIMIT`] observations are read; `lines` is read line by line, each at
/// most 1 MiB, the other formats whole.
///
/// # Errors
/// [`ReadError`]: nothing is read in part.
pub fn read(format: Format, input: impl BufRead) -> Result<Reading, ReadError> {
    let reading = match format {
        Format::Lines => lines::read(input)?,
        Format::Hyperfine => hyperfine::read(&whole(format, input)?)?,
        Format::LlamaBench => llama_bench::read(&whole(format, input)?)?,
        Format::Nvbench => nvbench::read(&whole(format, input)?)?,
        Format::GoogleBenchmark => google_benchmark::read(&whole(format, input)?)?,
        Format::Criterion => criterion::read(&whole(format, input)?)?,
        Format::VllmLatency => vllm_latency::read(&whole(format, input)?)?,
    };
    if reading.observations.len() > OBSERVATION_LIMIT {
        return Err(ReadError::TooMany);
    }
    Ok(reading)
}

/// The bytes of a file within the limit.
fn whole(format: Format, input: impl BufRead) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    input.take(FILE_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FILE_LIMIT {
        return Err(ReadError::TooLong);
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ReadError::Nothing { format });
    }
    Ok(bytes)
}
