//! Gates: what must hold for a measurement to mean anything.

use std::collections::BTreeMap;

use prereg_declaration::{Gate, Predicate};
use prereg_stats::Truth;

use crate::constants::Constants;
use crate::evaluate::{self, Reader, RunReader, SessionReader, Side};
use crate::metric::Values;
use crate::significant::rounded_quantity;
use crate::verdict::{GateResult, GateState, Observed};

/// What a predicate says of each session that is there, `None` elsewhere.
pub(crate) fn read_sessions(
    predicate: &Predicate,
    sessions: &mut [Option<SessionReader<'_>>],
) -> Vec<Option<Truth>> {
    let read = |reader| evaluate::predicate(reader, predicate);
    sessions
        .iter_mut()
        .map(|session| session.as_mut().map(read))
        .collect()
}

/// What the sessions together say. Where none could be asked, nothing was observed.
pub(crate) fn state(sessions: &[Option<Truth>]) -> GateState {
    let read: Vec<Truth> = sessions.iter().copied().flatten().collect();
    if read.is_empty() {
        GateState::Unobserved
    } else {
        state_of(Truth::all(read))
    }
}

fn state_of(whole: Truth) -> GateState {
    match whole {
        Truth::True => GateState::Held,
        Truth::False => GateState::Failed,
        Truth::Undetermined => GateState::Unobserved,
    }
}

/// The result of a gate over each session.
pub(crate) fn each_session(
    gate: &Gate,
    states: &[Option<Truth>],
    sessions: &mut [Option<SessionReader<'_>>],
) -> GateResult {
    let observed = evaluate::sides(&gate.predicate)
        .into_iter()
        .filter_map(|side| worst_session(&side, sessions))
        .collect();
    GateResult {
        sessions: states.iter().map(|state| state.and_then(settled)).collect(),
        observed,
        ..result(gate, state(states))
    }
}

/// The result of a gate over the run.
pub(crate) fn across_sessions(
    gate: &Gate,
    metrics: &BTreeMap<String, Values>,
    constants: &Constants,
) -> GateResult {
    let mut reader = RunReader { metrics, constants };
    let whole = evaluate::predicate(&mut reader, &gate.predicate);
    let observed = evaluate::sides(&gate.predicate)
        .into_iter()
        .map(|side| observe(&mut reader, &side, None))
        .collect();
    GateResult {
        observed,
        ..result(gate, state_of(whole))
    }
}

fn result(gate: &Gate, state: GateState) -> GateResult {
    GateResult {
        expression: gate.source.clone(),
        scope: gate.scope.name(),
        otherwise: gate.otherwise.name(),
        state,
        sessions: Vec::new(),
        observed: Vec::new(),
    }
}

fn settled(truth: Truth) -> Option<bool> {
    match truth {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Undetermined => None,
    }
}

/// The value in the session where it is least safe; a session where it was not read is the worst.
fn worst_session(side: &Side<'_>, sessions: &mut [Option<SessionReader<'_>>]) -> Option<Observed> {
    let slack = |reader: &mut SessionReader<'_>| {
        let own = evaluate::number(reader, side.expression).ok()?.value();
        let other = evaluate::number(reader, side.other).ok()?.value();
        Some(if side.larger_is_safer {
            own - other
        } else {
            other - own
        })
    };
    let (index, reader) = sessions
        .iter_mut()
        .enumerate()
        .filter_map(|(index, session)| Some((index, session.as_mut()?)))
        .map(|(index, reader)| (slack(reader).unwrap_or(f64::NEG_INFINITY), index, reader))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, index, reader)| (index, reader))?;
    Some(observe(reader, side, Some(index)))
}

fn observe(reader: &mut impl Reader, side: &Side<'_>, session: Option<usize>) -> Observed {
    Observed {
        expression: side.expression.to_string(),
        value: evaluate::number(reader, side.expression)
            .ok()
            .map(rounded_quantity),
        session,
    }
}
