//! One experiment on one target, from announcement to verdict.

use std::collections::BTreeMap;

use prereg_executor::{
    Interrupt, Launcher, LocalProcess, Machine, MeasureError, Measurement, PreflightError,
    executable_digest, preflight,
};
use prereg_judgement::RunJudgement;
use prereg_ledger::{
    Announcement, Event, History, Locked, Origin, Run, SealEvent, Status, Study, Writer,
};
use prereg_runs::{RunFolder, RunRecord};
use prereg_tables::write_tables;

use super::changed;
use crate::analysis::{Analysis, Problem, Problems, judge_run, verdict_event};
use crate::code;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::find::{DeclarationFile, lock_of_file};
use crate::output::{note, say};
use crate::progress::Sessions;
use crate::{find, open, record, summary};

/// Runs the experiment that `argument` names on `target`, and gives its exit code.
pub(super) fn run(argument: &str, target: &str, resume: bool) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let mut writer = open::writer(&study)?;
    let history = open::history(&study)?;
    let locked = locked(&study, &history, argument)?;
    check_here(&study, &locked, target)?;
    let mut problems = Problems::default();
    problems.check_unrecorded(&study, &history, &locked.lock().experiment)?;
    sound(problems.as_slice(), argument)?;

    if resume && let Some(run) = unjudged(&history, &writer, &locked, target) {
        let folder = RunFolder::open(&study, &run.announced.experiment, &run.id)
            .map_err(|error| CommandError::io(&error))?;
        note!("run {} is sealed; its verdict was not recorded", run.id);
        return conclude(&study, &mut writer, locked, &folder);
    }

    // From here on a request to stop is heard, so that an announced run is never left without a word.
    let (interrupt, _guard) = Interrupt::on_signals().map_err(|error| CommandError::io(&error))?;
    let environment = &locked.declaration().protocol.environment;
    let launcher = LocalProcess::this_program(study.root(), environment)
        .map_err(|error| CommandError::io(&error))?;
    let unsealed = history
        .unsealed_of(writer.id())
        .find(|run| run.announced.lock == locked.id() && run.announced.target == target);
    let (folder, recorded) = match (unsealed, resume) {
        (Some(run), false) => {
            let message = format!(
                "run {} of this experiment was announced here and is not sealed",
                run.id
            );
            return Err(CommandError::new(Exit::Usage, message)
                .hint(format!("prereg run {argument} --on {target} --resume")));
        }
        (None, true) => {
            let message = format!(
                "nothing to resume: no run of this experiment on {target} was left unsealed here"
            );
            return Err(CommandError::new(Exit::Missing, message));
        }
        (Some(run), true) => {
            let mut problems = Problems::default();
            problems.check_run(&study, &history, &locked, run);
            sound(problems.as_slice(), argument)?;
            let folder = RunFolder::create(&study, RunRecord::of_run(run))
                .map_err(|error| CommandError::io(&error))?;
            note!("resuming run {}", run.id);
            (folder, run.sessions.clone())
        }
        (None, false) => (
            announce(&mut writer, &history, &locked, target, &launcher)?,
            BTreeMap::new(),
        ),
    };
    let measurement = Measurement {
        study: &study,
        locked: &locked,
        folder: &folder,
        recorded: &recorded,
        launcher: &launcher,
        interrupt: &interrupt,
    };
    measure(&mut writer, &measurement, argument)?;
    seal(&mut writer, &folder)?;
    conclude(&study, &mut writer, locked, &folder)
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

/// Nothing is measured on top of a record that would void it.
fn sound(problems: &[Problem], argument: &str) -> Result<(), CommandError> {
    if problems.is_empty() {
        return Ok(());
    }
    let refusal = CommandError::new(
        Exit::Inconsistent,
        format!("the record of {argument} is inconsistent, so nothing is measured"),
    );
    Err(problems.iter().fold(refusal, |refusal, problem| {
        refusal.because(&problem.message).hint(&problem.fix)
    }))
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
    Locked::load(history, lock.event.lock).map_err(|error| open::not_loaded(&error))
}

