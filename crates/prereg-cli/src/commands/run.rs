//! `prereg run`: announces, measures, seals, judges and reports.

mod changed;
mod execution;
mod one;
mod pilot;
mod preflight;

use prereg_ledger::{History, Standing};

use self::pilot::Arms;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::open;
use crate::output::{note, say};

/// Arguments of `prereg run`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  prereg run experiments/replay_tax.toml --on cpu\n  \
    prereg run experiments/replay_tax.toml --on cpu --resume\n  prereg run --on cpu --dry-run\n  \
    prereg run experiments/draft.toml --on cpu --pilot\n\n\
    Without FILE, every locked experiment that names the target and has no run of record there is run,\n\
    in lock order. Exit code: 0 pass, 1 falsified, 2 abstained, 3 inconsistent record."
)]
pub(crate) struct Arguments {
    /// A locked declaration, or with --pilot a draft: a path, or a name under experiments/.
    file: Option<String>,
    /// The target.
    #[arg(long, value_name = "TARGET")]
    on: String,
    /// Go on with a run that was stopped: only sessions that never started are run.
    #[arg(long, requires = "file")]
    resume: bool,
    /// Measure the spread of a draft before it is locked, with its baseline in place of every arm (baseline) or with
    /// every arm as declared (all-arms). Gives no verdict; announced, and counted in the report.
    #[arg(
        long,
        value_name = "ARMS",
        requires = "file",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "baseline",
        hide_possible_values = true
    )]
    pilot: Option<Arms>,
    /// Print what would be run, and stop.
    #[arg(long, conflicts_with_all = ["file", "resume"])]
    dry_run: bool,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let target = &arguments.on;
    match (&arguments.file, arguments.pilot) {
        (Some(file), Some(arms)) => return pilot::run(file, target, arms, arguments.resume),
        (Some(file), None) => return one::run(file, target, arguments.resume),
        (None, _) => {}
    }
    let study = open::study()?;
    let pending = pending(&open::history(&study)?, target);
    if pending.is_empty() {
        let message = format!(
            "nothing to run on {target}: no lock that names it is without a run of record there"
        );
        return Err(CommandError::new(Exit::Missing, message)
            .hint("prereg list shows locks and runs; prereg run FILE replicates"));
    }
    for experiment in &pending {
        say!("pending on {target}: {experiment}");
    }
    if arguments.dry_run {
        return Ok(Exit::Success);
    }
    let mut exit = Exit::Success;
    for experiment in &pending {
        note!("");
        exit = exit.worse(one::run(experiment, target, false)?);
    }
    Ok(exit)
}

/// Experiments whose newest lock names `target` and has no run of record there, in lock order.
fn pending(history: &History, target: &str) -> Vec<String> {
    let locks = history.locks().iter().filter(|lock| {
        if lock.withdrawn.is_some() {
            return false;
        }
        let newest = history.locks_of(&lock.event.experiment).last();
        newest.is_some_and(|newest| newest.event.lock == lock.event.lock)
    });
    let named = locks.filter(|lock| match &lock.frozen {
        prereg_ledger::Frozen::Whole { lock, .. } => lock.targets.contains_key(target),
        prereg_ledger::Frozen::Unknown { .. } | prereg_ledger::Frozen::Damaged => false,
    });
    named
        .filter(|lock| {
            let mut runs = history.runs_of(lock.event.lock, target);
            runs.all(|run| run.standing == Standing::Aborted)
        })
        .map(|lock| lock.event.experiment.clone())
        .collect()
}
