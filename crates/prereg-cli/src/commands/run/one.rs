//! One locked experiment on one target, from announcement to verdict.

use prereg_judgement::RunJudgement;
use prereg_ledger::{Event, History, Locked, LockedExperiment, Run, RunId, Status, Study, Writer};

use super::changed;
use super::execution::{Execution, recorded, sound};
use crate::analysis::{Analysis, Problems, judge_run, verdict_event};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::find::{DeclarationFile, lock_of_file};
use crate::output::{note, say};
use crate::{find, open, record, summary};

/// Runs the experiment that `argument` names on `target`, and gives its exit code.
pub(super) fn run(argument: &str, target: &str, resume: bool) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let mut writer = open::writer(&study)?;
    let history = open::history(&study)?;
    let locked = locked(&study, &history, argument)?;
    let mut problems = Problems::default();
    problems.check_unrecorded(&study, &history, &locked.lock().experiment)?;
    sound(problems.as_slice(), argument)?;
    let unjudged = unjudged(&history, &writer, &locked, target);
    let run = match unjudged.filter(|_| resume) {
        Some(run) => {
            note!("run {} is sealed; its verdict was not recorded", run.id);
            run.id.clone()
        }
        None => Execution {
            study: &study,
            locked: &locked,
            target,
            resume_command: format!("prereg run {argument} --on {target} --resume"),
        }
        .run(&mut writer, resume)?,
    };
    conclude(&study, &mut writer, locked, &run)
}

/// A run of this writer that was sealed, and stopped before a verdict on every claim was recorded.
fn unjudged<'h>(
    history: &'h History,
    writer: &Writer,
    locked: &Locked,
    target: &'h str,
) -> Option<&'h Run> {
    let claims = locked.declaration().claims.values();
    let decidable = claims
        .filter(|claim| claim.on.iter().any(|on| on == target))
        .count();
    history.runs_of(locked.id(), target).find(|run| {
        run.writer == *writer.id()
            && matches!(run.status, Status::Sealed { .. })
            && run.verdicts.len() < decidable
    })
}

/// The lock of a declaration that is locked as it stands; where no file is left, the newest lock of an experiment's id.
fn locked(study: &Study, history: &History, argument: &str) -> Result<Locked, CommandError> {
    let no_file = !DeclarationFile::exists(study, argument);
    let lock = if no_file && history.locks_of(argument).next().is_some() {
        find::lock(study, history, argument)?
    } else {
        let file = DeclarationFile::read(study, argument)?;
        let Some(lock) = lock_of_file(history, &file) else {
            let declaration = file.check(&open::targets(study)?)?;
            return Err(changed::refusal(history, &file, &declaration));
        };
        lock
    };
    refuse_given_up(history, lock)?;
    Locked::load(history, lock.event.lock).map_err(|error| open::not_loaded(&error))
}

/// A plan that was withdrawn, or that an amendment has replaced, is not run any more.
fn refuse_given_up(history: &History, lock: &LockedExperiment) -> Result<(), CommandError> {
    let (experiment, short) = (&lock.event.experiment, lock.event.lock.prefix(12));
    if let Some(withdrawn) = &lock.withdrawn {
        let message = format!(
            "lock {short} of {experiment} was withdrawn: {}",
            withdrawn.reason
        );
        return Err(CommandError::new(Exit::Declaration, message).hint(format!(
            "prereg amend {experiment} --reason … locks a changed plan in its place"
        )));
    }
    match history.locks_of(experiment).last() {
        Some(newest) if newest.event.lock != lock.event.lock => {
            let message = format!(
                "lock {short} of {experiment} was amended; the plan is lock {} now",
                newest.event.lock.prefix(12)
            );
            Err(CommandError::new(Exit::Declaration, message)
                .hint(format!("prereg run {experiment} runs the plan as amended, where its file is what was locked")))
        }
        _ => Ok(()),
    }
}

/// Judges the sealed run, records the verdicts that are not recorded yet, writes the report and says it all.
fn conclude(
    study: &Study,
    writer: &mut Writer,
    locked: Locked,
    id: &RunId,
) -> Result<Exit, CommandError> {
    let history = open::history(study)?;
    let run = recorded(&history, id)?;
    let judgement = judge_run(study, &locked, run)?;
    record_verdicts(writer, &locked, run, &judgement)?;

    let history = open::history(study)?;
    let analysis = Analysis::of(study, &history, locked)?;
    let path = record::write_report(study, &history, &analysis).map_err(|error| {
        let experiment = &analysis.locked.lock().experiment;
        error.hint(format!(
            "the verdict is recorded; prereg report {experiment} writes the report"
        ))
    })?;
    summary::print_run(&analysis, id);
    say!("report: {}", path.display());
    let own = Exit::of(judgement.claims.values().map(|claim| claim.verdict));
    Ok(if analysis.is_void() {
        own.worse(Exit::Inconsistent)
    } else {
        own
    })
}

fn record_verdicts(
    writer: &mut Writer,
    locked: &Locked,
    run: &Run,
    judgement: &RunJudgement,
) -> Result<(), CommandError> {
    let recorded = |claim: &String| run.verdicts.iter().any(|verdict| verdict.claim == *claim);
    for (claim, result) in judgement
        .claims
        .iter()
        .filter(|(claim, _)| !recorded(claim))
    {
        let event = verdict_event(locked, run, claim, result)?;
        writer
            .append(Event::Verdict(event))
            .map_err(|error| CommandError::io(&error))?;
    }
    Ok(())
}
