//! Comparing a run's folder with what the ledger says about the run.

use std::error::Error as _;

use prereg_declaration::Digest;
use prereg_ledger::{MissingReason, Run, RunSeeds, SessionOutcome, Status, Study};

use crate::done::{DoneRecord, Outcome, SeedRecord};
use crate::finding::RunFinding;
use crate::lines::{ReadError, read};
use crate::run_folder::{RunFolder, any_session_began, folder};
use crate::run_record::RunRecord;
use crate::session_folder::{DONE, MEASURED, SessionFolder, SessionState, is_output};

/// Everything about the folder of `run` that does not agree with the ledger, with its seal, or
/// with itself. A run without a seal may still be growing: only what it has is checked.
#[must_use]
pub fn audit(study: &Study, run: &Run) -> Vec<RunFinding> {
    check(study, run).unwrap_or_else(|error| vec![unreadable(run, &error)])
}

fn unreadable(run: &Run, error: &ReadError) -> RunFinding {
    let cause = error
        .source()
        .map(|source| format!(": {source}"))
        .unwrap_or_default();
    RunFinding::Unreadable {
        run: run.id.clone(),
        message: format!("{error}{cause}"),
    }
}

fn check(study: &Study, run: &Run) -> Result<Vec<RunFinding>, ReadError> {
    let id = &run.id;
    let experiment = &run.announced.experiment;
    if let Status::Aborted { .. } = run.status {
        let began = any_session_began(study, experiment, id)?;
        return Ok(began
            .then(|| RunFinding::AbortedWithSessions { run: id.clone() })
            .into_iter()
            .collect());
    }
    if !folder(study, experiment, id).exists() {
        // An announced run whose folder was not created yet has nothing to compare.
        let expected = !(run.begun.is_empty() && run.sessions.is_empty())
            || matches!(run.status, Status::Sealed { .. });
        return Ok(expected
            .then(|| RunFinding::FolderMissing { run: id.clone() })
            .into_iter()
            .collect());
    }
    let folder = RunFolder::open(study, experiment, id)?;
    let mut findings = Vec::new();
    if *folder.record() != RunRecord::of_run(run) {
        findings.push(RunFinding::Record { run: id.clone() });
    }
    if let Status::Sealed { seal, .. } = run.status {
        findings.extend(folder.check_seal(seal)?);
    }
    for session in 0..run.announced.sessions {
        check_session(run, &folder.session(session), &mut findings)?;
    }
    Ok(findings)
}

fn check_session(
    run: &Run,
    folder: &SessionFolder,
    findings: &mut Vec<RunFinding>,
) -> Result<(), ReadError> {
    let session = folder.session();
    let state = folder.state()?;
    if let SessionState::Done { record, .. } = &state {
        check_files(run, folder, record, findings)?;
    }
    let Some(recorded) = run.sessions.get(&session) else {
        let is_there = state != SessionState::NeverStarted;
        let recorded = if run.begun.contains_key(&session) && !is_there {
            // Whoever threw the folder of a session away could measure it again.
            Some("begun")
        } else if run.stopped.is_some() && is_there {
            Some("the run stopped before it")
        } else {
            None
        };
        findings.extend(recorded.map(|recorded| RunFinding::SessionState {
            run: run.id.clone(),
            session,
            recorded,
            found: word_of_folder(&state),
        }));
        return Ok(());
    };
    if let (SessionOutcome::Complete { done }, SessionState::Done { digest, .. }) =
        (recorded, &state)
        && done != digest
    {
        findings.push(changed(run, session, DONE));
    }
    let (recorded, found) = (word_of_record(recorded), word_of_folder(&state));
    if recorded != found {
        findings.push(RunFinding::SessionState {
            run: run.id.clone(),
            session,
            recorded,
            found,
        });
    }
    Ok(())
}

fn check_files(
    run: &Run,
    folder: &SessionFolder,
    record: &DoneRecord,
    findings: &mut Vec<RunFinding>,
) -> Result<(), ReadError> {
    for (file, digest) in &record.files {
        if !MEASURED.contains(&file.as_str()) && !is_output(file) {
            let message = format!(
                "{} names a file that is no part of a session",
                name(folder.session(), DONE)
            );
            findings.push(RunFinding::Unreadable {
                run: run.id.clone(),
                message,
            });
            continue;
        }
        let path = folder.path().join(file);
        if !path.exists() {
            findings.push(RunFinding::FileMissing {
                run: run.id.clone(),
                file: name(folder.session(), file),
            });
        } else if Digest::of(&read(&path)?) != *digest {
            findings.push(changed(run, folder.session(), file));
        }
    }
    Ok(())
}

fn changed(run: &Run, session: u32, file: &str) -> RunFinding {
    RunFinding::FileChanged {
        run: run.id.clone(),
        file: name(session, file),
    }
}

fn name(session: u32, file: &str) -> String {
    format!("sessions/{session}/{file}")
}

const fn word_of_record(outcome: &SessionOutcome) -> &'static str {
    match outcome {
        SessionOutcome::Complete { .. } => "complete",
        SessionOutcome::Missing {
            reason: MissingReason::Torn,
            ..
        } => "torn",
        SessionOutcome::Missing {
            reason: MissingReason::TimedOut,
            ..
        } => "timed out",
        SessionOutcome::Missing {
            reason: MissingReason::Failed,
            ..
        } => "failed",
    }
}

const fn word_of_folder(state: &SessionState) -> &'static str {
    match state {
        SessionState::NeverStarted => "never started",
        SessionState::Torn => "torn",
        SessionState::Done { record, .. } => match record.outcome {
            Outcome::Complete => "complete",
            Outcome::TimedOut => "timed out",
            Outcome::Failed { .. } => "failed",
        },
    }
}

/// Recomputes seeds and order of every session that ended, from lock and announcement.
///
/// # Errors
/// [`ReadError`] when a `done.json` is there and cannot be read.
pub fn check_seeds(
    folder: &RunFolder,
    seeds: &RunSeeds,
    arms: &[&str],
) -> Result<Vec<RunFinding>, ReadError> {
    let mut findings = Vec::new();
    for (session, state) in (0..).zip(folder.states()?) {
        let SessionState::Done { record, .. } = state else {
            continue;
        };
        let mut differ = |what| {
            let run = folder.record().run.clone();
            findings.push(RunFinding::Seeds { run, session, what });
        };
        if record.seeds != SeedRecord::of(seeds, session) {
            differ("seeds");
        }
        if record.order != seeds.mirror_order(arms.iter().copied(), session) {
            differ("arms in order");
        }
    }
    Ok(findings)
}
