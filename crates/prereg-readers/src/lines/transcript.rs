//! The state of an output while its lines come in: header, steps and telemetry, end.

use std::collections::BTreeMap;

use prereg_units::{Dimension, Unit};

use super::fields::Fields;
use super::line::Line;
use super::{LinesError, PROTOCOL};
use crate::OBSERVATION_LIMIT;
use crate::reading::{Observation, ReadColumn, Reading, Sample};

/// Keys with a meaning of their own.
const RESERVED: [&str; 8] = [
    "prereg",
    "units",
    "output",
    "telemetry",
    "value",
    "unit",
    "at_ns",
    "end",
];

/// What was read so far. A line is taken whole or refused.
pub(super) struct Transcript {
    units: BTreeMap<String, Unit>,
    meters: BTreeMap<String, Meter>,
    reading: Reading,
    ended: bool,
}

/// What is known of a column of telemetry.
struct Meter {
    dimension: Dimension,
    at_ns: Option<u64>,
}

impl Transcript {
    /// Starts with the header.
    pub(super) fn open(header: Fields) -> Result<Self, LinesError> {
        let mut line = Line::new(1, header);
        if !line.has("prereg") {
            return Err(LinesError::NoHeader);
        }
        let found = line.text("prereg")?;
        if found != PROTOCOL {
            return Err(LinesError::Version { found });
        }
        let stated = line.object("units")?;
        line.finish()?;
        let mut transcript = Self {
            units: BTreeMap::new(),
            meters: BTreeMap::new(),
            reading: Reading::default(),
            ended: false,
        };
        let mut stated = Line::new(1, stated);
        while let Some(name) = stated.first_key() {
            if !is_column(&name) {
                return Err(LinesError::Key { line: 1, key: name });
            }
            let written = stated.text(&name)?;
            let unit = unit(1, &name, &written, dimension_of(&name))?;
            let column = ReadColumn {
                dimension: unit.dimension(),
                unit: written,
            };
            transcript.units.insert(name.clone(), unit);
            transcript.reading.columns.insert(name, column);
        }
        Ok(transcript)
    }

    /// Adds line `number`, which is not the first.
    pub(super) fn add(&mut self, number: u64, fields: Fields) -> Result<(), LinesError> {
        let line = Line::new(number, fields);
        if self.ended {
            Err(LinesError::AfterEnd { line: number })
        } else if line.has("prereg") {
            Err(LinesError::SecondHeader { line: number })
        } else if line.has("telemetry") {
            self.add_sample(line)
        } else if line.has("end") {
            self.end(line)
        } else {
            self.add_observation(line)
        }
    }

    /// The reading, once the end was read.
    pub(super) fn close(self) -> Result<Reading, LinesError> {
        if self.ended {
            return Ok(self.reading);
        }
        let observations = self.reading.observations.len() as u64;
        Err(LinesError::NoEnd { observations })
    }

    fn add_observation(&mut self, mut line: Line) -> Result<(), LinesError> {
        let output = if line.has("output") {
            Some(line.digest("output")?)
        } else {
            None
        };
        let mut values = BTreeMap::new();
        while let Some(name) = line.first_key() {
            let Some(unit) = self.units.get(&name) else {
                return Err(LinesError::Key {
                    line: line.number,
                    key: name,
                });
            };
            let value = line.number(&name, *unit)?;
            if name == "tokens" && value < 0.0 {
                return Err(LinesError::Value {
                    line: line.number,
                    column: name,
                    value,
                    expected: "0 or more",
                });
            }
            values.insert(name, value);
        }
        if values.is_empty() {
            return Err(LinesError::NoValue { line: line.number });
        }
        if self.reading.observations.len() == OBSERVATION_LIMIT {
            return Err(LinesError::TooMany {
                line: line.number,
                noun: "observations",
            });
        }
        self.reading
            .observations
            .push(Observation { values, output });
        Ok(())
    }

