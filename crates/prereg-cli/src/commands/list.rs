//! `prereg list`: every lock and every run, whatever became of it.

use anstyle::Style;
use prereg_ledger::{
    Attempt, History, LockKind, LockedExperiment, Origin, PilotArms, Run, SessionOutcome, Status,
    VerdictEvent, Withdrawal, id,
};
use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;
use crate::open;
use crate::output::{self, counted, say};

/// Arguments of `prereg list`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  prereg list\n  prereg list --json")]
pub(crate) struct Arguments {
    /// Print one JSON object (prereg-list/1).
    #[arg(long)]
    json: bool,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let history = open::history(&study)?;
    if arguments.json {
        output::json(&Document::of(&history))?;
    } else {
        print(&history);
    }
    Ok(Exit::Success)
}

fn print(history: &History) {
    if history.locks().is_empty() {
        say!("nothing is locked here; prereg lock FILE locks a declaration");
    }
    for lock in history.locks() {
        let id = lock.event.lock.prefix(12);
        say!(
            "{} {} locked {}{}",
            marked(&id, history),
            lock.event.experiment,
            lock.time,
            attempt(lock, history)
        );
        if let LockKind::Amendment { parent, reason } = &lock.kind {
            say!("  amends {}: {reason}", parent.prefix(12));
        }
        if let Some(Withdrawal { time, reason }) = &lock.withdrawn {
            say!("  withdrawn {time}: {reason}");
        }
        print_runs(lock, history);
    }
    for pilot in history.pilots() {
        let arms = pilot.kind.pilot().map_or("", PilotArms::as_str);
        say!(
            "{} pilot of {}, arms {arms}, frozen {}",
            marked(&pilot.event.lock.prefix(12), history),
            pilot.event.experiment,
            pilot.time
        );
        print_runs(pilot, history);
    }
    let findings = history.findings().len();
    if findings > 0 {
        let findings = counted(findings, "finding");
        say!("\nthe record is inconsistent: prereg verify shows {findings}");
    }
}

/// Which attempt at its question a lock is, where it is not the only one.
fn attempt(lock: &LockedExperiment, history: &History) -> String {
    match history.attempt(lock.event.lock) {
        Some(Attempt { number, of, seen }) if of > 1 => {
            let seen = if seen { ", data had been seen" } else { "" };
            format!(", attempt {number} of {of}{seen}")
        }
        _ => String::new(),
    }
}

fn print_runs(lock: &LockedExperiment, history: &History) {
    let mut runs = history.runs_of_lock(lock.event.lock).peekable();
    if runs.peek().is_none() {
        say!("  never run");
    }
    for run in runs {
        print_run(run, history);
    }
    for refusal in refusals(history, lock) {
        let Refusal { target, time, why } = refusal;
        say!("  refused before a run on {target} {time}: {why}");
    }
}

/// Preflights that let no run begin: attempts that left no run.
fn refusals<'a>(
    history: &'a History,
    lock: &LockedExperiment,
) -> impl Iterator<Item = Refusal<'a>> {
    history
        .preflights_of_lock(lock.event.lock)
        .filter_map(|(time, event)| {
            Some(Refusal {
                target: &event.target,
                time,
                why: event.refusal.as_deref()?,
            })
        })
}

fn print_run(run: &Run, history: &History) {
    let reason = match &run.status {
        Status::Aborted { reason } => format!(" ({reason})"),
        Status::Announced | Status::Sealed { .. } => String::new(),
    };
    let stopped = match run.stopped {
        Some(sessions) => format!(", decided after {sessions}"),
        None => String::new(),
    };
    let simulated = match run.announced.origin {
        Origin::Simulated => ", SIMULATED",
        Origin::Measured => "",
    };
    say!(
        "  {} {}{reason}, {}{simulated}, {} of {} sessions complete{stopped}, announced {}",
        marked(run.id.as_str(), history),
        run.status.as_str(),
        run.standing,
        complete(run),
        run.announced.sessions,
        run.time
    );
    for verdict in &run.verdicts {
        say!("    {}: {}", verdict.claim, verdict.verdict);
    }
}

/// An id with the part in bold that is enough to name it.
fn marked(id: &str, history: &History) -> String {
    let locks: Vec<String> = history
        .locks()
        .iter()
        .chain(history.pilots())
        .map(|lock| lock.event.lock.prefix(12))
        .collect();
    let runs = history.runs().iter().map(|run| run.id.as_str());
    let ids = locks.iter().map(String::as_str).chain(runs);
    let enough = id::shortest_unique(id, ids, 4);
    let rest = id.strip_prefix(enough).unwrap_or_default();
    let bold = Style::new().bold();
    format!("{bold}{enough}{bold:#}{rest}")
}

