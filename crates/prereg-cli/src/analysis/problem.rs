//! Integrity problems of a lock and its runs, from whichever crate found them.

use prereg_ledger::{Finding, History, Locked, Run, Standing, Status, Study};
use prereg_runs::{RunFinding, RunFolder, audit, check_seeds, unrecorded};
use serde::Serialize;

use crate::error::CommandError;

/// An integrity problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Problem {
    /// Stable code.
    pub(crate) code: String,
    /// What is wrong, and where.
    pub(crate) message: String,
    /// What to do.
    pub(crate) fix: String,
    /// Whether no verdict can be given: it concerns a lock or a run of record.
    pub(crate) voids_verdict: bool,
}

impl Problem {
    /// A problem of the ledger or of a lock.
    pub(crate) fn of_ledger(finding: &Finding, voids_verdict: bool) -> Self {
        Self {
            code: finding.code().to_owned(),
            message: finding.to_string(),
            fix: finding.fix(),
            voids_verdict,
        }
    }

    /// A problem of a run's folder.
    fn of_run(finding: &RunFinding, voids_verdict: bool) -> Self {
        Self {
            code: finding.code().to_owned(),
            message: finding.to_string(),
            fix: finding.fix().to_owned(),
            voids_verdict,
        }
    }
}

/// Problems, each told once, however many locks and runs it concerns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    /// Adds a problem; one that is known already may gain that it voids the verdict.
    pub(crate) fn add(&mut self, problem: Problem) {
        match self
            .0
            .iter_mut()
            .find(|known| known.message == problem.message)
        {
            Some(known) => known.voids_verdict |= problem.voids_verdict,
            None => self.0.push(problem),
        }
    }

    /// Adds the run folders of an experiment that the ledger does not announce. Such a run may have come before
    /// the one that the ledger shows as the first, so no verdict on the experiment stands.
    pub(crate) fn check_unrecorded(
        &mut self,
        study: &Study,
        history: &History,
        experiment: &str,
    ) -> Result<(), CommandError> {
        let found = unrecorded(study, experiment, history.runs())
            .map_err(|error| CommandError::io(&error))?;
        for finding in &found {
            self.add(Problem::of_run(finding, true));
        }
        Ok(())
    }

    /// All of them, in the order in which they were found.
    pub(crate) fn as_slice(&self) -> &[Problem] {
        &self.0
    }

    /// Whether one of them takes the verdict away.
    pub(crate) fn void_verdict(&self) -> bool {
        self.0.iter().any(|problem| problem.voids_verdict)
    }

    /// Adds what is wrong with a run; whether that is nothing.
    pub(crate) fn check_run(
        &mut self,
        study: &Study,
        history: &History,
        locked: &Locked,
        run: &Run,
    ) -> bool {
        let voids_verdict = run.standing == Standing::OfRecord;
        let mut found: Vec<Problem> = history
            .findings_on_run(run)
            .map(|finding| Problem::of_ledger(finding, voids_verdict))
            .collect();
        found.extend(super::kept::broken(locked, run, voids_verdict));
        let in_folder = findings_in_folder(study, locked, run);
        found.extend(
            in_folder
                .iter()
                .map(|finding| Problem::of_run(finding, voids_verdict)),
        );
        let sound = found.is_empty();
        for problem in found {
            self.add(problem);
        }
        sound
    }
}

fn findings_in_folder(study: &Study, locked: &Locked, run: &Run) -> Vec<RunFinding> {
    let mut findings = audit(study, run);
    // Seeds are compared only in a folder that is what was recorded.
    if findings.is_empty()
        && matches!(run.status, Status::Sealed { .. })
        && let Ok(folder) = RunFolder::open(study, &run.announced.experiment, &run.id)
    {
        let arms = locked.declaration().arms.keys().map(String::as_str);
        let arms: Vec<&str> = arms.collect();
        // A folder that cannot be read has been found by the audit.
        findings.extend(
            check_seeds(&folder, &locked.seeds(run.announcement), &arms).unwrap_or_default(),
        );
    }
    findings
}
