//! The life of locks and runs, read from the records in their merged order.
//!
//! A lock is recorded, may be the parent of amendments, and may be withdrawn: from then on nobody
//! who knows of it announces a run. A run is announced on a chain, and only that chain continues
//! it: sessions, each of which begins and ends once, perhaps a stop, then a seal, then verdicts; or
//! an abort before any session. A record that does not fit is a finding and changes nothing here.

mod locks;
mod placed;
mod problem;
mod runs;

use crate::chain::Chain;
use crate::event::Event;
use crate::finding::Finding;
use crate::locked_experiment::LockKind;
use crate::merge::Merged;
use crate::name::RunId;
use crate::record::Record;

use locks::Locks;
use placed::Placed;
use runs::Runs;

pub(crate) use locks::LockRecord;
pub use problem::LifeProblem;
pub(crate) use runs::RunRecord;

/// Locks and runs of a ledger, and the records that fit neither.
#[derive(Debug, Default)]
pub(crate) struct Life {
    locks: Locks,
    runs: Runs,
    findings: Vec<Finding>,
}

impl Life {
    /// Locks and runs in the order of their first records, and what is wrong.
    pub(crate) fn read(
        chains: &[Chain],
        merged: &Merged,
    ) -> (Vec<LockRecord>, Vec<RunRecord>, Vec<Finding>) {
        let mut life = Self::default();
        for (rank, &position) in merged.order.iter().enumerate() {
            let chain = &chains[position.chain];
            let placed = Placed {
                writer: &chain.writer,
                record: &chain.records[position.seq],
                position,
                rank,
                merged,
            };
            if let Err(problem) = life.apply(placed) {
                life.findings.push(Finding::OutOfPlace {
                    writer: placed.writer.clone(),
                    seq: placed.record.seq,
                    run: run_of(placed.record),
                    problem,
                });
            }
        }
        life.runs.decide_standing(merged);
        (life.locks.0, life.runs.0, life.findings)
    }

    fn apply(&mut self, placed: Placed<'_>) -> Result<(), LifeProblem> {
        let (locks, runs) = (&mut self.locks, &mut self.runs);
        match &placed.record.event {
            Event::Locked(event) => locks.record(placed, event.clone(), LockKind::First),
            Event::Amended(event) => {
                let kind = LockKind::Amendment {
                    parent: event.parent,
                    reason: event.reason.clone(),
                };
                locks.record(placed, event.as_lock(), kind)
            }
            Event::Piloted(event) => {
                let kind = LockKind::Pilot { arms: event.arms };
                locks.record(placed, event.as_lock(), kind)
            }
            Event::Withdrawn(event) => locks.withdraw(placed, event),
            Event::Announced(announced) => {
                let id = run_of(placed.record).ok_or(LifeProblem::Target)?;
                let pilot = locks.check_announcement(placed, announced)?;
                runs.announce(placed, id, announced, pilot);
                Ok(())
            }
            Event::SessionBegun(event) => runs.begin_session(placed, event),
            Event::SessionFinished(event) => runs.finish_session(placed, event),
            Event::Stopped(event) => runs.stop(placed, event),
            Event::Sealed(event) => runs.seal(placed, event),
            Event::Aborted(event) => runs.abort(placed, event),
            Event::Verdict(event) => runs.judge(placed, event),
            Event::Preflight(_) | Event::Note(_) | Event::Recovered(_) | Event::Unknown { .. } => {
                Ok(())
            }
        }
    }
}

/// The run that a record is part of.
fn run_of(record: &Record) -> Option<RunId> {
    match &record.event {
        Event::Announced(announced) => RunId::new(&announced.target, record.digest).ok(),
        Event::SessionBegun(event) => Some(event.run.clone()),
        Event::SessionFinished(event) => Some(event.run.clone()),
        Event::Stopped(event) => Some(event.run.clone()),
        Event::Sealed(event) => Some(event.run.clone()),
        Event::Aborted(event) => Some(event.run.clone()),
        Event::Verdict(event) => Some(event.run.clone()),
        Event::Locked(_)
        | Event::Amended(_)
        | Event::Piloted(_)
        | Event::Withdrawn(_)
        | Event::Preflight(_)
        | Event::Note(_)
        | Event::Recovered(_)
        | Event::Unknown { .. } => None,
    }
}
