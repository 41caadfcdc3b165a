//! `prereg show`: a lock, or a run, as the ledger has it, and what a run recorded of its machine.

mod run;

use prereg_ledger::{Frozen, History, LockKind, LockedConstant, LockedExperiment, id};

use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::{self, say};
use crate::{find, open};

/// Arguments of `prereg show`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  prereg show replay_tax\n  prereg show cpu-3f2a")]
pub(crate) struct Arguments {
    /// An experiment's id, the beginning of a lock's or run's id, or a locked declaration.
    id: String,
    /// Print one JSON object: lock.json, or the run's record.
    #[arg(long)]
    json: bool,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let history = open::history(&study)?;
    if let Some(run) = find::run(&history, &arguments.id) {
        return run::show(&study, &history, run, arguments.json);
    }
    let lock = match pilot(&history, &arguments.id) {
        Some(pilot) => pilot,
        None => find::lock(&study, &history, &arguments.id)?,
    };
    show_lock(&history, lock, arguments.json)
}

/// The frozen draft of a pilot whose id begins so, where no plan's does.
fn pilot<'h>(history: &'h History, argument: &str) -> Option<&'h LockedExperiment> {
    let ids = |locks: &[LockedExperiment]| -> Vec<String> {
        locks
            .iter()
            .map(|lock| lock.event.lock.to_string())
            .collect()
    };
    let (plans, pilots) = (ids(history.locks()), ids(history.pilots()));
    let all = plans.iter().chain(&pilots).map(String::as_str);
    let found = id::resolve(argument, all).ok()?;
    let is_it = |pilot: &&LockedExperiment| pilot.event.lock.to_string() == found;
    history.pilots().iter().find(is_it)
}

fn show_lock(history: &History, lock: &LockedExperiment, json: bool) -> Result<Exit, CommandError> {
    let Frozen::Whole {
        lock: frozen,
        declaration_toml,
    } = &lock.frozen
    else {
        let message = format!("lock {} cannot be read", lock.event.lock.prefix(12));
        return Err(CommandError::new(Exit::Inconsistent, message).hint("prereg verify"));
    };
    if json {
        output::json(frozen)?;
        return Ok(Exit::Success);
    }
    let what = match &lock.kind {
        LockKind::Pilot { arms } => format!("draft of a pilot, arms {},", arms.as_str()),
        LockKind::First | LockKind::Amendment { .. } => "lock".to_owned(),
    };
    say!(
        "{what} {} of {}, {}",
        lock.event.lock,
        lock.event.experiment,
        lock.time
    );
    if let LockKind::Amendment { parent, reason } = &lock.kind {
        say!("amends {}: {reason}", parent.prefix(12));
    }
    if let Some(withdrawn) = &lock.withdrawn {
        say!("withdrawn {}: {}", withdrawn.time, withdrawn.reason);
    }
    say!(
        "rules {}, version {}, kernels {}",
        frozen.rules,
        frozen.version,
        frozen.kernels.prefix(12)
    );
    for constant in &frozen.constants {
        show_constant(constant);
    }
    for run in history.runs_of_lock(lock.event.lock) {
        say!("run {}: {}, {}", run.id, run.status.as_str(), run.standing);
    }
    say!("\n{}", String::from_utf8_lossy(declaration_toml).trim_end());
    Ok(Exit::Success)
}

fn show_constant(constant: &LockedConstant) {
    let arm = constant
        .arm
        .as_ref()
        .map(|arm| format!("[{arm}]"))
        .unwrap_or_default();
    let target = constant
        .target
        .as_ref()
        .map(|target| format!("@{target}"))
        .unwrap_or_default();
    let unit = match constant.unit.as_str() {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    say!(
        "{}{arm}{target} = {}{unit} ({})",
        constant.name,
        constant.value,
        constant.formula
    );
}
