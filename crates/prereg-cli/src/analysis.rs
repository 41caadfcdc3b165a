//! Judging a lock from its sealed runs, and the object that `prereg analyze --json` prints.

use std::collections::BTreeMap;

use prereg_declaration::ConstantName;
use prereg_judgement::{ClaimResult, Constants, Headline, RunJudgement, Verdict, headline, judge};
use prereg_ledger::{
    Cell, EvidenceLevel, History, Locked, Origin, Run, Standing, Status, Study, VerdictEvent,
    analysis_seed,
};
use prereg_report::words;
use prereg_runs::{RunFolder, audit, check_seeds};
use prereg_stats::Seed;
use prereg_tables::{Planned, samples};
use prereg_units::{Quantity, Unit};
use serde::Serialize;

use crate::error::CommandError;
use crate::exit::Exit;

/// Format of the object that `analyze --json` prints.
const SCHEMA: &str = "prereg-analysis/1";

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
    pub(crate) problems: Vec<Problem>,
    /// What the record rests on.
    pub(crate) evidence: EvidenceLevel,
}

/// A run and what was judged from it.
#[derive(Debug)]
pub(crate) struct JudgedRun {
    /// The run, as the ledger tells it.
    pub(crate) run: Run,
    /// Its judgement; only a sealed run without integrity problems has one.
    pub(crate) judgement: Option<RunJudgement>,
}

/// An integrity problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Problem {
    /// Stable code.
    pub(crate) code: String,
    /// What is wrong, and where.
    pub(crate) message: String,
    /// What to do.
    pub(crate) fix: String,
    /// Whether no verdict can be given: it concerns the lock or a run of record.
    pub(crate) voids_verdict: bool,
}

impl Analysis {
    /// Judges `locked` from the runs that `history` knows.
    pub(crate) fn of(
        study: &Study,
        history: &History,
        locked: Locked,
    ) -> Result<Self, CommandError> {
        let mut problems: Vec<Problem> = Vec::new();
        if let Some(experiment) = history.lock(locked.id()) {
            for finding in history.findings_on_lock(experiment) {
                add(
                    &mut problems,
                    Problem {
                        code: finding.code().to_owned(),
                        message: finding.to_string(),
                        fix: finding.fix(),
                        voids_verdict: true,
                    },
                );
            }
        }
        let mut runs = Vec::new();
        for run in history
            .runs()
            .iter()
            .filter(|run| run.announced.lock == locked.id())
        {
            let sound = check_run(study, history, &locked, run, &mut problems);
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
            .map(|(name, claim)| (name.clone(), headline(claim, &of_record(&runs, name))))
            .collect();
        Ok(Self {
            locked,
            runs,
            headlines,
            problems,
            evidence: history.evidence_level(),
        })
    }

    /// Whether the record is sound enough for a verdict.
    pub(crate) fn is_void(&self) -> bool {
        self.problems.iter().any(|problem| problem.voids_verdict)
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

    /// The object that `analyze --json` prints: the same bytes for the same record.
    pub(crate) fn to_json(&self) -> Result<String, CommandError> {
        let claims = self
            .headlines
            .iter()
            .map(|(name, headline)| (name, self.claim_json(name, headline)));
        let document = Document {
            schema: SCHEMA,
            rules: &self.locked.lock().rules,
            experiment: &self.locked.lock().experiment,
            lock: self.locked.id().to_string(),
            evidence: self.evidence.as_str(),
            void: self.is_void(),
            claims: claims.collect(),
            runs: self.runs.iter().map(RunJson::of).collect(),
            problems: &self.problems,
        };
        serde_json::to_string_pretty(&document)
            .map_err(|error| CommandError::caused(Exit::Internal, &error))
    }

    fn claim_json<'a>(&'a self, name: &'a str, headline: &'a Headline) -> ClaimJson<'a> {
        let results = self
            .runs
            .iter()
            .filter(|judged| judged.run.standing == Standing::OfRecord)
            .filter_map(|judged| {
                let result = judged.judgement.as_ref()?.claims.get(name)?;
                let (target, run) = (&judged.run.announced.target, judged.run.id.to_string());
                Some(ResultJson {
                    target,
                    cell: Cell::default(),
                    run,
                    result,
                })
            });
        ClaimJson {
            headline: &headline.headline,
            // An inconsistent record carries no verdict.
            verdict: (!self.is_void()).then_some(headline.verdict),
            targets: &headline.targets,
            reasons: &headline.reasons,
            results: results.collect(),
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    rules: &'a str,
    experiment: &'a str,
    lock: String,
    evidence: &'static str,
    void: bool,
    claims: BTreeMap<&'a String, ClaimJson<'a>>,
    runs: Vec<RunJson<'a>>,
    problems: &'a [Problem],
}

#[derive(Serialize)]
struct ClaimJson<'a> {
    headline: &'a str,
    verdict: Option<Verdict>,
    targets: &'a BTreeMap<String, Verdict>,
    reasons: &'a BTreeMap<String, Vec<prereg_judgement::Reason>>,
    /// Of the runs of record.
    results: Vec<ResultJson<'a>>,
}

#[derive(Serialize)]
struct ResultJson<'a> {
    target: &'a str,
    cell: Cell,
    run: String,
    #[serde(flatten)]
    result: &'a ClaimResult,
}

#[derive(Serialize)]
struct RunJson<'a> {
    run: String,
    status: &'static str,
    standing: &'static str,
    replication: Option<u32>,
    origin: Origin,
    announced: &'a str,
    target: &'a str,
    cell: Cell,
    judgement: Option<&'a RunJudgement>,
}

