//! What a report is made from: a finished verdict and its record.
//!
//! Nothing here is read from disk and nothing is judged again. Everything that the record knows is
//! passed, failures included: a run that is not in [`ReportInput::runs`] is a run that the report
//! hides, so the list holds every announced run of the lock, whatever became of it.

use std::collections::BTreeMap;

use prereg_declaration::{Declaration, Difference, Digest};
use prereg_judgement::{ColumnSummary, Headline, RunJudgement};
use prereg_ledger::{
    EvidenceLevel, KeptHead, Lock, Origin, PreflightEvent, Run, RunId, Standing, Withdrawal,
};
use prereg_runs::EnvironmentRecord;

/// Everything that one report shows.
#[derive(Clone, Debug)]
pub struct ReportInput<'a> {
    /// File stem of the report (`replay_tax`); its figures lie in a folder of this name beside it.
    pub name: String,
    /// The locked declaration.
    pub declaration: &'a Declaration,
    /// Its lock.
    pub lock: LockFacts,
    /// Verdict of each claim over its declared targets, by claim.
    pub headlines: BTreeMap<String, Headline>,
    /// Every announced run of the lock, in the order of the ledger.
    pub runs: Vec<RunFacts>,
    /// Every look at a machine before a run of the lock, refusals among them, in the order of the ledger.
    pub preflights: Vec<PreflightFacts>,
    /// Integrity findings that concern this lock or its runs.
    pub findings: Vec<FindingFacts>,
    /// Heads of the ledger's chains.
    pub heads: Vec<KeptHead>,
    /// What the evidence proves.
    pub evidence: EvidenceLevel,
    /// Version of the tool that writes the report.
    pub tool_version: String,
}

/// The lock and its record.
#[derive(Clone, Debug)]
pub struct LockFacts {
    /// SHA-256 of `lock.json`.
    pub id: Digest,
    /// Date of its record, RFC 3339 UTC.
    pub time: String,
    /// What it froze.
    pub lock: Lock,
    /// Every attempt at the plan: locks connected with this one by amendment or by the same
    /// question, this one included, in ledger order.
    pub attempts: Vec<Attempt>,
    /// What changed since the first lock that this one amends; empty where it amends none.
    pub differences: Vec<Difference>,
    /// Runs of pilots of the same experiment or question, in ledger order.
    pub pilots: Vec<PilotFacts>,
    /// When and why it was given up, if it was.
    pub withdrawn: Option<Withdrawal>,
}

/// A run of a pilot.
#[derive(Clone, Debug)]
pub struct PilotFacts {
    /// The run.
    pub run: RunId,
    /// Its target.
    pub target: String,
    /// Date of its announcement, RFC 3339 UTC.
    pub time: String,
    /// What it measured: `baseline` or `all`.
    pub arms: String,
    /// How far it got: `announced`, `sealed` or `aborted`.
    pub status: String,
    /// Complete sessions.
    pub complete: usize,
    /// Announced sessions.
    pub sessions: u32,
}

/// A look at a machine before a run.
#[derive(Clone, Debug)]
pub struct PreflightFacts {
    /// Date of its record, RFC 3339 UTC.
    pub time: String,
    /// What was read, and why no run could begin.
    pub event: PreflightEvent,
}

/// A lock among the attempts.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Its lock id.
    pub lock: Digest,
    /// Its experiment.
    pub experiment: String,
    /// Date of its record, RFC 3339 UTC.
    pub time: String,
    /// What became of it, in words ("falsified on cpu", "never run").
    pub fate: String,
    /// Why it was locked in place of its parent; none where it amends nothing.
    pub reason: Option<String>,
    /// What the record had measured when it was locked, in words ("nothing").
    pub seen: String,
    /// Why it was given up, if it was.
    pub withdrawn: Option<String>,
}

/// One announced run.
#[derive(Clone, Debug)]
pub struct RunFacts {
    /// The run, as the ledger tells it.
    pub run: Run,
    /// Differences from the lock that were allowed and must be told.
    pub deviations: Vec<String>,
    /// What was judged from it; only a sealed run has this.
    pub judgement: Option<RunJudgement>,
    /// The look at the machine that let it begin.
    pub preflight: Option<PreflightFacts>,
    /// Environment of each complete session, in session order.
    pub environments: Vec<SessionEnvironment>,
    /// What was read of each column without an arm in the complete sessions.
    pub telemetry: BTreeMap<String, ColumnSummary>,
}

/// The environment that one session ran in.
#[derive(Clone, Debug)]
pub struct SessionEnvironment {
    /// Index of the session.
    pub session: usize,
    /// Its record.
    pub record: EnvironmentRecord,
}

/// An integrity problem of ledger, locks or runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingFacts {
    /// What is wrong, and where.
    pub message: String,
    /// What to do.
    pub fix: String,
    /// Whether the verdict falls with it (a chain that carries the lock or a run of record).
    pub voids_verdict: bool,
}

impl ReportInput<'_> {
    /// Runs that the verdict on `target` rests on; more than one where first runs did not see each other.
    pub(crate) fn of_record<'s>(&'s self, target: &'s str) -> impl Iterator<Item = &'s RunFacts> {
        self.runs.iter().filter(move |facts| {
            facts.target() == target && facts.run.standing == Standing::OfRecord
        })
    }

    /// Whether any run holds made-up data.
    pub(crate) fn is_simulated(&self) -> bool {
        self.runs.iter().any(RunFacts::is_simulated)
    }

    /// Whether a finding takes the verdict away.
    pub(crate) fn is_void(&self) -> bool {
        self.findings.iter().any(|finding| finding.voids_verdict)
    }
}

impl LockFacts {
    /// Whether the device of a target is a CPU.
    pub(crate) fn is_cpu(&self, target: &str) -> bool {
        let entry = self.lock.targets.get(target);
        entry.is_some_and(|entry| entry.lines().any(|line| line.trim() == "device = \"cpu\""))
    }

    /// Folder of the frozen declaration and `lock.json`, relative to the study.
    pub(crate) fn folder(&self) -> String {
        format!("prereg/locks/{}", self.id.prefix(16))
    }
}

impl RunFacts {
    pub(crate) fn id(&self) -> &str {
        self.run.id.as_str()
    }

    pub(crate) fn target(&self) -> &str {
        &self.run.announced.target
    }

    pub(crate) fn is_simulated(&self) -> bool {
        self.run.announced.origin == Origin::Simulated
    }

    /// What the run is to the verdict.
    pub(crate) fn part(&self) -> String {
        self.run.standing.to_string()
    }
}
