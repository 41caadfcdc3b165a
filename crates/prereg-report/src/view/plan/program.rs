//! What is known of a program before it runs.

use std::collections::BTreeMap;

use prereg_declaration::{Command, DeclaredColumn, Reader};
use prereg_readers::Format;
use prereg_units::Dimension;

use crate::markdown::{code, escape};
use crate::number;

/// The words of a command, each a code span.
pub(super) fn words(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| code(word)).collect();
    words.join(" ")
}

/// Reader, columns, environment, pins, facts and the rest, a line each.
pub(super) fn lines(command: &Command) -> Vec<String> {
    let mut lines = vec![
        "A name in braces stands for a value: of the arm as below, of the session (`{seed}`, `{session}`), of the slot (`{slot}`, `{arm}`, `{steps}`, `{out}`), or of the protocol (`{threads}`)."
            .to_owned(),
        "Step times are as reported by the program and are not timed here; their sum must fit into the wall time of its process, or the session is missing."
            .to_owned(),
        reader(command.reader),
    ];
    lines.extend(columns(
        "Columns by arm that it reports besides",
        &command.columns,
    ));
    lines.extend(columns(
        "Readings that it reports besides",
        &command.telemetry,
    ));
    lines.extend(named("Set for the program", &command.environment));
    lines.extend(named("Stated, not checked", &command.pins));
    let facts = command.facts.iter();
    let facts: BTreeMap<String, String> = facts
        .map(|(name, words)| (name.clone(), words.join(" ")))
        .collect();
    lines.extend(named("Asked at the beginning of each session", &facts));
    if !command.inputs.is_empty() {
        let inputs: Vec<String> = command.inputs.iter().map(|input| code(input)).collect();
        lines.push(format!(
            "Files that it reads, whose digests are locked: {}.",
            inputs.join(", ")
        ));
    }
    if let Some(probe) = &command.probe {
        lines.push(format!("Followed in the preflight: {}.", words(probe)));
    }
    lines.push(format!(
        "The author expects a slot to take {}.",
        number::measured(command.slot_time.as_secs_f64(), Dimension::TIME)
    ));
    lines
}

/// The reader's word, and what its format cannot support.
fn reader(reader: Reader) -> String {
    let name = code(reader.name());
    let limits = Format::named(reader.name()).map_or(&[][..], Format::limits);
    if limits.is_empty() {
        return format!("Read by {name}.");
    }
    let limits: Vec<String> = limits.iter().map(|limit| escape(limit)).collect();
    format!("Read by {name}; its limits: {}.", limits.join("; "))
}

fn columns(what: &str, columns: &BTreeMap<String, DeclaredColumn>) -> Option<String> {
    let columns: Vec<String> = columns
        .iter()
        .map(|(name, column)| match column.unit.as_str() {
            "" | "1" => format!("{} (a plain number)", code(name)),
            unit => format!("{} ({})", code(name), escape(unit)),
        })
        .collect();
    (!columns.is_empty()).then(|| format!("{what}: {}.", columns.join(", ")))
}

fn named(what: &str, values: &BTreeMap<String, String>) -> Option<String> {
    let values: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{} = {}", code(name), code(value)))
        .collect();
    (!values.is_empty()).then(|| format!("{what}: {}.", values.join(", ")))
}
