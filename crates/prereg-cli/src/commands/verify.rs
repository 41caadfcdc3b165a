//! `prereg verify`: checks the whole record, and says what a proof of it can and cannot show.

use prereg_judgement::RunJudgement;
use prereg_ledger::{Finding, History, KeptHead, LoadError, Locked, Run, Standing, Status, Study};
use prereg_runs::{RunFolder, experiments_with_runs};
use prereg_tables::check_agreement;
use serde::Serialize;

use crate::analysis::{Analysis, Problem, Problems, verdict_event};
use crate::error::{CommandError, chain};
use crate::exit::Exit;
use crate::output::{self, counted, say};
use crate::{open, record};

/// Arguments of `prereg verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  prereg verify\n  \
    prereg verify --expect-head 3f2a91c07b5e:12:9c1f…\n\n\
    Exit code: 0 nothing found, 3 something found.")]
pub(crate) struct Arguments {
    /// A head that was kept outside the study, as a report prints it: WRITER:COUNT:DIGEST.
    #[arg(long, value_name = "HEAD")]
    expect_head: Vec<KeptHead>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    records: usize,
    locks: usize,
    runs: usize,
    verdicts_derived_again: usize,
    evidence: &'static str,
    problems: &'a [Problem],
    notices: Vec<String>,
    heads: Vec<String>,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let mut history = open::history(&study)?;
    for head in &arguments.expect_head {
        history.expect_head(head);
    }
    let mut verification = Verification::default();
    for lock in history.locks() {
        match Locked::load(&history, lock.event.lock) {
            Ok(locked) => {
                let analysis = Analysis::of(&study, &history, locked)?;
                verification.lock(&study, &analysis)?;
                let name = &lock.event.experiment;
                // The report of an experiment is that of its newest lock.
                let newest = history.locks_of(name).last();
                let is_newest = newest.is_some_and(|newest| newest.event.lock == lock.event.lock);
                if is_newest
                    && record::report_is_current(&study, &history, &analysis)? == Some(false)
                {
                    verification.notices.push(format!(
                        "stale report: reports/{name}.md is not what the record gives now; \
                         `prereg report {name}` writes it again"
                    ));
                }
            }
            Err(LoadError::Void { findings, .. }) => verification.findings(&findings, true),
            Err(error) => return Err(open::not_loaded(&error)),
        }
    }
    for pilot in history.pilots() {
        match Locked::load(&history, pilot.event.lock) {
            Ok(locked) => verification.pilot(&study, &history, &locked)?,
            Err(LoadError::Void { findings, .. }) => verification.findings(&findings, false),
            Err(error) => return Err(open::not_loaded(&error)),
        }
    }
    for experiment in experiments_with_runs(&study).map_err(|error| CommandError::io(&error))? {
        verification
            .problems
            .check_unrecorded(&study, &history, &experiment)?;
    }
    // What no lock and no run of a lock has told yet carries no verdict.
    verification.findings(history.findings(), false);
    let document = Document {
        schema: "prereg-verification/1",
        records: history.records().count(),
        locks: history.locks().len(),
        runs: history.runs().len(),
        verdicts_derived_again: verification.verdicts,
        evidence: history.evidence_level().as_str(),
        problems: verification.problems.as_slice(),
        notices: history
            .leftovers()
            .iter()
            .map(ToString::to_string)
            .chain(verification.notices)
            .collect(),
        heads: history.heads().iter().map(ToString::to_string).collect(),
    };
    let exit = if document.problems.is_empty() {
        Exit::Success
    } else {
        Exit::Inconsistent
    };
    if arguments.json {
        output::json(&document)?;
    } else {
        print(&document);
    }
    Ok(exit)
}

fn print(document: &Document<'_>) {
    for problem in document.problems {
        say!(
            "found: {} [{}]\n  fix: {}",
            problem.message,
            problem.code,
            problem.fix
        );
    }
    for notice in &document.notices {
        say!("notice: {notice}");
    }
    say!(
        "{}, {}, {}; {} derived again from raw samples",
        counted(document.records, "record"),
        counted(document.locks, "lock"),
        counted(document.runs, "run"),
        counted(document.verdicts_derived_again, "verdict")
    );
    match document.problems.len() {
        0 => say!("nothing found"),
        found => say!("{found} found"),
    }
    say!(
        "evidence: {}. It shows that nothing changed since it was written; not when that was.",
        document.evidence
    );
    for head in &document.heads {
        say!("head {head}");
    }
}

/// What was found so far.
#[derive(Default)]
struct Verification {
    problems: Problems,
    /// Recorded verdicts that were derived again.
    verdicts: usize,
    /// What is no integrity problem and worth knowing.
    notices: Vec<String>,
}

impl Verification {
    fn findings(&mut self, findings: &[Finding], void_verdict: bool) {
        for finding in findings {
            self.problems.add(Problem::of_ledger(finding, void_verdict));
        }
    }

    fn lock(&mut self, study: &Study, analysis: &Analysis) -> Result<(), CommandError> {
        for problem in analysis.problems.as_slice() {
            self.problems.add(problem.clone());
        }
        for judged in &analysis.runs {
            if let Some(judgement) = &judged.judgement {
                self.tables(study, &judged.run)?;
                self.recorded_verdicts(&analysis.locked, &judged.run, judgement)?;
            }
        }
        Ok(())
    }

    /// The runs of a pilot are what was recorded. They carry no verdict.
    fn pilot(
        &mut self,
        study: &Study,
        history: &History,
        locked: &Locked,
    ) -> Result<(), CommandError> {
        for run in history.runs_of_lock(locked.id()) {
            let sound = self.problems.check_run(study, history, locked, run);
            if sound && matches!(run.status, Status::Sealed { .. }) {
                self.tables(study, run)?;
            }
        }
        Ok(())
    }

    /// The sealed tables say what the records say.
    fn tables(&mut self, study: &Study, run: &Run) -> Result<(), CommandError> {
        let folder = RunFolder::open(study, &run.announced.experiment, &run.id)
            .map_err(|error| CommandError::io(&error))?;
        if let Err(error) = check_agreement(&folder) {
            self.problems.add(Problem {
                code: "tables-disagree".to_owned(),
                message: format!("run {}: {}", run.id, chain(&error)),
                fix: "restore the run's folder from version control".to_owned(),
                voids_verdict: run.standing == Standing::OfRecord,
            });
        }
        Ok(())
    }

    /// The verdicts that the ledger holds are those that the samples give.
    fn recorded_verdicts(
        &mut self,
        locked: &Locked,
        run: &Run,
        judgement: &RunJudgement,
    ) -> Result<(), CommandError> {
        for recorded in &run.verdicts {
            let derived = judgement
                .claims
                .get(&recorded.claim)
                .map(|result| verdict_event(locked, run, &recorded.claim, result))
                .transpose()?;
            self.verdicts += 1;
            if derived.as_ref() != Some(recorded) {
                self.problems.add(Problem {
                    code: "verdict-differs".to_owned(),
                    message: format!(
                        "run {}: the ledger records `{}` for claim {}, and the samples do not give that record",
                        run.id, recorded.verdict, recorded.claim
                    ),
                    fix: "trust the samples: prereg analyze judges them again".to_owned(),
                    voids_verdict: run.standing == Standing::OfRecord,
                });
            }
        }
        Ok(())
    }
}