fn complete(run: &Run) -> usize {
    run.sessions
        .values()
        .filter(|outcome| matches!(outcome, SessionOutcome::Complete { .. }))
        .count()
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    locks: Vec<ListedLock<'a>>,
    pilots: Vec<ListedPilot<'a>>,
}

#[derive(Serialize)]
struct ListedLock<'a> {
    lock: String,
    experiment: &'a str,
    time: &'a str,
    /// Other locks of this ledger that ask the same question.
    same_question: Vec<String>,
    attempt: Option<ListedAttempt>,
    /// The lock that it amends, and why.
    amends: Option<String>,
    reason: Option<&'a str>,
    withdrawn: Option<ListedWithdrawal<'a>>,
    runs: Vec<ListedRun<'a>>,
    refused: Vec<Refusal<'a>>,
}

#[derive(Serialize)]
struct ListedAttempt {
    number: usize,
    of: usize,
    data_had_been_seen: bool,
}

#[derive(Serialize)]
struct ListedWithdrawal<'a> {
    time: &'a str,
    reason: &'a str,
}

/// A draft that was frozen for a pilot.
#[derive(Serialize)]
struct ListedPilot<'a> {
    lock: String,
    experiment: &'a str,
    time: &'a str,
    arms: Option<&'static str>,
    runs: Vec<ListedRun<'a>>,
    refused: Vec<Refusal<'a>>,
}

/// A preflight that let no run begin.
#[derive(Serialize)]
struct Refusal<'a> {
    target: &'a str,
    time: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct ListedRun<'a> {
    run: &'a str,
    target: &'a str,
    status: &'static str,
    standing: &'static str,
    replication: Option<u32>,
    origin: Origin,
    announced: &'a str,
    complete: usize,
    sessions: u32,
    verdicts: Vec<ListedVerdict<'a>>,
}

#[derive(Serialize)]
struct ListedVerdict<'a> {
    claim: &'a str,
    verdict: &'a str,
}

impl<'a> Document<'a> {
    fn of(history: &'a History) -> Self {
        let locks = history.locks().iter();
        Self {
            schema: "prereg-list/1",
            locks: locks.map(|lock| ListedLock::of(history, lock)).collect(),
            pilots: history
                .pilots()
                .iter()
                .map(|pilot| ListedPilot {
                    lock: pilot.event.lock.to_string(),
                    experiment: &pilot.event.experiment,
                    time: &pilot.time,
                    arms: pilot.kind.pilot().map(PilotArms::as_str),
                    runs: listed_runs(history, pilot),
                    refused: refusals(history, pilot).collect(),
                })
                .collect(),
        }
    }
}

impl<'a> ListedLock<'a> {
    fn of(history: &'a History, lock: &'a LockedExperiment) -> Self {
        let others = history.same_question(&lock.event);
        let reason = match &lock.kind {
            LockKind::Amendment { reason, .. } => Some(reason.as_str()),
            LockKind::First | LockKind::Pilot { .. } => None,
        };
        Self {
            lock: lock.event.lock.to_string(),
            experiment: &lock.event.experiment,
            time: &lock.time,
            same_question: others.map(|other| other.event.lock.to_string()).collect(),
            attempt: history
                .attempt(lock.event.lock)
                .map(|attempt| ListedAttempt {
                    number: attempt.number,
                    of: attempt.of,
                    data_had_been_seen: attempt.seen,
                }),
            amends: lock.kind.parent().map(|parent| parent.to_string()),
            reason,
            withdrawn: lock.withdrawn.as_ref().map(|withdrawn| ListedWithdrawal {
                time: &withdrawn.time,
                reason: &withdrawn.reason,
            }),
            runs: listed_runs(history, lock),
            refused: refusals(history, lock).collect(),
        }
    }
}

fn listed_runs<'a>(history: &'a History, lock: &LockedExperiment) -> Vec<ListedRun<'a>> {
    history
        .runs_of_lock(lock.event.lock)
        .map(ListedRun::of)
        .collect()
}

impl<'a> ListedRun<'a> {
    fn of(run: &'a Run) -> Self {
        let verdict = |event: &'a VerdictEvent| ListedVerdict {
            claim: &event.claim,
            verdict: &event.verdict,
        };
        Self {
            run: run.id.as_str(),
            target: &run.announced.target,
            status: run.status.as_str(),
            standing: run.standing.code(),
            replication: run.standing.replication(),
            origin: run.announced.origin,
            announced: &run.time,
            complete: complete(run),
            sessions: run.announced.sessions,
            verdicts: run.verdicts.iter().map(verdict).collect(),
        }
    }
}
