//! What was read of the machine before a run was announced.

use serde::Serialize;

use super::{Markdown, markdown};
use crate::input::RunFacts;
use crate::words;

/// The preflight that let a run begin.
#[derive(Debug, Serialize)]
pub(crate) struct PreflightView {
    time: String,
    rows: Vec<(&'static str, Markdown)>,
}

/// What was read; none where the ledger has nothing.
pub(crate) fn preflight(facts: &RunFacts) -> Option<PreflightView> {
    let preflight = facts.preflight.as_ref()?;
    let rows = words::preflight(&preflight.event.readings).into_iter();
    Some(PreflightView {
        time: preflight.time.clone(),
        rows: rows.map(|(name, said)| (name, markdown(said))).collect(),
    })
}
