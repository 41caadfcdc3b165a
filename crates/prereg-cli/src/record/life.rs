//! The life of a plan: its attempts, what changed between them, and the pilots before it.

use prereg_declaration::{Difference, Digest, differences};
use prereg_ledger::{
    DataSeenByRecord, History, LockKind, Locked, LockedExperiment, PilotArms, RunId,
    SessionOutcome, Standing,
};
use prereg_report::{Attempt, PilotFacts};

use crate::error::CommandError;
use crate::open;

/// Every attempt at what a lock asks, that lock among them, in the order of the ledger.
pub(crate) fn attempts(history: &History, lock: Digest) -> Vec<Attempt> {
    history
        .attempts(lock)
        .into_iter()
        .map(|attempt| Attempt {
            lock: attempt.event.lock,
            experiment: attempt.event.experiment.clone(),
            time: attempt.time.clone(),
            fate: fate(history, attempt.event.lock),
            reason: match &attempt.kind {
                LockKind::Amendment { reason, .. } => Some(reason.clone()),
                LockKind::First | LockKind::Pilot { .. } => None,
            },
            seen: seen(&history.data_seen_before(attempt.event.lock)),
            withdrawn: attempt
                .withdrawn
                .as_ref()
                .map(|withdrawn| withdrawn.reason.clone()),
        })
        .collect()
}

/// What became of a lock, by the recorded verdicts of its runs of record.
fn fate(history: &History, lock: Digest) -> String {
    let mut runs = history.runs_of_lock(lock).peekable();
    if runs.peek().is_none() {
        return "never run".to_owned();
    }
    let said: Vec<String> = runs
        .filter(|run| run.standing == Standing::OfRecord)
        .flat_map(|run| {
            run.verdicts
                .iter()
                .map(|verdict| format!("{} {}", verdict.claim, verdict.verdict))
        })
        .collect();
    if said.is_empty() {
        "run, without a verdict".to_owned()
    } else {
        said.join(", ")
    }
}

fn seen(seen: &DataSeenByRecord) -> String {
    let listed = |runs: &[RunId]| {
        runs.iter()
            .map(RunId::as_str)
            .collect::<Vec<_>>()
            .join(", ")
    };
    match seen {
        DataSeenByRecord::Nothing => "nothing".to_owned(),
        DataSeenByRecord::Pilot { runs } => format!("pilot {}", listed(runs)),
        DataSeenByRecord::PilotOfAllArms { runs } => {
            format!("pilot {} of all arms", listed(runs))
        }
        DataSeenByRecord::Run { runs } => format!("run {}", listed(runs)),
    }
}

/// What an amended plan changed since the first lock of its experiment; nothing for a first lock.
pub(crate) fn since_the_first(
    history: &History,
    locked: &Locked,
) -> Result<Vec<Difference>, CommandError> {
    let first = first(history, locked.id());
    if first == locked.id() {
        return Ok(Vec::new());
    }
    let first = Locked::load(history, first).map_err(|error| open::not_loaded(&error))?;
    Ok(differences(first.declaration(), locked.declaration()))
}

/// The lock that a line of amendments began with.
fn first(history: &History, lock: Digest) -> Digest {
    let mut first = lock;
    // A parent is always recorded before its amendment, so the line ends.
    while let Some(parent) = history.lock(first).and_then(|lock| lock.kind.parent()) {
        first = parent;
    }
    first
}

/// The runs of pilots of the same experiment or question, in the order of the ledger.
pub(crate) fn pilots(history: &History, locked: &Locked) -> Vec<PilotFacts> {
    let related = |pilot: &&LockedExperiment| {
        pilot.event.experiment == locked.lock().experiment
            || pilot.event.question == locked.lock().question
    };
    history
        .pilots()
        .iter()
        .filter(related)
        .flat_map(|pilot| {
            let arms = pilot.kind.pilot().map_or("", PilotArms::as_str);
            history.runs_of_lock(pilot.event.lock).map(move |run| {
                let is_complete =
                    |outcome: &&SessionOutcome| matches!(outcome, SessionOutcome::Complete { .. });
                PilotFacts {
                    run: run.id.clone(),
                    target: run.announced.target.clone(),
                    time: run.time.clone(),
                    arms: arms.to_owned(),
                    status: run.status.as_str().to_owned(),
                    complete: run.sessions.values().filter(is_complete).count(),
                    sessions: run.announced.sessions,
                }
            })
        })
        .collect()
}
