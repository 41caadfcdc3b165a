//! JSON documents of tools: parsed into the types that a reader expects, with the reason where they are not.

use prereg_units::Dimension;
use serde::de::DeserializeOwned;

use crate::reading::{Observation, Reading};
use crate::{Format, ReadError, detect};

/// Parses a whole document.
pub(crate) fn parse<T: DeserializeOwned>(format: Format, bytes: &[u8]) -> Result<T, ReadError> {
    serde_json::from_slice(bytes).map_err(|error| refusal(format, bytes, &error))
}

/// Why `bytes` are not a document of `format`: another tool's, another layout, or no JSON.
pub(crate) fn refusal(format: Format, bytes: &[u8], error: &serde_json::Error) -> ReadError {
    let message = printable(&error.to_string());
    match detect(bytes) {
        Some(found) if found != format => ReadError::OtherTool {
            expected: format,
            found,
        },
        _ if error.is_data() => ReadError::Layout { format, message },
        _ => ReadError::Json { format, message },
    }
}

/// A reading of one time each repetition, in seconds; the tool writes them in `unit`.
pub(crate) fn timed(format: Format, seconds: &[f64], unit: &str) -> Result<Reading, ReadError> {
    if let Some(index) = seconds.iter().position(|time| !time.is_finite()) {
        return Err(ReadError::NotFinite {
            format,
            repetition: index + 1,
        });
    }
    let reading = Reading {
        observations: seconds
            .iter()
            .map(|seconds| Observation::of([("step_time", *seconds)]))
            .collect(),
        ..Reading::default()
    };
    Ok(reading.column("step_time", Dimension::TIME, unit))
}

/// Text of a file without control characters, which must not reach a terminal.
pub(crate) fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}
