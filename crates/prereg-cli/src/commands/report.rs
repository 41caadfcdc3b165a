//! `prereg report`: writes the report of a lock from its record.

use prereg_ledger::{History, Locked};

use crate::analysis::Analysis;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::say;
use crate::{open, record};

/// Arguments of `prereg report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  prereg report replay_tax")]
pub(crate) struct Arguments {
    /// An experiment's id, the beginning of a lock's or run's id, or a locked declaration.
    id: String,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, CommandError> {
    let study = open::study()?;
    let history = open::history(&study)?;
    let analysis = Analysis::named(&study, &history, &arguments.id)?;
    refuse_amended(&history, &analysis.locked)?;
    let path = record::write_report(&study, &history, &analysis)?;
    say!("wrote {}", path.display());
    Ok(Exit::Success)
}

/// A report is that of an experiment's newest lock, which tells what became of those before.
fn refuse_amended(history: &History, locked: &Locked) -> Result<(), CommandError> {
    let experiment = &locked.lock().experiment;
    match history.locks_of(experiment).last() {
        Some(newest) if newest.event.lock != locked.id() => {
            let (old, new) = (locked.id().prefix(12), newest.event.lock.prefix(12));
            let message = format!("lock {old} of {experiment} was amended by lock {new}");
            Err(CommandError::new(Exit::Missing, message)
                .hint(format!("prereg report {experiment} tells both"))
                .hint(format!("prereg analyze {old} judges the first alone")))
        }
        _ => Ok(()),
    }
}
