//! `prereg report`: writes the report of a lock from its record.

use prereg_ledger::Locked;

use crate::analysis::Analysis;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::output::say;
use crate::{find, open, record};

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
    let lock = find::lock(&study, &history, &arguments.id)?.event.lock;
    let locked = Locked::load(&history, lock).map_err(|error| open::not_loaded(&error))?;
    let analysis = Analysis::of(&study, &history, locked)?;
    let path = record::write_report(&study, &history, &analysis)?;
    say!("wrote {}", path.display());
    Ok(Exit::Success)
}