/// The target is declared and here, and the files that the plan names are those that were locked.
fn check_here(study: &Study, locked: &Locked, target: &str) -> Result<(), CommandError> {
    let declaration = locked.declaration();
    let Some(entry) = locked.targets().get(target) else {
        let message = format!("{} does not name target `{target}`", declaration.id);
        return Err(CommandError::new(Exit::Usage, message)
            .hint(format!("it names {}", declaration.targets.join(", "))));
    };
    preflight(declaration, entry, study.root(), &Machine::here()).map_err(|error| match error {
        PreflightError::Unavailable(unavailable) => {
            CommandError::caused(Exit::Unavailable, &unavailable)
                .hint("prereg targets shows what is here")
        }
        PreflightError::Model(model) => CommandError::caused(Exit::Missing, &model),
        error => CommandError::caused(Exit::Unavailable, &error),
    })?;
    if let Some(changed) = locked.changed_inputs(study).first() {
        return Err(CommandError::caused(Exit::Declaration, changed));
    }
    let same_code =
        locked.lock().kernels == code::kernels() && locked.lock().version == code::VERSION;
    match (same_code, declaration.protocol.same_code) {
        (true, _) => Ok(()),
        (false, false) => {
            note!("this is other code than at the lock; the report says so");
            Ok(())
        }
        (false, true) => {
            let message =
                "this is other code than at the lock, and the declaration says same-code = true";
            Err(CommandError::new(Exit::Declaration, message)
                .hint(format!("use version {} of prereg", locked.lock().version)))
        }
    }
}

/// Says in the ledger that a run begins, before any sample of it exists.
fn announce(
    writer: &mut Writer,
    history: &History,
    locked: &Locked,
    target: &str,
    launcher: &dyn Launcher,
) -> Result<RunFolder, CommandError> {
    let executable = executable_digest().ok_or_else(|| {
        CommandError::new(
            Exit::Io,
            "the running executable cannot be read, so its digest is unknown",
        )
    })?;
    let announcement = Announcement {
        lock: locked.id(),
        experiment: locked.declaration().id.clone(),
        target: target.to_owned(),
        origin: Origin::Measured,
        launcher: launcher.name().to_owned(),
        sessions: locked.declaration().protocol.sessions,
        version: code::VERSION.to_owned(),
        kernels: code::kernels(),
        executable,
    };
    let announced = writer
        .announce(announcement.clone())
        .map_err(|error| CommandError::io(&error))?;
    let kind = match history.runs_of_record(locked.id(), target).next() {
        None => "the run of record".to_owned(),
        Some(first) => format!("a replication; the run of record is {}", first.id),
    };
    note!(
        "announced run {} of {}: {kind}",
        announced.run,
        locked.declaration().id
    );
    RunFolder::create(
        writer.study(),
        RunRecord::of_announced(&announced, &announcement),
    )
    .map_err(|error| CommandError::io(&error))
}

fn measure(
    writer: &mut Writer,
    measurement: &Measurement<'_>,
    argument: &str,
) -> Result<(), CommandError> {
    let mut progress = Sessions::new(measurement.locked.declaration().protocol.sessions);
    let measured = measurement.run(writer, &mut progress);
    progress.end();
    match measured {
        Ok(tally) => {
            note!(
                "measured: {} sessions complete, {} missing",
                tally.complete,
                tally.missing
            );
            Ok(())
        }
        Err(error) => {
            let exit = match error {
                MeasureError::Interrupted { .. } => Exit::Interrupted,
                _ => Exit::Io,
            };
            let target = &measurement.folder.record().target;
            Err(CommandError::caused(exit, &error)
                .hint(format!("prereg run {argument} --on {target} --resume")))
        }
    }
}

fn seal(writer: &mut Writer, folder: &RunFolder) -> Result<(), CommandError> {
    write_tables(folder).map_err(|error| CommandError::io(&error))?;
    let seal = folder.seal().map_err(|error| CommandError::io(&error))?;
    let run = folder.record().run.clone();
    writer
        .append(Event::Sealed(SealEvent { run, seal }))
        .map_err(|error| CommandError::io(&error))?;
    Ok(())
}

/// Judges the sealed run, records the verdicts that are not recorded yet, writes the report and says it all.
fn conclude(
    study: &Study,
    writer: &mut Writer,
    locked: Locked,
    folder: &RunFolder,
) -> Result<Exit, CommandError> {
    let history = open::history(study)?;
    let id = &folder.record().run;
    let run = history.run(id).ok_or_else(|| {
        CommandError::new(Exit::Internal, format!("run {id} is not in the ledger"))
    })?;
    let judgement = judge_run(study, &locked, run)?;
    record_verdicts(writer, &locked, run, &judgement)?;

    let history = open::history(study)?;
    let analysis = Analysis::of(study, &history, locked)?;
    let path = record::write_report(study, &history, &analysis).map_err(|error| {
        let experiment = &folder.record().experiment;
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
