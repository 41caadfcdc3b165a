//! The ledger and the locks of a study, read and checked in one pass. Reading writes nothing.

mod read;

use std::collections::BTreeMap;

use prereg_declaration::Digest;

use crate::chain::Chain;
use crate::event::{Event, LockEvent, PreflightEvent};
use crate::finding::{Finding, Leftover, Subject};
use crate::head::{Head, KeptHead};
use crate::locked_experiment::LockedExperiment;
use crate::merge::Position;
use crate::name::{RunId, WriterId};
use crate::record::Record;
use crate::run::{Run, Standing, Status};

/// Everything that a study's ledger and locks say, and what is wrong with them.
#[derive(Debug)]
pub struct History {
    chains: Vec<Chain>,
    order: Vec<Position>,
    plans: Vec<LockedExperiment>,
    pilots: Vec<LockedExperiment>,
    runs: Vec<Run>,
    pub(crate) ranks: Ranks,
    findings: Vec<Finding>,
    leftovers: Vec<Leftover>,
}

/// Places in the merged order: how many records precede.
#[derive(Debug, Default)]
pub(crate) struct Ranks {
    /// The first record of each plan and pilot.
    pub(crate) locks: BTreeMap<Digest, usize>,
    /// The first record of a session, of each run that has one.
    pub(crate) sessions: BTreeMap<RunId, usize>,
}

/// What the record rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceLevel {
    /// Nobody outside vouches for any of it: digests show that nothing changed since it was
    /// written, chains show order, and neither shows when, nor that nothing was cut off.
    SelfAsserted,
}

impl EvidenceLevel {
    /// The words that a report prints.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SelfAsserted => "self-asserted",
        }
    }
}

impl History {
    /// All records in their merged order, with their writers.
    pub fn records(&self) -> impl Iterator<Item = (&WriterId, &Record)> {
        self.order.iter().map(|position| {
            let chain = &self.chains[position.chain];
            (&chain.writer, &chain.records[position.seq])
        })
    }

    /// Records of kinds that this version does not know: a newer version wrote them, and this one
    /// cannot judge what they are about.
    pub fn unknown_records(&self) -> impl Iterator<Item = (&WriterId, &Record)> {
        self.records()
            .filter(|(_, record)| matches!(record.event, Event::Unknown { .. }))
    }

    /// The head of every chain that has a record, sorted by writer.
    #[must_use]
    pub fn heads(&self) -> Vec<KeptHead> {
        let heads = self.chains.iter().map(|chain| KeptHead {
            writer: chain.writer.clone(),
            head: chain.head(),
        });
        heads.filter(|kept| kept.head != Head::EMPTY).collect()
    }

    /// Plans in the order of their first records: locks that amend none, and amendments.
    #[must_use]
    pub fn locks(&self) -> &[LockedExperiment] {
        &self.plans
    }

    /// Frozen drafts of pilots, in the order of their first records.
    #[must_use]
    pub fn pilots(&self) -> &[LockedExperiment] {
        &self.pilots
    }

    /// The plan or the pilot's draft with this id.
    #[must_use]
    pub fn lock(&self, id: Digest) -> Option<&LockedExperiment> {
        let mut all = self.plans.iter().chain(&self.pilots);
        all.find(|lock| lock.event.lock == id)
    }

