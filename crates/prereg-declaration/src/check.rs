//! From bytes to a checked declaration.
//!
//! Three steps: the file's text and TOML syntax; every key on its own ([`crate::parsed`]); and here, keys against each
//! other and against the targets. Each step reports all that it finds. The first must succeed for the others to run.

mod claims;
mod command;
mod gates;
mod inference;
mod metrics;
mod names;
mod protocol;
mod reader;
mod validity;
mod workload;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::declaration::{DataSeen, Declaration, Workload};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::language::{self, Syntax};
use crate::parsed::Parsed;
use crate::section::{Document, Key, refuse_inexact_numbers};
use crate::source::Source;
use crate::suggestion;
use crate::targets::{Target, Targets};
use crate::text::Text;

use names::Names;

/// Checks a declaration against the targets of its study; `file_name` is what messages call the file.
///
/// # Errors
/// Every problem that could be found, in the order of the file.
pub fn check(file_name: &str, toml: &[u8], targets: &Targets) -> Result<Declaration, Diagnostics> {
    let mut problems = Source::read(file_name, toml)?;
    let source = problems.source();
    let Some(document) = Document::parse(&source.text, &mut problems) else {
        return Err(problems);
    };
    refuse_inexact_numbers(&document, &mut problems);
    let parsed = Parsed::read(&document, &mut problems);
    let declaration = checked(parsed, targets, &mut problems);
    match declaration {
        Some(declaration) if problems.is_empty() => Ok(declaration),
        _ => Err(problems),
    }
}

/// Nothing where something needed has been reported.
fn checked(parsed: Parsed, targets: &Targets, problems: &mut Diagnostics) -> Option<Declaration> {
    let listed = parsed.targets.unwrap_or_default();
    let known = known_targets(&listed, targets, problems);
    let mut targets: Vec<String> = listed.into_iter().map(|target| target.value).collect();
    targets.sort();
    let checked = workload::workload(
        parsed.workload,
        parsed.arms.as_slice(),
        parsed.protocol.threads,
        problems,
    );
    let baseline = baseline(parsed.baseline, &parsed.arms, problems);
    figures(
        parsed.data_seen_figures.as_ref(),
        parsed.data_seen,
        parsed.data_seen_span,
        problems,
    );
    let mut names = Names {
        arms: parsed
            .arms
            .iter()
            .map(|(key, _)| key.name.clone())
            .collect(),
        metrics: parsed
            .metrics
            .iter()
            .map(|(key, _)| key.name.clone())
            .collect(),
        checked: BTreeMap::new(),
        listed: targets.clone(),
        targets: known,
        slot_steps: parsed.protocol.measured_steps.map(|steps| steps / 2),
        program: checked.program,
    };
    let metrics = metrics::metrics(parsed.metrics, &mut names, problems);
    let gates = gates::gates(parsed.gates, &names, problems);
    let calibrated_range = validity::ranges(parsed.calibrated_range, &names, problems);
    let blocks = parsed.protocol.blocks.as_ref().map(|blocks| blocks.value);
    let protocol = protocol::protocol(parsed.protocol, &names, problems);
    let mut killed = claims::Killed::default();
    let claims = claims::claims(parsed.claims, &names, &mut killed, problems);
    let pairs = validity::Pairs {
        metrics: &metrics,
        arms: &checked.arms,
        decisive: &killed,
        command: checked.workload.as_ref().and_then(Workload::command),
    };
    let controls = validity::controls(parsed.controls, &names, &pairs, problems);
    killed.extend(controls.values().map(|control| control.metric.clone()));
    let inference = inference::inference(
        parsed.inference,
        blocks,
        parsed.data_seen,
        &names,
        &killed,
        problems,
    );
    Some(Declaration {
        id: parsed.id?,
        title: parsed.title?,
        data_seen: parsed.data_seen?,
        data_seen_figures: parsed.data_seen_figures,
        targets,
        baseline: baseline?,
        workload: checked.workload?,
        protocol: protocol?,
        inference: inference?,
        arms: checked.arms,
        metrics,
        gates,
        controls,
        calibrated_range,
        claims,
    })
}

/// The listed targets that exist; the others are reported.
fn known_targets<'t>(
    listed: &[Text],
    targets: &'t Targets,
    problems: &mut Diagnostics,
) -> Vec<&'t Target> {
    let mut known = Vec::new();
    for name in listed {
        match targets.get(&name.value) {
            Some(target) => known.push(target),
            None => problems.push(unknown_target(
                name,
                targets.iter().map(|target| target.name.as_str()),
            )),
        }
    }
    known
}

fn unknown_target<'a>(name: &Text, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::new(
        Code::UnknownName,
        name.span.clone(),
        format!("there is no target `{}`", name.value),
    )
    .maybe_help(suggestion::help(&name.value, known))
}

fn baseline<T>(
    baseline: Option<Text>,
    arms: &[(Key, T)],
    problems: &mut Diagnostics,
) -> Option<String> {
    let baseline = baseline?;
    // No arm at all has been reported.
    if arms.is_empty() || arms.iter().any(|(key, _)| key.name == baseline.value) {
        return Some(baseline.value);
    }
    let names = arms.iter().map(|(key, _)| key.name.as_str());
    Diagnostic::new(
        Code::UnknownName,
        baseline.span,
        format!("there is no arm `{}`", baseline.value),
    )
    .maybe_help(suggestion::help(&baseline.value, names))
    .push(problems);
    None
}

/// Earlier figures are quoted exactly when there are any.
fn figures(
    figures: Option<&String>,
    seen: Option<DataSeen>,
    seen_span: Range<usize>,
    problems: &mut Diagnostics,
) {
    let (message, help) = match (seen, figures) {
        (Some(DataSeen::None), Some(_)) => (
            "`data-seen` is `none`, and figures are quoted",
            "say where the figures come from in `data-seen`, or remove `data-seen-figures`",
        ),
        (Some(DataSeen::PublishedElsewhere | DataSeen::Pilot | DataSeen::ThisData), None) => (
            "data had been seen, and no figures are quoted",
            "quote the earlier figures, as in `data-seen-figures = \"1.26× on an H100\"`",
        ),
        _ => return,
    };
    Diagnostic::new(Code::MissingKey, seen_span, message)
        .help(help)
        .push(problems);
}

/// The tree that a text spells; what cannot be read is reported.
fn syntax(text: &Text, problems: &mut Diagnostics) -> Option<Syntax> {
    match language::parse(&text.value) {
        Ok(syntax) => Some(syntax),
        Err(fault) => {
            Diagnostic::new(fault.code, text.at(&fault.span), fault.message)
                .maybe_help(fault.help)
                .push(problems);
            None
        }
    }
}
