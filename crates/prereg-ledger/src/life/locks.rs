//! Locks, amendments, pilots and withdrawals.
//!
//! The first record of a lock in the merged order is the one that says what it is. Clones that did
//! not see each other may record the same lock, or withdraw it, each for itself.

use prereg_declaration::Digest;

use super::placed::Placed;
use super::problem::LifeProblem;
use crate::event::{Announcement, LockEvent, PilotArms, WithdrawalEvent};
use crate::locked_experiment::{LockKind, Withdrawal};
use crate::merge::Position;
use crate::name::{WriterId, is_identifier};

/// A recorded lock, where its records stand.
#[derive(Clone, Debug)]
pub(crate) struct LockRecord {
    pub(crate) event: LockEvent,
    pub(crate) kind: LockKind,
    pub(crate) withdrawn: Option<Withdrawal>,
    pub(crate) writer: WriterId,
    pub(crate) time: String,
    /// How many records precede its first one in the merged order.
    pub(crate) rank: usize,
    positions: Vec<Position>,
    withdrawals: Vec<Position>,
}

/// The recorded locks, in the order of their first records.
#[derive(Debug, Default)]
pub(crate) struct Locks(pub(crate) Vec<LockRecord>);

impl Locks {
    pub(super) fn record(
        &mut self,
        placed: Placed<'_>,
        event: LockEvent,
        kind: LockKind,
    ) -> Result<(), LifeProblem> {
        if !is_identifier(&event.experiment) {
            return Err(LifeProblem::Experiment);
        }
        if let LockKind::Amendment { parent, .. } = &kind {
            self.check_parent(placed, &event, *parent)?;
        }
        match self.0.iter_mut().find(|lock| lock.event.lock == event.lock) {
            Some(known) if known.is_said_again_by(placed, &event, &kind) => {
                known.positions.push(placed.position);
            }
            Some(_) => return Err(LifeProblem::LockedOtherwise),
            None => self.0.push(LockRecord {
                event,
                kind,
                withdrawn: None,
                writer: placed.writer.clone(),
                time: placed.record.time.clone(),
                rank: placed.rank,
                positions: vec![placed.position],
                withdrawals: Vec::new(),
            }),
        }
        Ok(())
    }

    fn check_parent(
        &self,
        placed: Placed<'_>,
        event: &LockEvent,
        parent: Digest,
    ) -> Result<(), LifeProblem> {
        let parent = self
            .seen(placed, parent)
            .ok_or(LifeProblem::UnknownParent)?;
        if parent.kind.pilot().is_some() {
            Err(LifeProblem::ParentIsPilot)
        } else if parent.event.experiment != event.experiment {
            Err(LifeProblem::ParentOfOtherExperiment)
        } else {
            Ok(())
        }
    }

    pub(super) fn withdraw(
        &mut self,
        placed: Placed<'_>,
        event: &WithdrawalEvent,
    ) -> Result<(), LifeProblem> {
        let lock = self
            .0
            .iter_mut()
            .find(|lock| lock.event.lock == event.lock && placed.saw_any(&lock.positions))
            .ok_or(LifeProblem::WithdrawalOfUnknown)?;
        if placed.saw_any(&lock.withdrawals) {
            return Err(LifeProblem::WithdrawnTwice);
        }
        lock.withdrawals.push(placed.position);
        lock.withdrawn.get_or_insert_with(|| Withdrawal {
            time: placed.record.time.clone(),
            reason: event.reason.clone(),
        });
        Ok(())
    }

    /// What a run is to measure that is announced here, if it is a pilot's.
    pub(super) fn check_announcement(
        &self,
        placed: Placed<'_>,
        announced: &Announcement,
    ) -> Result<Option<PilotArms>, LifeProblem> {
        let lock = self
            .seen(placed, announced.lock)
            .ok_or(LifeProblem::UnknownLock)?;
        if lock.event.experiment != announced.experiment {
            Err(LifeProblem::OtherExperiment)
        } else if placed.saw_any(&lock.withdrawals) {
            Err(LifeProblem::WithdrawnLock)
        } else {
            Ok(lock.kind.pilot())
        }
    }

    fn seen(&self, placed: Placed<'_>, id: Digest) -> Option<&LockRecord> {
        self.0
            .iter()
            .find(|lock| lock.event.lock == id && placed.saw_any(&lock.positions))
    }
}

impl LockRecord {
    /// Whether a later record says of this lock what may be said of it.
    fn is_said_again_by(&self, placed: Placed<'_>, event: &LockEvent, kind: &LockKind) -> bool {
        let is_same_kind = match (&self.kind, kind) {
            (
                LockKind::Amendment { parent, .. },
                LockKind::Amendment {
                    parent: repeated, ..
                },
            ) => parent == repeated,
            (own, repeated) => own == repeated,
        };
        let are_plans = self.kind.pilot().is_none() && kind.pilot().is_none();
        self.event == *event && (is_same_kind || are_plans && !placed.saw_any(&self.positions))
    }
}
