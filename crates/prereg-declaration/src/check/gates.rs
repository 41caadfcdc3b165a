//! Gates.

use std::collections::BTreeMap;

use super::names::Names;
use super::reader::{Place, Reader};
use crate::declaration::{Gate, Outcome, Scope};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::parsed::ParsedGate;
use crate::section::Key;

pub(super) fn gates(
    parsed: Vec<(Key, ParsedGate)>,
    names: &Names<'_>,
    problems: &mut Diagnostics,
) -> BTreeMap<String, Gate> {
    let gates = parsed
        .into_iter()
        .filter_map(|(key, gate)| Some((key.name, self::gate(gate, names, problems)?)));
    gates.collect()
}

fn gate(parsed: ParsedGate, names: &Names<'_>, problems: &mut Diagnostics) -> Option<Gate> {
    let otherwise = parsed.otherwise.as_ref().map(|(outcome, _)| *outcome);
    let (scope, text) = parsed.expression?;
    if let (Scope::AcrossSessions, Some((Outcome::Exclude, span))) = (scope, parsed.otherwise) {
        Diagnostic::new(
            Code::Scope,
            span,
            "a gate over all sessions cannot exclude one",
        )
        .help("write `otherwise = \"abstain\"`, or read `each-session`")
        .push(problems);
    }
    let place = match (scope, otherwise) {
        (Scope::AcrossSessions, _) => Place::AcrossSessions,
        (Scope::EachSession, Some(Outcome::Exclude)) => Place::Exclusion,
        (Scope::EachSession, _) => Place::EachSession,
    };
    let syntax = super::syntax(&text, problems)?;
    let mut reader = Reader {
        names,
        text: &text,
        place,
        problems,
    };
    let predicate = reader.predicate(&syntax)?;
    Some(Gate {
        source: text.value,
        scope,
        predicate,
        otherwise: otherwise?,
    })
}
