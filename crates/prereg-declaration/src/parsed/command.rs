//! `[workload]` with `kind = "command"`.

use std::ops::Range;
use std::time::Duration;

use prereg_units::Unit;

use super::protocol::duration;
use super::workload::is_inside_study;
use crate::command::{DeclaredColumn, Reader};
use crate::diagnostic::Diagnostics;
use crate::refusal::{halves, unit_code};
use crate::section::{Key, Section};
use crate::text::Text;
use crate::value::{Defaulted, Value};
use crate::{Code, Diagnostic};

/// The program.
pub(crate) struct ParsedCommand {
    pub(crate) words: Option<Vec<Text>>,
    pub(crate) reader: Option<Defaulted<Reader>>,
    pub(crate) inputs: Vec<String>,
    pub(crate) environment: Vec<(Key, Text)>,
    pub(crate) columns: Vec<(Key, DeclaredColumn)>,
    pub(crate) telemetry: Vec<(Key, DeclaredColumn)>,
    pub(crate) pins: Vec<(Key, String)>,
    pub(crate) facts: Vec<(Key, Vec<String>)>,
    pub(crate) probe: Option<Vec<String>>,
    pub(crate) slot_time: Option<Duration>,
    /// `[workload]`, for what it lacks.
    pub(crate) span: Range<usize>,
}

impl ParsedCommand {
    pub(super) fn read(mut section: Section<'_>, problems: &mut Diagnostics) -> Self {
        let command = Self {
            span: section.span.clone(),
            words: section
                .required(
                    "command",
                    "command = [\"my-program\", \"--steps\", \"{steps}\"]",
                    problems,
                )
                .and_then(|value| words(&value, problems)),
            reader: Defaulted::read(section.optional("reader"), Reader::default(), |value| {
                value.choice(Reader::WORDS, &[], problems)
            }),
            inputs: section
                .optional("inputs")
                .and_then(|value| inputs(&value, problems))
                .unwrap_or_default(),
            environment: table(&mut section, "environment", problems, variable),
            columns: table(&mut section, "columns", problems, column),
            telemetry: table(&mut section, "telemetry", problems, column),
            pins: table(&mut section, "pins", problems, |_, value, problems| {
                value.words(problems)
            }),
            facts: table(&mut section, "facts", problems, |key, value, problems| {
                check_id(key, problems);
                plain_words(value, problems)
            }),
            probe: section
                .optional("probe")
                .and_then(|value| plain_words(&value, problems)),
            slot_time: section
                .required("slot-time", "slot-time = \"4 s\"", problems)
                .and_then(|value| duration(&value, problems)),
        };
        section.finish(problems);
        command
    }
}

/// A table of entries that the author names; those that do not fit are left out, after saying so.
fn table<'d, T>(
    section: &mut Section<'d>,
    key: &'static str,
    problems: &mut Diagnostics,
    read: impl Fn(&Key, &Value<'d>, &mut Diagnostics) -> Option<T>,
) -> Vec<(Key, T)> {
    let Some(table) = section
        .optional(key)
        .and_then(|value| value.section(problems))
    else {
        return Vec::new();
    };
    let entries = table.entries();
    let read = entries.filter_map(|(key, value)| {
        let entry = read(&key, &value, problems)?;
        Some((key, entry))
    });
    read.collect()
}

/// Program and arguments: at least one word, and the first says something.
fn words(value: &Value<'_>, problems: &mut Diagnostics) -> Option<Vec<Text>> {
    let mut words = Vec::new();
    for item in value.items(problems)? {
        let word = item.text(problems)?;
        if word.value.contains('\0') {
            let problem = item.invalid("holds a NUL, which no process can be given");
            problems.push(problem.help("remove it"));
            return None;
        }
        words.push(word);
    }
    if words
        .first()
        .is_none_or(|program| program.value.trim().is_empty())
    {
        let problem = value.invalid("names no program");
        problems.push(problem.help("write the program, then its arguments, each in quotes"));
        return None;
    }
    Some(words)
}

fn plain_words(value: &Value<'_>, problems: &mut Diagnostics) -> Option<Vec<String>> {
    let words = words(value, problems)?;
    Some(words.into_iter().map(|word| word.value).collect())
}

fn inputs(value: &Value<'_>, problems: &mut Diagnostics) -> Option<Vec<String>> {
    let mut inputs = Vec::new();
    for name in value.names(problems)? {
        if is_inside_study(&name.value) {
            inputs.push(name.value);
        } else {
            let mut problem = value.invalid(&format!(
                "holds `{}`, which is no path inside the study",
                name.value
            ));
            problem.span = name.span;
            problems.push(
                problem
                    .help("write paths from the study's root, with `/` and without `.` and `..`"),
            );
        }
    }
    inputs.sort();
    Some(inputs)
}

fn variable(key: &Key, value: &Value<'_>, problems: &mut Diagnostics) -> Option<Text> {
    let later = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts = key
        .name
        .starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || !key.name.chars().all(later) {
        let message = format!("`{}` is no name of an environment variable", key.name);
        Diagnostic::new(Code::InvalidId, key.span.clone(), message)
            .help("write letters, digits and `_`")
            .push(problems);
        return None;
    }
    let text = value.text(problems)?;
    if text.value.contains('\0') {
        let problem = value.invalid("holds a NUL, which no process can be given");
        problems.push(problem.help("remove it"));
        return None;
    }
    Some(text)
}

/// A column and its unit; `"1"` is a plain number.
fn column(key: &Key, value: &Value<'_>, problems: &mut Diagnostics) -> Option<DeclaredColumn> {
    check_id(key, problems);
    let text = value.text(problems)?;
    let unit = if text.value == "1" { "" } else { &text.value };
    match Unit::parse(unit) {
        Ok(parsed) => Some(DeclaredColumn::of(&parsed, unit)),
        Err(error) => {
            let (message, help) = halves(&error);
            Diagnostic::new(
                unit_code(&error, Code::InvalidValue),
                text.span,
                format!("`{}`: {message}", value.path),
            )
            .maybe_help(help)
            .push(problems);
            None
        }
    }
}

fn check_id(key: &Key, problems: &mut Diagnostics) {
    if let Some(problem) = super::identifier_problem(&key.name, key.span.clone()) {
        problems.push(problem);
    }
}
