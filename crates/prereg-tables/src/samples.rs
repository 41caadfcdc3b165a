//! Tables → the samples that are judged.

use std::collections::BTreeMap;

use prereg_declaration::Digest;
use prereg_judgement::{Missing, Samples, Session};
use prereg_runs::{Outcome, ReadError, RunFolder, SessionState};

use crate::frames::{Frames, FramesError, frames};
use crate::planned::Planned;
use crate::recorded::recorded;
use crate::schema::{OBSERVATIONS, SLOTS, STEPS, TELEMETRY};
use crate::sealed::{SealedError, SealedRun};
use crate::session_lines::{ReadingError, read};
use crate::table::{Table, TableError};
use crate::worth;

/// A sealed run gives no samples: its record is inconsistent, or not of this version.
#[derive(Debug, thiserror::Error)]
pub enum SamplesError {
    /// The run was announced with another number of sessions than its lock has.
    #[error(
        "the run was announced with {announced} sessions, its lock has {locked}; `prereg verify` shows what else differs"
    )]
    Sessions {
        /// Sessions of the lock.
        locked: u32,
        /// Sessions of the announcement.
        announced: u32,
    },
    /// A session that began after the run had stopped.
    #[error("session {session} began although the run had stopped before it")]
    AfterStop {
        /// The session.
        session: u32,
    },
    /// A file is not what was sealed.
    #[error(transparent)]
    Sealed(#[from] SealedError),
    /// `done.json` of a session cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A sealed file is not the table that it should be.
    #[error("the sealed {file} is not the table that it should be")]
    Table {
        /// The file.
        file: &'static str,
        /// What is wrong with it.
        source: TableError,
    },
    /// A reading that no device gives.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// The tables have rows of a session that gives none.
    #[error(
        "the tables have rows of session {session}, which did not end complete; the run does not stand by its own record"
    )]
    NotComplete {
        /// The session.
        session: u32,
    },
    /// The rows of a session contradict each other.
    #[error("{file}, session {session}: {problem}; the run does not stand by its own record")]
    Rows {
        /// The file.
        file: &'static str,
        /// The session.
        session: u32,
        /// What is wrong, in words.
        problem: String,
    },
}

/// The samples of a sealed run: one entry for every session that counts.
///
/// `seal` is the digest of the seal that the ledger records; only files that it covers are read.
/// A session counts as complete when it ended complete, has the planned steps in every slot, none
/// of them rejected, and in each slot the durations of its steps add up to the slot's host time
/// within 1 %; where a program reports them, to no more than the wall time of its process. A slot whose arm is not the planned one is marked invalid.
///
/// # Errors
/// [`SamplesError`] when files are not those that were sealed, or contradict each other.
pub fn samples(run: &RunFolder, seal: Digest, planned: &Planned) -> Result<Samples, SamplesError> {
    let sealed = SealedRun::open(run, seal)?;
    let read = |table: Table| {
        let bytes = sealed.read(table.file)?;
        table.decode(&bytes).map_err(|source| SamplesError::Table {
            file: table.file,
            source,
        })
    };
    let observations = sealed.has(OBSERVATIONS.file);
    let frames = Frames {
        slots: read(SLOTS)?,
        steps: read(STEPS)?,
        telemetry: read(TELEMETRY)?,
        observations: observations.then(|| read(OBSERVATIONS)).transpose()?,
    };
    for (session, state) in (0..).zip(run.states()?) {
        let done = match &state {
            SessionState::Done { digest, .. } => Some(*digest),
            SessionState::NeverStarted | SessionState::Torn => None,
        };
        sealed.check(&format!("sessions/{session}/done.json"), done)?;
        if let (true, SessionState::Done { record, .. }) = (planned.reported, &state) {
            let environment = record.files.get("environment.json").copied();
            sealed.check(&format!("sessions/{session}/environment.json"), environment)?;
        }
    }
    of_frames(run, &frames, planned)
}

/// The samples of the sessions that are over in a run that is not sealed: what tells a run under
/// `stopping = "sequence"` whether it ends. `planned` is cut to those sessions.
///
/// # Errors
/// [`SamplesError`] when the records cannot be read, or contradict each other.
pub fn samples_so_far(run: &RunFolder, planned: &Planned) -> Result<Samples, SamplesError> {
    let frames = frames(&read(run)?).map_err(|error| match error {
        FramesError::Reading(error) => SamplesError::Reading(error),
        FramesError::Table(source) => SamplesError::Table {
            file: STEPS.file,
            source,
        },
    })?;
    of_frames(run, &frames, planned)
}

fn of_frames(run: &RunFolder, frames: &Frames, planned: &Planned) -> Result<Samples, SamplesError> {
    let announced = run.record().sessions;
    if planned.announced != announced {
        return Err(SamplesError::Sessions {
            locked: planned.announced,
            announced,
        });
    }
    let mut recorded = recorded(
        &frames.slots,
        &frames.steps,
        &frames.telemetry,
        frames.observations.as_ref(),
    )?;
    let mut sessions = Vec::with_capacity(planned.orders.len());
    for (session, state) in (0..).zip(run.states()?) {
        let Some(order) = planned.orders.get(session as usize) else {
            if state == SessionState::NeverStarted {
                continue;
            }
            return Err(SamplesError::AfterStop { session });
        };
        sessions.push(match state {
            SessionState::NeverStarted => Session::Missing(Missing::NeverRun),
            SessionState::Torn => Session::Missing(Missing::Torn),
            SessionState::Done { record, .. } => match record.outcome {
                Outcome::TimedOut => Session::Missing(Missing::TimedOut),
                Outcome::Failed { message } => Session::Missing(Missing::Failed { message }),
                Outcome::Complete => {
                    let recorded = recorded.remove(&session).unwrap_or_default();
                    worth::session(recorded, facts(run, session, planned)?, order, planned)
                }
            },
        });
    }
    match recorded.keys().next() {
        None => Ok(Samples { sessions }),
        Some(&session) => Err(SamplesError::NotComplete { session }),
    }
}

/// Answers to the facts of a command, as the session recorded them.
fn facts(
    run: &RunFolder,
    session: u32,
    planned: &Planned,
) -> Result<BTreeMap<String, String>, SamplesError> {
    if !planned.reported {
        return Ok(BTreeMap::new());
    }
    let environment = run.session(session).environment()?;
    Ok(environment
        .program
        .map(|program| program.facts)
        .unwrap_or_default())
}
