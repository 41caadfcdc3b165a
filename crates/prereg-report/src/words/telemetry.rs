//! Columns without an arm: what was read of them, and which were not.

use std::collections::{BTreeMap, BTreeSet};

use prereg_declaration::{Declaration, columns};
use prereg_judgement::ColumnSummary;
use prereg_units::Dimension;
use serde::Serialize;

use crate::markdown::code;
use crate::number;

/// What was read of a column, ready to print.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnWords {
    /// Its name.
    pub name: String,
    /// Sessions that have a reading.
    pub sessions: usize,
    /// Readings, over these sessions.
    pub readings: usize,
    /// Smallest reading.
    pub smallest: String,
    /// Median reading.
    pub median: String,
    /// Largest reading.
    pub largest: String,
    /// Changes of value a second, in the session with the fewest; none where readings of a slot do not lie apart.
    pub update_rate: Option<String>,
}

/// Each column in words, in the unit that the declaration gives it.
#[must_use]
pub fn telemetry(
    declaration: &Declaration,
    read: &BTreeMap<String, ColumnSummary>,
) -> Vec<ColumnWords> {
    read.iter()
        .map(|(name, summary)| {
            let dimension = dimension(declaration, name);
            let value = |value| number::measured(value, dimension);
            ColumnWords {
                name: name.clone(),
                sessions: summary.sessions,
                readings: summary.readings,
                smallest: value(summary.smallest),
                median: value(summary.median),
                largest: value(summary.largest),
                update_rate: summary
                    .update_rate
                    .map(|rate| number::measured(rate, Dimension::FREQUENCY)),
            }
        })
        .collect()
}

/// Columns that a device of this kind may give or that the program was to report, and that no session has: code spans,
/// listed.
pub(crate) fn not_read(
    declaration: &Declaration,
    is_cpu: bool,
    read: &BTreeMap<String, ColumnSummary>,
) -> String {
    let command = declaration.workload.command();
    let declared = command.map(|command| command.telemetry.keys().map(String::as_str));
    let known = columns()
        .filter(|column| !(column.by_arm || is_cpu && column.cuda_only))
        .map(|column| column.name);
    let names: BTreeSet<&str> = known.chain(declared.into_iter().flatten()).collect();
    let missing = names.into_iter().filter(|name| !read.contains_key(*name));
    let missing: Vec<String> = missing.map(code).collect();
    missing.join(", ")
}

fn dimension(declaration: &Declaration, name: &str) -> Dimension {
    let command = declaration.workload.command();
    let declared = command.and_then(|command| command.telemetry.get(name));
    let known = || columns().find(|column| column.name == name);
    declared
        .map(|column| column.dimension)
        .or_else(|| known().map(|column| column.dimension))
        .unwrap_or(Dimension::NONE)
}
