//! Runs: announced, measured session by session, sealed and judged, or aborted.

use std::collections::BTreeMap;

use prereg_declaration::Digest;

use super::placed::Placed;
use super::problem::LifeProblem;
use crate::event::{
    AbortEvent, Announcement, PilotArms, SealEvent, SessionEvent, SessionStart, StopEvent,
    VerdictEvent,
};
use crate::merge::{Merged, Position};
use crate::name::{RunId, WriterId};
use crate::run::{Run, Standing, Status};

/// A run, where its records stand.
#[derive(Debug)]
pub(crate) struct RunRecord {
    pub(crate) run: Run,
    /// How many records precede the first one of a session in the merged order.
    pub(crate) first_session: Option<usize>,
    /// Sequence number of the record that stopped it.
    pub(crate) stop: Option<u64>,
    announcement: Position,
    pilot: Option<PilotArms>,
}

/// The announced runs, in the order of their announcements.
#[derive(Debug, Default)]
pub(crate) struct Runs(pub(crate) Vec<RunRecord>);

impl Runs {
    pub(super) fn announce(
        &mut self,
        placed: Placed<'_>,
        id: RunId,
        announced: &Announcement,
        pilot: Option<PilotArms>,
    ) {
        self.0.push(RunRecord {
            run: Run {
                id,
                writer: placed.writer.clone(),
                time: placed.record.time.clone(),
                announcement: placed.record.digest,
                announced: announced.clone(),
                status: Status::Announced,
                begun: BTreeMap::new(),
                ended: BTreeMap::new(),
                sessions: BTreeMap::new(),
                stopped: None,
                verdicts: Vec::new(),
                standing: Standing::OfRecord,
            },
            first_session: None,
            stop: None,
            announcement: placed.position,
            pilot,
        });
    }

    pub(super) fn begin_session(
        &mut self,
        placed: Placed<'_>,
        event: &SessionStart,
    ) -> Result<(), LifeProblem> {
        let known = self.open(placed.writer, &event.run, "the start of a session")?;
        let (run, session) = (&mut known.run, event.session);
        run.check_session(session)?;
        if run.begun.contains_key(&session) {
            return Err(LifeProblem::SessionTwice { session });
        }
        run.begun.insert(session, placed.record.time.clone());
        known.first_session.get_or_insert(placed.rank);
        Ok(())
    }

    pub(super) fn finish_session(
        &mut self,
        placed: Placed<'_>,
        event: &SessionEvent,
    ) -> Result<(), LifeProblem> {
        let known = self.open(placed.writer, &event.run, "a session")?;
        let (run, session) = (&mut known.run, event.session);
        run.check_session(session)?;
        run.ended.insert(session, placed.record.time.clone());
        run.sessions.insert(session, event.outcome.clone());
        known.first_session.get_or_insert(placed.rank);
        Ok(())
    }

    pub(super) fn stop(
        &mut self,
        placed: Placed<'_>,
        event: &StopEvent,
    ) -> Result<(), LifeProblem> {
        let known = self.open(placed.writer, &event.run, "a stop")?;
        let (run, sessions) = (&mut known.run, event.sessions);
        let announced = run.announced.sessions;
        if run.stopped.is_some() {
            return Err(LifeProblem::StoppedTwice);
        }
        let are_ended = run.sessions.keys().copied().eq(0..sessions)
            && run.begun.keys().all(|session| *session < sessions);
        if sessions == 0 || sessions >= announced || !are_ended {
            return Err(LifeProblem::Stop {
                sessions,
                announced,
            });
        }
        run.stopped = Some(sessions);
        known.stop = Some(placed.record.seq);
        Ok(())
    }

    pub(super) fn seal(
        &mut self,
        placed: Placed<'_>,
        event: &SealEvent,
    ) -> Result<(), LifeProblem> {
        let known = self.open(placed.writer, &event.run, "a seal")?;
        known.run.status = Status::Sealed {
            seal: event.seal,
            time: placed.record.time.clone(),
        };
        Ok(())
    }

    pub(super) fn abort(
        &mut self,
        placed: Placed<'_>,
        event: &AbortEvent,
    ) -> Result<(), LifeProblem> {
        let known = self.open(placed.writer, &event.run, "an abort")?;
        if known.first_session.is_some() {
            return Err(LifeProblem::AbortAfterSession);
        }
        known.run.status = Status::Aborted {
            reason: event.reason.clone(),
        };
        Ok(())
    }

    pub(super) fn judge(
        &mut self,
        placed: Placed<'_>,
        event: &VerdictEvent,
    ) -> Result<(), LifeProblem> {
        let known = self.of_chain(placed.writer, &event.run, "a verdict")?;
        if known.pilot.is_some() {
            return Err(LifeProblem::VerdictOfPilot);
        }
        if !matches!(known.run.status, Status::Sealed { .. }) {
            return Err(LifeProblem::Status {
                kind: "a verdict",
                status: known.run.status.as_str(),
            });
        }
        known.run.verdicts.push(event.clone());
        Ok(())
    }

    fn of_chain(
        &mut self,
        writer: &WriterId,
        id: &RunId,
        kind: &'static str,
    ) -> Result<&mut RunRecord, LifeProblem> {
        self.0
            .iter_mut()
            .find(|known| known.run.id == *id && known.run.writer == *writer)
            .ok_or(LifeProblem::ForeignRun { kind })
    }

    fn open(
        &mut self,
        writer: &WriterId,
        id: &RunId,
        kind: &'static str,
    ) -> Result<&mut RunRecord, LifeProblem> {
        let known = self.of_chain(writer, id, kind)?;
        match &known.run.status {
            Status::Announced => Ok(known),
            status => Err(LifeProblem::Status {
                kind,
                status: status.as_str(),
            }),
        }
    }

    /// Says what each run counts as, once every record is read.
    pub(super) fn decide_standing(&mut self, merged: &Merged) {
        let mut replications: BTreeMap<(Digest, String), u32> = BTreeMap::new();
        for index in 0..self.0.len() {
            let known = &self.0[index];
            let standing = if known.is_aborted() {
                Standing::Aborted
            } else if known.pilot.is_some() {
                Standing::Pilot
            } else if self.has_predecessor(merged, index) {
                let announced = &known.run.announced;
                let number = replications
                    .entry((announced.lock, announced.target.clone()))
                    .or_default();
                *number += 1;
                Standing::Replication(*number)
            } else {
                Standing::OfRecord
            };
            self.0[index].run.standing = standing;
        }
    }

    fn has_predecessor(&self, merged: &Merged, index: usize) -> bool {
        let known = &self.0[index];
        let announced = &known.run.announced;
        self.0[..index].iter().any(|earlier| {
            !earlier.is_aborted()
                && earlier.run.announced.lock == announced.lock
                && earlier.run.announced.target == announced.target
                && merged.saw(known.announcement, earlier.announcement)
        })
    }
}

impl RunRecord {
    fn is_aborted(&self) -> bool {
        matches!(self.run.status, Status::Aborted { .. })
    }
}

impl Run {
    /// Whether a session may begin or end now.
    fn check_session(&self, session: u32) -> Result<(), LifeProblem> {
        let announced = self.announced.sessions;
        if session >= announced {
            Err(LifeProblem::NoSuchSession { session, announced })
        } else if self.sessions.contains_key(&session) {
            Err(LifeProblem::SessionTwice { session })
        } else if self.stopped.is_some() {
            Err(LifeProblem::SessionAfterStop { session })
        } else {
            Ok(())
        }
    }
}
