//! The object that `prereg analyze --json` prints: the same bytes for the same record.

use std::collections::BTreeMap;

use prereg_judgement::{
    ClaimResult, FamilyWise, Headline, Reason, RunJudgement, Verdict, family_wise,
};
use prereg_ledger::{Cell, Origin, RunId};
use serde::Serialize;

use super::{Analysis, JudgedRun, Problem};

/// Version 1 of the object.
#[derive(Serialize)]
pub(crate) struct Document<'a> {
    schema: &'static str,
    rules: &'a str,
    experiment: &'a str,
    lock: String,
    evidence: &'static str,
    /// Whether the record is too inconsistent for a verdict.
    void: bool,
    /// Which attempt at its question this lock is, and of how many.
    attempt: Option<AttemptObject>,
    /// Runs of pilots of the same experiment or question, in the order of the ledger.
    pilots: Vec<RunId>,
    /// Why the plan was withdrawn, if it was.
    withdrawn: Option<&'a str>,
    family_wise: FamilyWise,
    claims: BTreeMap<&'a str, ClaimObject<'a>>,
    /// Every announced run, in the order of the ledger.
    runs: Vec<RunObject<'a>>,
    problems: &'a [Problem],
}

#[derive(Serialize)]
struct AttemptObject {
    number: usize,
    of: usize,
    /// Whether anything that asks the same had been measured when it was locked.
    data_had_been_seen: bool,
}

#[derive(Serialize)]
struct ClaimObject<'a> {
    headline: &'a str,
    /// `null` where the record is inconsistent; `targets`, `reasons` and `results` are empty then.
    verdict: Option<Verdict>,
    targets: BTreeMap<&'a str, Verdict>,
    reasons: BTreeMap<&'a str, &'a [Reason]>,
    /// Of the runs of record.
    results: Vec<ResultObject<'a>>,
}

#[derive(Serialize)]
struct ResultObject<'a> {
    target: &'a str,
    cell: Cell,
    run: &'a str,
    #[serde(flatten)]
    result: &'a ClaimResult,
}

#[derive(Serialize)]
struct RunObject<'a> {
    run: &'a str,
    status: &'static str,
    standing: &'static str,
    replication: Option<u32>,
    /// Under `stopping = "sequence"`, after how many sessions the claims were decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<u32>,
    origin: Origin,
    announced: &'a str,
    target: &'a str,
    cell: Cell,
    judgement: Option<&'a RunJudgement>,
}

impl<'a> Document<'a> {
    pub(super) fn of(analysis: &'a Analysis) -> Self {
        let claims = analysis
            .headlines
            .iter()
            .map(|(name, headline)| (name.as_str(), ClaimObject::of(analysis, name, headline)));
        Self {
            schema: "prereg-analysis/1",
            rules: &analysis.locked.lock().rules,
            experiment: &analysis.locked.lock().experiment,
            lock: analysis.locked.id().to_string(),
            evidence: analysis.evidence.as_str(),
            void: analysis.is_void(),
            attempt: analysis.life.attempt.map(|attempt| AttemptObject {
                number: attempt.number,
                of: attempt.of,
                data_had_been_seen: attempt.seen,
            }),
            pilots: analysis.life.pilots.clone(),
            withdrawn: analysis
                .life
                .withdrawn
                .as_ref()
                .map(|withdrawn| withdrawn.reason.as_str()),
            family_wise: family_wise(analysis.locked.declaration()),
            claims: claims.collect(),
            runs: analysis.runs.iter().map(RunObject::of).collect(),
            problems: analysis.problems.as_slice(),
        }
    }
}

impl<'a> ClaimObject<'a> {
    fn of(analysis: &'a Analysis, name: &str, headline: &'a Headline) -> Self {
        let stands = !analysis.is_void();
        let of_record = analysis.of_record().filter(|_| stands);
        let results = of_record.filter_map(|judged| {
            Some(ResultObject {
                target: &judged.run.announced.target,
                cell: Cell::default(),
                run: judged.run.id.as_str(),
                result: judged.claim(name)?,
            })
        });
        Self {
            headline: &headline.headline,
            verdict: stands.then_some(headline.verdict),
            targets: headline
                .targets
                .iter()
                .filter(|_| stands)
                .map(|(target, verdict)| (target.as_str(), *verdict))
                .collect(),
            reasons: headline
                .reasons
                .iter()
                .filter(|_| stands)
                .map(|(target, reasons)| (target.as_str(), reasons.as_slice()))
                .collect(),
            results: results.collect(),
        }
    }
}

impl<'a> RunObject<'a> {
    fn of(judged: &'a JudgedRun) -> Self {
        let run = &judged.run;
        Self {
            run: run.id.as_str(),
            status: run.status.as_str(),
            standing: run.standing.code(),
            replication: run.standing.replication(),
            stopped: run.stopped,
            origin: run.announced.origin,
            announced: &run.time,
            target: &run.announced.target,
            cell: Cell::default(),
            judgement: judged.judgement.as_ref(),
        }
    }
}
