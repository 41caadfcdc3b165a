//! Plans that ask the same thing again, and what had been measured before each.
//!
//! Plans and pilots are kin when they are of one experiment, as an amendment and its parent always
//! are, or ask one question; and kin of kin are kin. The attempts at a plan are the plans among its
//! kin. Whether data had been seen is read from the merged order of the records, with the kin that
//! were recorded before: what a draft must admit before it is locked is what its lock shows.
//!
//! A record shows what had been measured, not what people had looked at: sessions of another clone
//! count even where the writer of a lock had not merged them yet.

use std::collections::BTreeSet;

use prereg_declaration::Digest;

use crate::event::PilotArms;
use crate::history::History;
use crate::locked_experiment::LockedExperiment;
use crate::name::RunId;

/// Which attempt a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its number among the attempts, from 1, in the order of their first records.
    pub number: usize,
    /// How many there are.
    pub of: usize,
    /// Whether anything that asks the same had been measured when it was locked.
    pub seen: bool,
}

/// What the record shows to have been measured before, the gravest alone: a run of a plan above a
/// pilot of all arms, above a pilot of the baseline. A run counts once a session of it began, an
/// unsealed one too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataSeenByRecord {
    /// Nothing.
    Nothing,
    /// The baseline against itself: its spread, no effect.
    Pilot {
        /// The pilots' runs, in the order of their announcements.
        runs: Vec<RunId>,
    },
    /// All arms of a draft.
    PilotOfAllArms {
        /// The pilots' runs, in the order of their announcements.
        runs: Vec<RunId>,
    },
    /// A plan.
    Run {
        /// Its runs, in the order of their announcements.
        runs: Vec<RunId>,
    },
}

impl History {
    /// The attempts that a plan is one of, itself among them, in the order of their first records.
    /// None for a pilot and for an id that is not recorded.
    #[must_use]
    pub fn attempts(&self, lock: Digest) -> Vec<&LockedExperiment> {
        let plan = self.locks().iter().find(|plan| plan.event.lock == lock);
        plan.map_or_else(Vec::new, |plan| {
            let mut kin = self.kin_before(usize::MAX, &plan.event.experiment, plan.event.question);
            kin.retain(|kin| kin.kind.pilot().is_none());
            kin
        })
    }

    /// Which attempt a plan is; `None` for a pilot and for an id that is not recorded.
    #[must_use]
    pub fn attempt(&self, lock: Digest) -> Option<Attempt> {
        let attempts = self.attempts(lock);
        let index = attempts.iter().position(|plan| plan.event.lock == lock)?;
        Some(Attempt {
            number: index + 1,
            of: attempts.len(),
            seen: self.data_seen_before(lock) != DataSeenByRecord::Nothing,
        })
    }

    /// What had been measured when this lock was recorded; nothing for an id that is not recorded.
    #[must_use]
    pub fn data_seen_before(&self, lock: Digest) -> DataSeenByRecord {
        match (self.lock(lock), self.ranks.locks.get(&lock)) {
            (Some(locked), Some(rank)) => {
                self.data_seen_at(*rank, &locked.event.experiment, locked.event.question)
            }
            _ => DataSeenByRecord::Nothing,
        }
    }

    /// What has been measured so far of the kin of a draft with this experiment id and question: what
    /// its lock would show, were it recorded now.
    #[must_use]
    pub fn data_seen(&self, experiment: &str, question: Digest) -> DataSeenByRecord {
        self.data_seen_at(usize::MAX, experiment, question)
    }

    /// Reads the first `rank` records of the merged order.
    fn data_seen_at(&self, rank: usize, experiment: &str, question: Digest) -> DataSeenByRecord {
        let kin = self.kin_before(rank, experiment, question);
        let (mut plans, mut all_arms, mut baselines) = (Vec::new(), Vec::new(), Vec::new());
        for run in self.runs() {
            let began = self.ranks.sessions.get(&run.id);
            let lock = kin
                .iter()
                .find(|lock| lock.event.lock == run.announced.lock);
            if let (Some(began), Some(lock)) = (began, lock)
                && *began < rank
            {
                let seen = match lock.kind.pilot() {
                    None => &mut plans,
                    Some(PilotArms::All) => &mut all_arms,
                    Some(PilotArms::Baseline) => &mut baselines,
                };
                seen.push(run.id.clone());
            }
        }
        if !plans.is_empty() {
            DataSeenByRecord::Run { runs: plans }
        } else if !all_arms.is_empty() {
            DataSeenByRecord::PilotOfAllArms { runs: all_arms }
        } else if !baselines.is_empty() {
            DataSeenByRecord::Pilot { runs: baselines }
        } else {
            DataSeenByRecord::Nothing
        }
    }

    /// The kin of an experiment and a question among the locks of the first `rank` records: plans,
    /// then pilots, each in the order of their first records.
    fn kin_before(
        &self,
        rank: usize,
        experiment: &str,
        question: Digest,
    ) -> Vec<&LockedExperiment> {
        let is_earlier = |lock: &&LockedExperiment| {
            let recorded = self.ranks.locks.get(&lock.event.lock);
            recorded.is_some_and(|recorded| *recorded < rank)
        };
        let all = self.locks().iter().chain(self.pilots());
        let mut others: Vec<&LockedExperiment> = all.clone().filter(is_earlier).collect();
        let mut kin = BTreeSet::new();
        let mut reached = vec![(experiment, question)];
        while let Some((experiment, question)) = reached.pop() {
            others.retain(|lock| {
                let event = &lock.event;
                let is_kin = event.experiment == experiment || event.question == question;
                if is_kin {
                    kin.insert(event.lock);
                    reached.push((&event.experiment, event.question));
                }
                !is_kin
            });
        }
        all.filter(|lock| kin.contains(&lock.event.lock)).collect()
    }
}
