//! A lock judged from its sealed runs.

mod document;
mod judging;
mod kept;
mod problem;

use std::collections::BTreeMap;

use prereg_judgement::{ClaimResult, Headline, RunJudgement, headline};
use prereg_ledger::{
    Attempt, EvidenceLevel, History, Locked, Run, RunId, Standing, Status, Study, Withdrawal,
};

pub(crate) use self::document::Document;
pub(crate) use self::judging::{constants, decided_so_far, judge_run, samples_of, verdict_event};
pub(crate) use self::problem::{Problem, Problems};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::open;

/// A lock, every run of it, and what they say.
#[derive(Debug)]
pub(crate) struct Analysis {
    /// The lock.
    pub(crate) locked: Locked,
    /// Every announced run, in the order of the ledger.
    pub(crate) runs: Vec<JudgedRun>,
    /// Verdicts over the declared targets, by claim.
    pub(crate) headlines: BTreeMap<String, Headline>,
    /// Integrity problems of the lock and of its runs.
    pub(crate) problems: Problems,
    /// What the record rests on.
    pub(crate) evidence: EvidenceLevel,
    /// What came before the lock, and whether it still stands.
    pub(crate) life: PlanLife,
}

/// What came before a lock, and whether it still stands.
#[derive(Debug)]
pub(crate) struct PlanLife {
    /// Which attempt at its question it is.
    pub(crate) attempt: Option<Attempt>,
    /// Runs of pilots of the same experiment or question.
    pub(crate) pilots: Vec<RunId>,
    /// Whether it was withdrawn.
    pub(crate) withdrawn: Option<Withdrawal>,
}

impl PlanLife {
    fn of(history: &History, locked: &Locked) -> Self {
        let pilots = crate::record::life::pilots(history, locked);
        Self {
            attempt: history.attempt(locked.id()),
            pilots: pilots.into_iter().map(|pilot| pilot.run).collect(),
            withdrawn: history
                .lock(locked.id())
                .and_then(|lock| lock.withdrawn.clone()),
        }
    }
}

/// A run and what was judged from it.
#[derive(Debug)]
pub(crate) struct JudgedRun {
    /// The run, as the ledger tells it.
    pub(crate) run: Run,
    /// Its judgement; only a sealed run without integrity problems has one.
    pub(crate) judgement: Option<RunJudgement>,
}

impl JudgedRun {
    /// What was judged about a claim.
    pub(crate) fn claim(&self, name: &str) -> Option<&ClaimResult> {
        self.judgement.as_ref()?.claims.get(name)
    }
}

impl Analysis {
    /// Judges the lock that `argument` names; see [`crate::find::lock`].
    pub(crate) fn named(
        study: &Study,
        history: &History,
        argument: &str,
    ) -> Result<Self, CommandError> {
        let lock = crate::find::lock(study, history, argument)?.event.lock;
        let locked = Locked::load(history, lock).map_err(|error| open::not_loaded(&error))?;
        Self::of(study, history, locked)
    }

    /// Judges `locked` from the runs that `history` knows.
    pub(crate) fn of(
        study: &Study,
        history: &History,
        locked: Locked,
    ) -> Result<Self, CommandError> {
        let mut problems = Problems::default();
        if let Some(experiment) = history.lock(locked.id()) {
            for finding in history.findings_on_lock(experiment) {
                problems.add(Problem::of_ledger(finding, true));
            }
        }
        problems.check_unrecorded(study, history, &locked.lock().experiment)?;
        let mut runs = Vec::new();
        for run in history.runs_of_lock(locked.id()) {
            let sound = problems.check_run(study, history, &locked, run);
            let judgement = match (&run.status, sound) {
                (Status::Sealed { .. }, true) => Some(judge_run(study, &locked, run)?),
                _ => None,
            };
            runs.push(JudgedRun {
                run: run.clone(),
                judgement,
            });
        }
        let claims = locked.declaration().claims.iter();
        let headlines = claims
            .map(|(name, claim)| (name.clone(), headline(claim, &results(&runs, name))))
            .collect();
        Ok(Self {
            life: PlanLife::of(history, &locked),
            locked,
            runs,
            headlines,
            problems,
            evidence: history.evidence_level(),
        })
    }

    /// The runs of record, judged or not.
    pub(crate) fn of_record(&self) -> impl Iterator<Item = &JudgedRun> {
        of_record(&self.runs)
    }

    /// Whether the record is too inconsistent for a verdict.
    pub(crate) fn is_void(&self) -> bool {
        self.problems.void_verdict()
    }

    /// Exit code by the headlines; 3 where the record is inconsistent.
    pub(crate) fn exit(&self) -> Exit {
        let verdicts = Exit::of(self.headlines.values().map(|headline| headline.verdict));
        if self.is_void() {
            verdicts.worse(Exit::Inconsistent)
        } else {
            verdicts
        }
    }

    /// What `analyze --json` prints.
    pub(crate) fn document(&self) -> Document<'_> {
        Document::of(self)
    }
}

fn of_record(runs: &[JudgedRun]) -> impl Iterator<Item = &JudgedRun> {
    runs.iter()
        .filter(|judged| judged.run.standing == Standing::OfRecord)
}

/// What the runs of record say about a claim, by target; one that is not sealed says nothing and counts.
fn results<'a>(
    runs: &'a [JudgedRun],
    claim: &str,
) -> BTreeMap<String, Vec<Option<&'a ClaimResult>>> {
    let mut results: BTreeMap<String, Vec<Option<&ClaimResult>>> = BTreeMap::new();
    for judged in of_record(runs) {
        let target = judged.run.announced.target.clone();
        results.entry(target).or_default().push(judged.claim(claim));
    }
    results
}