    fn add_sample(&mut self, mut line: Line) -> Result<(), LinesError> {
        let column = line.text("telemetry")?;
        if !is_column(&column) || self.units.contains_key(&column) {
            return Err(LinesError::Key {
                line: line.number,
                key: column,
            });
        }
        let known = self.meters.get(&column);
        let written = line.text("unit")?;
        let unit = unit(
            line.number,
            &column,
            &written,
            known.map(|meter| meter.dimension),
        )?;
        let value = line.number("value", unit)?;
        let at_ns = if line.has("at_ns") {
            Some(line.whole("at_ns")?)
        } else {
            None
        };
        let before = known.and_then(|meter| meter.at_ns);
        if let (Some(at_ns), Some(before)) = (at_ns, before)
            && at_ns < before
        {
            return Err(LinesError::Backwards {
                line: line.number,
                column,
                at_ns,
                before,
            });
        }
        if self.reading.telemetry.len() == OBSERVATION_LIMIT {
            return Err(LinesError::TooMany {
                line: line.number,
                noun: "readings of telemetry",
            });
        }
        line.finish()?;
        let dimension = unit.dimension();
        let meter = Meter {
            dimension,
            at_ns: at_ns.or(before),
        };
        self.meters.insert(column.clone(), meter);
        self.reading.telemetry.push(Sample {
            column,
            value,
            dimension,
            at_ns,
        });
        Ok(())
    }

    fn end(&mut self, mut line: Line) -> Result<(), LinesError> {
        let mut end = Line::new(line.number, line.object("end")?);
        let said = end.whole("observations")?;
        end.finish()?;
        line.finish()?;
        let counted = self.reading.observations.len() as u64;
        if said != counted {
            return Err(LinesError::Count {
                line: line.number,
                said,
                counted,
            });
        }
        self.ended = true;
        Ok(())
    }
}

/// Whether a column may have this name.
fn is_column(name: &str) -> bool {
    let rest = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.len() <= 64
        && name.bytes().all(rest)
        && !RESERVED.contains(&name)
}

/// The dimension that the protocol gives a column of steps.
fn dimension_of(column: &str) -> Option<Dimension> {
    match column {
        "step_time" => Some(Dimension::TIME),
        "tokens" => Some(Dimension::TOKENS),
        _ => None,
    }
}

/// Reads the unit of `column`, which has to be of dimension `expected` where one is known.
fn unit(
    line: u64,
    column: &str,
    written: &str,
    expected: Option<Dimension>,
) -> Result<Unit, LinesError> {
    let unit = Unit::parse(written).map_err(|problem| LinesError::Unit {
        line,
        column: column.to_owned(),
        problem,
    })?;
    match expected {
        Some(expected) if expected != unit.dimension() => Err(LinesError::Dimension {
            line,
            column: column.to_owned(),
            unit: written.to_owned(),
            expected,
        }),
        _ => Ok(unit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> Transcript {
        let header = br#"{"prereg":"prereg-observations/1","units":{"step_time":"s"}}"#;
        Transcript::open(Fields::parse(1, header).unwrap()).unwrap()
    }

    #[test]
    fn a_step_beyond_the_limit_is_refused() {
        let mut transcript = open();
        transcript.reading.observations = vec![Observation::default(); OBSERVATION_LIMIT];
        let step = Fields::parse(2, br#"{"step_time":1}"#).unwrap();
        assert!(matches!(
            transcript.add(2, step),
            Err(LinesError::TooMany { line: 2, .. })
        ));
    }

    #[test]
    fn a_reading_beyond_the_limit_is_refused() {
        let mut transcript = open();
        let sample = Sample {
            column: String::new(),
            value: 1.0,
            dimension: Dimension::POWER,
            at_ns: None,
        };
        transcript.reading.telemetry = vec![sample; OBSERVATION_LIMIT];
        let line = br#"{"telemetry":"power","value":1,"unit":"W"}"#;
        let line = Fields::parse(2, line).unwrap();
        assert!(matches!(
            transcript.add(2, line),
            Err(LinesError::TooMany { line: 2, .. })
        ));
    }
}
