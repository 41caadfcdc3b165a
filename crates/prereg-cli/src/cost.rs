//! What a plan costs: time, disk and money.

use std::time::Duration;

use prereg_declaration::{Declaration, Target, Targets};
use prereg_ledger::clock::rfc3339_ns;
use prereg_ledger::{DataSeenByRecord, History, Run, RunId};
use serde::Serialize;

use crate::draft::Draft;

/// Bytes of a run on disk, fitted to this project's own runs: a line a step and a slot, and what a session has once.
const BYTES_PER_LINE: u64 = 180;
const BYTES_PER_SESSION: u64 = 11_000;

/// What a plan costs on one target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Cost {
    pub(crate) target: String,
    /// Sessions at their time-out and the gaps between blocks: no run takes longer.
    pub(crate) at_most_s: u64,
    /// At the pace of an earlier run, and which; of a command without one, at its declared `slot-time`.
    pub(crate) about_s: Option<u64>,
    pub(crate) paced_by: Option<RunId>,
    pub(crate) disk_bytes: u64,
    /// `about_s`, or else `at_most_s`, at the target's hourly rate.
    pub(crate) money: Option<String>,
}

/// The cost of `draft` on each of its targets.
pub(crate) fn of(draft: &Draft, targets: &Targets, history: &History) -> Vec<Cost> {
    let named = draft.declaration.targets.iter();
    named
        .filter_map(|name| Some(on(draft, targets.get(name)?, history)))
        .collect()
}

fn on(draft: &Draft, target: &Target, history: &History) -> Cost {
    let protocol = &draft.declaration.protocol;
    let sessions = u64::from(protocol.sessions);
    let gaps_s = u64::from(protocol.blocks.saturating_sub(1)) * protocol.min_gap.as_secs();
    let at_most_s = sessions * protocol.timeout.as_secs() + gaps_s;
    let pace = earlier_run(draft, target, history);
    let session = pace.as_ref().map(|(_, session)| *session);
    let session = session.or_else(|| declared(&draft.declaration));
    let about_s =
        session.map(|session| (session.as_secs_f64() * sessions as f64).round() as u64 + gaps_s);
    let seconds = about_s.unwrap_or(at_most_s);
    Cost {
        target: target.name.clone(),
        at_most_s,
        about_s,
        paced_by: pace.map(|(run, _)| run),
        disk_bytes: disk_bytes(&draft.declaration),
        money: target.hourly_rate.as_ref().map(|rate| {
            // The base unit of a rate is USD/s.
            format!("{:.2} USD", rate.value.value() * seconds as f64)
        }),
    }
}

/// The time of a session, where the declaration expects one.
fn declared(declaration: &Declaration) -> Option<Duration> {
    let slots = 2 * declaration.arms.len() as u32;
    let command = declaration.workload.command()?;
    Some(command.slot_time * slots)
}

pub(crate) fn disk_bytes(declaration: &Declaration) -> u64 {
    let protocol = &declaration.protocol;
    let arms = declaration.arms.len() as u64;
    let lines = arms * (u64::from(protocol.measured_steps) + 2);
    u64::from(protocol.sessions) * (BYTES_PER_SESSION + lines * BYTES_PER_LINE)
}

/// The latest run or pilot of the same question on the target, with the time that a session of it took.
fn earlier_run(draft: &Draft, target: &Target, history: &History) -> Option<(RunId, Duration)> {
    let related = match history.data_seen(&draft.declaration.id, draft.lock.question) {
        DataSeenByRecord::Nothing => return None,
        DataSeenByRecord::Pilot { runs }
        | DataSeenByRecord::PilotOfAllArms { runs }
        | DataSeenByRecord::Run { runs } => runs,
    };
    let mut runs = related.iter().rev().filter_map(|id| history.run(id));
    let run = runs.find(|run| run.announced.target == target.name && !run.ended.is_empty())?;
    Some((run.id.clone(), pace(run)?))
}

/// Mean time from the beginning to the end of a session, by the ledger.
fn pace(run: &Run) -> Option<Duration> {
    let lengths: Vec<u64> = run
        .ended
        .iter()
        .filter_map(|(session, ended)| {
            let begun = rfc3339_ns(run.begun.get(session)?)?;
            u64::try_from(rfc3339_ns(ended)? - begun).ok()
        })
        .collect();
    let sum: u64 = lengths.iter().sum();
    let count = u64::try_from(lengths.len())
        .ok()
        .filter(|count| *count > 0)?;
    Some(Duration::from_nanos(sum / count))
}
