//! The life of locks and runs, read from the records in their merged order.
//!
//! A run is announced on a chain, and only that chain continues it: sessions, each of which begins
//! and ends once, then a seal, then verdicts; or an abort before any session. A record that does
//! not fit is a finding and changes nothing here.

use std::collections::{BTreeMap, BTreeSet};

use prereg_declaration::Digest;

use crate::chain::Chain;
use crate::event::{Announcement, Event, LockEvent, SessionOutcome};
use crate::finding::Finding;
use crate::merge::{Merged, Position};
use crate::name::{RunId, WriterId, is_identifier};
use crate::record::Record;
use crate::run::{Run, Standing, Status};

/// What is wrong with a record that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LifeProblem {
    /// The experiment cannot be a folder's name.
    #[error("a lock names an experiment that is not an identifier")]
    Experiment,
    /// An announcement of a lock that its writer cannot have seen.
    #[error("a run was announced of a lock that was not recorded before")]
    UnknownLock,
    /// An announcement that does not agree with the lock's record.
    #[error("a run was announced with another experiment than its lock has")]
    OtherExperiment,
    /// The target cannot be part of a run's name.
    #[error("a run was announced on a target that is not an identifier")]
    Target,
    /// A record about a run of another chain, or of none.
    #[error("{kind} of a run that this chain did not announce")]
    ForeignRun {
        /// Kind of the record.
        kind: &'static str,
    },
    /// A record about a run that is in another state.
    #[error("{kind} of a run that is {status}")]
    Status {
        /// Kind of the record.
        kind: &'static str,
        /// State of the run.
        status: &'static str,
    },
    /// A session that began twice, began after its end, or ended twice.
    #[error("session {session} was recorded twice")]
    SessionTwice {
        /// Its index.
        session: u32,
    },
    /// A session beyond the announced number.
    #[error("session {session} is not one of the {announced} announced")]
    NoSuchSession {
        /// Its index.
        session: u32,
        /// Announced number of sessions.
        announced: u32,
    },
    /// An abort after a session.
    #[error("a run was aborted after a session of it had begun")]
    AbortAfterSession,
}

/// A recorded lock, where its first record stands.
#[derive(Clone, Debug)]
pub(crate) struct LockRecord {
    pub(crate) event: LockEvent,
    pub(crate) writer: WriterId,
    pub(crate) time: String,
    positions: Vec<Position>,
}

/// Locks and runs of a ledger, and the records that fit neither.
#[derive(Debug, Default)]
pub(crate) struct Life {
    pub(crate) locks: Vec<LockRecord>,
    pub(crate) runs: Vec<Run>,
    pub(crate) findings: Vec<Finding>,
    positions: Vec<Position>,
}

impl Life {
    pub(crate) fn read(chains: &[Chain], merged: &Merged) -> Self {
        let mut life = Self::default();
        for &position in &merged.order {
            let chain = &chains[position.chain];
            let record = &chain.records[position.seq];
            if let Err((run, problem)) = life.apply(merged, position, &chain.writer, record) {
                life.findings.push(Finding::OutOfPlace {
                    writer: chain.writer.clone(),
                    seq: record.seq,
                    run,
                    problem,
                });
            }
        }
        life.decide_standing(merged);
        life
    }

    fn apply(
        &mut self,
        merged: &Merged,
        position: Position,
        writer: &WriterId,
        record: &Record,
    ) -> Result<(), (Option<RunId>, LifeProblem)> {
        let about = |run: &RunId| {
            let run = run.clone();
            move |problem| (Some(run), problem)
        };
        match &record.event {
            Event::Locked(event) => {
                if !is_identifier(&event.experiment) {
                    return Err((None, LifeProblem::Experiment));
                }
                self.lock(position, writer, record, event);
            }
            Event::Announced(announced) => {
                let id = RunId::new(&announced.target, record.digest)
                    .map_err(|_| (None, LifeProblem::Target))?;
                self.check_announcement(merged, position, announced)
                    .map_err(about(&id))?;
                self.positions.push(position);
                self.runs.push(Run {
                    id,
                    writer: writer.clone(),
                    time: record.time.clone(),
                    announcement: record.digest,
                    announced: announced.clone(),
                    status: Status::Announced,
                    begun: BTreeSet::new(),
                    sessions: BTreeMap::new(),
                    verdicts: Vec::new(),
                    standing: Standing::OfRecord,
                });
            }
            Event::SessionBegun(event) => {
                let run = self
                    .open_run(writer, &event.run, "the start of a session")
                    .map_err(about(&event.run))?;
                run.begin_session(event.session)
                    .map_err(about(&event.run))?;
            }
            Event::SessionFinished(event) => {
                let run = self
                    .open_run(writer, &event.run, "a session")
                    .map_err(about(&event.run))?;
                run.finish_session(event.session, &event.outcome)
                    .map_err(about(&event.run))?;
            }
            Event::Sealed(event) => {
                let run = self
                    .open_run(writer, &event.run, "a seal")
                    .map_err(about(&event.run))?;
                run.status = Status::Sealed {
                    seal: event.seal,
                    time: record.time.clone(),
                };
            }
            Event::Aborted(event) => {
                let run = self
                    .open_run(writer, &event.run, "an abort")
                    .map_err(about(&event.run))?;
                if !(run.begun.is_empty() && run.sessions.is_empty()) {
                    return Err((Some(event.run.clone()), LifeProblem::AbortAfterSession));
                }
                run.status = Status::Aborted {
                    reason: event.reason.clone(),
                };
            }
            Event::Verdict(event) => {
                let run = self
                    .run_of(writer, &event.run, "a verdict")
                    .map_err(about(&event.run))?;
                if !matches!(run.status, Status::Sealed { .. }) {
                    let problem = LifeProblem::Status {
                        kind: "a verdict",
                        status: run.status.as_str(),
                    };
                    return Err((Some(event.run.clone()), problem));
                }
                run.verdicts.push(event.clone());
            }
            Event::Note(_) | Event::Recovered(_) | Event::Unknown { .. } => {}
        }
        Ok(())
    }

