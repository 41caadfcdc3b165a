//! From an analysis to a report on disk.

use std::path::PathBuf;

use prereg_declaration::Digest;
use prereg_ledger::{History, Standing, Study, create_folders, write_atomic};
use prereg_report::{
    Attempt, FindingFacts, LockFacts, Report, ReportInput, RunFacts, SessionEnvironment, Templates,
    render,
};
use prereg_runs::{Outcome, RunFolder, SessionState};

use crate::analysis::{Analysis, JudgedRun};
use crate::code;
use crate::error::CommandError;
use crate::exit::Exit;

/// Writes the report of `analysis` and its figures. Returns the report's path, relative to the study.
pub(crate) fn write_report(
    study: &Study,
    history: &History,
    analysis: &Analysis,
) -> Result<PathBuf, CommandError> {
    let name = &analysis.locked.lock().experiment;
    let report = rendered(study, history, analysis)?;
    // Figures before the text that shows them.
    create_folders(&study.reports().join(name)).map_err(|error| CommandError::io(&error))?;
    for figure in &report.figures {
        write_atomic(&study.reports().join(&figure.path), figure.svg.as_bytes())
            .map_err(|error| CommandError::io(&error))?;
    }
    let path = study.reports().join(format!("{name}.md"));
    write_atomic(&path, report.markdown.as_bytes()).map_err(|error| CommandError::io(&error))?;
    Ok(path.strip_prefix(study.root()).unwrap_or(&path).to_owned())
}

/// Whether the report on disk is what the record gives; `None` where there is no report.
pub(crate) fn report_is_current(
    study: &Study,
    history: &History,
    analysis: &Analysis,
) -> Result<Option<bool>, CommandError> {
    let name = &analysis.locked.lock().experiment;
    let Ok(found) = std::fs::read_to_string(study.reports().join(format!("{name}.md"))) else {
        return Ok(None);
    };
    Ok(Some(rendered(study, history, analysis)?.is_told_by(&found)))
}

fn rendered(study: &Study, history: &History, analysis: &Analysis) -> Result<Report, CommandError> {
    let templates =
        Templates::of_study(&study.templates()).map_err(|error| CommandError::io(&error))?;
    render(&input(study, history, analysis)?, &templates).map_err(|error| {
        CommandError::caused(Exit::Declaration, &error)
            .hint("correct the template, or remove it to use the tool's own")
    })
}

fn input<'a>(
    study: &Study,
    history: &History,
    analysis: &'a Analysis,
) -> Result<ReportInput<'a>, CommandError> {
    let runs = analysis
        .runs
        .iter()
        .map(|judged| run_facts(study, analysis, judged))
        .collect::<Result<_, _>>()?;
    let findings = analysis
        .problems
        .as_slice()
        .iter()
        .map(|problem| FindingFacts {
            message: problem.message.clone(),
            fix: problem.fix.clone(),
            voids_verdict: problem.voids_verdict,
        });
    Ok(ReportInput {
        name: analysis.locked.lock().experiment.clone(),
        declaration: analysis.locked.declaration(),
        lock: lock_facts(history, analysis),
        headlines: analysis.headlines.clone(),
        runs,
        findings: findings.collect(),
        heads: history.heads(),
        evidence: analysis.evidence,
        tool_version: code::VERSION.to_owned(),
    })
}

fn lock_facts(history: &History, analysis: &Analysis) -> LockFacts {
    let (id, lock) = (analysis.locked.id(), analysis.locked.lock());
    let attempts = history
        .locks()
        .iter()
        .filter(|other| other.event.question == lock.question)
        .map(|other| Attempt {
            lock: other.event.lock,
            experiment: other.event.experiment.clone(),
            time: other.time.clone(),
            fate: fate(history, other.event.lock),
        });
    LockFacts {
        id,
        time: history
            .lock(id)
            .map(|recorded| recorded.time.clone())
            .unwrap_or_default(),
        lock: lock.clone(),
        attempts: attempts.collect(),
    }
}

/// What became of a lock, by the recorded verdicts of its runs of record.
fn fate(history: &History, lock: Digest) -> String {
    let mut runs = history.runs_of_lock(lock).peekable();
    if runs.peek().is_none() {
        return "never run".to_owned();
    }
    let said: Vec<String> = runs
        .filter(|run| run.standing == Standing::OfRecord)
        .flat_map(|run| {
            run.verdicts
                .iter()
                .map(|verdict| format!("{} {}", verdict.claim, verdict.verdict))
        })
        .collect();
    if said.is_empty() {
        "run, without a verdict".to_owned()
    } else {
        said.join(", ")
    }
}

fn run_facts(
    study: &Study,
    analysis: &Analysis,
    judged: &JudgedRun,
) -> Result<RunFacts, CommandError> {
    Ok(RunFacts {
        run: judged.run.clone(),
        deviations: deviations(analysis, judged),
        judgement: judged.judgement.clone(),
        environments: environments(study, judged)?,
    })
}

/// Differences between the code that locked and the code that measured.
fn deviations(analysis: &Analysis, judged: &JudgedRun) -> Vec<String> {
    let (lock, announced) = (analysis.locked.lock(), &judged.run.announced);
    let mut deviations = Vec::new();
    if announced.version != lock.version {
        deviations.push(format!(
            "measured by version {}, locked by version {}",
            announced.version, lock.version
        ));
    }
    if announced.kernels != lock.kernels {
        deviations.push(format!(
            "measured by kernels {}, locked with kernels {}",
            announced.kernels.prefix(12),
            lock.kernels.prefix(12)
        ));
    }
    deviations
}

/// Environments of the complete sessions of a judged run; a run that is not judged shows none.
fn environments(
    study: &Study,
    judged: &JudgedRun,
) -> Result<Vec<SessionEnvironment>, CommandError> {
    if judged.judgement.is_none() {
        return Ok(Vec::new());
    }
    let run = &judged.run;
    let folder = RunFolder::open(study, &run.announced.experiment, &run.id)
        .map_err(|error| CommandError::io(&error))?;
    let states = folder.states().map_err(|error| CommandError::io(&error))?;
    let complete = (0..).zip(&states).filter(|(_, state)| match state {
        SessionState::Done { record, .. } => record.outcome == Outcome::Complete,
        SessionState::NeverStarted | SessionState::Torn => false,
    });
    complete
        .map(|(session, _)| {
            let record = folder
                .session(session)
                .environment()
                .map_err(|error| CommandError::io(&error))?;
            Ok(SessionEnvironment {
                session: session as usize,
                record,
            })
        })
        .collect()
}