    /// Plans of an experiment, oldest first.
    pub fn locks_of<'a>(
        &'a self,
        experiment: &'a str,
    ) -> impl Iterator<Item = &'a LockedExperiment> {
        self.plans
            .iter()
            .filter(move |lock| lock.event.experiment == experiment)
    }

    /// Other plans that ask the same question as `lock`, oldest first.
    pub fn same_question<'a>(
        &'a self,
        lock: &'a LockEvent,
    ) -> impl Iterator<Item = &'a LockedExperiment> {
        self.plans
            .iter()
            .filter(|other| other.event.question == lock.question && other.event.lock != lock.lock)
    }

    /// What was read of machines before runs of a lock, in order, with the time of each.
    pub fn preflights_of_lock(
        &self,
        lock: Digest,
    ) -> impl Iterator<Item = (&str, &PreflightEvent)> {
        self.records()
            .filter_map(move |(_, record)| match &record.event {
                Event::Preflight(event) if event.lock == lock => {
                    Some((record.time.as_str(), event))
                }
                _ => None,
            })
    }

    /// The same of a lock on a target.
    pub fn preflights<'a>(
        &'a self,
        lock: Digest,
        target: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a PreflightEvent)> {
        self.preflights_of_lock(lock)
            .filter(move |(_, event)| event.target == target)
    }

    /// The last look at the machine that let a run begin before it was announced, with its time; absent where the
    /// version that announced it took none.
    #[must_use]
    pub fn preflight_of(&self, run: &Run) -> Option<(&str, &PreflightEvent)> {
        let announced = &run.announced;
        self.records()
            .filter(|(writer, _)| **writer == run.writer)
            .map(|(_, record)| record)
            .take_while(|record| record.digest != run.announcement)
            .filter_map(|record| match &record.event {
                Event::Preflight(event) => Some((record.time.as_str(), event)),
                _ => None,
            })
            .filter(|(_, event)| {
                event.lock == announced.lock
                    && event.target == announced.target
                    && event.refusal.is_none()
            })
            .last()
    }

    /// Runs in the order of their announcements.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The run with this id.
    #[must_use]
    pub fn run(&self, id: &RunId) -> Option<&Run> {
        self.runs.iter().find(|run| run.id == *id)
    }

    /// Runs of a lock, in the order of their announcements.
    pub fn runs_of_lock(&self, lock: Digest) -> impl Iterator<Item = &Run> {
        self.runs
            .iter()
            .filter(move |run| run.announced.lock == lock)
    }

    /// Runs of a lock on a target, in the order of their announcements.
    pub fn runs_of<'a>(&'a self, lock: Digest, target: &'a str) -> impl Iterator<Item = &'a Run> {
        self.runs_of_lock(lock)
            .filter(move |run| run.announced.target == target)
    }

    /// Runs of record of a lock on a target: none, one, or several that did not see each other.
    pub fn runs_of_record<'a>(
        &'a self,
        lock: Digest,
        target: &'a str,
    ) -> impl Iterator<Item = &'a Run> {
        self.runs_of(lock, target)
            .filter(|run| run.standing == Standing::OfRecord)
    }

    /// Runs that this writer announced and neither sealed nor aborted.
    pub fn unsealed_of<'a>(&'a self, writer: &'a WriterId) -> impl Iterator<Item = &'a Run> {
        self.runs
            .iter()
            .filter(move |run| run.writer == *writer && run.status == Status::Announced)
    }

    /// Integrity problems.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// What crashes left.
    #[must_use]
    pub fn leftovers(&self) -> &[Leftover] {
        &self.leftovers
    }

    /// Findings that void what is said about a lock: on the lock itself, or on the chain that
    /// carries it.
    pub fn findings_on_lock<'a>(
        &'a self,
        lock: &'a LockedExperiment,
    ) -> impl Iterator<Item = &'a Finding> {
        self.findings
            .iter()
            .filter(|finding| match finding.subject() {
                Subject::Chains(writers) => writers.contains(&lock.writer),
                Subject::Lock(id) => id == lock.event.lock,
                Subject::Ledger => true,
                Subject::Run(_) | Subject::Nothing => false,
            })
    }

    /// Findings that void the verdict of a run: on the run, on its chain, or on its lock.
    pub fn findings_on_run<'a>(&'a self, run: &'a Run) -> impl Iterator<Item = &'a Finding> {
        let carrier = self.lock(run.announced.lock).map(|lock| &lock.writer);
        self.findings
            .iter()
            .filter(move |finding| match finding.subject() {
                Subject::Chains(writers) => {
                    writers.contains(&run.writer)
                        || carrier.is_some_and(|lock| writers.contains(lock))
                }
                Subject::Lock(id) => id == run.announced.lock,
                Subject::Run(id) => id == run.id,
                Subject::Ledger => true,
                Subject::Nothing => false,
            })
    }

    /// Compares with a head that somebody kept outside the study. This, and nothing inside the
    /// study, shows that the end of a chain was cut off together with everything that pointed to
    /// it, or that a chain was rebuilt.
    pub fn expect_head(&mut self, kept: &KeptHead) {
        let holds = self
            .chains
            .iter()
            .any(|chain| chain.writer == kept.writer && chain.has_prefix(kept.head));
        if !holds {
            self.findings
                .push(Finding::KeptHeadAbsent { kept: kept.clone() });
        }
    }

    /// What the record rests on. An expected head that holds does not raise it: only its keeper
    /// knows when it was kept.
    #[must_use]
    pub const fn evidence_level(&self) -> EvidenceLevel {
        EvidenceLevel::SelfAsserted
    }
}
