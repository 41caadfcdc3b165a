//! What stands behind the verdict: evidence level, attempts, data seen before, versions, heads.

use prereg_declaration::{DataSeen, Digest};
use prereg_ledger::EvidenceLevel;

use crate::input::ReportInput;
use crate::markdown::{code, escape};
use crate::words;

/// Label of the row of ledger heads.
pub(crate) const HEADS: &str = "Ledger heads";

/// What stands behind the verdict, as a table.
pub(super) fn facts(input: &ReportInput<'_>, templates: &Digest) -> String {
    let lock = &input.lock;
    let heads: Vec<String> = input
        .heads
        .iter()
        .map(|head| code(&head.to_string()))
        .collect();
    let place = lock
        .attempts
        .iter()
        .position(|attempt| attempt.lock == lock.id);
    let attempt = match (place, lock.attempts.len()) {
        (Some(_), 1) => {
            "1 of 1: no other lock of this ledger amends it or asks the same question".to_owned()
        }
        (Some(place), of) => format!("**{} of {of}**, listed below", place + 1),
        (None, of) => format!("not found among the {of} locks that ask the same question"),
    };
    let pilots = match lock.pilots.len() {
        0 => "none".to_owned(),
        pilots => format!("**{pilots}**, listed below"),
    };
    let mut rows = vec![
        ("Experiment", code(&input.declaration.id)),
        (
            "Lock",
            format!(
                "{}, recorded {}",
                code(&lock.id.to_string()),
                escape(&lock.time)
            ),
        ),
        ("Evidence level", evidence(input.evidence)),
        ("Attempt", attempt),
        ("Pilots", pilots),
        ("Data seen before the lock", data_seen(input)),
        (
            "Judged by",
            format!(
                "rules {}, prereg {}",
                escape(&lock.lock.rules),
                escape(&input.tool_version)
            ),
        ),
        (
            "Locked by",
            format!("prereg {}", escape(&lock.lock.version)),
        ),
        ("Templates", code(&templates.to_string())),
        (
            HEADS,
            if heads.is_empty() {
                "none".to_owned()
            } else {
                heads.join("<br>")
            },
        ),
    ];
    if words::is_census(input.declaration) {
        rows.insert(
            1,
            (
                "Sessions",
                "all there are (`census`): bounds are the smallest and the largest of them, and nothing is inferred"
                    .to_owned(),
            ),
        );
    }
    if input.declaration.workload.command().is_some() {
        rows.insert(
            1,
            (
                "Step times",
                "as reported by the program that was measured; here only the wall time of its processes is read"
                    .to_owned(),
            ),
        );
    }
    let mut lines = vec!["| | |".to_owned(), "|---|---|".to_owned()];
    lines.extend(
        rows.iter()
            .map(|(name, value)| format!("| {name} | {value} |")),
    );
    lines.join("\n")
}

fn evidence(level: EvidenceLevel) -> String {
    let meaning = match level {
        EvidenceLevel::SelfAsserted => {
            "digests and chains show that what is recorded was not changed or reordered since; no \
             outsider vouches for the dates, and nothing proves that no data existed before"
        }
    };
    format!("**{}**: {meaning}", level.as_str())
}

fn data_seen(input: &ReportInput<'_>) -> String {
    let seen = match input.declaration.data_seen {
        DataSeen::None => "none",
        DataSeen::PublishedElsewhere => "figures published elsewhere",
        DataSeen::Pilot => "a pilot or earlier figures of the same kind",
        DataSeen::ThisData => "this very data",
    };
    match &input.declaration.data_seen_figures {
        Some(figures) => format!("{seen}; quoted by the author: “{}”", escape(figures)),
        None => seen.to_owned(),
    }
}
