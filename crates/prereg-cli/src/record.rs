//! From an analysis to a report on disk.

pub(crate) mod life;

use std::collections::BTreeMap;
use std::path::PathBuf;

use prereg_judgement::telemetry;
use prereg_ledger::{History, PreflightEvent, Run, Study, create_folders, write_atomic};
use prereg_report::{
    FindingFacts, LockFacts, PreflightFacts, Report, ReportInput, RunFacts, SessionEnvironment,
    Templates, render,
};
use prereg_runs::{Outcome, RunFolder, SessionState};

use crate::analysis::{Analysis, JudgedRun, samples_of};
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
        .map(|judged| run_facts(study, history, analysis, judged))
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
        lock: lock_facts(history, analysis)?,
        headlines: analysis.headlines.clone(),
        runs,
        preflights: history
            .preflights_of_lock(analysis.locked.id())
            .map(preflight)
            .collect(),
        findings: findings.collect(),
        heads: history.heads(),
        evidence: analysis.evidence,
        tool_version: code::VERSION.to_owned(),
    })
}

fn lock_facts(history: &History, analysis: &Analysis) -> Result<LockFacts, CommandError> {
    let (id, lock) = (analysis.locked.id(), analysis.locked.lock());
    let recorded = history.lock(id);
    Ok(LockFacts {
        id,
        time: recorded
            .map(|recorded| recorded.time.clone())
            .unwrap_or_default(),
        lock: lock.clone(),
        attempts: life::attempts(history, id),
        differences: life::since_the_first(history, &analysis.locked)?,
        pilots: life::pilots(history, &analysis.locked),
        withdrawn: recorded.and_then(|recorded| recorded.withdrawn.clone()),
    })
}

fn run_facts(
    study: &Study,
    history: &History,
    analysis: &Analysis,
    judged: &JudgedRun,
) -> Result<RunFacts, CommandError> {
    // A run that is not judged shows nothing of its sessions.
    let (environments, telemetry) = match judged.judgement {
        Some(_) => (
            environments(study, &judged.run)?,
            telemetry(&samples_of(study, &analysis.locked, &judged.run)?),
        ),
        None => (Vec::new(), BTreeMap::new()),
    };
    Ok(RunFacts {
        run: judged.run.clone(),
        deviations: deviations(analysis, judged),
        judgement: judged.judgement.clone(),
        preflight: history.preflight_of(&judged.run).map(preflight),
        environments,
        telemetry,
    })
}

/// A look at a machine, and when it was taken.
fn preflight((time, event): (&str, &PreflightEvent)) -> PreflightFacts {
    PreflightFacts {
        time: time.to_owned(),
        event: event.clone(),
    }
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

/// Environments of the complete sessions of a run.
pub(crate) fn environments(
    study: &Study,
    run: &Run,
) -> Result<Vec<SessionEnvironment>, CommandError> {
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
