//! The parsed declaration: every key on its own is of the right kind and in range; nothing is yet compared with
//! anything else. A field is `None`, or an entry is left out, where the file does not give it or gives it wrongly; the
//! latter has been reported.

mod claim;
mod command;
mod gate;
mod inference;
mod protocol;
mod validity;
mod workload;

pub(crate) use claim::{ParsedClaim, Prediction};
pub(crate) use command::ParsedCommand;
pub(crate) use gate::ParsedGate;
pub(crate) use inference::{AssumedCv, DEFAULT_ALPHA, ParsedInference};
pub(crate) use protocol::{DEFAULT_BLOCKS, DEFAULT_TIMEOUT, MOST_SESSIONS, ParsedProtocol};
pub(crate) use validity::{ParsedControl, ParsedRange};
pub(crate) use workload::{
    Kind, ParsedArm, ParsedCommandArm, ParsedDecode, ParsedDecodeArm, ParsedWorkload,
};

use std::ops::Range;

use crate::declaration::DataSeen;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::refusal::not_yet;
use crate::section::{Document, Key, Section};
use crate::text::Text;
use crate::value::Value;

/// The version of the format.
pub(crate) const SCHEMA: &str = "prereg/1";

/// Words of the expression language, which no id may be.
const KEYWORDS: [&str; 3] = ["and", "not", "or"];

/// A whole file.
pub(crate) struct Parsed {
    pub(crate) id: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) data_seen: Option<DataSeen>,
    pub(crate) data_seen_span: Range<usize>,
    pub(crate) data_seen_figures: Option<String>,
    pub(crate) targets: Option<Vec<Text>>,
    pub(crate) baseline: Option<Text>,
    pub(crate) workload: ParsedWorkload,
    pub(crate) protocol: ParsedProtocol,
    pub(crate) inference: ParsedInference,
    pub(crate) arms: Vec<(Key, ParsedArm)>,
    pub(crate) metrics: Vec<(Key, Option<Text>)>,
    pub(crate) gates: Vec<(Key, ParsedGate)>,
    pub(crate) controls: Vec<(Key, ParsedControl)>,
    pub(crate) calibrated_range: Vec<(Key, ParsedRange)>,
    pub(crate) claims: Vec<(Key, ParsedClaim)>,
}

impl Parsed {
    /// Reads a document.
    pub(crate) fn read(document: &Document<'_>, problems: &mut Diagnostics) -> Self {
        let mut root = document.root();
        if let Some(schema) = root.required("schema", "schema = \"prereg/1\"", problems) {
            schema.choice(&[(SCHEMA, ())], &[], problems);
        }
        if let Some(axes) = root.optional("axes") {
            problems.push(not_yet(
                axes.span,
                "`[axes]`",
                "write one declaration for each cell",
            ));
        }
        let id = root
            .required("id", "id = \"my_experiment\"", problems)
            .and_then(|value| identifier(&value, problems));
        let title = root
            .required("title", "title = \"What is asked?\"", problems)
            .and_then(|value| value.words(problems));
        let data_seen = root.required("data-seen", "data-seen = \"none\"", problems);
        let data_seen_span = data_seen.as_ref().map_or(0..0, |value| value.span.clone());
        let data_seen = data_seen.and_then(|value| value.choice(DataSeen::WORDS, &[], problems));
        let data_seen_figures = root
            .optional("data-seen-figures")
            .and_then(|value| value.words(problems));
        let targets = root
            .required("targets", "targets = [\"cpu\"]", problems)
            .and_then(|value| some_names(&value, "target", problems));
        let baseline = root
            .required("baseline", "baseline = \"eager\"", problems)
            .and_then(|value| value.text(problems));
        let workload = section(&mut root, "workload", "[workload]", problems)
            .map(|section| ParsedWorkload::read(section, problems))
            .unwrap_or_default();
        let kind = workload.kind();
        let arm = match kind {
            Kind::Decode => "eager = { launch = \"eager\" }",
            Kind::Command => "eager = { mode = \"eager\" }",
        };
        let parsed = Self {
            id,
            title,
            data_seen_span,
            data_seen,
            data_seen_figures,
            targets,
            baseline,
            workload,
            protocol: section(&mut root, "protocol", "[protocol]", problems)
                .map(|section| ParsedProtocol::read(section, kind, problems))
                .unwrap_or_default(),
            inference: section(&mut root, "inference", "[inference]", problems)
                .map(|section| ParsedInference::read(section, problems))
                .unwrap_or_default(),
            arms: named(&mut root, "arms", arm, problems, |value, problems| {
                ParsedArm::read(kind, value, problems)
            }),
            metrics: named(
                &mut root,
                "metrics",
                "step = \"median(step_time[eager])\"",
                problems,
                |value, problems| value.text(problems),
            ),
            gates: some(&mut root, "gates", problems, ParsedGate::read),
            controls: some(&mut root, "controls", problems, ParsedControl::read),
            calibrated_range: some(&mut root, "calibrated-range", problems, ParsedRange::read),
            claims: named(
                &mut root,
                "claims",
                "[claims.my_claim]",
                problems,
                ParsedClaim::read,
            ),
        };
        root.finish(problems);
        parsed
    }
}

