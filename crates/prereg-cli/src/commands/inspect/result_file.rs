//! A result file: its format, what was read, and a summary of each column.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use prereg_declaration::Digest;
use prereg_readers::{FILE_LIMIT, Format, ReadError, Reading, detect, read};
use prereg_stats::{Sample, estimate};
use prereg_units::Dimension;
use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;

/// A result file that was read.
#[derive(Debug)]
pub(crate) struct ResultFile {
    /// The path as typed, without control characters.
    pub(crate) name: String,
    /// Digest of its bytes.
    pub(crate) digest: Digest,
    /// The format that its first value has.
    pub(crate) format: Format,
    /// What it says.
    pub(crate) reading: Reading,
}

/// A column over the whole file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// The unit as the file has it; for telemetry the base unit.
    pub(crate) unit: String,
    /// Whether it is telemetry, and not a column of the observations.
    pub(crate) telemetry: bool,
    /// The base unit of the numbers below.
    #[serde(rename = "base_unit")]
    pub(crate) dimension: Dimension,
    /// How many values there are.
    pub(crate) values: usize,
    pub(crate) min: f64,
    pub(crate) median: f64,
    pub(crate) max: f64,
    /// Standard deviation over mean; none for one value or a mean that is not positive.
    pub(crate) cv: Option<f64>,
}

impl ResultFile {
    /// Reads the file at `path`, whatever format it has.
    pub(crate) fn read(path: &Path) -> Result<Self, CommandError> {
        let name = path
            .display()
            .to_string()
            .replace(char::is_control, "\u{fffd}");
        let bytes = bytes(path).map_err(|error| {
            let exit = match error.kind() {
                ErrorKind::NotFound => Exit::Missing,
                _ => Exit::Io,
            };
            CommandError::new(exit, format!("{name}: {error}"))
        })?;
        let refused =
            |error: &ReadError| CommandError::new(Exit::Declaration, format!("{name}: {error}"));
        if bytes.len() as u64 > FILE_LIMIT {
            return Err(refused(&ReadError::TooLong));
        }
        let Some(format) = detect(&bytes) else {
            let message = format!("{name} is in no format that is read");
            let known = Format::ALL.map(|format| format!("{format} reads {}", format.accepted()));
            let error = CommandError::new(Exit::Declaration, message);
            return Err(known.into_iter().fold(error, CommandError::hint));
        };
        let reading = read(format, &*bytes).map_err(|error| refused(&error))?;
        Ok(Self {
            name,
            digest: Digest::of(&bytes),
            format,
            reading,
        })
    }

    /// Its columns: those of the observations, then telemetry, each by name. A column without values is left out.
    pub(crate) fn columns(&self) -> Vec<Column> {
        let stated = &self.reading.columns;
        let observed = stated.iter().filter_map(|(name, column)| {
            let values = self.reading.observations.iter();
            let values: Vec<f64> = values
                .filter_map(|step| step.values.get(name).copied())
                .collect();
            Column::of(name, &column.unit, column.dimension, false, &values)
        });
        let mut meters = BTreeMap::<&str, (Dimension, Vec<f64>)>::new();
        for sample in &self.reading.telemetry {
            let meter = meters
                .entry(&sample.column)
                .or_insert((sample.dimension, Vec::new()));
            meter.1.push(sample.value);
        }
        let metered = meters.iter().filter_map(|(name, (dimension, values))| {
            Column::of(name, &base_unit(*dimension), *dimension, true, values)
        });
        observed.chain(metered).collect()
    }
}

impl Column {
    fn of(
        name: &str,
        unit: &str,
        dimension: Dimension,
        telemetry: bool,
        values: &[f64],
    ) -> Option<Self> {
        let sample = Sample::new(values).ok()?;
        Some(Self {
            name: name.to_owned(),
            unit: unit.to_owned(),
            telemetry,
            dimension,
            values: values.len(),
            min: estimate::min(sample),
            median: estimate::median(sample),
            max: estimate::max(sample),
            cv: estimate::cv(sample).ok(),
        })
    }
}

/// The base unit as a declaration writes it.
fn base_unit(dimension: Dimension) -> String {
    match dimension {
        Dimension::NONE => "1".to_owned(),
        Dimension::FREQUENCY => "Hz".to_owned(),
        Dimension::POWER => "W".to_owned(),
        dimension => dimension.to_string(),
    }
}

/// The file's bytes, or one more than a result may have.
fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // What is no file, such as a pipe, would be waited for.
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("not a file"));
    }
    File::open(path)?
        .take(FILE_LIMIT + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str) -> Vec<Column> {
        ResultFile {
            name: String::new(),
            digest: Digest::ZERO,
            format: Format::Lines,
            reading: read(Format::Lines, text.as_bytes()).unwrap(),
        }
        .columns()
    }

    #[test]
    fn each_column_is_summarised_over_the_values_that_it_has() {
        let columns = columns(
            r#"{"prereg":"prereg-observations/1","units":{"step_time":"ms","gain":"1","unused":"s"}}
{"step_time":10,"gain":-1}
{"telemetry":"power","value":0.3,"unit":"kW"}
{"step_time":20}
{"step_time":30}
{"end":{"observations":3}}"#,
        );
        let summary = |column: &Column| {
            let Column {
                min,
                median,
                max,
                values,
                ..
            } = *column;
            (
                column.name.clone(),
                column.unit.clone(),
                values,
                [min, median, max],
            )
        };
        let found: Vec<_> = columns.iter().map(summary).collect();
        let expected = [
            ("gain", "1", 1, [-1.0; 3]),
            ("step_time", "ms", 3, [0.01, 0.02, 0.03]),
            ("power", "W", 1, [300.0; 3]),
        ];
        let expected = expected
            .map(|(name, unit, values, range)| (name.to_owned(), unit.to_owned(), values, range));
        assert_eq!(found, expected);
        assert_eq!(columns[0].cv, None);
        assert!((columns[1].cv.unwrap() - 0.5).abs() < 1e-12);
        assert_eq!([columns[1].telemetry, columns[2].telemetry], [false, true]);
    }
}
