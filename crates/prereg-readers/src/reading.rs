//! What a reader gives: columns, observations, telemetry.

use std::collections::BTreeMap;

use prereg_units::Dimension;

/// What one program reported.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// The tool with its version, where the file says both.
    pub tool: Option<String>,
    /// The columns of the observations, by name.
    pub columns: BTreeMap<String, ReadColumn>,
    /// The observations, in the order in which they were made.
    pub observations: Vec<Observation>,
    /// The telemetry, in the order in which it was printed.
    pub telemetry: Vec<Sample>,
    /// What a reader of the numbers must know about this file, a sentence each.
    pub notes: Vec<String>,
}

/// A column as the program stated it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadColumn {
    /// Its dimension.
    pub dimension: Dimension,
    /// The unit as written; the values of a [`Reading`] are in base units whatever it is.
    pub unit: String,
}

/// One timed step or repetition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Observation {
    /// The values by column, in base units. A column may be absent, not all of them.
    pub values: BTreeMap<String, f64>,
    /// SHA-256 of what the step computed, where the program gives it.
    pub output: Option<[u8; 32]>,
}

/// One reading of an instrument.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The column that it belongs to.
    pub column: String,
    /// The value, in base units.
    pub value: f64,
    /// Its dimension.
    pub dimension: Dimension,
    /// When it was read, in nanoseconds of the monotonic clock; not decreasing within a column.
    pub at_ns: Option<u64>,
}

impl Reading {
    /// Adds the column `name`, whose values a tool writes in `unit`.
    pub(crate) fn column(mut self, name: &str, dimension: Dimension, unit: &str) -> Self {
        let column = ReadColumn {
            dimension,
            unit: unit.to_owned(),
        };
        self.columns.insert(name.to_owned(), column);
        self
    }
}

impl Observation {
    /// An observation of `values`, in base units.
    pub(crate) fn of<const N: usize>(values: [(&str, f64); N]) -> Self {
        Self {
            values: values
                .map(|(name, value)| (name.to_owned(), value))
                .into_iter()
                .collect(),
            output: None,
        }
    }
}
