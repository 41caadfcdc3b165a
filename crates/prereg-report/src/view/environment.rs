//! What surrounded the sessions of a run, from the start of the first to the end of the last.

use prereg_runs::{Conditions, EnvironmentRecord, Source};
use prereg_units::Dimension;
use serde::Serialize;

use crate::input::SessionEnvironment;
use crate::number;

/// One property at both ends; `end` is empty where it cannot change.
#[derive(Debug, Serialize)]
pub(crate) struct EnvironmentRow {
    name: &'static str,
    start: String,
    end: String,
}

/// A property of the conditions and how it reads.
type Reading = (&'static str, fn(&Conditions) -> String);

const READINGS: [Reading; 10] = [
    ("date", |conditions| conditions.time.clone()),
    ("load over 1, 5 and 15 min", |conditions| {
        conditions.load.map_or_else(absent, |load| {
            load.map(|value| format!("{value:.2}")).join(", ")
        })
    }),
    (
        "time taken by the hypervisor since the machine started",
        |conditions| {
            conditions.steal_ms.map_or_else(absent, |steal| {
                number::measured(steal as f64 / 1e3, Dimension::TIME)
            })
        },
    ),
    ("memory available", |conditions| {
        bytes(conditions.memory_available_bytes)
    }),
    ("huge pages of the process", |conditions| {
        bytes(conditions.anon_huge_pages_bytes)
    }),
    ("transparent huge pages", |conditions| {
        conditions
            .transparent_huge_pages
            .clone()
            .unwrap_or_else(absent)
    }),
    ("largest resident size", |conditions| {
        bytes(conditions.peak_resident_bytes)
    }),
    ("processors allowed", |conditions| {
        list(
            &conditions
                .affinity
                .iter()
                .map(u32::to_string)
                .collect::<Vec<_>>(),
        )
    }),
    ("frequency governors", |conditions| {
        list(&conditions.governors)
    }),
    ("control-group limits", |conditions| {
        let processors = conditions.limits.processors.map_or_else(
            || "no limit of processors".to_owned(),
            |limit| format!("{limit} processors"),
        );
        let memory = conditions.limits.memory_bytes.map_or_else(
            || "no limit of memory".to_owned(),
            |limit| bytes(Some(limit)),
        );
        format!("{processors}, {memory}")
    }),
];

/// The rows of a run; none where no session is complete.
pub(crate) fn environment(sessions: &[SessionEnvironment]) -> Vec<EnvironmentRow> {
    let (Some(first), Some(last)) = (sessions.first(), sessions.last()) else {
        return Vec::new();
    };
    let mut rows = host(sessions, &first.record);
    rows.push(EnvironmentRow {
        name: "read in session",
        start: format!("{}, at its start", first.session),
        end: format!("{}, at its end", last.session),
    });
    let (start, end) = (&first.record.start, &last.record.end);
    rows.extend(READINGS.map(|(name, read)| EnvironmentRow {
        name,
        start: read(start),
        end: read(end),
    }));
    rows.push(EnvironmentRow {
        name: "working tree",
        start: source(&start.source),
        end: source(&end.source),
    });
    rows.push(EnvironmentRow {
        name: "step of the wall clock between the two",
        start: String::new(),
        end: number::measured(
            (end.wall_offset_ns.saturating_sub(start.wall_offset_ns)) as f64 / 1e9,
            Dimension::TIME,
        ),
    });
    rows
}

fn host(sessions: &[SessionEnvironment], first: &EnvironmentRecord) -> Vec<EnvironmentRow> {
    let host = &first.host;
    let same = sessions.iter().all(|session| session.record.host == *host);
    let mut rows = vec![
        (
            "machine and program",
            if same {
                "the same in every session"
            } else {
                "NOT the same in every session; that of the first follows"
            }
            .to_owned(),
        ),
        ("processor", host.cpu_model.clone().unwrap_or_else(absent)),
        (
            "processors online",
            format!("{} ({})", host.processors, host.architecture),
        ),
        ("last-level cache", bytes(host.last_level_cache_bytes())),
        ("memory", bytes(host.memory_bytes)),
        (
            "operating system",
            host.kernel.clone().unwrap_or_else(absent),
        ),
    ];
    if first.program.is_none() {
        rows.push(("decode kernels", host.kernels.clone()));
        rows.push(("weights held", bytes(Some(host.weights_bytes))));
    }
    rows.extend([
        ("prereg", host.version.clone()),
        (
            "executable",
            host.executable
                .map_or_else(absent, |digest| digest.to_string()),
        ),
    ]);
    rows.into_iter()
        .map(|(name, start)| EnvironmentRow {
            name,
            start,
            end: String::new(),
        })
        .collect()
}

fn source(source: &Source) -> String {
    match source {
        Source::Unknown { reason } => format!("not read: {reason}"),
        Source::Read {
            commit,
            changed,
            untracked,
            unnamed,
        } => {
            let commit = commit.as_deref().unwrap_or("no commit yet");
            let differing = changed.len() as u64 + untracked.len() as u64 + unnamed;
            if differing == 0 {
                return format!("{commit}, clean");
            }
            let mut parts = vec![commit.to_owned()];
            if !changed.is_empty() {
                parts.push(format!("changed: {}", some_of(changed)));
            }
            if !untracked.is_empty() {
                parts.push(format!("untracked: {}", some_of(untracked)));
            }
            if *unnamed > 0 {
                parts.push(format!("{unnamed} more"));
            }
            parts.join("; ")
        }
    }
}

/// Names that stand in a row of a table; the record has all.
const NAMED: usize = 5;

fn some_of(names: &[String]) -> String {
    let (first, rest) = names.split_at(names.len().min(NAMED));
    match rest.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

fn bytes(value: Option<u64>) -> String {
    value.map_or_else(absent, |value| {
        number::measured(value as f64, Dimension::DATA)
    })
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

fn absent() -> String {
    "not read".to_owned()
}
