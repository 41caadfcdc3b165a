//! `prereg verify`: checks the whole record, and says what a proof of it can and cannot show.

use prereg_ledger::{History, KeptHead, Locked, Status, Study};
use prereg_runs::RunFolder;
use prereg_tables::check_agreement;
use serde::Serialize;

use crate::analysis::{Analysis, JudgedRun, Problem, verdict_event};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::open;
use crate::output::{self, say};

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
struct Document {
    schema: &'static str,
    records: usize,
    locks: usize,
    runs: usize,
    verdicts_derived_again: usize,
    evidence: &'static str,
    problems: Vec<Problem>,
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
    verification.ledger(&history);
    for lock in history.locks() {
        match Locked::load(&history, lock.event.lock) {
            Ok(locked) => verification.lock(&study, &Analysis::of(&study, &history, locked)?)?,
            // The findings that void a lock are there already.
            Err(prereg_ledger::LoadError::Void { .. }) => {}
            Err(error) => return Err(open::not_loaded(&error)),
        }
    }
    let document = Document {
        schema: "prereg-verification/1",
        records: history.records().count(),
        locks: history.locks().len(),
        runs: history.runs().len(),
        verdicts_derived_again: verification.verdicts,
        evidence: history.evidence_level().as_str(),
        problems: verification.problems,
        notices: history
            .leftovers()
            .iter()
            .map(ToString::to_string)
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

fn print(document: &Document) {
    for problem in &document.problems {
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
        "{} records, {} locks, {} runs; {} verdicts derived again from raw samples",
        document.records,
        document.locks,
        document.runs,
        document.verdicts_derived_again
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
    problems: Vec<Problem>,
    verdicts: usize,
}

impl Verification {
    fn add(&mut self, problem: Problem) {
        if !self
            .problems
            .iter()
            .any(|known| known.message == problem.message)
        {
            self.problems.push(problem);
        }
    }

    fn ledger(&mut self, history: &History) {
        for finding in history.findings() {
            self.add(Problem {
                code: finding.code().to_owned(),
                message: finding.to_string(),
                fix: finding.fix(),
                voids_verdict: true,
            });
        }
    }

    fn lock(&mut self, study: &Study, analysis: &Analysis) -> Result<(), CommandError> {
        for problem in &analysis.problems {
            self.add(problem.clone());
        }
        for judged in &analysis.runs {
            if matches!(judged.run.status, Status::Sealed { .. }) && judged.judgement.is_some() {
                self.tables(study, judged)?;
                self.recorded_verdicts(analysis, judged)?;
            }
        }
        Ok(())
    }

    /// The sealed tables say what the records say.
    fn tables(&mut self, study: &Study, judged: &JudgedRun) -> Result<(), CommandError> {
        let run = &judged.run;
        let folder = RunFolder::open(study, &run.announced.experiment, &run.id)
            .map_err(|error| CommandError::caused(Exit::Io, &error))?;
        if let Err(error) = check_agreement(&folder) {
            self.add(Problem {
                code: "tables-disagree".to_owned(),
                message: format!(
                    "run {}: {}",
                    run.id,
                    CommandError::caused(Exit::Inconsistent, &error)
                ),
                fix: "restore the run's folder from version control".to_owned(),
                voids_verdict: true,
            });
        }
        Ok(())
    }

    /// The verdicts that the ledger holds are those that the samples give.
    fn recorded_verdicts(
        &mut self,
        analysis: &Analysis,
        judged: &JudgedRun,
    ) -> Result<(), CommandError> {
        let Some(judgement) = &judged.judgement else {
            return Ok(());
        };
        for recorded in &judged.run.verdicts {
            let derived = match judgement.claims.get(&recorded.claim) {
                Some(result) => Some(verdict_event(
                    &analysis.locked,
                    &judged.run,
                    &recorded.claim,
                    result,
                )?),
                None => None,
            };
            self.verdicts += 1;
            if derived.as_ref() != Some(recorded) {
                self.add(Problem {
                    code: "verdict-differs".to_owned(),
                    message: format!(
                        "run {}: the ledger records `{}` for claim {}, and the samples do not give that record",
                        judged.run.id, recorded.verdict, recorded.claim
                    ),
                    fix: "trust the samples: prereg analyze judges them again".to_owned(),
                    voids_verdict: true,
                });
            }
        }
        Ok(())
    }
}