    fn lock(&mut self, position: Position, writer: &WriterId, record: &Record, event: &LockEvent) {
        match self
            .locks
            .iter_mut()
            .find(|lock| lock.event.lock == event.lock)
        {
            // Two clones that lock the same bytes make the same lock: the first record is the one.
            Some(lock) => lock.positions.push(position),
            None => self.locks.push(LockRecord {
                event: event.clone(),
                writer: writer.clone(),
                time: record.time.clone(),
                positions: vec![position],
            }),
        }
    }

    fn check_announcement(
        &self,
        merged: &Merged,
        position: Position,
        announced: &Announcement,
    ) -> Result<(), LifeProblem> {
        let lock = self
            .locks
            .iter()
            .find(|lock| lock.event.lock == announced.lock)
            .filter(|lock| {
                lock.positions
                    .iter()
                    .any(|locked| merged.saw(position, *locked))
            })
            .ok_or(LifeProblem::UnknownLock)?;
        if lock.event.experiment == announced.experiment {
            Ok(())
        } else {
            Err(LifeProblem::OtherExperiment)
        }
    }

    fn run_of(
        &mut self,
        writer: &WriterId,
        id: &RunId,
        kind: &'static str,
    ) -> Result<&mut Run, LifeProblem> {
        self.runs
            .iter_mut()
            .find(|run| run.id == *id && run.writer == *writer)
            .ok_or(LifeProblem::ForeignRun { kind })
    }

    fn open_run(
        &mut self,
        writer: &WriterId,
        id: &RunId,
        kind: &'static str,
    ) -> Result<&mut Run, LifeProblem> {
        let run = self.run_of(writer, id, kind)?;
        match &run.status {
            Status::Announced => Ok(run),
            status => Err(LifeProblem::Status {
                kind,
                status: status.as_str(),
            }),
        }
    }

    fn decide_standing(&mut self, merged: &Merged) {
        let counted: Vec<bool> = self
            .runs
            .iter()
            .map(|run| !matches!(run.status, Status::Aborted { .. }))
            .collect();
        let mut replications: BTreeMap<(Digest, String), u32> = BTreeMap::new();
        for index in 0..self.runs.len() {
            self.runs[index].standing = if !counted[index] {
                Standing::Aborted
            } else if self.has_predecessor(merged, &counted, index) {
                let announced = &self.runs[index].announced;
                let number = replications
                    .entry((announced.lock, announced.target.clone()))
                    .or_default();
                *number += 1;
                Standing::Replication(*number)
            } else {
                Standing::OfRecord
            };
        }
    }

    fn has_predecessor(&self, merged: &Merged, counted: &[bool], index: usize) -> bool {
        let run = &self.runs[index];
        (0..index).any(|earlier| {
            let other = &self.runs[earlier];
            counted[earlier]
                && other.announced.lock == run.announced.lock
                && other.announced.target == run.announced.target
                && merged.saw(self.positions[index], self.positions[earlier])
        })
    }
}

impl Run {
    fn begin_session(&mut self, session: u32) -> Result<(), LifeProblem> {
        let announced = self.announced.sessions;
        if session >= announced {
            return Err(LifeProblem::NoSuchSession { session, announced });
        }
        if self.sessions.contains_key(&session) || !self.begun.insert(session) {
            return Err(LifeProblem::SessionTwice { session });
        }
        Ok(())
    }

    fn finish_session(
        &mut self,
        session: u32,
        outcome: &SessionOutcome,
    ) -> Result<(), LifeProblem> {
        let announced = self.announced.sessions;
        if session >= announced {
            return Err(LifeProblem::NoSuchSession { session, announced });
        }
        if self.sessions.contains_key(&session) {
            return Err(LifeProblem::SessionTwice { session });
        }
        self.sessions.insert(session, outcome.clone());
        Ok(())
    }
}