/// A table that must be there.
fn section<'d>(
    root: &mut Section<'d>,
    key: &'static str,
    example: &str,
    problems: &mut Diagnostics,
) -> Option<Section<'d>> {
    root.required(key, example, problems)?.section(problems)
}

/// A table of entries that the author names; at least one.
fn named<'d, T>(
    root: &mut Section<'d>,
    key: &'static str,
    example: &str,
    problems: &mut Diagnostics,
    read: impl Fn(Value<'d>, &mut Diagnostics) -> T,
) -> Vec<(Key, T)> {
    let Some(section) = root
        .required(key, &format!("[{key}]"), problems)
        .and_then(|value| value.section(problems))
    else {
        return Vec::new();
    };
    if section.entries().next().is_none() {
        let message = format!("`[{key}]` is empty");
        problems.push(
            Diagnostic::new(Code::MissingKey, section.span.clone(), message)
                .help(format!("add `{example}`")),
        );
    }
    entries(&section, problems, read)
}

/// A table of entries that the author names, where there is one.
fn some<'d, T>(
    root: &mut Section<'d>,
    key: &'static str,
    problems: &mut Diagnostics,
    read: impl Fn(Value<'d>, &mut Diagnostics) -> T,
) -> Vec<(Key, T)> {
    let section = root.optional(key).and_then(|value| value.section(problems));
    section
        .map(|section| entries(&section, problems, read))
        .unwrap_or_default()
}

fn entries<'d, T>(
    section: &Section<'d>,
    problems: &mut Diagnostics,
    read: impl Fn(Value<'d>, &mut Diagnostics) -> T,
) -> Vec<(Key, T)> {
    let mut entries = Vec::new();
    for (key, value) in section.entries() {
        if let Some(problem) = identifier_problem(&key.name, key.span.clone()) {
            problems.push(problem);
        }
        entries.push((key, read(value, problems)));
    }
    entries
}

/// A list of names, at least one.
fn some_names(value: &Value<'_>, what: &str, problems: &mut Diagnostics) -> Option<Vec<Text>> {
    let names = value.names(problems)?;
    if names.is_empty() {
        problems.push(
            value
                .invalid("is empty")
                .help(format!("name at least one {what}")),
        );
        return None;
    }
    Some(names)
}

fn identifier(value: &Value<'_>, problems: &mut Diagnostics) -> Option<String> {
    let text = value.text(problems)?;
    match identifier_problem(&text.value, text.span) {
        Some(problem) => {
            problems.push(problem);
            None
        }
        None => Some(text.value),
    }
}

/// What is wrong with an id, if anything: ids are `[a-z][a-z0-9_]*` and no word of the language.
pub(crate) fn identifier_problem(name: &str, span: Range<usize>) -> Option<Diagnostic> {
    let later = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(later) {
        let problem = Diagnostic::new(Code::InvalidId, span, format!("`{name}` is not an id"));
        return Some(
            problem.help("start with a letter from a to z; go on with a to z, 0 to 9 and `_`"),
        );
    }
    KEYWORDS.contains(&name).then(|| {
        Diagnostic::new(
            Code::InvalidId,
            span,
            format!("`{name}` is a word of the expression language"),
        )
        .help("choose another id")
    })
}
