//! `prereg list`: every lock and every run, whatever became of it.

use prereg_ledger::{History, LockedExperiment, Origin, Run, SessionOutcome, Standing, Status};
use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;
use crate::open;
use crate::output::{self, say};

/// Arguments of `prereg list`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  prereg list")]
pub(crate) struct Arguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    locks: Vec<ListedLock>,
}

#[derive(Serialize)]
struct ListedLock {
    lock: String,
    experiment: String,
    time: String,
    /// Other locks of this ledger that ask the same question.
    same_question: Vec<String>,
    runs: Vec<ListedRun>,
}

#[derive(Serialize)]
struct ListedRun {
    run: String,
    target: String,
    status: &'static str,
    standing: String,
    origin: Origin,
    announced: String,
    complete: usize,
    sessions: u32,
    verdicts: Vec<String>,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let history = open::history(&study)?;
    let locks: Vec<ListedLock> = history
        .locks()
        .iter()
        .map(|lock| listed(&history, lock))
        .collect();
    if arguments.json {
        output::json(&Document {
            schema: "prereg-list/1",
            locks,
        })?;
        return Ok(Exit::Success);
    }
    if locks.is_empty() {
        say!("nothing is locked here; prereg lock FILE locks a declaration");
    }
    for lock in &locks {
        let again = match lock.same_question.len() {
            0 => String::new(),
            others => format!(", asked by {others} other locks too"),
        };
        say!(
            "{} {} locked {}{again}",
            lock.lock.get(..12).unwrap_or(&lock.lock),
            lock.experiment,
            lock.time
        );
        if lock.runs.is_empty() {
            say!("  never run");
        }
        for run in &lock.runs {
            let simulated = if run.origin == Origin::Simulated {
                ", SIMULATED"
            } else {
                ""
            };
            say!(
                "  {} {}, {}{simulated}, {} of {} sessions complete, announced {}",
                run.run,
                run.status,
                run.standing,
                run.complete,
                run.sessions,
                run.announced
            );
            for verdict in &run.verdicts {
                say!("    {verdict}");
            }
        }
    }
    let findings = history.findings().len();
    if findings > 0 {
        say!("\nthe record is inconsistent: prereg verify shows {findings} findings");
    }
    Ok(Exit::Success)
}

fn listed(history: &History, lock: &LockedExperiment) -> ListedLock {
    ListedLock {
        lock: lock.event.lock.to_string(),
        experiment: lock.event.experiment.clone(),
        time: lock.time.clone(),
        same_question: history
            .same_question(&lock.event)
            .map(|other| other.event.lock.to_string())
            .collect(),
        runs: history
            .runs()
            .iter()
            .filter(|run| run.announced.lock == lock.event.lock)
            .map(of)
            .collect(),
    }
}

fn of(run: &Run) -> ListedRun {
    let complete = run
        .sessions
        .values()
        .filter(|outcome| matches!(outcome, SessionOutcome::Complete { .. }))
        .count();
    ListedRun {
        run: run.id.to_string(),
        target: run.announced.target.clone(),
        status: run.status.word(),
        standing: standing(run),
        origin: run.announced.origin,
        announced: run.time.clone(),
        complete,
        sessions: run.announced.sessions,
        verdicts: run
            .verdicts
            .iter()
            .map(|verdict| format!("{}: {}", verdict.claim, verdict.verdict))
            .collect(),
    }
}

/// What a run counts as, in words.
pub(super) fn standing(run: &Run) -> String {
    match (&run.status, run.standing) {
        (Status::Aborted { reason }, _) => format!("counts as nothing ({reason})"),
        (_, Standing::OfRecord) => "of record".to_owned(),
        (_, Standing::Replication(number)) => format!("replication {number}"),
        (_, Standing::Aborted) => "counts as nothing".to_owned(),
    }
}
