//! A command: its placeholders against the arms, its columns against those of the language.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::names::Program;
use super::workload::Checked;
use crate::command::{Command, DeclaredColumn, Reader, placeholders};
use crate::declaration::{Arm, Workload};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expression::vocabulary::{
    COLUMNS, CONSTANTS, EQUALITY_ONLY, OWN_COLUMNS, statistic_names,
};
use crate::parsed::{ParsedArm, ParsedCommand, ParsedCommandArm};
use crate::section::Key;
use crate::suggestion;
use crate::text::Text;
use crate::value::Given;

/// Placeholders that every command has.
const GIVEN: [&str; 6] = ["arm", "out", "seed", "session", "slot", "steps"];

pub(super) fn command(
    parsed: ParsedCommand,
    arms: &[(Key, ParsedArm)],
    threads: Given<u32>,
    problems: &mut Diagnostics,
) -> Checked {
    let arms: Vec<(&Key, &ParsedCommandArm)> = arms
        .iter()
        .filter_map(|(key, arm)| match arm {
            ParsedArm::Command(arm) => Some((key, arm)),
            ParsedArm::Decode(_) => None,
        })
        .collect();
    let keys = same_keys(&arms, problems);
    let used = used(&parsed, &keys, threads, problems);
    for key in keys.iter().filter(|key| !used.contains(key.name.as_str())) {
        let message = format!("nothing uses the value `{}` of the arms", key.name);
        Diagnostic::new(Code::InvalidValue, key.span.clone(), message)
            .help(format!(
                "write `{{{}}}` in `command` or `environment`, or remove the key",
                key.name
            ))
            .push(problems);
    }
    let columns = declared(parsed.columns, true, problems);
    let telemetry = declared(parsed.telemetry, false, problems);
    let facts: BTreeMap<String, Vec<String>> = by_name(parsed.facts);
    let program = Program {
        columns: columns.clone(),
        telemetry: telemetry.clone(),
        facts: facts.keys().cloned().collect(),
        is_probed: parsed.probe.is_some(),
    };
    let words = parsed
        .words
        .map(|words| words.into_iter().map(|word| word.value).collect());
    let workload = words.zip(parsed.reader).zip(parsed.slot_time);
    let workload = workload.map(|((words, reader), slot_time)| {
        Workload::Command(Box::new(Command {
            words,
            reader: reader.value,
            inputs: parsed.inputs,
            environment: by_name(parsed.environment)
                .into_iter()
                .map(|(name, text): (String, Text)| (name, text.value))
                .collect(),
            columns,
            telemetry,
            pins: by_name(parsed.pins),
            facts,
            probe: parsed.probe,
            slot_time,
        }))
    });
    let arm = |(key, arm): (&Key, &ParsedCommandArm)| {
        let value = |(key, text): &(Key, Option<Text>)| {
            Some((key.name.clone(), text.as_ref()?.value.clone()))
        };
        let values = arm.values.iter().filter_map(value).collect();
        (key.name.clone(), Arm::Command(values))
    };
    Checked {
        workload,
        arms: arms.into_iter().map(arm).collect(),
        program: Some(program),
    }
}

fn by_name<T>(entries: Vec<(Key, T)>) -> BTreeMap<String, T> {
    let entries = entries.into_iter();
    entries.map(|(key, value)| (key.name, value)).collect()
}

/// The keys of the first arm; another arm that has other keys is reported.
fn same_keys<'a>(
    arms: &[(&Key, &'a ParsedCommandArm)],
    problems: &mut Diagnostics,
) -> Vec<&'a Key> {
    let keys = |arm: &'a ParsedCommandArm| -> Vec<&'a Key> {
        arm.values.iter().map(|(key, _)| key).collect()
    };
    let Some(((first_name, first), others)) = arms.split_first() else {
        return Vec::new();
    };
    let first = keys(first);
    for key in first
        .iter()
        .filter(|key| GIVEN.contains(&key.name.as_str()) || key.name == "threads")
    {
        let message = format!("`{{{}}}` has a value of its own", key.name);
        Diagnostic::new(Code::InvalidId, key.span.clone(), message)
            .help("choose another key")
            .push(problems);
    }
    let names =
        |keys: &[&Key]| -> BTreeSet<String> { keys.iter().map(|key| key.name.clone()).collect() };
    for (name, arm) in others {
        if names(&keys(arm)) != names(&first) {
            let message = format!(
                "the arms `{}` and `{}` have different keys",
                first_name.name, name.name
            );
            Diagnostic::new(Code::InvalidValue, arm.span.clone(), message)
                .help("give every arm a value for every key")
                .push(problems);
        }
    }
    first
}