impl<'a> RunJson<'a> {
    fn of(judged: &'a JudgedRun) -> Self {
        let run = &judged.run;
        let (standing, replication) = match run.standing {
            Standing::OfRecord => ("of-record", None),
            Standing::Replication(number) => ("replication", Some(number)),
            Standing::Aborted => ("aborted", None),
        };
        Self {
            run: run.id.to_string(),
            status: run.status.word(),
            standing,
            replication,
            origin: run.announced.origin,
            announced: &run.time,
            target: &run.announced.target,
            cell: Cell::default(),
            judgement: judged.judgement.as_ref(),
        }
    }
}

/// Results of a claim on the runs of record, by target.
fn of_record<'a>(runs: &'a [JudgedRun], claim: &str) -> BTreeMap<String, Vec<&'a ClaimResult>> {
    let mut results: BTreeMap<String, Vec<&ClaimResult>> = BTreeMap::new();
    for judged in runs
        .iter()
        .filter(|judged| judged.run.standing == Standing::OfRecord)
    {
        if let Some(result) = judged
            .judgement
            .as_ref()
            .and_then(|judgement| judgement.claims.get(claim))
        {
            results
                .entry(judged.run.announced.target.clone())
                .or_default()
                .push(result);
        }
    }
    results
}

/// Collects the integrity problems of a run; whether there are none.
fn check_run(
    study: &Study,
    history: &History,
    locked: &Locked,
    run: &Run,
    problems: &mut Vec<Problem>,
) -> bool {
    let voids_verdict = run.standing == Standing::OfRecord;
    let mut sound = true;
    for finding in history.findings_on_run(run) {
        sound = false;
        add(
            problems,
            Problem {
                code: finding.code().to_owned(),
                message: finding.to_string(),
                fix: finding.fix(),
                voids_verdict,
            },
        );
    }
    let mut findings = audit(study, run);
    // Seeds are compared only in a folder that is what was recorded.
    if findings.is_empty()
        && matches!(run.status, Status::Sealed { .. })
        && let Ok(folder) = RunFolder::open(study, &run.announced.experiment, &run.id)
    {
        let arms: Vec<&str> = locked
            .declaration()
            .arms
            .keys()
            .map(String::as_str)
            .collect();
        // A folder that cannot be read has been found by the audit.
        findings.extend(
            check_seeds(&folder, &locked.seeds(run.announcement), &arms).unwrap_or_default(),
        );
    }
    for finding in findings {
        sound = false;
        add(
            problems,
            Problem {
                code: finding.code().to_owned(),
                message: finding.to_string(),
                fix: finding.fix().to_owned(),
                voids_verdict,
            },
        );
    }
    sound
}

/// The same problem can concern a lock and its runs; it is told once.
fn add(problems: &mut Vec<Problem>, problem: Problem) {
    match problems
        .iter_mut()
        .find(|known| known.message == problem.message)
    {
        Some(known) => known.voids_verdict |= problem.voids_verdict,
        None => problems.push(problem),
    }
}

/// Judges one sealed run.
pub(crate) fn judge_run(
    study: &Study,
    locked: &Locked,
    run: &Run,
) -> Result<RunJudgement, CommandError> {
    let Status::Sealed { seal, .. } = run.status else {
        return Err(CommandError::new(
            Exit::Missing,
            format!("run {} is not sealed", run.id),
        ));
    };
    let folder = RunFolder::open(study, &run.announced.experiment, &run.id)
        .map_err(|error| CommandError::caused(Exit::Io, &error))?;
    let planned = Planned::new(locked.declaration(), &locked.seeds(run.announcement));
    let samples = samples(&folder, seal, &planned)
        .map_err(|error| CommandError::caused(Exit::Inconsistent, &error))?;
    let target = &run.announced.target;
    let seed_of = |metric: &str| Seed(analysis_seed(locked.id(), metric, target, &Cell::default()));
    judge(
        locked.declaration(),
        &constants(locked, target)?,
        target,
        &samples,
        &seed_of,
    )
    .map_err(|error| CommandError::caused(Exit::Internal, &error))
}

/// The lock's constants, as they hold on `target`.
fn constants(locked: &Locked, target: &str) -> Result<Constants, CommandError> {
    let constants = locked
        .lock()
        .constants
        .iter()
        .filter(|constant| constant.target.as_deref().is_none_or(|of| of == target));
    constants
        .map(|constant| {
            let name = ConstantName {
                name: constant.name.clone(),
                arm: constant.arm.clone(),
            };
            let unit = Unit::parse(&constant.unit)
                .map_err(|error| CommandError::caused(Exit::Internal, &error))?;
            let quantity = Quantity::new(constant.value, unit.dimension())
                .map_err(|error| CommandError::caused(Exit::Internal, &error))?;
            Ok((name, quantity))
        })
        .collect()
}

/// What the ledger says about a claim of a sealed run: verdict, reasons, state and bounds of each condition.
pub(crate) fn verdict_event(
    locked: &Locked,
    run: &Run,
    claim: &str,
    result: &ClaimResult,
) -> Result<VerdictEvent, CommandError> {
    let value = |value: serde_json::Result<serde_json::Value>| {
        value.map_err(|error| CommandError::caused(Exit::Internal, &error))
    };
    let conditions = result
        .conditions
        .iter()
        .map(serde_json::to_value)
        .map(value)
        .collect::<Result<_, _>>()?;
    let reasons = result
        .reasons
        .iter()
        .map(serde_json::to_value)
        .map(value)
        .collect::<Result<_, _>>()?;
    Ok(VerdictEvent {
        run: run.id.clone(),
        claim: claim.to_owned(),
        rules: locked.lock().rules.clone(),
        verdict: words::verdict(result.verdict).to_owned(),
        reasons,
        conditions,
    })
}
