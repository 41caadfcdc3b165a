//! Claims.

use std::collections::{BTreeMap, BTreeSet};

use prereg_units::Quantity;

use super::names::Names;
use super::reader::{Place, Reader};
use crate::declaration::{Claim, KillCondition};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::expression::Condition;
use crate::parsed::{ParsedClaim, Prediction};
use crate::refusal::unit_mismatch;
use crate::section::Key;
use crate::suggestion::{self, listed};
use crate::text::Text;

/// Metrics that some kill condition names.
pub(super) type Killed = BTreeSet<String>;

pub(super) fn claims(
    parsed: Vec<(Key, ParsedClaim)>,
    names: &Names<'_>,
    killed: &mut Killed,
    problems: &mut Diagnostics,
) -> BTreeMap<String, Claim> {
    let mut claims = BTreeMap::new();
    for (key, parsed) in parsed {
        if let Some(claim) = claim(parsed, names, killed, problems) {
            claims.insert(key.name, claim);
        }
    }
    claims
}

fn claim(
    parsed: ParsedClaim,
    names: &Names<'_>,
    killed: &mut Killed,
    problems: &mut Diagnostics,
) -> Option<Claim> {
    let on = parsed.on.map(|on| targets(on, names, problems));
    let texts = parsed.kill.len();
    let kill: Vec<KillCondition> = parsed
        .kill
        .into_iter()
        .filter_map(|text| kill_condition(text, names, problems))
        .collect();
    let mut metrics = Killed::new();
    for condition in &kill {
        metrics_of(&condition.condition, &mut metrics);
    }
    // What a condition that did not check would have named is not known: nothing is missed or superfluous then.
    let whole = kill.len() == texts && texts > 0;
    let expected = prediction(
        "expected",
        parsed.expected,
        whole.then_some(&metrics),
        names,
        problems,
    );
    let rival = prediction(
        "rival",
        parsed.rival,
        whole.then_some(&metrics),
        names,
        problems,
    );
    killed.append(&mut metrics);
    Some(Claim {
        text: parsed.text?,
        on: on?,
        expected,
        rival,
        kill,
    })
}

fn targets(on: Vec<Text>, names: &Names<'_>, problems: &mut Diagnostics) -> Vec<String> {
    for name in &on {
        // Without a list of targets, that has been reported.
        if !names.listed.is_empty() && !names.listed.contains(&name.value) {
            let message = format!("`{}` is not in `targets`", name.value);
            let listed = names.listed.iter().map(String::as_str);
            Diagnostic::new(Code::UnknownName, name.span.clone(), message)
                .maybe_help(suggestion::help(&name.value, listed))
                .push(problems);
        }
    }
    let mut on: Vec<String> = on.into_iter().map(|name| name.value).collect();
    on.sort();
    on
}

fn kill_condition(
    text: Text,
    names: &Names<'_>,
    problems: &mut Diagnostics,
) -> Option<KillCondition> {
    let syntax = super::syntax(&text, problems)?;
    let mut reader = Reader {
        names,
        text: &text,
        place: Place::Metric,
        problems,
    };
    let condition = reader.condition(&syntax)?;
    Some(KillCondition {
        source: text.value,
        condition,
    })
}

fn metrics_of(condition: &Condition, metrics: &mut Killed) {
    match condition {
        Condition::Compare { metric, .. } => {
            metrics.insert(metric.clone());
        }
        Condition::And(parts) | Condition::Or(parts) => {
            for part in parts {
                metrics_of(part, metrics);
            }
        }
        Condition::Not(part) => metrics_of(part, metrics),
    }
}

/// `expected` or `rival`: one value for each metric of the kill conditions, and for no other.
fn prediction(
    key: &str,
    parsed: Prediction,
    killed: Option<&Killed>,
    names: &Names<'_>,
    problems: &mut Diagnostics,
) -> BTreeMap<String, Quantity> {
    let given: BTreeSet<String> = parsed
        .values
        .iter()
        .map(|(metric, ..)| metric.name.clone())
        .collect();
    let mut values = BTreeMap::new();
    for (metric, span, value) in parsed.values {
        if !metric_exists(&metric, names, problems) {
            continue;
        }
        if killed.is_some_and(|killed| !killed.contains(&metric.name)) {
            let message = format!("no kill condition of the claim names `{}`", metric.name);
            Diagnostic::new(Code::InvalidValue, metric.span, message)
                .help("remove the entry")
                .push(problems);
            continue;
        }
        let (Some(value), Some(facts)) = (value, names.checked.get(&metric.name)) else {
            continue;
        };
        if value.dimension() == facts.dimension {
            values.insert(metric.name, value);
        } else {
            let what = format!("the metric `{}`", metric.name);
            problems.push(unit_mismatch(span, &what, value, facts.dimension));
        }
    }
    if let (Some(span), Some(killed)) = (parsed.span, killed) {
        let missing: Vec<&String> = killed.difference(&given).collect();
        if !missing.is_empty() {
            let message = format!(
                "`{key}` has no value for {}, which a kill condition names",
                listed(&missing)
            );
            Diagnostic::new(Code::MissingKey, span, message)
                .help(format!("add `{} = …`", missing[0]))
                .push(problems);
        }
    }
    values
}

pub(super) fn metric_exists(metric: &Key, names: &Names<'_>, problems: &mut Diagnostics) -> bool {
    let exists = names.metrics.contains(&metric.name);
    if !exists {
        let metrics = names.metrics.iter().map(String::as_str);
        Diagnostic::new(
            Code::UnknownName,
            metric.span.clone(),
            format!("there is no metric `{}`", metric.name),
        )
        .maybe_help(suggestion::help(&metric.name, metrics))
        .push(problems);
    }
    exists
}