/// The placeholders that words and environment use; one that there is not is reported.
fn used(
    parsed: &ParsedCommand,
    keys: &[&Key],
    threads: Given<u32>,
    problems: &mut Diagnostics,
) -> BTreeSet<String> {
    let mut known: Vec<&str> = GIVEN.to_vec();
    known.extend(keys.iter().map(|key| key.name.as_str()));
    if threads != Given::Absent {
        known.push("threads");
    }
    let environment = parsed.environment.iter().map(|(_, text)| text);
    let mut used = BTreeSet::new();
    for text in parsed.words.iter().flatten().chain(environment) {
        for (name, range) in of_text(text, problems) {
            if !known.contains(&name.as_str()) {
                let message = format!("there is no value for `{{{name}}}`");
                let help = suggestion::help(&name, known.iter().copied());
                Diagnostic::new(Code::UnknownName, text.at(&range), message)
                    .maybe_help(help)
                    .push(problems);
            }
            used.insert(name);
        }
    }
    let path = parsed
        .environment
        .iter()
        .find(|(name, _)| name.name == "PATH");
    if let Some((_, text)) = path.filter(|(_, text)| text.value.contains('{')) {
        let message = "programs would be looked for elsewhere in every slot";
        Diagnostic::new(Code::InvalidValue, text.span.clone(), message)
            .help("write the folders as they are; name the program by a value of the arms")
            .push(problems);
    }
    let reader = parsed.reader.as_ref();
    if used.contains("out") && reader.is_some_and(|reader| reader.value == Reader::Lines) {
        let span = reader.and_then(|reader| reader.span.clone());
        Diagnostic::new(
            Code::InvalidValue,
            span.unwrap_or_else(|| parsed.span.clone()),
            "the reader `lines` reads standard output, so nothing reads `{out}`",
        )
        .help("name the reader of the result file, or remove `{out}`")
        .push(problems);
    }
    used
}

/// The placeholders of a text with their places; braces that do not match are reported.
fn of_text(text: &Text, problems: &mut Diagnostics) -> Vec<(String, Range<usize>)> {
    match placeholders(&text.value) {
        Ok(found) => found
            .into_iter()
            .map(|range| (text.value[range.clone()].to_owned(), range))
            .collect(),
        Err(at) => {
            Diagnostic::new(
                Code::InvalidValue,
                text.at(&(at..at + 1)),
                "the braces here do not hold a name",
            )
            .help("write `{name}` for a value, and `{{` and `}}` for braces")
            .push(problems);
            Vec::new()
        }
    }
}

/// Columns that the program may report under these names.
fn declared(
    columns: Vec<(Key, DeclaredColumn)>,
    by_arm: bool,
    problems: &mut Diagnostics,
) -> BTreeMap<String, DeclaredColumn> {
    for (key, _) in &columns {
        let name = key.name.as_str();
        let is_known = COLUMNS.iter().any(|column| column.name == name);
        let is_reported = is_known && !by_arm && !OWN_COLUMNS.contains(&name);
        let mut words = CONSTANTS
            .iter()
            .map(|constant| constant.name)
            .chain(statistic_names())
            .chain(EQUALITY_ONLY)
            .chain(["decreasing"]);
        let help = if is_reported {
            "a program may report it as it is: remove this entry"
        } else {
            "choose another name"
        };
        if is_known || words.any(|word| word == name) {
            let message = format!("`{name}` is a name of the expression language");
            Diagnostic::new(Code::InvalidId, key.span.clone(), message)
                .help(help)
                .push(problems);
        }
    }
    by_name(columns)
}
