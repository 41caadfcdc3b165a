//! The parent's side of a run: session after session, each in a process of its own, each outcome into the ledger.
//!
//! - No session is measured twice: only those without a folder and without an end in the ledger are started, and the
//!   ledger says that a session begins before anything of it is measured.
//! - A session counts as complete when its folder says so, whatever the launcher says.
//! - A session that began and left no `done.json` is torn, unless it ran past its time: then its `done.json` says that.
//! - A run ends after its locked number of sessions; under `stopping = "sequence"` before, once its claims are decided,
//!   and the ledger says after how many. Sessions of a new block wait until the locked gap has passed.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

use prereg_declaration::{Stopping, Workload};
use prereg_ledger::{
    AppendError, Event, Locked, Run, SessionEvent, SessionOutcome, SessionStart, StopEvent, Study,
    Writer,
};
use prereg_runs::{ClaimError, FinishError, Outcome, ReadError, RunFolder, SessionState};

use crate::block::Blocks;
use crate::cause::chain;
use crate::interrupt::Interrupt;
use crate::launcher::{Ending, LaunchError, Launcher};
use crate::outcome::{outcome, torn};
use crate::progress::{Advance, Finished, Progress};
use crate::spec::SessionSpec;

/// Time that a session has to end its programs and to record it.
const OWN_END: Duration = Duration::from_secs(15);

/// An announced run that is to be measured, or measured on.
pub struct Measurement<'a> {
    /// The study.
    pub study: &'a Study,
    /// What is run.
    pub locked: &'a Locked,
    /// The run's folder.
    pub folder: &'a RunFolder,
    /// What the ledger says of the run already.
    pub run: &'a Run,
    /// How sessions are started.
    pub launcher: &'a dyn Launcher,
    /// The request to stop.
    pub interrupt: &'a Interrupt,
    /// Asked under `stopping = "sequence"`, with the number of sessions that are over: whether every claim is decided.
    pub decided: &'a Decided<'a>,
}

/// Whether the claims of a run are decided after so many sessions.
pub type Decided<'a> = dyn Fn(u32) -> Result<bool, Box<dyn Error + Send + Sync>> + 'a;

/// What a run that has nothing left to start consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Sessions with a complete record.
    pub complete: u32,
    /// Sessions without.
    pub missing: u32,
    /// Locked sessions that were not needed, since the claims were decided before.
    pub spared: u32,
}

