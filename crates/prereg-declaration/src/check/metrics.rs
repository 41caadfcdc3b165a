//! Metrics: each is checked after those that it names, so that their units are known; a cycle has no such order.

use std::collections::BTreeMap;

use super::names::{MetricFacts, Names};
use super::reader::{Place, Reader};
use crate::declaration::Metric;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expression::Number;
use crate::expression::vocabulary::{COLUMNS, CONSTANTS, EQUALITY_ONLY, statistic_names};
use crate::language::{Kind, Syntax};
use crate::section::Key;
use crate::text::Text;

/// Longest chain of metrics that name each other: what reads a metric goes down the chain.
const DEEPEST: usize = 50;

/// A metric whose text could be read.
struct Read {
    key: Key,
    text: Text,
    syntax: Syntax,
    /// Metrics that it names.
    needs: Vec<String>,
}

/// Checks every metric, and fills `names.checked`.
pub(super) fn metrics(
    parsed: Vec<(Key, Option<Text>)>,
    names: &mut Names<'_>,
    problems: &mut Diagnostics,
) -> BTreeMap<String, Metric> {
    let mut waiting = BTreeMap::new();
    for (key, text) in parsed {
        refuse_taken_name(&key, names, problems);
        let Some(text) = text else { continue };
        let Some(syntax) = super::syntax(&text, problems) else {
            continue;
        };
        let needs = needs(&syntax, &names.metrics);
        let name = key.name.clone();
        waiting.insert(
            name,
            Read {
                key,
                text,
                syntax,
                needs,
            },
        );
    }
    let mut checked = BTreeMap::new();
    for _ in 0..=DEEPEST {
        let ready = take_ready(&mut waiting);
        if ready.is_empty() {
            break;
        }
        for read in ready {
            if let Some(metric) = metric(&read, names, problems) {
                checked.insert(read.key.name, metric);
            }
        }
    }
    report_unordered(&waiting, problems);
    checked
}

/// Metrics that name nothing that still waits.
fn take_ready(waiting: &mut BTreeMap<String, Read>) -> Vec<Read> {
    let ready: Vec<String> = waiting
        .iter()
        .filter(|(_, read)| !read.needs.iter().any(|need| waiting.contains_key(need)))
        .map(|(name, _)| name.clone())
        .collect();
    ready
        .iter()
        .filter_map(|name| waiting.remove(name))
        .collect()
}

fn metric(read: &Read, names: &mut Names<'_>, problems: &mut Diagnostics) -> Option<Metric> {
    let mut reader = Reader {
        names,
        text: &read.text,
        place: Place::Metric,
        problems,
    };
    let (expression, dimension) = reader.number(&read.syntax)?;
    let sees_arms = sees_arms(&expression, names);
    let facts = MetricFacts {
        dimension,
        sees_arms,
    };
    names.checked.insert(read.key.name.clone(), facts);
    Some(Metric {
        source: read.text.value.clone(),
        expression,
        dimension,
    })
}

fn sees_arms(number: &Number, names: &Names<'_>) -> bool {
    match number {
        Number::Literal(_) | Number::OverSessions(..) => false,
        Number::Constant(constant) => constant.arm.is_some(),
        Number::Metric(name) => names.checked.get(name).is_some_and(|facts| facts.sees_arms),
        Number::OverSteps(_, column) => {
            column.arm.is_some() || names.is_said_by_program(&column.name)
        }
        Number::Negate(part) => sees_arms(part, names),
        Number::Binary(_, left, right) => sees_arms(left, names) || sees_arms(right, names),
    }
}

fn needs(syntax: &Syntax, metrics: &[String]) -> Vec<String> {
    let mut needs = Vec::new();
    syntax.walk(&mut |part| {
        if let Kind::Name(name) = &part.kind
            && metrics.contains(name)
        {
            needs.push(name.clone());
        }
    });
    needs
}

/// A metric named like something of the language could never be meant.
fn refuse_taken_name(key: &Key, names: &Names<'_>, problems: &mut Diagnostics) {
    if names.column(&key.name).is_some() && !COLUMNS.iter().any(|entry| entry.name == key.name) {
        let message = format!("`{}` is a column of the program", key.name);
        Diagnostic::new(Code::InvalidId, key.span.clone(), message)
            .help("choose another id")
            .push(problems);
        return;
    }
    let entries = COLUMNS.iter().chain(&CONSTANTS).map(|entry| entry.name);
    let mut taken = entries
        .chain(statistic_names())
        .chain(EQUALITY_ONLY)
        .chain(["decreasing"]);
    if taken.any(|name| name == key.name) {
        let message = format!("`{}` is a name of the expression language", key.name);
        Diagnostic::new(Code::InvalidId, key.span.clone(), message)
            .help("choose another id")
            .push(problems);
    }
}

/// Reports what could not be put in order: one cycle, or a chain that is too long.
fn report_unordered(waiting: &BTreeMap<String, Read>, problems: &mut Diagnostics) {
    let Some(start) = waiting.keys().next() else {
        return;
    };
    // Every waiting metric needs another that waits: following needs must come back to one already seen, unless the
    // rounds ran out first.
    let mut path: Vec<&str> = vec![start];
    let mut here = start.as_str();
    while let Some(next) = waiting
        .get(here)
        .and_then(|read| read.needs.iter().find(|need| waiting.contains_key(*need)))
    {
        if let Some(at) = path.iter().position(|seen| seen == next) {
            report_cycle(&path[at..], waiting, problems);
            return;
        }
        path.push(next);
        here = next;
    }
    let message = format!("metrics name each other in a chain longer than {DEEPEST}");
    let span = waiting
        .get(here)
        .map_or(0..0, |read| read.text.span.clone());
    Diagnostic::new(Code::Cycle, span, message)
        .help("write fewer steps between")
        .push(problems);
}

fn report_cycle(cycle: &[&str], waiting: &BTreeMap<String, Read>, problems: &mut Diagnostics) {
    let Some(read) = cycle.first().and_then(|name| waiting.get(*name)) else {
        return;
    };
    let steps: Vec<String> = cycle
        .iter()
        .chain(cycle.first())
        .map(|name| format!("`{name}`"))
        .collect();
    Diagnostic::new(
        Code::Cycle,
        read.text.span.clone(),
        "the metric depends on itself",
    )
    .label(steps.join(" needs "))
    .help("express one of them without the others")
    .push(problems);
}
