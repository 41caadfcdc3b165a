//! `prereg show`: a lock, or a run, as the ledger has it.

use prereg_ledger::{Frozen, History, Run, SessionOutcome, Status, id};

use super::list::standing;
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
    let runs: Vec<String> = history
        .runs()
        .iter()
        .map(|run| run.id.to_string())
        .collect();
    if let Ok(found) = id::resolve(&arguments.id, runs.iter().map(String::as_str))
        && let Some(run) = history
            .runs()
            .iter()
            .find(|run| run.id.to_string() == found)
    {
        return show_run(run, arguments.json);
    }
    let lock = find::lock(&study, &history, &arguments.id)?;
    let Frozen::Whole {
        lock: frozen,
        declaration_toml,
    } = &lock.frozen
    else {
        let message = format!("lock {} cannot be read", lock.event.lock.prefix(12));
        return Err(CommandError::new(Exit::Inconsistent, message).hint("prereg verify"));
    };
    if arguments.json {
        output::json(frozen)?;
        return Ok(Exit::Success);
    }
    say!(
        "lock {} of {}, {}",
        lock.event.lock,
        lock.event.experiment,
        lock.time
    );
    say!(
        "rules {}, version {}, kernels {}",
        frozen.rules,
        frozen.version,
        frozen.kernels.prefix(12)
    );
    for constant in &frozen.constants {
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
        say!(
            "{}{arm}{target} = {} {} ({})",
            constant.name,
            constant.value,
            constant.unit,
            constant.formula
        );
    }
    runs_of(&history, lock.event.lock);
    say!("\n{}", String::from_utf8_lossy(declaration_toml).trim_end());
    Ok(Exit::Success)
}

fn runs_of(history: &History, lock: prereg_declaration::Digest) {
    for run in history
        .runs()
        .iter()
        .filter(|run| run.announced.lock == lock)
    {
        say!("run {}: {}, {}", run.id, run.status.word(), standing(run));
    }
}

fn show_run(run: &Run, json: bool) -> Result<Exit, CommandError> {
    if json {
        output::json(&serde_json::json!({
            "schema": "prereg-run-history/1",
            "run": run.id,
            "status": run.status.word(),
            "standing": standing(run),
            "announced": run.time,
            "announcement": run.announced,
            "sessions": run.sessions,
            "verdicts": run.verdicts,
        }))?;
        return Ok(Exit::Success);
    }
    let announced = &run.announced;
    say!(
        "run {} of {} (lock {})",
        run.id,
        announced.experiment,
        announced.lock.prefix(12)
    );
    say!(
        "announced {} by chain {}, launcher {}, version {}",
        run.time,
        run.writer,
        announced.launcher,
        announced.version
    );
    say!("{}, {}", run.status.word(), standing(run));
    if let Status::Sealed { seal, time } = &run.status {
        say!("sealed {time}: {seal}");
    }
    for (session, outcome) in &run.sessions {
        match outcome {
            SessionOutcome::Complete { done } => {
                say!("  session {session} complete {}", done.prefix(12));
            }
            SessionOutcome::Missing { message, .. } => {
                say!("  session {session} missing: {message}");
            }
        }
    }
    for verdict in &run.verdicts {
        say!("  {}: {}", verdict.claim, verdict.verdict);
    }
    Ok(Exit::Success)
}