/// A run stopped before all its sessions were over. What was recorded stays; the run stays announced.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// A request to stop came.
    #[error(
        "stopped with {over} of {total} sessions over; `--resume` runs those that have not begun, then seals the run"
    )]
    Interrupted {
        /// Sessions that are over, the one that was stopped included.
        over: u32,
        /// Sessions that are locked.
        total: u32,
    },
    /// A session could not be claimed.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// A session could not be started.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// A session that is over has no folder any more.
    #[error(
        "the ledger says that session {session} is over, and it has no folder; restore the run's folder from version control"
    )]
    Vanished {
        /// Its index.
        session: u32,
    },
    /// A session's folder cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A session's end cannot be written.
    #[error(transparent)]
    Finish(#[from] FinishError),
    /// The ledger cannot be written.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// Whether the claims are decided cannot be told.
    #[error("after {over} sessions it cannot be told whether the claims are decided")]
    Undecidable {
        /// Sessions that are over.
        over: u32,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl Measurement<'_> {
    /// Runs every session that never started, in index order, and records how each ended. Sessions that ended unrecorded
    /// (their parent was killed) are recorded first.
    ///
    /// # Errors
    /// [`MeasureError`].
    pub fn run(
        &self,
        writer: &mut Writer,
        progress: &mut dyn Progress,
    ) -> Result<Tally, MeasureError> {
        let mut outcomes = self.run.sessions.clone();
        let waiting = self.settle(writer, &mut outcomes)?;
        let total = self.folder.record().sessions;
        let already = total - waiting.len() as u32;
        let sitting = Instant::now();
        let stopped = |over| MeasureError::Interrupted { over, total };
        let mut blocks = Blocks::new(&self.locked.declaration().protocol, self.run);
        for (done, &session) in (0..).zip(&waiting) {
            if self.ends_before(writer, session)? {
                break;
            }
            let waited = blocks.wait(session, self.interrupt, progress);
            if !waited || self.interrupt.is_raised() {
                return Err(stopped(already + done));
            }
            let advance = |done| Advance {
                session,
                over: already + done,
                total,
                remaining: remaining(sitting, done, waiting.len() as u32),
            };
            progress.started(advance(done));
            let (outcome, stderr) = self.session(writer, session)?;
            self.record(writer, session, &outcome)?;
            blocks.ended();
            let finished = match &outcome {
                SessionOutcome::Complete { .. } => Finished::Complete,
                SessionOutcome::Missing { message, .. } => Finished::Missing {
                    why: message.clone(),
                    stderr,
                },
            };
            progress.finished(advance(done + 1), &finished);
            outcomes.insert(session, outcome);
        }
        if self.interrupt.is_raised() {
            return Err(stopped(outcomes.len() as u32));
        }
        let is_complete =
            |outcome: &&SessionOutcome| matches!(outcome, SessionOutcome::Complete { .. });
        let complete = outcomes.values().filter(is_complete).count() as u32;
        let over = outcomes.len() as u32;
        Ok(Tally {
            complete,
            missing: over - complete,
            spared: total - over,
        })
    }

    /// Whether the run has ended before this session, because its claims are decided. The ledger says so first.
    fn ends_before(&self, writer: &mut Writer, session: u32) -> Result<bool, MeasureError> {
        if self.run.stopped.is_some() {
            return Ok(true);
        }
        if session == 0 || self.locked.declaration().inference.stopping == Stopping::Fixed {
            return Ok(false);
        }
        let decided = (self.decided)(session).map_err(|source| MeasureError::Undecidable {
            over: session,
            source,
        })?;
        if decided {
            writer.append(Event::Stopped(StopEvent {
                run: self.run.id.clone(),
                sessions: session,
            }))?;
        }
        Ok(decided)
    }

    /// Records the sessions that are over and that the ledger does not know, and gives those that never started.
    fn settle(
        &self,
        writer: &mut Writer,
        outcomes: &mut BTreeMap<u32, SessionOutcome>,
    ) -> Result<Vec<u32>, MeasureError> {
        let mut waiting = Vec::new();
        for (session, state) in (0..).zip(self.folder.states()?) {
            match outcome(&state, "left unfinished by an earlier sitting") {
                None if outcomes.contains_key(&session) => {
                    return Err(MeasureError::Vanished { session });
                }
                None => waiting.push(session),
                Some(_) if outcomes.contains_key(&session) => {}
                Some(outcome) => {
                    self.record(writer, session, &outcome)?;
                    outcomes.insert(session, outcome);
                }
            }
        }
        Ok(waiting)
    }

    fn record(
        &self,
        writer: &mut Writer,
        session: u32,
        outcome: &SessionOutcome,
    ) -> Result<(), MeasureError> {
        let (run, outcome) = (self.folder.record().run.clone(), outcome.clone());
        writer.append(Event::SessionFinished(SessionEvent {
            run,
            session,
            outcome,
        }))?;
        Ok(())
    }

    /// Time after which a session is ended from outside. One that runs programs ends them itself at its time-out, and
    /// says so.
    fn limit(&self) -> Duration {
        let declaration = self.locked.declaration();
        let timeout = declaration.protocol.timeout;
        match declaration.workload {
            Workload::Decode(_) => timeout,
            Workload::Command(_) => timeout + OWN_END,
        }
    }

    /// Claims and runs one session. Returns how it ended, and what its process wrote to its error stream if it failed.
    fn session(
        &self,
        writer: &mut Writer,
        session: u32,
    ) -> Result<(SessionOutcome, String), MeasureError> {
        let folder = self.folder.claim(session)?;
        let run = self.folder.record().run.clone();
        writer.append(Event::SessionBegun(SessionStart { run, session }))?;
        let spec = SessionSpec::of(self.study, self.locked, self.folder.record(), &folder);
        let limit = self.limit();
        let mut stderr = String::new();
        let why = match self.launcher.launch(&spec, limit, self.interrupt) {
            Ok(Ending::Finished) => "its process finished and left no record".to_owned(),
            Ok(Ending::Failed {
                status,
                stderr: text,
            }) => {
                stderr = text;
                format!("its process ended with {status}")
            }
            Ok(Ending::Interrupted) => "stopped on request".to_owned(),
            Ok(Ending::TimedOut) => {
                // A record that became whole in the last moment stays.
                if folder.state()? == SessionState::Torn {
                    folder.finish(Outcome::TimedOut, spec.order, spec.seeds)?;
                }
                "ran past its time".to_owned()
            }
            Err(error) => {
                let message = chain(&error);
                folder.finish(Outcome::Failed { message }, spec.order, spec.seeds)?;
                return Err(error.into());
            }
        };
        // The folder exists, so it has an outcome.
        let state = folder.state()?;
        Ok((outcome(&state, &why).unwrap_or_else(|| torn(&why)), stderr))
    }
}

/// Time for the sessions that are left, at the pace of those of this sitting.
fn remaining(sitting: Instant, done: u32, planned: u32) -> Option<Duration> {
    (done > 0).then(|| sitting.elapsed() / done * planned.saturating_sub(done))
}
